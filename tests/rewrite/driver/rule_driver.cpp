// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("common subexpressions: same operator, operands and attributes") {
  model m;
  const value x = m.in({2, 3});
  output(add(exp(x), exp(x)), "y");
  output(sub(log(x), log(x)), "z");
  const rewrite_report r = optimize(m.g, {});
  CHECK(op_list(m.g) == "Exp Add Log Sub");
  CHECK(r.applied("common-subexpressions") == 2);
}

TEST_CASE("common subexpressions: an inner block uses an outer value, not the reverse") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean);
  const value outer = exp(x);
  m.g.set_origin({1, 2, {}});  // the next equation
  const auto branch = [&](double number) {
    const block_scope scope(m.g);
    m.g.set_outputs(scope.id(), std::vector{add(mul(exp(x), number), log(x))});
    return scope.id();
  };
  const block_id then_block = branch(2), else_block = branch(3);
  const value chosen =
      m.g.emit("If", {c}, {dtype::f32, {2}}, {{"then_branch", then_block}, {"else_branch", else_block}});
  const value sum = add(chosen, outer), later = log(x);
  output(add(sum, later), "y");
  optimize(m.g, {});
  CHECK(op_list(m.g) == "Exp If Add Log Add");
  CHECK(m.g.at(then_block).nodes.size() == 3);  // Mul, Log, Add: the Exp is in the outer block
  CHECK(m.g.at(else_block).nodes.size() == 3);
}

TEST_CASE("known branches: an If whose condition is a constant is its branch, however deep") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean);
  const value always = scalar(m.g, dtype::boolean, 1), never = scalar(m.g, dtype::boolean, 0);
  const tensor_type type{dtype::f32, {2}};
  const auto branch = [&](auto body) {
    const block_scope scope(m.g);
    m.g.set_outputs(scope.id(), std::vector{body()});
    return scope.id();
  };
  const auto choose = [&](const value& condition, auto on_true, auto on_false) {
    const block_id then_block = branch(on_true), else_block = branch(on_false);
    return m.g.emit("If", {condition}, type, {{"then_branch", then_block}, {"else_branch", else_block}});
  };
  const auto inner = [&] {
    return choose(
        never, [&] { return log(x); }, [&] { return exp(x); });
  };
  const auto open = [&] {
    return choose(
        c, [&] { return log(x); }, inner);
  };
  output(choose(always, inner, [&] { return log(x); }), "nested");
  output(choose(always, open, [&] { return log(x); }), "open");
  output(choose(
             never, [&] { return log(x); }, [&] { return x; }),
         "same");
  const rewrite_report r = optimize(m.g, {});
  CHECK(op_list(m.g) == "Exp If Identity");
  CHECK(r.applied("known-branches") == 5);
  CHECK(m.g.at(m.g.at(block_id::main).outputs[2]).name == "same");
}

TEST_CASE("known branches: a condition that ranges decide, and the condition inside of a branch") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean);
  const value few = where(c, scalar(m.g, dtype::i32, 1), scalar(m.g, dtype::i32, 3));
  const std::vector<tensor_type> type{x.type()};
  const auto plain = [&] { return std::vector{exp(x)}; };
  output(if_(
             less(few, 7), plain, [&] { return std::vector{neg(x)}; }, type)[0],
         "in range");
  const value chosen = if_(
      c, [&] { return std::vector{where(c, log(x), x)}; }, plain, type)[0];
  output(chosen, "inside");
  optimize(m.g, {});
  CHECK(op_list(m.g) == "Exp If");
  const node& choice = m.g.at(m.g.at(chosen.id()).producer);
  CHECK(m.g.at(rewrite::detail::block_of(choice, "then_branch")).nodes.size() == 1);
}

TEST_CASE("known branches: a condition of rank 1 keeps its shape inside of a branch") {
  model m;
  const value x = m.in({}), c = m.in({1}, dtype::boolean);
  const std::vector<tensor_type> type{{dtype::f32, {1}}};
  const auto chosen = [&] { return std::vector{where(c, x, exp(x))}; };
  const value y = if_(
      c, chosen, [&] { return std::vector{reshape(x, {1})}; }, type)[0];
  output(y, "y");
  optimize(m.g, {});
  const node& choice = m.g.at(m.g.at(y.id()).producer);
  CHECK(m.g.at(rewrite::detail::block_of(choice, "then_branch")).nodes.size() == 2);
}

TEST_CASE("hoist-invariants: what both branches hand on, and states that no iteration changes") {
  model m;
  const value x = m.in({2}), y = m.in({2}), c = m.in({}, dtype::boolean);
  const auto with = [&](const value& first) { return [&, first] { return std::vector{first, y}; }; };
  const std::vector<value> chosen = if_(c, with(exp(x)), with(neg(x)), {x.type(), y.type()});
  const auto body = [&](const value&, const std::vector<value>& s) {
    return loop_step{less(reduce("ReduceMax", s[0], {0}), 9), {add(s[0], s[1]), s[1]}};
  };
  const loop_result r = loop(m.g, {}, scalar(m.g, dtype::boolean, 1), chosen, body);
  output(r.carried[0], "changed");
  output(r.carried[1], "unchanged");
  optimize(m.g, {});
  const node& made = m.g.at(m.g.at(r.carried[0].id()).producer);
  CHECK(made.op == "Loop");
  CHECK(made.outputs.size() == 1);
  CHECK(m.g.at(made.inputs[2]).type.dims == x.dims());
  for (node_id n : m.g.at(block_id::main).nodes)
    if (m.g.at(n).op == "If") CHECK(m.g.at(n).outputs.size() == 1);
}

TEST_CASE("known branches: left out by name") {
  model m;
  const value x = m.in({2});
  const auto branch = [&](const value& result) {
    const block_scope scope(m.g);
    m.g.set_outputs(scope.id(), std::vector{mul(result, 2)});
    return scope.id();
  };
  const block_id then_block = branch(x), else_block = branch(exp(x));
  output(m.g.emit("If", {scalar(m.g, dtype::boolean, 1)}, {dtype::f32, {2}},
                  {{"then_branch", then_block}, {"else_branch", else_block}}),
         "y");
  rewrite_options options;
  options.disabled.insert("known-branches");
  optimize(m.g, options);
  CHECK(op_list(m.g) == "Exp If");
}

TEST_CASE("engine: outputs keep their names, and are made by a node each") {
  model m;
  const value x = m.in({2, 3});
  output(transpose(transpose(x, {1, 0}), {1, 0}), "same");
  output(exp(x), "first");
  output(exp(x), "second");
  optimize(m.g, {});
  const auto& out = m.g.at(block_id::main).outputs;
  CHECK(m.g.at(out[0]).name == "same");
  CHECK(m.g.at(out[1]).name == "first");
  CHECK(m.g.at(out[2]).name == "second");
  CHECK(out[0] != x.id());
  CHECK(out[1] != out[2]);
}

TEST_CASE("engine: extents that are computed at run time outlive their first reader") {
  model m;
  const value x = m.in({m.B, 3});
  const value unused = broadcast_to(m.in({1, 3}), {m.B, 3});
  output(concat({x, broadcast_to(m.in({1, 3}), {m.B, 3})}, 1), "y");
  (void)unused;
  optimize(m.g, {});
  CHECK(op_list(m.g) == "Shape Concat Expand Concat");
}

TEST_CASE("engine: events tell which nodes a pass after the rules added") {
  model m;
  output(exp(m.in({3}, dtype::bf16)), "y");
  const rewrite_report r = optimize(m.g, {.keep_events = true});
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].rule == "legalize");
  CHECK(r.events[0].node == node_id::none);
  CHECK(m.g.at(r.events[0].begin).op == "Cast");
  CHECK(static_cast<int>(r.events[0].end) - static_cast<int>(r.events[0].begin) == 2);
}

TEST_CASE("engine: events tell what a rule did at which node, if they are asked for") {
  const auto build = [](model& m) {
    const value x = m.in({2, 3});
    output(maximum(x, 0), "y");
    output(add(matmul(m.in({2, 2, 3}), m.in({3, 4})), m.in({4})), "z");
  };
  model m, quiet;
  build(m);
  const rewrite_report r = optimize(m.g, {.target = target::ort, .keep_events = true});
  build(quiet);
  CHECK(optimize(quiet.g, {}).events.empty());
  const auto of = [&](std::string_view rule) {
    return *std::ranges::find(r.events, rule, &rewrite_report::event::rule);
  };
  const rewrite_report::event made = of("Relu");
  CHECK(made.reason.empty());
  CHECK(m.g.at(made.node).op == "Max");
  CHECK(m.g.at(made.begin).op == "Relu");
  CHECK(static_cast<int>(made.end) == static_cast<int>(made.begin) + 1);
  const rewrite_report::event declined = of("Gemm");
  CHECK(declined.reason == "the operands are not matrices");
  CHECK(m.g.at(declined.node).op == "Add");
  CHECK(declined.begin == declined.end);
}
