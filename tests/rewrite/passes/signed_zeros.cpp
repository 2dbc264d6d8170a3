// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/verbs/elementwise.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/signed_zeros.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

std::string corrected(const value& v) {
  output(v, "y");
  rewrite::detail::correct_signed_zeros(v.owner());
  rewrite::detail::dead_code(v.owner()).run();
  return op_list(v.owner());
}

}  // namespace

TEST_CASE("signed_zeros: divisors that are extremes") {
  model m, n;
  CHECK(corrected(reciprocal(maximum(m.in({2}), m.in({2})))) == "Max Add Neg Abs Abs Add Greater Where Sub Reciprocal");
  CHECK(corrected(div(n.in({2}), minimum(n.in({2}), n.in({2})))) ==
        "Min Neg Neg Neg Add Neg Abs Abs Add Greater Where Sub Neg Div");
}

TEST_CASE("signed_zeros: Relu of -0 is a divisor of 0") {
  model m, n, o;
  CHECK(corrected(reciprocal(maximum(o.in({2}), 0.0))) == "Max Abs Reciprocal");
  CHECK(corrected(reciprocal(unary("Relu", m.in({2})))) == "Relu Abs Reciprocal");
  const value relu = unary("Relu", n.in({2}));
  CHECK(corrected(div(relu, n.in({2}))) == "Relu Div");
}

TEST_CASE("signed_zeros: what cannot be a zero of the wrong sign stays") {
  model m, n, o, p, q;
  CHECK(corrected(reciprocal(maximum(m.in({2}), 1e-6))) == "Max Reciprocal");
  CHECK(corrected(reciprocal(maximum(abs(p.in({2})), abs(p.in({2}))))) == "Abs Abs Max Reciprocal");
  const value third = jax2onnx::max({abs(q.in({2})), abs(q.in({2})), q.in({2})});
  CHECK(corrected(reciprocal(maximum(abs(q.in({2})), third))).find("Where") != std::string::npos);
  CHECK(corrected(div(n.in({2}, dtype::i32), maximum(n.in({2}, dtype::i32), n.in({2}, dtype::i32)))) == "Max Div");
  CHECK(corrected(abs(maximum(o.in({2}), o.in({2})))) == "Max Abs");
}
