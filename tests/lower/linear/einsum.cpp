// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/linear/einsum.hpp>

using namespace jax2onnx;

namespace {

/// The dtypes of the operands of all ReduceSum.
std::vector<dtype> types_of_sums(const std::string& operand, const std::string& result, const std::string& subscripts) {
  const lowered_text done("{ lambda ; a:" + operand + ". let b:" + result +
                              " = Einsum[optimize=optimal precision=None " +
                              "preferred_element_type=None subscripts=" + subscripts + "] a in (b,) }",
                          lower_builtin);
  CHECK(done.problem() == "(none)");
  std::vector<dtype> out;
  for (const node_id n : done.g.at(block_id::main).nodes)
    if (done.g.at(n).op == "ReduceSum") out.push_back(done.g.at(done.g.at(n).inputs[0]).type.type);
  return out;
}

}  // namespace

TEST_CASE("sums of an einsum over integers wrap, and are exact") {
  CHECK(types_of_sums("f32[2,3]", "f32[2]", "ij->i") == std::vector{dtype::f32});
  CHECK(types_of_sums("i32[2,3]", "i32[2]", "ij->i") == std::vector{dtype::i64});
  CHECK(types_of_sums("i64[2,3]", "i64[2]", "ij->i").size() > 1);
  CHECK(types_of_sums("i64[3,3]", "i64[3]", "ii->i").size() > 1);
}
