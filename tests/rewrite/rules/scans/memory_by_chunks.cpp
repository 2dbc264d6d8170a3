// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/memory_by_chunks.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("memory_by_chunks: inverses of blocks") {
  model m;
  const value y = jax2onnx::rewrite::detail::inverse_of_one_minus(m.in({3, 8, 8}));
  CHECK(y.dims() == shape{3, 8, 8});
}
