// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <jax2onnx/rewrite/engine/scaled_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace test_files;

namespace {

template <class Number>
std::vector<Number> numbers_in(const std::shared_ptr<const scaled_source>& source) {
  const std::string all = in_memory(*source);
  std::vector<Number> out(all.size() / sizeof(Number));
  std::memcpy(out.data(), all.data(), all.size());
  return out;
}

template <class Number>
bytes held(const std::vector<Number>& numbers) {
  return bytes(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)));
}

}  // namespace

TEST_CASE("scaled_source: a factor for every index along an axis") {
  const bytes w = held<float>({1, 2, 3, 4, 5, 6});  // [2, 3]
  CHECK(numbers_in<float>(scaled(w, dtype::f32, {{2, 10}, 3})) == std::vector<float>{2, 4, 6, 40, 50, 60});
  CHECK(numbers_in<float>(scaled(w, dtype::f32, {{1, 2, 3}, 1})) == std::vector<float>{1, 4, 9, 4, 10, 18});
  CHECK(numbers_in<float>(scaled(w, dtype::f32, {{-1}, 6})) == std::vector<float>{-1, -2, -3, -4, -5, -6});
  CHECK(numbers_in<double>(scaled(held<double>({0.1, 3}), dtype::f64, {{3, 1}, 1})) == std::vector<double>{0.1 * 3, 3});
}

TEST_CASE("scaled_source: products of several factors are rounded once") {
  const float w = 1.2F, third = 1.0F / 3;
  const auto once = scaled(held<float>({w}), dtype::f32, {{third}, 1});
  const auto twice = scaled(bytes(once), dtype::f32, {{third}, 1});
  const double exact = static_cast<double>(w) * static_cast<double>(third) * static_cast<double>(third);
  CHECK(numbers_in<float>(twice).front() == static_cast<float>(exact));
  CHECK(static_cast<float>(exact) != w * third * third);  // otherwise the test would show nothing
  CHECK(twice->size() == 4);
  CHECK(twice->stored_size() == 4);
}

TEST_CASE("scaled_source: factors along an axis that has some become one list") {
  const bytes w = held<float>({1, 2, 3, 4, 5, 6});  // [2, 3]
  auto chain = scaled(w, dtype::f32, {{2}, 6});
  for (int i = 0; i < 30; ++i) {
    chain = scaled(bytes(chain), dtype::f32, {{2, 0.5}, 3});
    chain = scaled(bytes(chain), dtype::f32, {{0.5, 1, 2}, 1});
    chain = scaled(bytes(chain), dtype::f32, {{0.5, 2}, 3});
    chain = scaled(bytes(chain), dtype::f32, {{2, 1, 0.5}, 1});
  }
  CHECK(chain->factors().size() == 2);
  CHECK(chain->depth() == 0);
  CHECK(chain->held_bytes() == 5 * sizeof(double));
  CHECK(numbers_in<float>(chain) == std::vector<float>{2, 4, 6, 8, 10, 12});
}

TEST_CASE("scaled_source: the largest magnitude of a weight") {
  using jax2onnx::rewrite::detail::largest_magnitude;
  CHECK(largest_magnitude(held<float>({1, -3, 2}), dtype::f32) == 3);
  CHECK(largest_magnitude(held<double>({-0.0, -1e300}), dtype::f64) == 1e300);
  CHECK(largest_magnitude(held<float>({}), dtype::f32) == 0);
  CHECK(std::isinf(largest_magnitude(held<float>({1, -INFINITY}), dtype::f32)));
  CHECK(std::isnan(largest_magnitude(held<float>({NAN, INFINITY}), dtype::f32)));
}

TEST_CASE("scaled_source: the largest finite magnitude of a weight") {
  using jax2onnx::rewrite::detail::chosen_elements;
  using jax2onnx::rewrite::detail::largest_magnitude;
  CHECK(largest_magnitude(held<float>({1, -3, INFINITY, NAN}), dtype::f32, chosen_elements::finite) == 3);
  CHECK(largest_magnitude(held<float>({-INFINITY}), dtype::f32, chosen_elements::finite) == 0);
  CHECK(largest_magnitude(held<double>({-INFINITY, -1e300, NAN}), dtype::f64, chosen_elements::finite) == 1e300);
}

TEST_CASE("scaled_source: pieces end anywhere in a run, also those of an inflated file") {
  constexpr std::size_t rows = 7, columns = 99991;
  std::vector<float> w(rows * columns), expected;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 1000);
  const std::vector<double> factors{1, 2, 3, 4, 5, 6, 7};
  for (std::size_t i = 0; i < w.size(); ++i) expected.push_back(w[i] * static_cast<float>(factors[i / columns]));
  const std::string content(reinterpret_cast<const char*>(w.data()), w.size() * sizeof(float));
  const temporary_directory dir;
  const auto weights = read_weights(
      dir.write("w.npz", archive({{.name = "a.npy", .content = npy("<f4", "(699937,)", content)},
                                  {.name = "b.npy", .content = npy("<f4", "(699937,)", content), .deflate = true}})));
  for (const auto& weight : weights)
    CHECK((numbers_in<float>(scaled(bytes(weight.data), dtype::f32, {factors, columns})) == expected));
}
