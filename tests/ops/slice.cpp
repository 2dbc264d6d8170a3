// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <array>

#include <jax2onnx/ops/slice.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("concat: empty operands and single ones need no node") {
  model m;
  const value none = m.g.input({dtype::f32, {m.B, 0, 6}}, "none");
  CHECK(same_value(concat({m.x, none}, 1), m.x));
  const value y = concat({m.x, none, m.x}, 1);
  CHECK(y.dims() == shape{m.B, 8, 6});
  CHECK(producer(y).inputs.size() == 2);
  CHECK_THROWS_WITH(concat({m.x, m.g.input({dtype::f32, {4, 6}}, "y")}, 0), Contains("): the ranks differ"));
}

TEST_CASE("concat, slice: small constants are folded") {
  graph g;
  const value a = array(g, dtype::i32, {2, 2}, std::span<const int>(std::array{1, 2, 3, 4}));
  const value both = concat({a, a}, 1);
  CHECK(raw(both) == raw(array(g, dtype::i32, {2, 4}, std::span<const int>(std::array{1, 2, 1, 2, 3, 4, 3, 4}))));
  CHECK(raw(slice(both, {0, 1}, {1, 0}, {2, 4}, {1, 2})) ==
        raw(array(g, dtype::i32, {2}, std::span<const int>(std::array{3, 3}))));
  CHECK(g.node_count() == 0);
}

TEST_CASE("slice: only the axes that change are named") {
  model m;
  const value y = slice(m.x, {0, 1, 2}, {0, 1, 0}, {m.B, 4, 6}, {1, 1, 2});
  CHECK(y.dims() == shape{m.B, 3, 3});
  CHECK(constant_integers(operand_of(y, 1)) == ints{1, 0});
  CHECK(constant_integers(operand_of(y, 2)) == ints{INT32_MAX, INT32_MAX});
  CHECK(constant_integers(operand_of(y, 3)) == ints{1, 2});
  CHECK(constant_integers(operand_of(y, 4)) == ints{1, 2});
  CHECK(producer(slice(m.x, 1, 1, 3)).inputs.size() == 4);  // no strides
}

TEST_CASE("pad: negative amounts crop") {
  model m;
  const value zero = scalar(m.g, dtype::f32, 0);
  CHECK(op_list(m.g).empty());
  const value cropped = pad(m.x, {0, -1, 0}, {0, -1, 0}, zero);
  CHECK(op_of(cropped) == "Slice");
  CHECK(cropped.dims() == shape{m.B, 2, 6});
  const value y = pad(m.x, {0, 1, 0}, {0, 0, -2}, zero);
  CHECK(y.dims() == shape{m.B, 5, 4});
  CHECK(op_list(m.g) == op_names{"Slice", "Pad", "Slice"});
  CHECK(constant_integers(operand_of(operand_of(y, 0), 1)) == ints{0, 1, 0, 0, 0, 0});
  CHECK_THROWS_WITH(pad(m.x, {0, -3, 0}, {0, -2, 0}, zero), Contains("axis 1 has fewer elements than are cropped"));
}

TEST_CASE("reverse: a slice with steps of -1") {
  model m;
  const value y = reverse(m.x, {1});
  CHECK(y.dims() == m.x.dims());
  CHECK(constant_integers(operand_of(y, 4)) == ints{-1});
}

TEST_CASE("slice: the end of an array that is longer than INT32_MAX") {
  graph g;
  const std::int64_t n = std::int64_t{1} << 40;
  const value y = slice(g.input({dtype::i8, {n}}, "x"), 0, 1, n);
  CHECK(constant_integers(operand_of(y, 2)) == ints{n});
}

TEST_CASE("concat: constants without elements are not walked over") {
  graph g;
  const value empty = g.constant({dtype::f32, {std::int64_t{1} << 40, 1, 0}}, {});
  const value joined = concat({empty, empty}, 1);
  CHECK(joined.is_constant());
  CHECK(joined.dims() == shape{std::int64_t{1} << 40, 2, 0});
}

TEST_CASE("reverse: one element has one order") {
  graph g(23);
  const value x = g.input({dtype::f32, {1, 3}}, "x");
  CHECK(reverse(x, {0}).id() == x.id());
}
