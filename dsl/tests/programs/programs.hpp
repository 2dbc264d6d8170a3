// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/emit/model.hpp>

/// Programs in the DSL, by name. Each program builds graphs and writes models to a folder; expected.py runs the models.
using program = void (*)(const std::filesystem::path& folder);
inline std::map<std::string, program>& programs() {
  static std::map<std::string, program> all;
  return all;
}

/// Defines a program. The name of the program is also the name of its main model.
#define PROGRAM(name)                                                                    \
  static void program_##name(const std::filesystem::path& folder);                       \
  static const bool name##_is_listed = programs().emplace(#name, program_##name).second; \
  static void program_##name([[maybe_unused]] const std::filesystem::path& folder)

/// Numbers in [-scale, scale]. expected.py computes the same numbers.
inline std::vector<float> numbers(std::int64_t count, double scale = 1, std::int64_t seed = 0) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(static_cast<float>(static_cast<double>((i * 37 + 11 + seed * 13) % 101 - 50) / 50.0 * scale));
  return out;
}

/// A weight made of numbers().
template <jax2onnx::extent... E>
auto weight(jax2onnx::graph& g, const char* name, double scale = 0.5, std::int64_t seed = 0) {
  return jax2onnx::constant<float, E...>(g, numbers((std::int64_t{1} * ... * E.size), scale, seed), name);
}

/// A weight of a shape that the compiler does not know, made of numbers().
inline jax2onnx::value weight(jax2onnx::graph& g, const jax2onnx::ints& shape, double scale = 0.5,
                              std::int64_t seed = 0) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  return jax2onnx::array(g, jax2onnx::dtype::f32, shape, numbers(count, scale, seed));
}
