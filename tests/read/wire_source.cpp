// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <jax2onnx/read/wire_source.hpp>

using namespace jax2onnx;
using detail::wire_source;

TEST_CASE("wire_source: memory and files read alike, large parts are referred to") {
  std::string all(300'000, ' ');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i * 7 % 251);
  const auto path = std::filesystem::temp_directory_path() / "jax2onnx_wire_source";
  std::ofstream(path, std::ios::binary) << all;
  wire_source memory(all, "model"), file(std::make_shared<const detail::input_file>(path));
  for (wire_source* source : {&memory, &file}) {
    CHECK(source->all().end == all.size());
    for (const std::size_t i : {0u, 70'000u, 5u, 299'999u, 65'536u})
      CHECK(source->at(i) == static_cast<unsigned char>(all[i]));
    CHECK(source->copy({65'530, 65'545}) == all.substr(65'530, 15));
    CHECK(source->refer({10, 20}).in_place());
    const bytes large = source->refer({1000, 101'000});
    CHECK_FALSE(large.in_place());
    CHECK(in_memory(*large.source()) == all.substr(1000, 100'000));
  }
  CHECK(file.refer({1000, 101'000}).source()->location()->offset == 1000);
  CHECK(memory.refer({1000, 101'000}).view().size() == 100'000);
  std::filesystem::remove(path);
}
