#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

value wrapped(const value& i, int extent) { return where(less(i, 0), add(i, extent), i); }
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
