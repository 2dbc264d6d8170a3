// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cmath>

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

namespace {

/// The numbers of the constant that remains after `v` is folded.
std::vector<double> folded(const value& v, std::string_view rule_name = "fold-elementwise") {
  graph& g = v.owner();
  const value y = unary("Identity", v);
  apply({y}, {rule_name});
  const value c(g, g.at(g.at(g.at(block_id::main).outputs.back()).producer).inputs[0]);
  const auto e = rewrite::read_elements(c);
  REQUIRE(e);
  std::vector<double> out;
  for (std::size_t i = 0; i < e->bits.size(); ++i) out.push_back((*e)[i].number());
  return out;
}

}  // namespace

TEST_CASE("fold-elementwise: broadcasts, wraps and rounds as the dtype does") {
  model m;
  CHECK(folded(add(m.weight({2, 1}), m.weight({3}))) == std::vector<double>{2, 3, 4, 3, 4, 5});
  CHECK(folded(mul(scalar(m.g, dtype::i8, 100), scalar(m.g, dtype::i8, 3))) == std::vector<double>{44});
  CHECK(folded(sub(scalar(m.g, dtype::u8, 1), scalar(m.g, dtype::u8, 2))) == std::vector<double>{255});
  CHECK(folded(div(scalar(m.g, dtype::f32, 1.0), scalar(m.g, dtype::f32, 3.0))) ==
        std::vector<double>{double(1.0f / 3.0f)});
  CHECK(folded(add(scalar(m.g, dtype::bf16, 256.0), scalar(m.g, dtype::bf16, 1.0))) == std::vector<double>{256});
  CHECK(folded(greater(scalar(m.g, dtype::f32, 2.0), scalar(m.g, dtype::f32, 1.0))) == std::vector<double>{1});
  CHECK(folded(cast(scalar(m.g, dtype::f32, -2.75), dtype::i32)) == std::vector<double>{-2});
  CHECK(folded(div(scalar(m.g, dtype::f64, 1.0), scalar(m.g, dtype::f64, 3.0))) == std::vector<double>{1.0 / 3.0});
  CHECK(folded(floor(scalar(m.g, dtype::f32, -2.5))) == std::vector<double>{-3});
  CHECK(folded(abs(scalar(m.g, dtype::i8, -128))) == std::vector<double>{-128});
  CHECK(folded(cast(scalar(m.g, dtype::u64, UINT64_MAX), dtype::boolean)) == std::vector<double>{1});
  CHECK(folded(maximum(scalar(m.g, dtype::u64, UINT64_MAX), scalar(m.g, dtype::u64, 1))) ==
        std::vector<double>{0x1p64});
  CHECK(folded(sqrt(scalar(m.g, dtype::f32, 2.0))) == std::vector<double>{double(std::sqrt(2.0f))});
}

TEST_CASE("fold-elementwise: quotients, remainders and signs of integers") {
  model m;
  const auto of = [&](dtype t, std::int64_t x) { return scalar(m.g, t, x); };
  CHECK(folded(div(of(dtype::i32, 17), of(dtype::i32, 5))) == std::vector<double>{3});
  CHECK(folded(binary("Mod", of(dtype::u8, 217), of(dtype::u8, 5))) == std::vector<double>{2});
  CHECK(folded(unary("Sign", of(dtype::i32, -17))) == std::vector<double>{-1});
  CHECK(folded(unary("Sign", of(dtype::u64, -1))) == std::vector<double>{1});
  CHECK(folded(unary("Sign", of(dtype::i64, 0))) == std::vector<double>{0});
  const auto fmod = [&](std::int64_t flag) {
    return m.g.emit("Mod", {of(dtype::i32, -7), of(dtype::i32, 2)}, {dtype::i32, {}}, {{"fmod", flag}});
  };
  CHECK(folded(fmod(0)) == std::vector<double>{1});
  CHECK(folded(fmod(1)) == std::vector<double>{-1});
}

TEST_CASE("fold-elementwise: what runtimes do not agree on is left to them") {
  model m;
  CHECK(after(unary("Identity", cast(scalar(m.g, dtype::f32, 1e20), dtype::i32)), "fold-elementwise") ==
        "Cast Identity");
  model large;
  CHECK(after(unary("Identity", cast(scalar(large.g, dtype::u64, UINT64_MAX), dtype::f32)), "fold-elementwise") ==
        "Cast Identity");
  model n;
  CHECK(after(unary("Identity", div(scalar(n.g, dtype::i32, 1), scalar(n.g, dtype::i32, 0))), "fold-elementwise") ==
        "Div Identity");
}

TEST_CASE("fold-transpose: a small one at once, a large one while it is written") {
  model m;
  CHECK(folded(transpose(m.weight({2, 3}), {1, 0}), "fold-transpose") == std::vector<double>{1, 4, 2, 5, 3, 6});
  model n;
  const value w = n.weight({3, 40, 50}, dtype::i64);
  const value y = add(n.in({50, 3, 40}, dtype::i64), transpose(w, {2, 0, 1}));
  REQUIRE(after(y, "fold-transpose") == "Add");
  std::vector<std::int64_t> numbers;
  const value moved(n.g, n.g.at(n.g.at(block_id::main).nodes[0]).inputs[1]);
  moved.data().stream([&](std::span<const std::byte> piece) {
    const auto* first = reinterpret_cast<const std::int64_t*>(piece.data());
    numbers.insert(numbers.end(), first, first + piece.size() / 8);
  });
  REQUIRE(numbers.size() == 6000);
  for (std::int64_t k = 0; k < 50; ++k)
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 40; ++j)
        REQUIRE(numbers[static_cast<std::size_t>((k * 3 + i) * 40 + j)] == (i * 40 + j) * 50 + k + 1);
  model o;
  const value twice = o.weight({30, 40});
  CHECK(after(matmul(transpose(twice, {1, 0}), twice), "fold-transpose") ==
        "the weight would be stored twice, in two layouts");
}

TEST_CASE("fold-concat, fold-shape: extents that are known") {
  model m;
  CHECK(folded(concat({int64s(m.g, {1, 2}), int64s(m.g, {3})}, 0), "fold-concat") == std::vector<double>{1, 2, 3});
  CHECK(folded(shape_of(m.in({m.B, 5, 6}), 1, 3), "fold-shape") == std::vector<double>{5, 6});
  model n;
  CHECK(after(shape_of(n.in({n.B, 5}), 0, 1), "fold-shape") == "Shape");
}

TEST_CASE("fold-range, fold-gather, Clip: tables of indices that are known") {
  model m;
  const value numbers = range(m.g, 4, 3);
  CHECK(folded(numbers, "fold-range") == std::vector<double>{0, 3, 6, 9});
  model n;
  const value table = int64s(n.g, {5, 6, 7});
  CHECK(folded(gather(table, int64s(n.g, {2, 0, -1}), 0), "fold-gather") == std::vector<double>{7, 5, 7});
  model o;
  const value clipped = clip(int64s(o.g, {-4, 1, 9}), scalar(o.g, dtype::i64, 0), scalar(o.g, dtype::i64, 3));
  CHECK(folded(clipped) == std::vector<double>{0, 1, 3});
  model p;
  CHECK(after(gather(int64s(p.g, {1, 2}), int64s(p.g, {2}), 0), "fold-gather") == "Gather");
}

TEST_CASE("fold-sum: over some axes, integers wrap") {
  model m;
  CHECK(folded(reduce("ReduceSum", m.weight({2, 3}), {0}, false), "fold-sum") == std::vector<double>{5, 7, 9});
  CHECK(folded(reduce("ReduceSum", m.weight({2, 3}), {1}, true), "fold-sum") == std::vector<double>{6, 15});
  CHECK(folded(reduce("ReduceSum", m.weight({17}, dtype::i8), {0}, false), "fold-sum") ==
        std::vector<double>{153 - 256});
}

TEST_CASE("fold-weights: a weight is folded when normalisations have been found") {
  model m;
  const value w = m.g.constant({dtype::f32, {4}}, m.weight({4}).data(), "scale");
  CHECK(after(add(m.in({2, 4}), add(w, 1)), "fold-elementwise") == "Add Add");
  model n;
  const value v = n.g.constant({dtype::f32, {4}}, n.weight({4}).data(), "scale");
  CHECK(after(add(n.in({2, 4}), add(v, 1)), "fold-weights") == "Add");
}

TEST_CASE("fold-weights: Relu of weights other than -0 and NaN") {
  for (const double first : {-2.0, 3.0, -0.0, std::nan("")}) {
    model m;
    const value w = m.g.constant({dtype::f32, {1}}, bytes(scalar_bytes(dtype::f32, first)), "scale");
    const bool folds = first == -2.0 || first == 3.0;
    CHECK(after(add(m.in({4}), m.g.emit("Relu", {w}, w.type())), "fold-weights") == (folds ? "Add" : "Relu Add"));
    if (!folds) continue;
    const node& sum = m.g.at(m.g.at(block_id::main).nodes.front());
    CHECK(*jax2onnx::rewrite::numbers_of(value(m.g, sum.inputs[1])) == std::vector<double>{first < 0 ? 0.0 : first});
  }
}

TEST_CASE("fold-weights: arithmetic on many elements, a chain of which is rounded once") {
  model m;
  constexpr std::int64_t many = 1500;  // over 4 KiB
  const value w = m.g.constant({dtype::f32, {many}}, m.weight({many}).data(), "scale");
  const value third = div(w, 3);
  CHECK(after(mul(m.in({2, many}), sub(mul(third, third), w)), "fold-weights") == "Mul");
  const node& product = m.g.at(m.g.at(block_id::main).nodes.front());
  const std::vector<double> numbers = *jax2onnx::rewrite::numbers_of(value(m.g, product.inputs[1]));
  CHECK(numbers[1] == 2.0 / 3 * (2.0 / 3) - 2);
  CHECK(numbers.size() == many);
}

TEST_CASE("fold-weights: steps and differences that cancel read rounded numbers") {
  const float numbers[] = {0.3f, 0.6f, 0.7f, 0.9f};
  const auto weight = [&](model& m) {
    const value w = array(m.g, dtype::f32, ints{4}, std::span<const float>(numbers));
    return m.g.constant(w.type(), w.data(), "w");
  };
  model m, n, o, p;
  CHECK(folded(floor(div(weight(m), static_cast<double>(0.1f))), "fold-weights") == std::vector<double>{3, 6, 7, 9});
  CHECK(folded(unary("Ceil", mul(weight(n), 10)), "fold-weights") == std::vector<double>{3, 6, 7, 9});
  const auto rounded = [](const value& x, double magic) {
    return sub(add(x, magic), scalar(x.owner(), x.dtype(), magic));
  };
  CHECK(folded(rounded(mul(weight(o), 10), 12582912), "fold-weights") == std::vector<double>{3, 6, 7, 9});
  const double third = static_cast<double>(0.3f) / 3;  // not rounded: nothing cancels
  const value tripled = sub(div(weight(p), 3), scalar(p.g, dtype::f32, 1));
  apply({add(p.in({4}), tripled)}, {"fold-weights"});
  const node& sum = p.g.at(p.g.at(block_id::main).nodes.front());
  CHECK(jax2onnx::rewrite::numbers_of(value(p.g, sum.inputs[1]))->front() == third - 1);
}

TEST_CASE("fold-weights: matrices, other types and extremes of NaN stay") {
  model m, n, o;
  const value large = m.g.constant({dtype::f32, {257, 256}}, m.weight({257, 256}).data(), "kernel");
  CHECK(after(add(m.in({1}), neg(large)), "fold-weights") == "Neg Add");
  const value half = n.g.constant({dtype::f16, {4096}}, n.weight({4096}, dtype::f16).data(), "scale");
  CHECK(after(add(n.in({1}, dtype::f16), neg(half)), "fold-weights") == "Neg Add");
  const value v = o.g.constant({dtype::f32, {1}}, bytes(scalar_bytes(dtype::f32, std::nan(""))), "scale");
  CHECK(after(add(o.in({2}), maximum(v, v)), "fold-weights") == "Max Add");
}

namespace {

value kernel(model& m, const ints& extents) {
  const value w = m.weight(extents);
  return m.g.constant(w.type(), w.data(), "kernel");
}
/// A Concat node, even if the verb would fold it.
value joined(model& m, std::initializer_list<value> parts, std::int64_t axis, shape dims) {
  return m.g.emit("Concat", parts, {dtype::f32, std::move(dims)}, {{"axis", axis}});
}

}  // namespace

TEST_CASE("fold-concat-of-weights: along any axis, in any number of blocks") {
  model m, n;
  const auto numbers = [](model& g) {
    const node& product = g.g.at(g.g.at(block_id::main).nodes.front());
    return *jax2onnx::rewrite::numbers_of(value(g.g, product.inputs[1]));
  };
  CHECK(after(matmul(m.in({3, 2}), joined(m, {kernel(m, {2, 1}), m.weight({2, 2})}, -1, {2, 3})),
              "fold-concat-of-weights") == "MatMul");
  CHECK(numbers(m) == std::vector<double>{1, 1, 2, 2, 3, 4});
  CHECK(after(matmul(n.in({3, 3}), joined(n, {kernel(n, {2, 2}), kernel(n, {1, 2})}, 0, {3, 2})),
              "fold-concat-of-weights") == "MatMul");
  CHECK(numbers(n) == std::vector<double>{1, 2, 3, 4, 1, 2});
}

TEST_CASE("fold-concat-of-weights: what is read elsewhere, no weight or not constant stays") {
  model m, n, o, p;
  const value w = kernel(m, {2, 1000});
  CHECK(after(matmul(m.in({3, 4}), joined(m, {w, w}, 0, {4, 1000})), "fold-concat-of-weights") ==
        "the weight would be stored twice, joined and by itself");
  CHECK(after(matmul(n.in({3, 4}), joined(n, {kernel(n, {2, 2}), n.in({2, 2})}, 0, {4, 2})),
              "fold-concat-of-weights") == "Concat MatMul");
  CHECK(after(matmul(o.in({3, 4}), joined(o, {o.weight({2, 2}), o.weight({2, 2})}, 0, {4, 2})),
              "fold-concat-of-weights") == "Concat MatMul");
  const value none = p.g.constant({dtype::f32, {0, 2}}, bytes(), "kernel");
  CHECK(after(add(p.in({0, 4}), joined(p, {none, none}, 1, {0, 4})), "fold-concat-of-weights") == "Concat Add");
}

TEST_CASE("fold-transpose: not of elements of half a byte") {
  model m;
  const value c = m.g.constant({dtype::i4, {2, 2}}, bytes(std::string("\x21\x43")));
  CHECK(after(transpose(c, {1, 0}), "fold-transpose") == "the elements are smaller than a byte");
}

TEST_CASE("fold-concat: nodes whose operands became constant") {
  model m;
  const value joined =
      m.g.emit("Concat", {int64s(m.g, {1, 2}), int64s(m.g, {3})}, {dtype::i64, {3}}, {{"axis", std::int64_t{0}}});
  CHECK(folded(joined, "fold-concat") == std::vector<double>{1, 2, 3});
}
