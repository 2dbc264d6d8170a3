// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>

#include <jax2onnx/rewrite/rules/unrolled.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value tanh(const value& x) { return unary("Tanh", x); }
value row(const value& x, std::int64_t i, std::int64_t axis = 0) {
  return gather(x, scalar(x.owner(), dtype::i64, i), axis);
}

using step = std::function<value(const value& row, std::int64_t i)>;

/// The results of the steps for the rows of x[count, 2, 16], stacked along an axis.
value stacked(model& m, std::int64_t count, const step& f, std::int64_t axis = 0) {
  const value x = m.in({count, 2, 16});
  std::vector<value> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(unsqueeze(f(row(x, i), i), {axis}));
  return concat(rows, axis);
}
std::string rolled(std::int64_t count, const step& f, std::int64_t axis = 0) {
  model m;
  return after({stacked(m, count, f, axis)}, {"rolled-steps"});
}

}  // namespace

TEST_CASE("rolled-steps: the same operators on rows") {
  CHECK(rolled(3, [](const value& x, std::int64_t) { return tanh(x); }) == "Tanh");
  CHECK(rolled(3, [](const value& x, std::int64_t) { return softmax(tanh(x), 1); }) == "Tanh Softmax");
  CHECK(rolled(
            3, [](const value& x, std::int64_t) { return tanh(x); }, 1) == "Tanh Transpose");
}

TEST_CASE("rolled-steps: other operators, or others of their attributes, stay") {
  const std::string three = "Gather Tanh Unsqueeze Gather Tanh Unsqueeze Gather Sin Unsqueeze Concat";
  CHECK(rolled(3, [](const value& x, std::int64_t i) { return i == 2 ? unary("Sin", x) : tanh(x); }) == three);
  CHECK(rolled(2, [](const value& x, std::int64_t i) { return softmax(x, i); }) ==
        "Gather Softmax Unsqueeze Gather Softmax Unsqueeze Concat");
}

TEST_CASE("rolled-steps: what else is read stays") {
  model m;
  value kept;
  const value y = stacked(m, 3, [&](const value& x, std::int64_t) { return kept = tanh(x); });
  CHECK(after({y, kept}, {"rolled-steps"}) ==
        "Gather Tanh Unsqueeze Gather Tanh Unsqueeze Gather Tanh Unsqueeze Concat");
}

TEST_CASE("rolled-steps: short runs along an inner axis do not move") {
  model m;
  const value x = m.in({4, 3});
  std::vector<value> columns;
  for (std::int64_t i = 0; i < 3; ++i) columns.push_back(unsqueeze(tanh(row(x, i, 1)), {1}));
  CHECK(after({concat(columns, 1)}, {"rolled-steps"}) ==
        "Gather Tanh Unsqueeze Gather Tanh Unsqueeze Gather Tanh Unsqueeze Concat");
}

TEST_CASE("rolled-steps: parts of a Concat, and one index of it") {
  model m;
  const std::vector<value> parts = parts_of(m.in({6, 2, 16}), 0, {2, 2, 2});
  const value shared = m.weight({16, 16});
  std::vector<value> rows;
  for (const value& p : parts) rows.push_back(tanh(matmul(p, shared)));
  CHECK(after({concat(rows, 0)}, {"rolled-steps"}) == "MatMul Tanh");
}

TEST_CASE("rolled-steps: one index of a Concat, whose other indices cannot be computed at once") {
  model m;
  const value x = m.in({2, 4, 16}), turned = gather(x, int64s(m.g, {1, 0}), 0);
  const std::vector<value> rows{tanh(x), tanh(turned), tanh(m.in({2, 4, 16}))};
  CHECK(after({row(concat({rows[0], rows[1]}, 1), 1)}, {"rolled-steps"}) == "Tanh Gather Reshape");
  CHECK(after({row(concat(rows, 1), 1)}, {"rolled-steps"}).find("Concat") != std::string::npos);
}

TEST_CASE("rolled-steps: parts that are neighbours in the order of the steps only") {
  model m;
  const value x = m.in({2, 32}), y = m.in({2, 32});
  std::vector<value> rows;
  for (std::int64_t i = 0; i < 2; ++i)
    rows.push_back(unsqueeze(tanh(add(slice(x, 0, i, i + 1), reduce("ReduceSum", row(y, 1 - i), {0}))), {1}));
  CHECK(after({concat(rows, 1)}, {"rolled-steps"}).find("Concat") == std::string::npos);
}

TEST_CASE("rolled-steps: a step reads what the one before has computed of another element") {
  model m;
  const value x = m.in({5, 16}), mask = m.g.constant({dtype::boolean, {2, 1}}, bytes(std::string("\1\0", 2)));
  value y = m.in({2, 16});
  std::vector<value> rows;
  for (std::int64_t i = 0; i < 5; ++i) {
    y = tanh(where(mask, unsqueeze(row(x, i), {0}), gather(y, int64s(m.g, {1, 0}), 0)));
    if (i > 0) rows.push_back(unsqueeze(row(y, 1), {0}));
  }
  CHECK(after({concat(rows, 0)}, {"rolled-steps"}).find("Where") == std::string::npos);
}

TEST_CASE("rolled-steps: no step is computed twice") {
  model m;
  const value x = m.in({4, 16});
  std::vector<value> first, sums;
  for (std::int64_t i = 0; i < 4; ++i) first.push_back(tanh(row(x, i)));
  for (std::int64_t i = 0; i < 3; ++i)
    sums.push_back(unsqueeze(add(first[static_cast<std::size_t>(i)], first[static_cast<std::size_t>(i + 1)]), {0}));
  CHECK(after({concat(sums, 0)}, {"rolled-steps"}).find("Concat") != std::string::npos);
}

TEST_CASE("rolled-steps: steps that all compute the same have no rows") {
  model m;
  const value x = m.in({});
  std::vector<value> rows;
  for (int i = 0; i < 3; ++i) rows.push_back(unsqueeze(tanh(x), {0}));
  CHECK(after({concat(rows, 0)}, {"rolled-steps"}).find("Concat") != std::string::npos);
}
