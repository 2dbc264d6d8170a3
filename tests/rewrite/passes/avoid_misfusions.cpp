// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/avoid_misfusions.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

std::string avoided(const value& v, const target& t = target::ort) {
  output(v, "y");
  rewrite::detail::avoid_misfusions(v.owner(), t);
  rewrite::detail::dead_code(v.owner()).run();
  return op_list(v.owner());
}
value plus_zero(const value& x) { return x.owner().emit("Add", {x, scalar(x.owner(), x.dtype(), 0)}, x.type()); }
value relu(const value& x) { return unary("Relu", x); }

}  // namespace

TEST_CASE("avoid_misfusions: 1 / x of signed integers divides -1") {
  model m, n, o, p;
  const value x = m.in({2}, dtype::i64), y = p.in({2}, dtype::i64);
  CHECK(avoided(mul(div(scalar(m.g, dtype::i64, 1), x), x)) == "Div Neg Mul");
  CHECK(avoided(div(scalar(n.g, dtype::u32, 1), n.in({2}, dtype::u32))) == "Div");
  CHECK(avoided(div(scalar(o.g, dtype::i64, 2), o.in({2}, dtype::i64))) == "Div");
  CHECK(avoided(div(y, scalar(p.g, dtype::i64, 1))) == "Div");
}

TEST_CASE("avoid_misfusions: what is dropped is not multiplied by 1 / y") {
  const auto product = [](model& m, const auto& dropped) {
    const value x = dropped(unary("Tanh", m.in({2})));
    return avoided(mul(x, div(scalar(m.g, dtype::f32, 1), m.in({2}))));
  };
  const auto plus_one = [](const value& x) { return add(x, 1); };
  model m, n, o, p;
  CHECK(product(m, plus_zero) == "Tanh Div Mul");
  CHECK(product(n, [](const value& x) { return unary("Identity", plus_zero(x)); }) == "Tanh Div Mul");
  CHECK(product(o, plus_one) == "Tanh Add Div Mul");
  const value x = p.in({2});
  CHECK(avoided(mul(plus_zero(x), x)) == "Add Mul");
}

TEST_CASE("avoid_misfusions: only for releases that have the defect") {
  const target fixed{runtime::ort, 32};
  const auto scaled = [](const target& t) {
    model m;
    const value x = m.in({2, 2}, dtype::f64);
    return avoided(m.g.emit("MatMul", {mul(x, scalar(m.g, dtype::f64, 1e-50)), x}, x.type()), t);
  };
  CHECK(scaled(target::ort) == "Mul Neg Neg MatMul");
  CHECK(scaled(fixed) == "Mul MatMul");
  model m, n;
  CHECK(avoided(div(scalar(m.g, dtype::i64, 1), m.in({2}, dtype::i64)), fixed) == "Div Neg");
  CHECK(avoided(div(scalar(n.g, dtype::i64, 1), n.in({2}, dtype::i64)), target::generic) == "Div");
}

TEST_CASE("avoid_misfusions: float64 operators that old releases lack") {
  const auto cosine = [](dtype t, const target& on) {
    model m;
    return avoided(unary("Cos", m.in({2}, t)), on);
  };
  CHECK(cosine(dtype::f64, target::ort) == "Mul Sin Mul Mul Sub");
  CHECK(cosine(dtype::f64, target{runtime::ort, 29}) == "Cos");
  CHECK(cosine(dtype::f32, target::ort) == "Cos");
  const auto product = [](dtype t, int opset) {
    model m(opset);
    const value x = m.in({2, 3}, t);
    return avoided(m.g.emit("MatMul", {transpose(x, {1, 0}), x}, {t, {3, 3}}));
  };
  CHECK(product(dtype::f64, 21) == "Transpose Neg Neg MatMul");
  CHECK(product(dtype::f32, 21) == "Transpose MatMul");
  CHECK(product(dtype::f64, 28) == "Transpose MatMul");  // no release that loads this opset has the defect
  const auto gated = [](dtype t, bool scaled, const target& on) {
    model m;
    const value x = m.in({2}, t);
    return avoided(mul(unary("Sigmoid", scaled ? mul(x, scalar(m.g, t, 2)) : x), x), on);
  };
  CHECK(gated(dtype::f64, false, target::ort) == "Sigmoid Neg Neg Mul");
  CHECK(gated(dtype::f64, true, target::ort) == "Mul Sigmoid Neg Neg Mul");
  CHECK(gated(dtype::f64, true, target{runtime::ort, 31}) == "Mul Sigmoid Mul");
  CHECK(gated(dtype::f32, false, target::ort) == "Sigmoid Mul");
}

TEST_CASE("avoid_misfusions: DFT of one signal is that of a batch") {
  const auto transformed = [](int opset, const shape& dims, const target& on) {
    model m(opset);
    const value x = m.in({4, 2});
    const value y = dims.size() == 2 ? x : unsqueeze(x, {0});
    return avoided(dft(y, std::ssize(dims) - 2, false, false), on);
  };
  CHECK(transformed(23, {4, 2}, target::ort) == "Unsqueeze DFT Squeeze");
  CHECK(transformed(17, {4, 2}, target::ort) == "Unsqueeze DFT Squeeze");
  CHECK(transformed(23, {1, 4, 2}, target::ort) == "Unsqueeze DFT");
  CHECK(transformed(23, {4, 2}, target{runtime::ort, 27}) == "DFT");
}

TEST_CASE("avoid_misfusions: an operand gets the axes of a constant that has more") {
  model m, n, o, p;
  CHECK(avoided(div(m.weight({1, 1}), m.in({3}))) == "Unsqueeze Div");
  CHECK(avoided(mul(n.in({3}), n.weight({1, 3}))) == "Unsqueeze Mul");
  CHECK(avoided(add(o.in({2, 3}), o.weight({3}))) == "Add");
  CHECK(avoided(add(p.in({}, dtype::i64), p.weight({1}, dtype::i64))) == "Add");
}

TEST_CASE("avoid_misfusions: no Relu before a Clip of other types than float32 and float16") {
  model m, n;
  const auto number = [](model& of, dtype t, double v) { return scalar(of.g, t, v); };
  CHECK(avoided(clip(relu(m.in({2}, dtype::f64)), number(m, dtype::f64, -1), number(m, dtype::f64, 1))) == "Max Clip");
  CHECK(avoided(clip(relu(n.in({2})), number(n, dtype::f32, -1), number(n, dtype::f32, 1))) == "Relu Clip");
}

TEST_CASE("avoid_misfusions: no Relu as a bound of a Clip, and one with other readers stays") {
  model m;
  const value x = m.in({2}), high = relu(m.in({}));
  CHECK(avoided(mul(clip(x, scalar(m.g, dtype::f32, -1), high), high)) == "Relu Max Clip Mul");
}

TEST_CASE("avoid_misfusions: a transposed matrix is multiplied by a column, not by a vector") {
  const auto product = [](auto&& transposed) {
    model m;
    const value a = transpose(m.in({4, 3}), {1, 0}), v = m.in({4});
    return avoided(m.g.emit("MatMul", {transposed(a), v}, {dtype::f32, {3}}));
  };
  const auto number = [](const value& a) { return scalar(a.owner(), a.dtype(), 3); };
  CHECK(product([](const value& a) { return a; }) == "Transpose Unsqueeze MatMul Squeeze");
  CHECK(product([&](const value& a) { return mul(a, number(a)); }) == "Transpose Mul Unsqueeze MatMul Squeeze");
  CHECK(product([&](const value& a) { return mul(number(a), a); }) == "Transpose Mul Unsqueeze MatMul Squeeze");
  CHECK(product([&](const value& a) { return div(a, number(a)); }) == "Transpose Div Unsqueeze MatMul Squeeze");
  CHECK(product([&](const value& a) { return div(number(a), a); }) == "Transpose Div MatMul");
  CHECK(product([](const value& a) { return exp(a); }) == "Transpose Exp MatMul");
  CHECK(product([](value a) {
          for (int i = 0; i < 9; ++i) a = cast(a, a.dtype() == dtype::f32 ? dtype::f16 : dtype::f32);
          return cast(exp(a), dtype::f32);
        }).ends_with("Exp Cast MatMul"));
}

TEST_CASE("avoid_misfusions: matrices by columns, and vectors by transposed matrices, stay as they are") {
  model m, n;
  const value a = transpose(m.in({4, 3}), {1, 0}), b = transpose(n.in({4, 3}), {1, 0});
  CHECK(avoided(m.g.emit("MatMul", {a, m.in({4, 1})}, {dtype::f32, {3, 1}})) == "Transpose MatMul");
  CHECK(avoided(n.g.emit("MatMul", {n.in({3}), b}, {dtype::f32, {4}})) == "Transpose MatMul");
}

TEST_CASE("avoid_misfusions: float64 products keep numbers that float32 rounds") {
  const auto made = [](auto&& of, dtype t = dtype::f64) {
    model m;
    const value x = m.in({2, 2}, t);
    return avoided(of(x, [&](double c) { return scalar(m.g, t, c); }));
  };
  const auto scaled = [](double c) {
    return [c](const value& x, auto number) { return mul(matmul(x, x), number(c)); };
  };
  CHECK(made(scaled(0.3)) == "MatMul Neg Neg Mul");
  CHECK(made(scaled(0.5)) == "MatMul Mul");
  CHECK(made(scaled(0.3), dtype::f32) == "MatMul Mul");
  CHECK(made([](const value& x, auto number) { return mul(number(0.3), matmul(x, x)); }) == "MatMul Neg Neg Mul");
  CHECK(made([](const value& x, auto number) { return div(matmul(x, x), number(3)); }) == "MatMul Neg Neg Div");
  CHECK(made([](const value& x, auto number) { return div(number(3), matmul(x, x)); }) == "MatMul Div");
  CHECK(made([](const value& x, auto number) { return matmul(x, mul(x, number(0.3))); }) == "Mul Neg Neg MatMul");
  CHECK(made([](const value& x, auto number) {
          return matmul(transpose(div(x, number(3)), {1, 0}), x);
        }) == "Div Transpose Neg Neg MatMul");
  CHECK(made([](const value& x, auto number) { return mul(mul(matmul(x, x), number(0.5)), number(0.3)); }) ==
        "MatMul Mul Neg Neg Mul");
}

TEST_CASE("avoid_misfusions: a Transpose that moves the first axis is cast before, for a product") {
  const auto product = [](const ints& axes) {
    model m;
    const value t = transpose(m.in({3, 3, 3}, dtype::f16), axes);
    output(m.g.emit("MatMul", {cast(t, dtype::f32), m.in({3, 3})}, {dtype::f32, {3, 3, 3}}), "y");
    rewrite::detail::avoid_misfusions_of_casts(m.g, target::ort);
    rewrite::detail::dead_code(m.g).run();
    return op_list(m.g);
  };
  CHECK(product({1, 2, 0}) == "Cast Transpose MatMul");
  CHECK(product({1, 0, 2}) == "Cast Transpose MatMul");
  CHECK(product({0, 2, 1}) == "Transpose Cast MatMul");
}

TEST_CASE("avoid_misfusions: a Pad before a pooling operator has axes, or before opset 18 a Max follows it") {
  const auto pooled = [](model& m, operator_name op) {
    const value pads = int64s(m.g, {0, 0, 1, 1, 0, 0, 1, 1});
    const value padded = m.g.emit("Pad", {m.in({1, 1, 4, 4}), pads}, {dtype::f32, {1, 1, 6, 6}});
    const value turned = transpose(padded, {0, 1, 3, 2});
    const ints window{2, 2};
    return avoided(m.g.emit(op, {turned}, {dtype::f32, {1, 1, 5, 5}}, {{"kernel_shape", window}}));
  };
  const auto inputs_of_pad = [](const model& m) { return m.g.at(m.g.at(block_id::main).nodes[0]).inputs; };
  for (const operator_name op : {operator_name("MaxPool"), operator_name("AveragePool")}) {
    model m, old(17);
    CHECK(pooled(m, op) == "Pad Transpose " + std::string(op.text()));
    CHECK(inputs_of_pad(m).size() == 4);
    CHECK(pooled(old, op) == "Pad Transpose Max " + std::string(op.text()));
    CHECK(inputs_of_pad(old).size() == 2);
  }
  model m;
  const ints window{2, 2};
  CHECK(avoided(m.g.emit("MaxPool", {exp(m.in({1, 1, 4, 4}))}, {dtype::f32, {1, 1, 3, 3}},
                         {{"kernel_shape", window}})) == "Exp MaxPool");
}

TEST_CASE("avoid_misfusions: in bodies, with the origin of what is replaced") {
  model m;
  const value c = m.in({}, dtype::boolean), x = m.in({2}, dtype::i64);
  block_id body;
  {
    const block_scope scope(m.g);
    body = scope.id();
    m.g.set_outputs(body, std::vector{div(scalar(m.g, dtype::i64, 1), x)});
  }
  m.g.set_origin({7, 9, {}});
  CHECK(avoided(m.g.emit("If", {c}, x.type(), {{"then_branch", body}})) == "If");
  REQUIRE(m.g.at(body).nodes.size() == 2);
  CHECK(m.g.at(m.g.at(body).nodes[0]).origin == m.g.at(m.g.at(body).nodes[1]).origin);
}
