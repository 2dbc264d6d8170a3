// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/rotary_embedding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr std::int64_t batch = 2, length = 5, heads = 3, features = 8, half = features / 2;

value half_of(const value& x, bool second) {
  return slice(x, x.rank() - 1, second ? half : 0, second ? features : half);
}

/// (a c - b s, b c + a s)
value rotated(const value& x, const value& c, const value& s) {
  const value a = half_of(x, false), b = half_of(x, true);
  return concat({sub(mul(a, c), mul(b, s)), add(mul(b, c), mul(a, s))}, x.rank() - 1);
}

/// x c + (-b, a) s
value turned(const value& x, const value& c, const value& s) {
  const value around = concat({neg(half_of(x, true)), half_of(x, false)}, x.rank() - 1);
  return add(mul(x, c), mul(around, s));
}

value doubled(const value& x) { return concat({x, x}, x.rank() - 1); }

bool stays(const value& y) { return after(y, "RotaryEmbedding").find("RotaryEmbedding") == std::string::npos; }

}  // namespace

TEST_CASE("RotaryEmbedding: the axis of the heads after that of the length, or before") {
  model m;
  const value y =
      rotated(m.in({batch, length, heads, features}), m.in({batch, length, 1, half}), m.in({batch, length, 1, half}));
  CHECK(after(y, "RotaryEmbedding") == "Reshape Reshape Reshape RotaryEmbedding Reshape");
  model n;
  const value z =
      rotated(n.in({batch, heads, length, features}), n.in({batch, 1, length, half}), n.in({batch, 1, length, half}));
  CHECK(after(z, "RotaryEmbedding") == "Reshape Reshape RotaryEmbedding");
}

TEST_CASE("RotaryEmbedding: the angles of one batch are those of all") {
  model m;
  const value y = rotated(m.in({m.B, length, heads, features}), m.in({length, 1, half}), m.in({1, length, 1, half}));
  CHECK(after(y, "RotaryEmbedding").find("RotaryEmbedding Reshape") != std::string::npos);
}

TEST_CASE("RotaryEmbedding: halves of a Split, angles twice") {
  model m;
  const value x = m.in({batch, length, heads, features});
  const tensor_type part{dtype::f32, {batch, length, heads, half}};
  const tensor_type parts[] = {part, part};
  const std::vector<value> ab = m.g.emit_many("Split", std::vector<value>{x}, parts,
                                              {{"axis", std::int64_t{3}}, {"num_outputs", std::int64_t{2}}});
  const value angles = m.in({batch, length, 1, half}), c = unary("Cos", doubled(angles));
  const value s = jax2onnx::ops::reshape(unary("Sin", doubled(jax2onnx::ops::reshape(angles, {batch, length, half}))),
                                         {batch, length, 1, features});
  const value y = add(mul(concat({neg(ab[1]), ab[0]}, 3), s), mul(x, c));
  CHECK(after(y, "RotaryEmbedding") == "Reshape Cos Sin Reshape Reshape RotaryEmbedding Reshape");
}

TEST_CASE("RotaryEmbedding: angles twice by a Tile") {
  const auto of = [](model& m, const ints& repeats, std::int64_t width) {
    const value angles = m.in({length, width});
    const value wide = m.g.emit("Tile", {angles, int64s(m.g, repeats)}, {dtype::f32, {length, features}});
    const value factor = jax2onnx::ops::reshape(wide, {1, length, 1, features});
    return turned(m.in({batch, length, heads, features}), factor, factor);
  };
  model m;
  CHECK_FALSE(stays(of(m, {1, 2}, half)));
  model n;
  CHECK(stays(of(n, {1, 1}, features)));
  model o;
  CHECK(stays(of(o, {1, 4}, half / 2)));
}

TEST_CASE("RotaryEmbedding: constant angles twice") {
  const auto of = [](model& m, const std::vector<float>& angles) {
    const ints extents = {1, 1, 1, features};
    const value c = array(m.g, dtype::f32, extents, std::span<const float>(angles));
    return turned(m.in({batch, length, heads, features}), c, c);
  };
  model m;
  CHECK(after(of(m, {1, 2, 3, 4, 1, 2, 3, 4}), "RotaryEmbedding").ends_with("RotaryEmbedding Reshape"));
  model n;
  CHECK(stays(of(n, {1, 2, 3, 4, 1, 2, 3, 5})));
}

TEST_CASE("RotaryEmbedding: rows of a constant table that has each number twice") {
  /// Sines and cosines of enough positions that the table is read in pieces. `added` is added to the last number.
  const auto table_of = [](model& m, std::int64_t width, float added) {
    constexpr std::int64_t positions = 3000;
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < positions * width; ++i) numbers.push_back(static_cast<float>(i / features + i % half));
    numbers.back() += added;
    return array(m.g, dtype::f32, {positions, 1, width}, std::span<const float>(numbers));
  };
  const auto rows_of = [](model& m, const value& table) { return gather(table, m.in({batch, length}, dtype::i32), 0); };
  const auto of_one = [&](model& m, float added) {
    const value both = rows_of(m, table_of(m, 2 * features, added));
    return turned(m.in({batch, length, heads, features}), slice(both, 3, features, 2 * features),
                  slice(both, 3, 0, features));
  };
  model m, n, o;
  CHECK(after(of_one(m, 0), "RotaryEmbedding") == "Gather Slice Slice Reshape Reshape Reshape RotaryEmbedding Reshape");
  CHECK(stays(of_one(n, 1)));
  const value cosines = rows_of(o, table_of(o, features, 0)), sines = rows_of(o, table_of(o, features, 0));
  CHECK(after(turned(o.in({batch, length, heads, features}), cosines, sines), "RotaryEmbedding")
            .ends_with("RotaryEmbedding Reshape"));
}

TEST_CASE("RotaryEmbedding: a factor without leading extents of 1") {
  model m;
  const value x = m.in({length, features}), c = doubled(m.in({1, length, 1, half}));
  const value y = jax2onnx::ops::reshape(x, {1, 1, length, features}),
              wide = jax2onnx::ops::reshape(c, {1, 1, length, features});
  const value around = concat({neg(half_of(y, true)), half_of(y, false)}, 3);
  CHECK(after(add(mul(x, wide), mul(around, wide)), "RotaryEmbedding").ends_with("RotaryEmbedding"));
}

TEST_CASE("RotaryEmbedding: look-alikes") {
  const shape dims = {batch, length, heads, features}, wide = {batch, length, 1, features};
  const shape narrow = {batch, length, 1, half};
  model m;  // the wrong sign
  const value x = m.in(dims), c = m.in(narrow), s = m.in(narrow), a = half_of(x, false), b = half_of(x, true);
  CHECK(stays(concat({add(mul(a, c), mul(b, s)), add(mul(b, c), mul(a, s))}, 3)));
  model n;  // the halves are swapped
  const value y = n.in(dims), d = n.in(narrow), t = n.in(narrow), p = half_of(y, true), q = half_of(y, false);
  CHECK(stays(concat({sub(mul(p, d), mul(q, t)), add(mul(q, d), mul(p, t))}, 3)));
  model o;  // angles whose halves may differ
  CHECK(stays(turned(o.in(dims), o.in(wide), o.in(wide))));
  model r;  // the halves are from two values
  const value u = r.in(dims), v = r.in(dims), e = r.in(narrow), f = r.in(narrow);
  CHECK(stays(concat({sub(mul(half_of(u, false), e), mul(half_of(v, true), f)),
                      add(mul(half_of(v, true), e), mul(half_of(u, false), f))},
                     3)));
  model w;  // along the heads
  const value z = w.in({batch, length, heads, features});
  CHECK(stays(concat({sub(half_of(z, false), half_of(z, true)), half_of(z, true)}, 2)));
}

TEST_CASE("RotaryEmbedding: reasons to decline") {
  const auto of = [](model& m, dtype t, std::int64_t angles) {
    return rotated(m.in({batch, length, heads, features}, t), m.in({batch, length, angles, half}, t),
                   m.in({batch, length, angles, half}, t));
  };
  model m, o;
  model n(22);
  CHECK(after(of(m, dtype::f64, 1), "RotaryEmbedding") == "the element type is not float32");
  CHECK(after(of(n, dtype::f32, 1), "RotaryEmbedding") == "RotaryEmbedding needs opset 23");
  CHECK(after(of(o, dtype::f32, heads), "RotaryEmbedding") == "the angles depend on the head");
}
