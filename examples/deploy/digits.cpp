// SPDX-License-Identifier: Apache-2.0
// Recognizes digits with ONNX Runtime: digits MODEL.onnx IMAGES, where the file IMAGES has 28 x 28 numbers (float32,
// from 0 to 1) for each image.
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <onnxruntime_cxx_api.h>

constexpr std::size_t side = 28, digits = 10;

std::vector<float> read_images(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(std::string(path) + " cannot be opened");
  const auto bytes = static_cast<std::size_t>(file.tellg());
  if (bytes % (side * side * sizeof(float)) != 0) throw std::runtime_error(std::string(path) + " has part of an image");
  std::vector<float> pixels(bytes / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(pixels.data()), static_cast<std::streamsize>(bytes));
  return pixels;
}

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: digits MODEL.onnx IMAGES\n";
    return 64;
  }
  const Ort::Env env;
  Ort::Session session(env, argv[1], Ort::SessionOptions{});  // on Windows, the path is a wide string

  std::vector<float> pixels = read_images(argv[2]);
  const std::size_t images = pixels.size() / (side * side);
  const std::array<std::int64_t, 4> shape{static_cast<std::int64_t>(images), side, side, 1};
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  const auto input = Ort::Value::CreateTensor<float>(memory, pixels.data(), pixels.size(), shape.data(), shape.size());

  const char* const inputs[]{"image"};
  const char* const outputs[]{"logits"};
  const auto results = session.Run(Ort::RunOptions{}, inputs, &input, 1, outputs, 1);
  const float* logits = results[0].GetTensorData<float>();
  for (std::size_t i = 0; i < images; ++i, logits += digits)
    std::cout << std::max_element(logits, logits + digits) - logits << "\n";
} catch (const std::exception& problem) {
  std::cerr << problem.what() << "\n";
  return 1;
}
