// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/graph/interval.hpp>

using namespace jax2onnx;

namespace {

/// i8 integers near which results change, used as bounds of intervals and as elements.
constexpr std::int64_t corners[] = {-128, -127, -64, -3, -1, 0, 1, 2, 5, 64, 126, 127};

std::vector<interval> small_intervals() {
  std::vector<interval> out;
  for (const std::int64_t low : corners)
    for (const std::int64_t high : corners)
      if (low <= high) out.push_back({low, high});
  return out;
}

bool holds(const interval& r, std::int64_t n) {
  return (r.low.is_dyn() || r.low.extent() <= n) && (r.high.is_dyn() || n <= r.high.extent());
}

/// Returns whether `range(a, b)` holds the result of `op`, which wraps, for all corners in a and b.
template <class Range, class Op>
bool is_sound(Range range, Op op) {
  for (const interval& a : small_intervals())
    for (const interval& b : small_intervals())
      for (const std::int64_t x : corners)
        for (const std::int64_t y : corners)
          if (holds(a, x) && holds(b, y) && !holds(range(a, b), static_cast<std::int8_t>(op(x, y)))) return false;
  return true;
}

}  // namespace

TEST_CASE("intervals: arithmetic that wraps") {
  dim_table dims;
  const interval_math math(dims);
  CHECK(is_sound([&](auto a, auto b) { return math.add(a, b, dtype::i8); }, [](auto x, auto y) { return x + y; }));
  CHECK(is_sound([&](auto a, auto b) { return math.sub(a, b, dtype::i8); }, [](auto x, auto y) { return x - y; }));
  CHECK(is_sound([&](auto a, auto b) { return math.mul(a, b, dtype::i8); }, [](auto x, auto y) { return x * y; }));
  CHECK(math.add({0, 3}, {1, 2}, dtype::i8) == interval{1, 5});
  CHECK(math.add({0, 126}, {1, 2}, dtype::i8) == interval{-128, 127});
  CHECK(math.sub({0, 3}, {1, 2}, dtype::u8) == interval{0, 255});
  CHECK(math.mul({-2, 3}, {4, 5}, dtype::i32) == interval{-10, 15});
}

TEST_CASE("intervals: the ends of 64-bit types are unbounded") {
  dim_table dims;
  const interval_math math(dims);
  const dim none = dim::dyn();
  CHECK(values_of(dtype::i64) == interval{none, none});
  CHECK(values_of(dtype::u64) == interval{0, none});
  CHECK(values_of(dtype::boolean) == interval{0, 1});
  CHECK(math.add({none, -1}, only(4), dtype::i64) == interval{none, 3});
  CHECK(math.add({0, none}, only(4), dtype::i64) == interval{none, none});  // may wrap
  CHECK(math.sub({0, 0}, {none, 0}, dtype::i64) == interval{none, none});   // 0 - smallest wraps
  CHECK(math.sub({-1, -1}, {none, 0}, dtype::i64) == interval{-1, none});
  CHECK(math.sub({5, 9}, {0, none}, dtype::u64) == interval{0, none});
  CHECK(math.mul(only(dim::limit - 1), only(dim::limit - 1), dtype::i64) == interval{none, none});
}

TEST_CASE("intervals: symbolic ends") {
  dim_table dims;
  const interval_math math(dims);
  const dim b = dims.symbol("B"), t = dims.symbol("T");
  const dim last = dims.sub(b, 1);
  CHECK(math.at_most(last, b));
  CHECK_FALSE(math.at_most(b, t));
  CHECK(math.inside({0, last}, {0, last}));
  CHECK_FALSE(math.inside({0, b}, {0, last}));
  CHECK(math.add({0, last}, only(1), dtype::i32) == interval{1, b});
  CHECK(math.add({0, last}, only(1), dtype::i8) == interval{-128, 127});  // B may be large
  CHECK(math.mul({0, b}, {0, t}, dtype::i32) == interval{0, dims.mul(b, t)});
  CHECK(math.hull({0, b}, {0, t}) == interval{0, dim::dyn()});
  CHECK(math.intersection({0, b}, {5, dim::dyn()}) == interval{5, b});
  CHECK(math.intersection({0, 3}, {4, 9}) == std::nullopt);
}

TEST_CASE("intervals: expressions that grow become unknown") {
  dim_table dims;
  const interval_math math(dims);
  interval r{0, dims.symbol("B")};
  for (int i = 0; i < 200; ++i) r = math.add(r, r, dtype::i64);
  CHECK(r == interval{dim::dyn(), dim::dyn()});
  interval powers{0, dims.symbol("B")};
  for (int i = 0; i < 200; ++i) powers = math.mul(powers, {0, dims.symbol("s" + std::to_string(i))}, dtype::i64);
  CHECK(powers == interval{dim::dyn(), dim::dyn()});
}
