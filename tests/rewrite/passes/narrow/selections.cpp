// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <string>

#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/narrow/selections.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators of a selection after the pass, which keeps its type.
std::string faster(model& m, const value& selected, runtime r = runtime::ort) {
  const tensor_type type = selected.type();
  output(selected, "y");
  rewrite::detail::speed_selections(m.g, {r});
  rewrite::detail::dead_code(m.g).run();
  CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type == type);
  return op_list(m.g);
}

std::string faster(const shape& dims, dtype t = dtype::f32, runtime r = runtime::ort) {
  model m;
  const value c = m.in(dims, dtype::boolean), x = m.in(dims, t), y = m.in(dims, t);
  return faster(m, where(c, x, y), r);
}

}  // namespace

TEST_CASE("faster selections: many elements of two arrays are looked up") {
  for (const dtype t : {dtype::f32, dtype::f64, dtype::i32, dtype::i64})
    CHECK(faster({64, 64}, t) == "Reshape Reshape Reshape Cast Concat GatherElements Reshape");
}

TEST_CASE("faster selections: few elements, other types, runtimes and symbolic extents stay") {
  CHECK(faster({64, 63}) == "Where");
  CHECK(faster({64, 64}, dtype::u8) == "Where");
  CHECK(faster({64, 64}, dtype::f32, runtime::ort_gpu) == "Where");
  model m;
  const value c = m.in({m.B, 4096}, dtype::boolean), x = m.in({m.B, 4096}), y = m.in({m.B, 4096});
  CHECK(faster(m, where(c, x, y)) == "Where");
}

TEST_CASE("faster selections: a number is repeated if the condition compares sizes") {
  model m;
  const value x = m.in({128, 128});
  CHECK(faster(m, where(greater(x, 0), x, scalar(m.g, dtype::f32, 0))).ends_with("Concat GatherElements Reshape"));
  model n;
  const value y = n.in({128, 128});
  CHECK(faster(n, where(equal(y, 0), scalar(n.g, dtype::f32, 1), y)) == "Equal Where");
  model o;
  const value i = o.in({128, 128}, dtype::i32);
  CHECK(faster(o, where(less(i, 3), i, scalar(o.g, dtype::i32, 0))) == "Less Where");
}

TEST_CASE("faster selections: two numbers stay, of which Where needs no branches") {
  model m;
  const value one = scalar(m.g, dtype::f32, 1), two = scalar(m.g, dtype::f32, 2);
  CHECK(faster(m, where(greater(m.in({128, 128}), 0), one, two)) == "Greater Where");
}

TEST_CASE("faster selections: other repeated operands stay") {
  model m;
  const value c = m.in({128, 128}, dtype::boolean), x = m.in({128, 128}), y = m.in({128, 1});
  CHECK(faster(m, where(c, x, y)) == "Where");
}
