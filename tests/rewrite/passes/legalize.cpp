// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/legalize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

namespace {

std::string legal(const value& v, target t = target::ort) {
  output(v, "y");
  legalize(v.owner(), t);
  return op_list(v.owner());
}

}  // namespace

TEST_CASE("legalize: the row of the newest opset that is not newer") {
  CHECK(find_kernel("Acos", 21, 22)->since == 17);
  CHECK(find_kernel("Acos", 22, 22)->since == 22);
  CHECK(find_kernel("Acos", 30, 22)->since == 22);
  CHECK(find_kernel("Cos", 21, 28)->by_ort[0] != find_kernel("Cos", 21, 29)->by_ort[0]);
  CHECK(find_kernel("Cos", 21, 29) == find_kernel("Cos", 21, 32));
  CHECK(find_kernel("BitwiseAnd", 17, 22) == nullptr);
  CHECK(find_kernel("NoSuchOperator", 23, 22) == nullptr);
}

TEST_CASE("legalize: operators with a kernel stay as they are") {
  model m;
  CHECK(legal(exp(m.in({2}))) == "Exp");
}

TEST_CASE("legalize: bfloat16 is computed in float32 for ONNX Runtime, in place for others") {
  model m, n;
  CHECK(legal(exp(m.in({2}, dtype::bf16))) == "Cast Exp Cast");
  CHECK(legal(exp(n.in({2}, dtype::bf16)), target::generic) == "Exp");
}

TEST_CASE("legalize: 16-bit floats keep their kernels of CUDA, and others get casts") {
  for (const dtype t : {dtype::f16, dtype::bf16}) {
    model m, n;
    CHECK(legal(exp(m.in({2}, t)), target::ort_gpu) == "Exp");
    CHECK(legal(n.g.emit("Sinh", {n.in({2}, t)}, {t, {2}}), target::ort_gpu) == "Cast Sinh Cast");
  }
  CHECK(find_kernel("Attention", 23, 31)->by_cuda_only[0] != 0);
}

TEST_CASE("legalize: kernels that older releases do not have") {
  const auto chosen = [](dtype t, target runtime) {
    model m;
    return legal(where(m.in({2}, dtype::boolean), m.in({2}, t), m.in({2}, t)), runtime);
  };
  CHECK(chosen(dtype::u32, target::ort) == "Cast Cast Where Cast");
  CHECK(chosen(dtype::u32, target{runtime::ort, 30}) == "Cast Cast Where Cast");
  CHECK(chosen(dtype::u32, target{runtime::ort, 31}) == "Where");
  CHECK(chosen(dtype::u32, target::web) == "Cast Cast Where Cast");
  CHECK(chosen(dtype::i32, target::web) == "Where");
}

TEST_CASE("legalize: a type that only newer releases have is refused for an older one that is named") {
  const auto narrowed = [](const target& t) {
    model m;
    return legal(m.g.emit("Cast", {m.in({2})}, {dtype::i4, {2}}, {{"to", std::int64_t{22}}}), t);
  };
  CHECK(narrowed(target::ort) == "Cast");
  CHECK(narrowed(target{runtime::ort, 23}) == "Cast");
  model old(22);
  const value x = old.in({2});
  CHECK_THROWS_WITH(
      legal(old.g.emit("Cast", {x}, {dtype::i4, {2}}, {{"to", std::int64_t{22}}}), target{runtime::ort, 22}),
      Catch::Matchers::Contains("has no Cast for i4"));
}

TEST_CASE("legalize: a result that is exact in the narrow type is passed on wide, others are rounded") {
  model m, n;
  CHECK(legal(exp(neg(m.in({2}, dtype::bf16)))) == "Cast Neg Cast Exp Cast");
  CHECK(legal(exp(exp(n.in({2}, dtype::bf16)))) == "Cast Exp Cast Cast Exp Cast");
}

TEST_CASE("legalize: constants are converted, not cast") {
  model m;
  CHECK(legal(mul(m.in({2}, dtype::bf16), scalar(m.g, dtype::bf16, 3.0))) == "Cast Mul Cast");
}

TEST_CASE("legalize: ONNX Runtime would read the shape of the operand of a Cast, for which it has no kernel") {
  const auto measured = [](target runtime) {
    model m(25);
    return legal(m.g.emit("Shape", {m.in({m.B}, dtype::f8_e8m0fnu)}, {dtype::i64, {1}}), runtime);
  };
  CHECK(measured(target::ort) == "Cast Abs Shape");
  CHECK(measured(target::generic) == "Shape");
}

TEST_CASE("legalize: the nodes of a body") {
  model m;
  const value x = m.in({2}, dtype::bf16), c = m.in({}, dtype::boolean);
  block_id body;
  {
    const block_scope scope(m.g);
    body = scope.id();
    m.g.set_outputs(body, std::vector{exp(x)});
  }
  legal(m.g.emit("If", {c}, x.type(), {{"then_branch", body}}));
  CHECK(m.g.at(body).nodes.size() == 2);  // the operand is cast in the block that makes it
}

TEST_CASE("an operator without a kernel for its type or a wider one is refused at its equation") {
  graph g;
  const value x = g.input({dtype::i16, {3}}, "x");
  g.set_origin({5, 9, {}});
  g.emit("Sqrt", {x}, x.type());
  try {
    legalize(g, target::ort);
    FAIL("it has no kernel");
  } catch (const error& e) {
    CHECK(e.kind() == failure::unsupported);
    CHECK(e.what() == std::string("ONNX Runtime has no Sqrt for i16"));
    CHECK(e.diagnostics()[0].where == jaxpr::span{5, 9});
  }
}
