// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <vector>

#include <jax2onnx/rewrite/rules/computed_constants.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using jax2onnx::facts::elements;
using jax2onnx::rewrite::detail::constant_evaluator;

namespace {

std::vector<double> numbers_of(const value& v) {
  constant_evaluator evaluator;
  const elements* found = evaluator.numbers(v);
  std::vector<double> numbers(found ? found->bits.size() : 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = (*found)[i].number();
  return numbers;
}

value vector(graph& g, std::vector<double> numbers) {
  return array(g, dtype::f32, {std::ssize(numbers)}, std::span<const double>(numbers));
}

}  // namespace

TEST_CASE("constants are computed through operators of elements, sums and transposes") {
  model m;
  const value x = vector(m.g, {1, -2, 3}), column = m.g.emit("Reshape", {x, int64s(m.g, {3, 1})}, {dtype::f32, {3, 1}});
  const value differences = sub(column, x);
  CHECK(numbers_of(differences) == std::vector<double>{0, 3, -2, -3, 0, -5, 2, 5, 0});
  CHECK(numbers_of(unary("Relu", differences)) == std::vector<double>{0, 3, 0, 0, 0, 0, 2, 5, 0});
  CHECK(numbers_of(reduce("ReduceSum", differences, {0}, true)) == std::vector<double>{-1, 8, -7});
  CHECK(numbers_of(m.g.emit("Transpose", {differences}, differences.type(), {{"perm", ints{1, 0}}})) ==
        std::vector<double>{0, -3, 2, 3, 0, 5, -2, -5, 0});
  const value positive = m.g.emit("Greater", {x, scalar(m.g, dtype::f32, 0)}, {dtype::boolean, {3}});
  CHECK(numbers_of(m.g.emit("Where", {positive, x, scalar(m.g, dtype::f32, 7)}, x.type())) ==
        std::vector<double>{1, 7, 3});
  CHECK(numbers_of(m.g.emit("Not", {positive}, positive.type())) == std::vector<double>{0, 1, 0});
}

TEST_CASE("what depends on inputs or weights is not computed") {
  model m;
  const value x = vector(m.g, {1, 2}), input = m.in({2});
  const value weight = m.g.constant(x.type(), x.data(), "w");
  CHECK(constant_evaluator::is_computable(binary("Add", x, unary("Abs", x))));
  CHECK_FALSE(constant_evaluator::is_computable(add(x, input)));
  CHECK_FALSE(constant_evaluator::is_computable(binary("Add", x, weight)));
  CHECK_FALSE(constant_evaluator::is_computable(unary("Sin", x)));
  CHECK(numbers_of(unary("Sin", x)).empty());
}

TEST_CASE("large results and long chains are not computed") {
  model m;
  value x = filled(m.g, dtype::f32, {1, 512}, 1.0);
  CHECK(numbers_of(m.g.emit("Expand", {x, int64s(m.g, {512, 512})}, {dtype::f32, {512, 512}})).empty());
  for (int i = 0; i < 70; ++i) x = m.g.emit("Neg", {x}, x.type());
  CHECK_FALSE(constant_evaluator::is_computable(x));
}
