// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <initializer_list>

#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/narrow/rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using jax2onnx::rewrite::detail::repetition_in;

namespace {

/// The operators after the pass.
std::string widened(std::initializer_list<value> outputs) {
  graph& g = outputs.begin()->owner();
  for (const value& v : outputs) output(v, "y" + std::to_string(&v - outputs.begin()));
  rewrite::detail::widen_narrow_rows(g);
  rewrite::detail::dead_code(g).run();
  return op_list(g);
}

}  // namespace

TEST_CASE("narrow-rows: how operands are repeated") {
  const auto once = repetition_in({64, 1}, {64, 3});
  REQUIRE(once);
  CHECK((once->within_run && once->run == 3 && once->runs == 64 && once->elements == 64));
  const auto lines = repetition_in({64, 1, 8}, {64, 64, 8});
  REQUIRE(lines);
  CHECK((!lines->within_run && lines->run == 8 && lines->runs == 4096 && lines->elements == 512));
  CHECK(repetition_in({64, 1}, {2, 64, 3})->runs == 128);
  CHECK_FALSE(repetition_in({}, {64, 3}));
  CHECK_FALSE(repetition_in({64, 3}, {64, 3}));
  model m;
  CHECK_FALSE(repetition_in({m.B, 1}, {m.B, 3}));
}

TEST_CASE("narrow-rows: one number for each short row is copied, once for all readers") {
  model m;
  const value x = m.in({512, 3}), size = m.in({512, 1});
  CHECK(widened({div(x, size), mul(size, x)}) == "Concat Div Mul");
  model n;
  CHECK(widened({mul(n.in({1, 64, 1}), n.in({64, 64, 8}))}) == "Expand Mul");
  model p;
  CHECK(widened({mul(p.in({512, 1, 3}), p.in({512, 3, 3}))}) == "Concat Mul");
  model o;
  CHECK(widened({where(o.in({64, 1, 8}, dtype::boolean), o.in({64, 64, 8}), o.in({}))}) == "Expand Where");
}

TEST_CASE("narrow-rows: few or long rows are broadcast by the operator") {
  model m;
  CHECK(widened({mul(m.in({100, 3}), m.in({100, 1}))}) == "Mul");
  model n;
  CHECK(widened({mul(n.in({512, 64}), n.in({512, 1}))}) == "Mul");
  model o;
  CHECK(widened({mul(o.in({512, 1, 3}), o.in({1, 4, 1}))}) == "Mul");
  model p;
  CHECK(widened({mul(p.in({p.B, 3}), p.in({p.B, 1}))}) == "Mul");
}

TEST_CASE("narrow-rows: a column that is taken twice is one part of a Split") {
  model m;
  const value x = m.in({1024, 3});
  const auto column = [&] { return gather(x, int64s(m.g, {1}), 1); };
  const value first = column(), second = column(), third = column();
  CHECK(widened({abs(first), neg(second), neg(third)}) == "Split Identity Identity Abs Neg Neg");
}

TEST_CASE("narrow-rows: elements of the last axis are parts of a Split") {
  model m;
  const value x = m.in({64, 3});
  CHECK(widened({pick(x, 0, 1), pick(x, 2, 1)}) == "Split Squeeze Squeeze");
  model n;
  CHECK(widened({pick(n.in({1024, 2}), 1, 1)}) == "Split Squeeze");
  model o;  // with the axis
  const value y = o.in({64, 3});
  const auto column = [&](std::int64_t i) { return gather(y, int64s(o.g, {i}), 1); };
  CHECK(widened({abs(column(0)), abs(column(-1)), pick(y, 2, 1)}) == "Split Abs Abs Squeeze");
}

TEST_CASE("narrow-rows: single elements of few or long rows, and of other axes, are gathered") {
  model m;
  CHECK(widened({pick(m.in({64, 3}), 0, 1)}) == "Gather");
  model n;
  const value wide = n.in({64, 16});
  CHECK(widened({pick(wide, 0, 1), pick(wide, 1, 1)}) == "Gather Gather");
  model o;
  const value columns = o.in({3, 64});
  CHECK(widened({pick(columns, 0, 0), pick(columns, 1, 0)}) == "Gather Gather");
}

TEST_CASE("narrow-rows: a number has as many axes as a result whose last extent is 1") {
  const auto rank_of_number = [](model& m, const shape& dims, bool constant, const shape& number = {}) {
    const value c = constant ? reshape(scalar(m.g, dtype::f32, 2), number) : m.in(number);
    const value y = mul(m.in(dims), c);
    const std::string nodes = widened({y});
    CHECK((nodes == "Mul" || nodes == "Reshape Mul"));
    return value(m.g, m.g.at(m.g.at(y.id()).producer).inputs[1]).rank();
  };
  model m, n, o, p, q, r, s;
  CHECK(rank_of_number(m, {64, 4, 1}, true) == 3);
  CHECK(rank_of_number(n, {n.B, 1}, true) == 2);
  CHECK(rank_of_number(o, {64, 4, 1}, false) == 3);
  CHECK(rank_of_number(p, {64, 4, 1, 1}, true, {1}) == 4);
  CHECK(rank_of_number(q, {16, 1}, false) == 0);
  CHECK(rank_of_number(r, {64, 4}, true) == 0);
  CHECK(rank_of_number(s, {63, 1}, true) == 0);
}
