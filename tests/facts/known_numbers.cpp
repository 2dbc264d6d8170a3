// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <jax2onnx/facts/known_numbers.hpp>
#include <jax2onnx/ops/constants.hpp>

using namespace jax2onnx;

namespace {

std::string numbers(const value& v) {
  const auto found = detail::known_numbers(v.owner(), v.owner().dims(), v.id());
  return found ? v.owner().dims().text(*found) : "unknown";
}

}  // namespace

TEST_CASE("known_numbers: of constants and of what is computed from extents") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 3}}, "x");
  const value s = g.emit("Shape", {x}, {dtype::i64, {2}});
  CHECK(numbers(s) == "[B,3]");
  CHECK(numbers(int64s(g, {4, -1})) == "[4,-1]");
  const value first = g.emit("Gather", {s, int64s(g, {0})}, {dtype::i64, {1}});
  CHECK(numbers(g.emit("Concat", {first, int64s(g, {6})}, {dtype::i64, {2}}, {{"axis", std::int64_t{0}}})) == "[B,6]");
  CHECK(numbers(g.emit("Mul", {first, int64s(g, {2})}, {dtype::i64, {1}})) == "[2*B]");
  const value one = int64s(g, {1}), two = int64s(g, {2});
  CHECK(numbers(g.emit("Slice", {s, one, two}, {dtype::i64, {1}})) == "[3]");
  CHECK(numbers(g.input({dtype::i64, {2}}, "n")) == "[?,?]");
  CHECK(numbers(g.input({dtype::i64, {g.dims().symbol("N")}}, "m")) == "unknown");
  CHECK(numbers(x) == "unknown");
}

TEST_CASE("known_numbers: chains are followed for a few dozen nodes") {
  graph g;
  value v = int64s(g, {7});
  for (int i = 0; i < 100'000; ++i) v = g.emit("Identity", {v}, v.type());
  CHECK(numbers(v) == "[?]");
}

TEST_CASE("known_reals: of constants of floats that are vectors or scalars") {
  using reals = std::vector<double>;
  graph g;
  const auto known = [&](tensor_type type, const std::vector<float>& numbers) {
    std::string data(numbers.size() * sizeof(float), '\0');
    std::memcpy(data.data(), numbers.data(), data.size());
    return detail::known_reals(g, g.constant(std::move(type), bytes(std::move(data))).id());
  };
  CHECK(known({dtype::f32, {2}}, {0.5F, 2}) == reals{0.5, 2});
  CHECK(known({dtype::f32, {}}, {3}) == reals{3});
  CHECK(detail::known_reals(g, g.constant({dtype::f16, {1}}, bytes(std::string("\0\x3c", 2))).id()) == reals{1});
  CHECK_FALSE(known({dtype::f32, {1, 1}}, {3}));
  CHECK_FALSE(known({dtype::f32, {65}}, std::vector<float>(65)));
  CHECK_FALSE(detail::known_reals(g, int64s(g, {1}).id()));
  CHECK_FALSE(detail::known_reals(g, g.input({dtype::f32, {2}}, "x").id()));
  CHECK_FALSE(detail::known_reals(g, value_id::none));
}
