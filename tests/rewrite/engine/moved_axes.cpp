#include "catch.hpp"

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/moved_axes.hpp>

using namespace jax2onnx;
using rewrite::moved_from;

namespace {

const ints heads_first = {0, 2, 1, 3};

struct model {
  graph g;
  value in(shape dims) { return g.input({dtype::f32, std::move(dims)}, "x"); }
};

}  // namespace

TEST_CASE("moved_from: a Transpose, and one with a Reshape behind it") {
  model m;
  const value x = m.in({2, 5, 3, 4});
  CHECK(moved_from(transpose(x, heads_first), heads_first) == x);
  CHECK_FALSE(moved_from(transpose(x, {0, 2, 3, 1}), heads_first));
  const value grouped = m.in({2, 5, 1, 3, 4});
  const value moved = jax2onnx::reshape(transpose(grouped, {0, 2, 3, 1, 4}), {2, 3, 5, 4});
  CHECK(moved_from(moved, heads_first).dims() == shape{2, 5, 3, 4});
  const value unbatched = jax2onnx::reshape(transpose(m.in({1, 5, 3, 4}), {2, 3, 0, 1}), {3, 4, 5});
  CHECK(moved_from(unbatched, {1, 2, 0}).dims() == shape{5, 3, 4});
}

TEST_CASE("moved_from: axes of extent 1 need no Transpose") {
  model m;
  const value one = m.in({2, 3, 1, 4});
  CHECK(moved_from(one, heads_first).dims() == shape{2, 1, 3, 4});
  CHECK_FALSE(moved_from(m.in({2, 3, 5, 4}), heads_first));
  CHECK_FALSE(moved_from(m.in({2, 3, 4}), heads_first));
}

TEST_CASE("moved_from: extents that need no computation") {
  model m;
  const dim B = m.g.dims().symbol("B"), T = m.g.dims().symbol("T");
  CHECK(moved_from(m.in({B, 3, 1, 4}), heads_first).dims() == shape{B, 1, 3, 4});
  CHECK_FALSE(
      moved_from(jax2onnx::reshape(transpose(m.in({B, 1, T, 3, 4}), {0, 3, 1, 2, 4}), {B, 3, T, 4}), {1, 0, 2, 3}));
}
