// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/pallas/batched_blocks.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::pallas;

TEST_CASE("an array becomes its blocks, and the blocks the array") {
  graph g;
  const value x = g.input({dtype::f32, {4, 6, 5}}, "x");
  block_mapping m;
  m.axes = {{block_kind::blocked, 2}, {block_kind::squeezed, 1}, {block_kind::blocked, 5}};
  const array_blocks blocks{{1, {0, 2}}, {0, {0, 1, 2, 3, 4, 5}}, {}};
  CHECK(leading_axes(blocks) == std::vector<std::size_t>{0, 1});
  const value parts = split_blocks(x, blocks, m);
  CHECK(parts.dims() == shape{6, 2, 2, 5});  // the axes of the grid in order, then the elements of a kernel's block
  CHECK(join_blocks(parts, blocks, m, x.dims()).dims() == x.dims());
}

TEST_CASE("blocks that overlap, or that are in another order, are gathered") {
  graph g;
  const value x = g.input({dtype::f32, {8}}, "x");
  CHECK(are_consecutive({2, 4, 6}, 2));
  CHECK_FALSE(are_consecutive({0, 1}, 2));
  CHECK(divided(x, 0, {0, 1, 2}, 4).dims() == shape{3, 4});
  CHECK(divided(x, 0, {2, 4}, 2).dims() == shape{2, 2});
  block_mapping m;
  m.axes = {{block_kind::blocked, 2}};
  const array_blocks reversed{{0, {6, 4, 2, 0}}};
  CHECK(join_blocks(split_blocks(x, reversed, m), reversed, m, x.dims()).dims() == x.dims());
}
