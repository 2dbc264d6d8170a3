// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"
#include "weights/files.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/support/permuted_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("numbers: computed numbers are rounded in the bytes only") {
  model m;
  const double third = 1.0 / 3;
  const value v = constant_of_numbers(m.g, {dtype::f32, {2}}, {third, -2}, "w");
  CHECK(*numbers_of(v) == std::vector<double>{third, -2});
  const auto rounded = v.data().view();
  CHECK(load_number(dtype::f32, rounded.data()) == static_cast<double>(static_cast<float>(third)));
  CHECK(load_number(dtype::f32, rounded.data() + 4) == -2);
  CHECK(m.g.at(v.id()).name == "w");
  CHECK(is_computed(v));
  CHECK_FALSE(is_computed(m.weight({2})));
  CHECK_FALSE(is_computed(m.in({2})));
  std::byte second[4];
  REQUIRE(v.data().source()->read(4, second));
  CHECK(load_number(dtype::f32, second) == -2);
  CHECK(test_files::streamed(*v.data().source()).size() == 8);
}

TEST_CASE("numbers: what leaves the range of the type is rounded at once") {
  model m;
  const value v = constant_of_numbers(m.g, {dtype::f32, {3}}, {1e39, 1e-50, -1e-40});
  CHECK(*numbers_of(v) == std::vector<double>{INFINITY, 0, static_cast<double>(-1e-40F)});
  CHECK(*numbers_of(constant_of_numbers(m.g, {dtype::f64, {1}}, {1e39})) == std::vector<double>{1e39});
  CHECK(overflows(dtype::f32, 1e39, {1e20, 1e19}));
  CHECK_FALSE(overflows(dtype::f32, INFINITY, {INFINITY, 1}));
  CHECK_FALSE(overflows(dtype::f64, 1e39, {1}));
}

TEST_CASE("numbers: of constants of float32 and float64, up to a size") {
  model m;
  CHECK(*numbers_of(m.weight({3})) == std::vector<double>{1, 2, 3});
  CHECK(*numbers_of(m.weight({2, 1}, dtype::f64)) == std::vector<double>{1, 2});
  CHECK_FALSE(numbers_of(m.weight({3}, dtype::f16)));
  CHECK_FALSE(numbers_of(m.weight({3}, dtype::i32)));
  CHECK_FALSE(numbers_of(m.in({3})));
  CHECK_FALSE(numbers_of(value()));
  const auto many = static_cast<std::int64_t>(most_numbers);
  CHECK(numbers_of(m.g.constant({dtype::f32, {many}}, bytes(std::string(most_numbers * 4, '\0')))));
  CHECK_FALSE(numbers_of(m.g.constant({dtype::f32, {many + 1}}, bytes(std::string(most_numbers * 4 + 4, '\0')))));
}

TEST_CASE("numbers: float64 is not rounded") {
  std::byte raw[8];
  store_number(dtype::f64, 0.1, raw);
  CHECK(load_number(dtype::f64, raw) == 0.1);
  store_number(dtype::f32, std::nan(""), raw);
  CHECK(std::isnan(load_number(dtype::f32, raw)));
}

TEST_CASE("computed_constant: of others that are computed, up to a depth") {
  graph g;
  bytes data(std::string(8, 'a'));
  const auto turned = [&] {
    return std::make_shared<const jax2onnx::detail::permuted_source>(data, std::vector<std::uint64_t>{2, 4},
                                                                     std::vector<std::uint64_t>{1, 2}, 1);
  };
  for (std::size_t i = 0; i <= deepest_source; ++i) data = computed_constant(g, {dtype::u8, {2, 4}}, turned()).data();
  CHECK_THROWS_AS(computed_constant(g, {dtype::u8, {2, 4}}, turned()), declined);
}

TEST_CASE("computed_constant: what all of them hold has a limit") {
  graph g;
  g.set_limits({.bytes = 10000});
  const auto numbers = [&] { return constant_of_numbers(g, {dtype::f32, {100}}, std::vector<double>(100)); };
  for (int i = 0; i < 4; ++i) CHECK(numbers().data().size() == 400);
  CHECK_THROWS_AS(numbers(), declined);
}

TEST_CASE("computed_constant: a rule that would exceed the limit does not apply") {
  model m;
  m.g.set_limits({.bytes = 20000});
  const value w = m.g.constant({dtype::f32, {1500}}, m.weight({1500}).data(), "scale");
  CHECK(after(mul(m.in({2, 1500}), div(w, 3)), "fold-weights") == "computed weights hold too much memory");
}
