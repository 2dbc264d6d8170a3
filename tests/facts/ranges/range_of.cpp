// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <jax2onnx/facts/ranges/conditions.hpp>
#include <jax2onnx/facts/ranges/operators.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

namespace {

struct model {
  graph g;
  dim B = g.dims().symbol("B");
  value in(shape dims, dtype t = dtype::i32) { return g.input({t, std::move(dims)}, ""); }
  value number(std::int64_t n, dtype t = dtype::i32) { return scalar(g, t, n); }
  /// A value with any integers in [low, high].
  value between(std::int64_t low, std::int64_t high, dtype t = dtype::i32) {
    return clip(in({7}, t), number(low, t), number(high, t));
  }
};

/// Corner values of i8, and an operator as ONNX defines it.
constexpr std::int64_t corners[] = {-128, -127, -5, -1, 0, 1, 3, 4, 64, 127};
using reference = std::function<std::int64_t(std::int64_t, std::int64_t)>;
using builder = std::function<value(const value&, const value&)>;

bool holds(const interval& r, std::int64_t n) { return r.low.extent() <= n && n <= r.high.extent(); }

/// Returns whether ranges contain all results of an operator on i8, for operands between any two corners.
bool is_sound(const builder& build, const reference& compute, bool positive_divisor = false) {
  for (const std::int64_t a : corners)
    for (const std::int64_t b : corners)
      for (const std::int64_t c : corners)
        for (const std::int64_t d : corners) {
          if (a > b || c > d || (positive_divisor && c < 1)) continue;
          model m;
          const interval r = range_of(build(m.between(a, b, dtype::i8), m.between(c, d, dtype::i8)));
          for (const std::int64_t x : corners)
            for (const std::int64_t y : corners)
              if (a <= x && x <= b && c <= y && y <= d && !holds(r, static_cast<std::int8_t>(compute(x, y))))
                return false;
        }
  return true;
}

value mod(const value& x, const value& d, std::int64_t fmod) {
  return x.owner().emit("Mod", {x, d}, x.type(), {{"fmod", fmod}});
}
value halved(const value& x) {
  return x.owner().emit("BitShift", {x, scalar(x.owner(), x.dtype(), 1)}, x.type(), {{"direction", "RIGHT"}});
}
value wrapped(const value& i, const value& n) { return where(less(i, scalar(i.owner(), i.dtype(), 0)), add(i, n), i); }

}  // namespace

TEST_CASE("ranges: no result of an operator is outside of its range") {
  const auto op = [](operator_name name) {
    return [name](const value& a, const value& b) { return binary(name, a, b); };
  };
  CHECK(is_sound(op("Add"), [](auto x, auto y) { return x + y; }));
  CHECK(is_sound(op("Sub"), [](auto x, auto y) { return x - y; }));
  CHECK(is_sound(op("Mul"), [](auto x, auto y) { return x * y; }));
  CHECK(is_sound(op("Min"), [](auto x, auto y) { return std::min(x, y); }));
  CHECK(is_sound(op("Max"), [](auto x, auto y) { return std::max(x, y); }));
  CHECK(is_sound(op("BitwiseAnd"), [](auto x, auto y) { return x & y; }));
  CHECK(is_sound([](auto a, auto) { return halved(a); }, [](auto x, auto) { return x >> 1; }));
  CHECK(is_sound(
      op("Div"), [](auto x, auto y) { return x / y; }, true));
  CHECK(is_sound([](auto a, auto b) { return mod(a, b, 1); }, [](auto x, auto y) { return x % y; }, true));
  CHECK(is_sound([](auto a, auto b) { return mod(a, b, 0); }, [](auto x, auto y) { return (x % y + y) % y; }, true));
  CHECK(is_sound([](auto a, auto b) { return sub(a, mul(div(a, b), b)); }, [](auto x, auto y) { return x % y; }, true));
  CHECK(is_sound([](auto a, auto) { return neg(a); }, [](auto x, auto) { return -x; }));
  CHECK(is_sound([](auto a, auto) { return abs(a); }, [](auto x, auto) { return x < 0 ? -x : x; }));
  CHECK(is_sound([](auto a, auto b) { return cast(less(a, b), dtype::i8); }, [](auto x, auto y) { return x < y; }));
  CHECK(is_sound([](auto a, auto b) { return cast(equal(a, b), dtype::i8); }, [](auto x, auto y) { return x == y; }));
  CHECK(is_sound([](auto a, auto b) { return cast(greater_equal(a, b), dtype::i8); },
                 [](auto x, auto y) { return x >= y; }));
}

TEST_CASE("ranges: no choice is outside of its range") {
  CHECK(is_sound([](auto a, auto b) { return wrapped(a, b); }, [](auto x, auto y) { return x < 0 ? x + y : x; }));
  CHECK(is_sound([](auto a, auto b) { return where(logical_not(less_equal(a, b)), a, b); },
                 [](auto x, auto y) { return x > y ? x : y; }));
  CHECK(is_sound([](auto a, auto b) { return where(logical_and(less(a, b), greater(a, 0)), a, b); },
                 [](auto x, auto y) { return x < y && x > 0 ? x : y; }));
  CHECK(is_sound([](auto a, auto b) { return where(logical_or(less(a, b), greater(a, 0)), b, a); },
                 [](auto x, auto y) { return x < y || x > 0 ? y : x; }));
  CHECK(is_sound([](auto a, auto b) { return where(logical_xor(less(a, 0), less(b, 0)), a, add(a, b)); },
                 [](auto x, auto y) { return (x < 0) != (y < 0) ? x : x + y; }));
  CHECK(is_sound([](auto a, auto b) { return where(equal(a, b), a, add(b, a)); },
                 [](auto x, auto y) { return x == y ? x : x + y; }));
}

TEST_CASE("ranges: JAX's indexing of what is in [-n, n - 1]") {
  model m;
  CHECK(range_of(wrapped(m.between(-4, 3), m.number(4))) == interval{0, 3});
  CHECK(range_of(wrapped(m.between(-5, 3), m.number(4))) == interval{-1, 3});
  CHECK(range_of(wrapped(m.in({7}), m.number(4))).high == dim(INT32_MAX));
  const value r = mod(m.in({7}), m.number(4), 1);  // jnp.remainder
  const value differ = logical_not(equal(less(r, 0), less(m.number(4), 0)));
  CHECK(range_of(where(logical_and(differ, logical_not(equal(r, 0))), add(r, 4), r)) == interval{0, 3});
  m.in({m.B}, dtype::f32);
  const auto end = [&](dim d) { return dim_scalar(m.g, d); };
  const value i = clip(m.in({7}, dtype::i64), end(m.g.dims().sub(0, m.B)), end(m.g.dims().sub(m.B, 1)));
  CHECK(range_of(wrapped(i, end(m.B))) == interval{0, m.g.dims().sub(m.B, 1)});
}

TEST_CASE("ranges: indices that operators make") {
  model m;
  const dim last = m.g.dims().sub(m.B, 1);
  const value x = m.in({m.B, 9}, dtype::f32);
  const auto [top, places] = top_k(x, 2, 0, true);
  CHECK(range_of(places) == interval{0, last});
  CHECK(range_of(range(m.g, m.B)) == interval{0, last});
  CHECK(range_of(dim_scalar(m.g, m.B)) == only(m.B));
  CHECK(range_of(wrapped(range(m.g, m.B), dim_scalar(m.g, m.B))) == interval{0, last});
  CHECK(range_of(m.g.emit("ArgMax", {x}, {dtype::i64, {m.B}}, {{"axis", std::int64_t{-1}}})) == interval{0, 8});
  CHECK(range_of(m.in({3}, dtype::u8)) == interval{0, 255});
  CHECK(range_of(cast(m.in({3}, dtype::boolean), dtype::i64)) == interval{0, 1});
  CHECK(range_of(cast(m.in({3}, dtype::u64), dtype::i64)) == interval{});
  CHECK(range_of(cast(x, dtype::i32)) == values_of(dtype::i32));
}

TEST_CASE("ranges: where elements only move") {
  model m;
  const std::vector<std::int64_t> numbers{3, -1, 4, 1, 5, 9};
  const value table = array(m.g, dtype::i32, {2, 3}, std::span<const std::int64_t>(numbers));
  CHECK(range_of(table) == interval{-1, 9});
  CHECK(range_of(transpose(table, {1, 0})) == interval{-1, 9});
  CHECK(range_of(gather(table, m.in({5}), 0)) == interval{-1, 9});
  CHECK(range_of(pad(m.between(2, 4), {1}, {1}, m.number(0))) == interval{0, 4});
  CHECK(range_of(concat({m.between(2, 4), m.between(5, 6)}, 0)) == interval{2, 6});
  CHECK(range_of_component(table, 0) == interval{1, 3});
  CHECK(range_of_component(table, 2) == interval{4, 9});
  const value pair = concat({unsqueeze(m.between(2, 4), {1}), unsqueeze(m.between(5, 6), {1})}, 1);
  CHECK(range_of_component(pair, 1) == interval{5, 6});
}

TEST_CASE("ranges: loops count") {
  model m;
  interval counted;
  loop(m.g, m.number(5, dtype::i64), {}, {}, [&](const value& iteration, const std::vector<value>&) {
    counted = range_of(sub(m.number(4, dtype::i64), iteration));
    return loop_step{{}, {}, {iteration}};
  });
  CHECK(counted == interval{0, 4});
  interval element;
  scan(m.g, {}, {m.between(2, 4)}, [&](const std::vector<value>&, const std::vector<value>& elements) {
    element = range_of(elements[0]);
    return loop_step{{}, {}, {elements[0]}};
  });
  CHECK(element == interval{2, 4});
}

TEST_CASE("ranges: a long chain needs no deep recursion") {
  model m;
  value v = m.between(0, 1, dtype::i64);
  for (int i = 0; i < 200'000; ++i) v = add(v, 1);
  CHECK(range_of(v) == interval{200'000, 200'001});
}
