// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"
#include "rewrite/written.hpp"

#include <cmath>
#include <limits>

#include <jax2onnx/rewrite/rules/weights.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

value conv(const value& x, const value& w) {
  return x.owner().emit("Conv", {x, w}, {x.dtype(), {x.extent(0), w.extent(0), x.extent(2), x.extent(3)}});
}
value conv(const value& x, const value& w, const value& b) {
  return x.owner().emit("Conv", {x, w, b}, {x.dtype(), {x.extent(0), w.extent(0), x.extent(2), x.extent(3)}});
}
value gemm(const value& x, const value& w, const value& b, std::vector<attribute> attributes = {}) {
  const bool transposed = !attributes.empty() && attributes.front().name == "transB";
  return x.owner().emit("Gemm", {x, w, b}, {x.dtype(), {x.extent(0), w.extent(transposed ? 0 : 1)}}, attributes);
}

}  // namespace

TEST_CASE("fold-factor: of a Conv, along the channels") {
  model m;
  CHECK(after(mul(conv(m.in({1, 2, 5, 5}), m.weight({2, 2, 1, 1})), m.weight({2, 1, 1})), "fold-factor") == "Conv");
  CHECK(written(m.g, "Conv", 1) == numbers{1, 2, 6, 8});
  model n;
  CHECK(after(div(conv(n.in({1, 2, 5, 5}), n.weight({2, 2, 1, 1}), n.weight({2})), n.weight({1, 2, 1, 1})),
              "fold-factor") == "Conv");
  CHECK(written(n.g, "Conv", 1) == numbers{1, 2, 1.5, 2});
  CHECK(written(n.g, "Conv", 2) == numbers{1, 1});
  model o;
  CHECK(after(mul(conv(o.in({1, 2, 5, 5}), o.weight({2, 2, 1, 1})), o.weight({1, 1, 1})), "fold-factor") == "Conv");
}

TEST_CASE("fold-factor: of products, along the columns or the rows of the weight") {
  model m, n, o, p, q;
  CHECK(after(mul(gemm(m.in({m.B, 2}), m.weight({2, 2}), m.weight({2})), m.weight({2})), "fold-factor") == "Gemm");
  CHECK(written(m.g, "Gemm", 1) == numbers{1, 4, 3, 8});
  CHECK(written(m.g, "Gemm", 2) == numbers{1, 4});
  CHECK(after(mul(gemm(n.in({3, 2}), n.weight({2, 2}), n.weight({1, 1}), {{"transB", std::int64_t{1}}}), n.weight({2})),
              "fold-factor") == "Gemm");
  CHECK(written(n.g, "Gemm", 1) == numbers{1, 2, 6, 8});
  CHECK(written(n.g, "Gemm", 2) == numbers{1, 2});
  CHECK(after(mul(matmul(o.in({7, 3, 2}), o.weight({2, 2})), o.weight({2})), "fold-factor") == "MatMul");
  CHECK(written(o.g, "MatMul", 1) == numbers{1, 4, 3, 8});
  CHECK(after(mul(matmul(p.weight({2, 2}), p.in({2, 3})), p.weight({2, 1})), "fold-factor") == "MatMul");
  CHECK(written(p.g, "MatMul", 0) == numbers{1, 2, 6, 8});
  CHECK(after(mul(add(matmul(q.weight({2, 2}), q.in({2, 3})), q.weight({2, 1})), q.weight({2, 1})), "fold-factor") ==
        "MatMul Add");
  CHECK(written(q.g, "Add", 1) == numbers{1, 4});
}

TEST_CASE("fold-factor: after the bias, the split into heads and transposes") {
  model m;
  const value product = add(matmul(m.in({m.B, 3, 4}), m.weight({4, 6})), m.weight({6}));
  const value heads = transpose(reshape(product, {m.B, 3, 2, 3}), {0, 2, 1, 3});
  CHECK(after(mul(heads, 0.5), "fold-factor") == "MatMul Add Reshape Transpose");
  CHECK(written(m.g, "Add", 1) == numbers{0.5, 1, 1.5, 2, 2.5, 3});
  model n;
  const value image = transpose(conv(n.in({1, 2, 4, 5}), n.weight({3, 2, 1, 1})), {0, 2, 3, 1});
  CHECK(after(mul(reshape(image, {4, 5, 3}), n.weight({3})), "fold-factor") == "Conv Transpose Reshape");
  CHECK(written(n.g, "Conv", 1) == numbers{1, 2, 6, 8, 15, 18});
  model o;
  const value row = conv(o.in({1, 2, 1, 5}), o.weight({3, 2, 1, 1}));
  CHECK(after(mul(reshape(row, {3, 5}), o.weight({3, 1})), "fold-factor") == "Conv Reshape");
  model p;  // the reshape merges the channels with another axis
  CHECK(after(mul(reshape(conv(p.in({1, 2, 2, 2}), p.weight({3, 2, 1, 1})), {12}), p.weight({12})), "fold-factor") ==
        "Conv Reshape Mul");
}

TEST_CASE("fold-term: into the bias") {
  model m, n, o, p, q;
  CHECK(after(add(conv(m.in({1, 2, 5, 5}), m.weight({2, 2, 1, 1}), m.weight({2})), m.weight({2, 1, 1})), "fold-term") ==
        "Conv");
  CHECK(written(m.g, "Conv", 2) == numbers{2, 4});
  CHECK(after(sub(gemm(n.in({3, 2}), n.weight({2, 2}), n.weight({2})), 1.5), "fold-term") == "Gemm");
  CHECK(written(n.g, "Gemm", 2) == numbers{-0.5, 0.5});
  CHECK(after(sub(o.weight({2}), gemm(o.in({3, 2}), o.weight({2, 2}), o.weight({1, 2}))), "fold-term") == "Gemm");
  CHECK(written(o.g, "Gemm", 1) == numbers{-1, -2, -3, -4});
  CHECK(written(o.g, "Gemm", 2) == numbers{0, 0});
  const value image = transpose(conv(p.in({1, 2, 4, 5}), p.weight({3, 2, 1, 1})), {0, 2, 3, 1});
  CHECK(after(add(image, p.weight({3})), "fold-term") == "Conv Transpose");
  CHECK(written(p.g, "Conv", 2) == numbers{1, 2, 3});
  CHECK(after(add(matmul(q.in({5, 3, 2}), q.weight({2, 2})), q.weight({2})), "fold-term") == "MatMul Add");
}

TEST_CASE("fold-term: large terms that cancel round the product") {
  const auto twice = [](double first, double second) {
    model m;
    const value product = matmul(m.in({3, 2}), m.weight({2, 2}));
    const value magic = scalar(m.g, dtype::f32, first);
    return after({sub(scalar(m.g, dtype::f32, second), sub(magic, product))}, {"fold-term"});
  };
  CHECK(twice(12582912, 12582912) == "MatMul Add Sub");
  CHECK(twice(12582912, 3) == "MatMul Add");
  CHECK(twice(2, 2) == "MatMul Add");
}

TEST_CASE("fold-BatchNormalization: all four parameters, computed in double") {
  model m;
  const auto vector = [&](std::vector<double> numbers) {
    return array(m.g, dtype::f32, {2}, std::span<const double>(numbers));
  };
  const value x = conv(m.in({1, 1, 5, 5}), m.weight({2, 1, 1, 1}), vector({1, 2}));
  const value y =
      m.g.emit("BatchNormalization", {x, vector({3, 5}), vector({0.5, 0.25}), vector({0.125, -1}), vector({2, 7})},
               x.type(), {{"epsilon", 0.5F}});
  CHECK(after(y, "fold-BatchNormalization") == "Conv");
  const double f = 3 / std::sqrt(2.5), h = 5 / std::sqrt(7.5);
  const auto rounded = [](double d) { return static_cast<double>(static_cast<float>(d)); };
  CHECK(written(m.g, "Conv", 1) == numbers{rounded(f), rounded(2 * h)});
  CHECK(written(m.g, "Conv", 2) == numbers{rounded(f + (0.5 - 0.125 * f)), rounded(2 * h + (0.25 + h))});
  CHECK(numbers_of(operand_of(m.g, "Conv", 2))->front() == 1 * f + (0.5 - 0.125 * f));
}

TEST_CASE("fold-BatchNormalization: not if a parameter is computed or the statistics are the batch's") {
  model m, n;
  const value x = conv(m.in({1, 1, 5, 5}), m.weight({2, 1, 1, 1}));
  const value p = m.weight({2});
  CHECK(after(m.g.emit("BatchNormalization", {x, m.in({2}), p, p, p}, x.type()), "fold-BatchNormalization") ==
        "Conv BatchNormalization");
  const value y = conv(n.in({1, 1, 5, 5}), n.weight({2, 1, 1, 1}));
  const value q = n.weight({2});
  CHECK(after(n.g.emit("BatchNormalization", {y, q, q, q, q}, y.type(), {{"training_mode", std::int64_t{1}}}),
              "fold-BatchNormalization") == "Conv BatchNormalization");
}

TEST_CASE("folded weights keep their names, and chains of factors are rounded once") {
  model m;
  const value w = m.g.constant({dtype::f32, {1, 1}}, bytes(scalar_bytes(dtype::f32, 1.2)), "kernel");
  const value b = m.g.constant({dtype::f32, {1}}, bytes(scalar_bytes(dtype::f32, 1.2)), "bias");
  const value third = scalar(m.g, dtype::f32, 1.0 / 3);
  CHECK(after(mul(mul(gemm(m.in({3, 1}), w, b), third), third), "fold-factor") == "Gemm");
  const auto exact = static_cast<double>(1.2F) * static_cast<double>(1.0F / 3) * static_cast<double>(1.0F / 3);
  CHECK(written(m.g, "Gemm", 1) == numbers{static_cast<double>(static_cast<float>(exact))});
  CHECK(written(m.g, "Gemm", 2) == numbers{static_cast<double>(static_cast<float>(exact))});
  CHECK(m.g.at(operand_of(m.g, "Gemm", 1).id()).name == "kernel");
  CHECK(m.g.at(operand_of(m.g, "Gemm", 2).id()).name == "bias");
}

TEST_CASE("products without a weight stay") {
  model m, n, o, p, q, r;
  CHECK(after(mul(matmul(m.in({3, 2}), m.in({2, 2})), m.weight({2})), "fold-factor") == "MatMul Mul");
  CHECK(after(mul(gemm(n.in({3, 2}), n.in({2, 2}), n.weight({2})), 2), "fold-factor") == "Gemm Mul");
  CHECK(after(mul(gemm(o.in({3, 2}), o.weight({2, 2}), o.weight({2}), {{"alpha", 2.0F}}), 2), "fold-factor") ==
        "Gemm Mul");
  CHECK(after(div(p.weight({2}), matmul(p.in({3, 2}), p.weight({2, 2}))), "fold-factor") == "MatMul Div");
  CHECK(after(mul(matmul(q.in({2, 2}), q.weight({2, 2})), q.weight({2, 2})), "fold-factor") == "MatMul Mul");
  CHECK(after(mul(matmul(r.in({2, 2}), r.weight({2, 2})), r.weight({3, 1, 2})), "fold-factor") == "MatMul Mul");
}

namespace {

/// The root of `rule`: its operator applied to x, with the numbers k of the channels.
value behind(std::string_view rule, const value& x, const value& k) {
  if (rule == "fold-factor") return mul(x, k);
  if (rule == "fold-term") return sub(k, x);
  const value p = reshape(k, {dim(2)});
  return x.owner().emit("BatchNormalization", {x, p, p, p, p}, x.type(), {{"epsilon", 0.0F}});
}

const std::string_view folding_rules[] = {"fold-factor", "fold-term", "fold-BatchNormalization"};

}  // namespace

TEST_CASE("fold-factor, fold-term, fold-BatchNormalization: what else is read stays") {
  for (const std::string_view rule : folding_rules) {
    model m, n;
    const value x = conv(m.in({1, 2, 5, 5}), m.weight({2, 2, 1, 1}), m.weight({2}));
    CHECK(after({behind(rule, x, m.weight({2, 1, 1})), exp(x)}, {"reshape-constant", rule}) ==
          "the product is read elsewhere too");
    const value w = n.weight({2, 2, 1, 1});
    const value y = conv(n.in({1, 2, 5, 5}), w, n.weight({2}));
    CHECK(after({behind(rule, y, n.weight({2, 1, 1})), exp(w)}, {"reshape-constant", rule}) ==
          "the weight is also read unscaled");
  }
}

TEST_CASE("fold-factor, fold-term, fold-BatchNormalization: biases and numbers of another form stay") {
  for (const std::string_view rule : folding_rules) {
    model m, n;
    const value x = conv(m.in({1, 2, 5, 5}), m.weight({2, 2, 1, 1}), m.in({2}));
    CHECK(after({behind(rule, x, m.weight({2, 1, 1}))}, {"reshape-constant", rule}) ==
          "the bias is not one constant number per channel");
    const value y = transpose(conv(n.in({1, 2, 2, 2}), n.weight({2, 2, 1, 1}), n.weight({2})), {0, 2, 1, 3});
    CHECK(after({behind(rule, y, n.weight({2, 1, 1}))}, {"reshape-constant", rule}) ==
          "the factors or terms do not lie along the channels");
  }
  model o;
  CHECK(after(mul(gemm(o.in({2, 2}), o.weight({2, 2}), o.weight({2, 1})), 2), "fold-factor") ==
        "the bias is not one constant number per channel");
}

TEST_CASE("fold-factor, fold-term, fold-BatchNormalization: extreme factors and zeros stay") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double factor : {infinity, std::nan(""), 0x1p41, -0x1p-41}) {
    model m;
    CHECK(after(mul(matmul(m.in({3, 2}), m.weight({2, 2})), scalar(m.g, dtype::f32, factor)), "fold-factor") ==
          "a factor is not finite, or is very large or very small");
  }
  model n;
  const value x = conv(n.in({1, 2, 5, 5}), n.weight({2, 2, 1, 1}));
  const value p = n.weight({2}), none = array(n.g, dtype::f32, {2}, std::span<const double>(std::vector<double>{0, 0}));
  CHECK(after(n.g.emit("BatchNormalization", {x, p, p, p, none}, x.type(), {{"epsilon", 0.0F}}),
              "fold-BatchNormalization") == "a factor is not finite, or is very large or very small");
  model o;
  CHECK(after(mul(matmul(o.in({3, 2}), o.weight({2, 2})), 0.0), "fold-factor") ==
        "a factor is 0, and zeros would lose their signs");
}

TEST_CASE("fold-factor, fold-term, fold-BatchNormalization: weights and biases that could overflow stay") {
  for (const double large : {3.4e38, 1e-30, std::nan("")}) {
    model m;
    const value w = array(m.g, dtype::f32, {2, 1}, std::span<const double>(std::vector<double>{0, large}));
    CHECK(after(mul(matmul(m.in({3, 2}), w), 2), "fold-factor") ==
          "the weight is not finite, or is very large or very small");
  }
  model n, o, p;
  const auto large = [](model& m) {
    return array(m.g, dtype::f32, {2}, std::span<const double>(std::vector<double>{1, 3e38}));
  };
  CHECK(after(mul(gemm(n.in({3, 2}), n.weight({2, 2}), large(n)), 2), "fold-factor") == "the bias would overflow");
  CHECK(after(add(gemm(o.in({3, 2}), o.weight({2, 2}), large(o)), large(o)), "fold-term") == "the bias would overflow");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(after(add(gemm(p.in({3, 2}), p.weight({2, 2}), large(p)), scalar(p.g, dtype::f32, -infinity)), "fold-term") ==
        "Gemm");
}

TEST_CASE("fold-factor, fold-term, fold-BatchNormalization: narrow types stay") {
  for (const std::string_view rule : {"fold-factor", "fold-term"}) {
    model m;
    const dtype t = dtype::bf16;
    CHECK(after(behind(rule, gemm(m.in({3, 2}, t), m.weight({2, 2}, t), m.weight({2}, t)), m.weight({2}, t)), rule) ==
          "Gemm " + std::string(rule == "fold-factor" ? "Mul" : "Sub"));
  }
}
