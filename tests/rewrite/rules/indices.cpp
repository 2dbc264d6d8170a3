#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value wrapped(const value& i, int extent) {
  const value raised = add(i, extent);
  return where(less(i, 0), raised, i);
}
value clamped(const value& i, int last) {
  return clip(i, scalar(i.owner(), i.dtype(), 0), scalar(i.owner(), i.dtype(), last));
}

}  // namespace

TEST_CASE("negative-indices: ONNX counts them from the end itself") {
  model m;
  CHECK(after(gather(m.in({5, 2}), wrapped(m.in({3}, dtype::i32), 5), 0), "negative-indices") == "Gather");
  model n;
  CHECK(after(gather(n.in({5, 2}), wrapped(n.in({3}, dtype::i32), 4), 0), "negative-indices") ==
        "the number added is not the extent");
}

TEST_CASE("negative-indices: clamped indices are clamped before they are wrapped") {
  model m;
  CHECK(after(gather(m.in({5, 2}), clamped(wrapped(m.in({3}, dtype::i32), 5), 4), 0), "negative-indices") ==
        "Clip Gather");
  model n;  // clamped to other bounds than those that ONNX wraps at
  CHECK(after(gather(n.in({5, 2}), clamped(wrapped(n.in({3}, dtype::i32), 5), 3), 0), "negative-indices") ==
        "Add Less Where Clip Gather");
}

TEST_CASE("negative-bounds: an index that is out of bounds is so before it is wrapped") {
  model m;
  const value i = wrapped(m.in({3}, dtype::i32), 5);
  CHECK(after(equal(clamped(i, 4), i), "negative-bounds") == "Clip Equal");
  model n;
  CHECK(after(equal(clamped(wrapped(n.in({3}, dtype::i32), 5), 4), n.in({3}, dtype::i32)), "negative-bounds") ==
        "Add Less Where Clip Equal");
}

TEST_CASE("negative-rows: the only component of an index that is no constant") {
  const auto rows = [](model& m, const value& i, std::initializer_list<std::int64_t> component) {
    const ints numbers = component;
    const value row = array(m.g, dtype::i64, {1, std::ssize(numbers)}, std::span<const std::int64_t>(numbers));
    const value update = numbers.size() == 2 ? m.in({1, 2}) : m.in({1, 5, 2});
    return after(scatter_nd(m.in({1, 5, 2}), mul(cast(i, dtype::i64), row), update), "negative-rows");
  };
  model m;
  CHECK(rows(m, wrapped(m.in({}, dtype::i32), 5), {0, 1}) == "Cast Mul ScatterND");
  model n;
  CHECK(rows(n, clamped(wrapped(n.in({}, dtype::i32), 5), 4), {0, 1}) == "Clip Cast Mul ScatterND");
  model k;
  CHECK(rows(k, wrapped(k.in({}, dtype::i32), 4), {0, 1}) == "the number added is not the extent");
  model l;  // no component of one number
  CHECK(rows(l, wrapped(l.in({}, dtype::i32), 5), {1, 1}) == "Add Less Where Cast Mul ScatterND");
}
