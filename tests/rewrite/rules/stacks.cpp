// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/stacks.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value picked(const value& x, std::int64_t k, std::int64_t axis) {
  return gather(x, scalar(x.owner(), dtype::i64, k), axis);
}

value first_true(const value& conditions, std::int64_t axis, bool last = false) {
  shape dims = conditions.dims();
  dims.drop(axis);
  std::vector<attribute> attributes{{"axis", axis}, {"keepdims", std::int64_t{0}}};
  if (last) attributes.push_back({"select_last_index", std::int64_t{1}});
  return conditions.owner().emit("ArgMax", {cast(conditions, dtype::i32)}, {dtype::i64, dims}, attributes);
}

value falses(model& m, const ints& extents) {
  return broadcast_to(scalar(m.g, dtype::boolean, 0), shape(extents.begin(), extents.end()));
}

bool has_argmax(const std::string& operators) { return operators.ends_with("ArgMax"); }

}  // namespace

TEST_CASE("pick-of-stack: an element that was stacked") {
  model m;
  const value joined = concat({m.in({2}), m.in({2}), m.in({2})}, 0);
  CHECK(after(unary("Neg", picked(reshape(joined, {3, 2}), -1, 0)), "pick-of-stack") == "Neg");
  model n;
  const value columns = concat({unsqueeze(n.in({2}), {1}), unsqueeze(n.in({2}), {1})}, 1);
  CHECK(after(unary("Neg", picked(columns, 1, 1)), "pick-of-stack") == "Neg");
  model o;
  const value sheets = concat({o.in({o.B, 1, 3}), o.in({o.B, 1, 3})}, 1);
  CHECK(after(unary("Neg", picked(sheets, 0, 1)), "pick-of-stack") == "Squeeze Neg");
  model p;
  const value rows = reshape(concat({p.in({2}), p.in({2})}, 0), {2, 2});
  CHECK(after(unary("Neg", gather(rows, int64s(p.g, {1}), 0)), "pick-of-stack") == "Unsqueeze Neg");
}

TEST_CASE("pick-of-stack: what stays") {
  model m;
  CHECK(after(picked(concat({m.in({1}), m.in({1})}, 0), 2, 0), "pick-of-stack") == "the index is out of bounds");
  model n;  // parts of several elements
  CHECK(after(picked(concat({n.in({2}), n.in({1})}, 0), 2, 0), "pick-of-stack") == "Concat Gather");
  model o;  // another axis
  CHECK(after(picked(concat({o.in({1, 2}), o.in({1, 2})}, 0), 1, 1), "pick-of-stack") == "Concat Gather");
}

TEST_CASE("first-of-two: a condition after one that never holds") {
  model m;
  const value c = m.in({1, 3}, dtype::boolean);
  CHECK(after(first_true(concat({falses(m, {1, 3}), c}, 0), 0), "first-of-two") == "Squeeze Cast");
}

TEST_CASE("first-of-two: what stays") {
  model m;  // the first may hold
  const value both = concat({m.in({1, 3}, dtype::boolean), m.in({1, 3}, dtype::boolean)}, 0);
  CHECK(after(first_true(both, 0), "first-of-two") == "Concat Cast ArgMax");
  model n;  // three
  const value c = n.in({1, 3}, dtype::boolean);
  CHECK(has_argmax(after(first_true(concat({falses(n, {1, 3}), c, c}, 0), 0), "first-of-two")));
  model o;  // the last of equal ones
  const value d = o.in({1, 3}, dtype::boolean);
  CHECK(has_argmax(after(first_true(concat({falses(o, {1, 3}), d}, 0), 0, true), "first-of-two")));
}

namespace {

value element(const value& x, std::int64_t k, std::int64_t axis = 0) { return picked(x, k, axis); }
value stacked(std::initializer_list<value> elements, std::int64_t axis = 0) {
  std::vector<value> parts;
  for (const value& e : elements) parts.push_back(unsqueeze(e, {axis}));
  return concat(parts, axis);
}

}  // namespace

TEST_CASE("stack-of-elements: what computes elements keeps the axis") {
  model m, n, o, p;
  const value x = m.in({3}), a = element(x, 0), b = element(x, 1);
  const value first = mul(sub(b, a), 10), product = mul(a, b), third = abs(element(x, 2));
  CHECK(after(stacked({first, sub(product, third)}), "stack-of-elements") ==
        "Gather Abs Gather Gather Mul Sub Sub Mul Concat");
  const value y = n.in({5, 3});
  CHECK(after(stacked({mul(element(y, 0, 1), n.in({})), element(y, 2, 1)}, 1), "stack-of-elements") ==
        "Gather Mul Gather Concat");
  const value z = o.in({3});
  CHECK(after(stacked({mul(element(z, 0), exp(o.in({}))), element(z, 1)}), "stack-of-elements") ==
        "Exp Gather Mul Gather Concat");
  // An operand that is not an element gets the axis.
  const value w = p.in({5, 3}), other = p.in({5});
  CHECK(after(stacked({mul(element(w, 0, 1), other), abs(element(w, 1, 1))}, 1), "stack-of-elements") ==
        "Gather Abs Gather Unsqueeze Mul Concat");
}

TEST_CASE("stack-of-elements: what stays") {
  model m, n, o, p;
  const value x = m.in({3}), y = abs(element(x, 0));  // also read elsewhere
  CHECK(after({stacked({y, element(x, 1)}), y}, {"stack-of-elements"}) ==
        "Gather Abs Gather Unsqueeze Unsqueeze Concat");
  CHECK(after(stacked({abs(n.in({})), abs(n.in({}))}), "stack-of-elements") == "Abs Abs Unsqueeze Unsqueeze Concat");
  const value matrix = o.in({3, 2});  // another axis
  CHECK(after(stacked({abs(element(matrix, 0, 1)), abs(element(matrix, 1, 1))}), "stack-of-elements") ==
        "Gather Abs Gather Abs Unsqueeze Unsqueeze Concat");
  const auto large = [](model& any, std::int64_t axis, target runtime) {
    const value y = axis == 1 ? any.in({200, 2}) : any.in({2, 200});
    const value a = abs(element(y, 0, axis)), b = abs(element(y, 1, axis));
    return after({stacked({a, b}, axis)}, {"stack-of-elements"}, runtime);
  };
  model q, r;
  CHECK(large(p, 1, target::generic) == "Gather Abs Gather Abs Unsqueeze Unsqueeze Concat");
  CHECK(large(q, 0, target::ort) == "Gather Abs Gather Abs Unsqueeze Unsqueeze Concat");
  CHECK(large(r, 1, target::ort) == "Gather Abs Gather Abs Concat");
}

TEST_CASE("stack-of-stacks: the rows of a matrix") {
  const auto matrix = [](model& m, const shape& dims, std::int64_t axis, std::int64_t outer) {
    std::vector<value> rows;
    for (int i = 0; i < 2; ++i) {
      const value x = m.in(dims), y = m.in(dims);
      rows.push_back(unsqueeze(concat({unsqueeze(x, {axis}), unsqueeze(y, {axis})}, axis), {outer}));
    }
    return concat(rows, outer);
  };
  const std::string joined = "Unsqueeze Unsqueeze Unsqueeze Unsqueeze Concat Reshape";
  model m, n, o, p, q, r;
  CHECK(after(matrix(m, {5}, 1, 1), "stack-of-stacks") == joined);
  CHECK(after(matrix(n, {}, 0, 0), "stack-of-stacks").ends_with("Concat Reshape"));
  CHECK(after(matrix(o, {o.B, 3}, 1, 1), "stack-of-stacks") == joined);
  CHECK(after(matrix(p, {5}, 1, 2), "stack-of-stacks").find("Reshape") == std::string::npos);  // by columns
  const value x = q.in({5}), row = concat({unsqueeze(x, {1}), unsqueeze(q.in({5}), {1})}, 1);
  const value twice = concat({unsqueeze(row, {1}), unsqueeze(row, {1})}, 1);
  CHECK(after(twice, "stack-of-stacks") == "a row is read elsewhere too");
  const value single = concat({unsqueeze(r.in({5, 2}), {1}), unsqueeze(r.in({5, 2}), {1})}, 1);
  CHECK(after(single, "stack-of-stacks") == "Unsqueeze Unsqueeze Concat");
}
