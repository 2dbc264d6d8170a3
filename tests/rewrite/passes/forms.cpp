// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <algorithm>
#include <iterator>

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/forms.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

namespace {

std::string for_target(model& m, const target& t) {
  rewrite_options o;
  o.target = t;
  optimize(m.g, o);
  return op_list(m.g);
}

/// The operators of `of(x)` for a target.
template <class Of>
std::string made(const target& t, dtype type, const shape& dims, const Of& of) {
  model m;
  output(of(m.in(dims, type)), "y");
  return for_target(m, t);
}

}  // namespace

TEST_CASE("forms: every rule that is left out exists, once") {
  const auto names = rewrite_names();
  for (const unsuited_rule& row : unsuited_rules) {
    INFO(row.name);
    CHECK(std::ranges::count(names, row.name) == 1);
    CHECK(std::ranges::count(unsuited_rules, row.name, &unsuited_rule::name) == 1);
    CHECK(row.runtimes != 0);
    CHECK(suits(row.name, target::ort));
    CHECK(suits(row.name, target::generic));
  }
  CHECK_FALSE(suits("Attention", target::portable));
  CHECK(suits("LayerNormalization", target::portable));
  CHECK(suits("LSTM", target::portable));
  CHECK_FALSE(suits("LSTM", target::mnn));
}

TEST_CASE("forms: loops are unrolled further for runtimes that lack them") {
  CHECK(most_unrolled(target::ort) == 8);
  CHECK(most_unrolled(target::generic) == 8);
  CHECK(most_unrolled(target::portable) == 10);
  CHECK(most_unrolled(target::tract) == 64);
}

TEST_CASE("forms: of tests for NaN and of truths") {
  const auto nan = [](const value& x) { return is_nan(x); };
  CHECK(made(target::ort, dtype::f32, {2}, nan) == "IsNaN");
  CHECK(made(target::portable, dtype::f32, {2}, nan) == "Equal Cast Equal");
  const auto truth = [](const value& x) { return cast(x, dtype::boolean); };
  CHECK(made(target::ort, dtype::f32, {2}, truth) == "Cast");
  CHECK(made(target::mnn, dtype::f32, {2}, truth) == "Equal Cast Equal");
  CHECK(made(target::portable, dtype::boolean, {2}, [](const value& x) { return cast(x, dtype::f32); }) == "Cast");
}

TEST_CASE("forms: of reductions of truths, and of places of 8 bits") {
  const auto any = [](const value& x) {
    return x.owner().emit("ReduceMax", {x, int64s(x.owner(), {1})}, {x.dtype(), {2, 1}});
  };
  CHECK(made(target::ort, dtype::f32, {2, 3}, any) == "ReduceMax");
  CHECK(made(target::portable, dtype::boolean, {2, 3}, any) == "Cast ReduceMax Greater");
  CHECK(made(target::portable, dtype::i32, {2, 3}, any) == "ReduceMax");
  const auto place = [](const value& x) {
    return x.owner().emit("ArgMax", {x}, {dtype::i64, {1, 3}}, {{"axis", std::int64_t{0}}});
  };
  CHECK(made(target::ort, dtype::u8, {2, 3}, place) == "ArgMax");
  CHECK(made(target::portable, dtype::u8, {2, 3}, place) == "Cast ArgMax");
  CHECK(made(target::portable, dtype::f32, {2, 3}, place) == "ArgMax");
}

TEST_CASE("forms: norms by sums") {
  const auto norm = [](std::string_view op) {
    model m;
    const value x = m.in({2, 3});
    output(m.g.emit(operator_name::unchecked(op), {x, int64s(m.g, {1})}, {dtype::f32, {2, 1}}), "y");
    return for_target(m, target::portable);
  };
  CHECK(norm("ReduceL1") == "Abs ReduceSum");
  CHECK(norm("ReduceSumSquare") == "Mul ReduceSum");
  CHECK(norm("ReduceL2") == "Mul ReduceSum Sqrt");
  model old(17);  // the axes of ReduceL1 are an attribute there
  output(old.g.emit("ReduceL1", {old.in({2, 3})}, {dtype::f32, {2, 1}}, {{"axes", ints{1}}}), "y");
  CHECK(for_target(old, target::portable) == "Abs ReduceSum");
}

TEST_CASE("forms: pooling states its steps, and padding no axes that are all of them") {
  model m;
  const value x = m.in({1, 2, 4, 4});
  const value pooled = m.g.emit("MaxPool", {x}, {dtype::f32, {1, 2, 3, 3}}, {{"kernel_shape", ints{2, 2}}});
  const value padded = m.g.emit(
      "Pad", {pooled, int64s(m.g, {0, 0, 1, 1, 0, 0, 1, 1}), scalar(m.g, dtype::f32, 0), int64s(m.g, {0, 1, 2, 3})},
      {dtype::f32, {1, 2, 5, 5}});
  output(neg(padded), "y");
  take_forms(m.g, target::portable);
  const auto node_of = [&](std::string_view op) {
    const auto& nodes = m.g.at(block_id::main).nodes;
    return m.g.at(*std::ranges::find_if(nodes.rbegin(), nodes.rend(), [&](node_id n) { return m.g.at(n).op == op; }));
  };
  REQUIRE(node_of("MaxPool").find("strides"));
  CHECK(node_of("Pad").inputs.size() == 3);
}

TEST_CASE("forms: Gelu, Sigmoid of float64 and shifts by their parts") {
  const auto gelu = [](const value& x) { return x.owner().emit("Gelu", {x}, x.type()); };
  CHECK(made(target::ort, dtype::f32, {2}, gelu) == "Gelu");
  CHECK(made(target::portable, dtype::f32, {2}, gelu) == "Mul Div Erf Add Mul");
  const auto sigmoid = [](const value& x) { return x.owner().emit("Sigmoid", {x}, x.type()); };
  CHECK(made(target::portable, dtype::f32, {2}, sigmoid) == "Sigmoid");
  CHECK(made(target::tract, dtype::f64, {2}, sigmoid) == "Neg Exp Add Reciprocal");
  CHECK(made(target::portable, dtype::f64, {2}, sigmoid) == "Neg Exp Add Reciprocal");
  CHECK(made(target::ort, dtype::f64, {2}, sigmoid) == "Sigmoid");
  const auto shifted = [](const value& x) {
    return x.owner().emit("BitShift", {x, scalar(x.owner(), x.dtype(), 9)}, x.type(),
                          {{"direction", std::string("RIGHT")}});
  };
  CHECK(made(target::portable, dtype::u32, {2}, shifted) == "BitShift");
  CHECK(made(target::openvino, dtype::u32, {2}, shifted) ==
        "Cast BitwiseAnd Div BitwiseAnd Div Add Less Where Add Cast");
}

TEST_CASE("forms: of products that tract does not load") {
  const auto gemm = [](const value& x) {
    return x.owner().emit("Gemm", {x, x, x}, x.type(), {{"transA", std::int64_t{1}}, {"alpha", 2.0f}, {"beta", 0.5f}});
  };
  CHECK(made(target::ort, dtype::f64, {2, 2}, gemm) == "Gemm");
  CHECK(made(target::tract, dtype::f64, {2, 2}, gemm) == "Transpose Neg Neg MatMul Mul Mul Add");
  CHECK(made(target::tract, dtype::f32, {2, 2}, gemm) == "Gemm");
  const auto dot = [](const value& x) { return matmul(x, x); };
  CHECK(made(target::ort, dtype::f32, {3}, dot) == "MatMul");
  CHECK(made(target::portable, dtype::f32, {3}, dot) == "Unsqueeze MatMul Squeeze");
  CHECK(made(target::portable, dtype::f32, {3, 3}, dot) == "MatMul");
}

TEST_CASE("forms: few rows get their bias after the residual") {
  const auto ends_with_bias = [](const target& t, std::int64_t rows, bool swapped) {
    model m;
    const value x = neg(m.in({rows, 3})), y = add(matmul(x, m.weight({3, 3})), m.weight({3}));
    output(swapped ? add(x, y) : add(y, x), "y");
    CHECK(for_target(m, t) == "Neg MatMul Add Add");
    const node& last = m.g.at(m.g.at(block_id::main).nodes.back());
    return std::ranges::any_of(last.inputs, [&](value_id v) { return value(m.g, v).is_constant(); });
  };
  for (const bool swapped : {false, true}) {
    CHECK(ends_with_bias(target::portable, 8, swapped));
    CHECK(ends_with_bias(target::openvino, 1, swapped));
    CHECK_FALSE(ends_with_bias(target::portable, 9, swapped));
    CHECK_FALSE(ends_with_bias(target::tract, 8, swapped));
  }
}

TEST_CASE("forms: ncnn sums along the last axis by a product with a column") {
  const auto sums = [](const target& t, const shape& dims, const ints& axes, bool keep) {
    return made(t, dtype::f32, dims, [&](const value& x) { return reduce("ReduceMean", x, axes, keep); });
  };
  CHECK(sums(target::ncnn, {3, 4}, {1}, true) == "MatMul");
  CHECK(sums(target::ncnn, {3, 4}, {1}, false) == "MatMul Squeeze");
  CHECK(sums(target::ncnn, {3, 4}, {0, 1}, false) == "ReduceMean");
  CHECK(sums(target::portable, {3, 4}, {1}, true) == "ReduceMean");
}
