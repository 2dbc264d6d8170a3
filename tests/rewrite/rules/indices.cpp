#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

TEST_CASE("negative-indices: ONNX counts them from the end itself") {
  const auto wrapped = [](const value& i, int extent) { return where(less(i, 0), add(i, extent), i); };
  model m;
  CHECK(after(gather(m.in({5, 2}), wrapped(m.in({3}, dtype::i32), 5), 0), "negative-indices") == "Gather");
  model n;
  CHECK(after(gather(n.in({5, 2}), wrapped(n.in({3}, dtype::i32), 4), 0), "negative-indices") ==
        "the number added is not the extent");
}
