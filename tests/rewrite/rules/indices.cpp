#include <array>
#include <cstdint>
#include <span>

#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

value wrapped(const value& i, int extent) { return where(less(i, 0), add(i, extent), i); }
value clamped(const value& i, int last) {
  return clip(i, scalar(i.owner(), i.dtype(), 0), scalar(i.owner(), i.dtype(), last));
}

}  // namespace

TEST_CASE("known-choice: indices that are nowhere negative need no wrapping") {
  model m;
  CHECK(after(gather(m.in({9, 3}), wrapped(m.weight({2, 3}, dtype::i32), 9), 0), "known-choice") == "Gather");
  model n;
  const value mixed = array(n.g, dtype::i32, {2}, std::span<const std::int64_t>(std::array<std::int64_t, 2>{1, -1}));
  CHECK(after(gather(n.in({9, 3}), wrapped(mixed, 9), 0), "known-choice") == "Less Add Where Gather");
  model o;
  const value largest = o.g.emit("ArgMax", {o.in({9, 3})}, {dtype::i64, {3}},
                                 {{"axis", std::int64_t{0}}, {"keepdims", std::int64_t{0}}});
  CHECK(after(gather(o.in({9, 3}), wrapped(largest, 9), 0), "known-choice") == "ArgMax Gather");
  model p;
  const value always = less(p.weight({2}, dtype::i32), 9);
  CHECK(after(where(always, p.in({}), p.in({2})), "known-choice") == "the choice is broadcast");
}

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
        "Less Add Where Clip Gather");
}

TEST_CASE("negative-bounds: an index that is out of bounds is so before it is wrapped") {
  model m;
  const value i = wrapped(m.in({3}, dtype::i32), 5);
  CHECK(after(equal(clamped(i, 4), i), "negative-bounds") == "Clip Equal");
  model n;
  CHECK(after(equal(clamped(wrapped(n.in({3}, dtype::i32), 5), 4), n.in({3}, dtype::i32)), "negative-bounds") ==
        "Less Add Where Clip Equal");
}
