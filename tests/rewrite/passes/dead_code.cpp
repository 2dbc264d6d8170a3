// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <utility>

#include <jax2onnx/graph/collectives.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("dead_code: nodes that no output needs") {
  model m;
  const value x = m.in({2});
  exp(log(x));
  output(neg(abs(x)), "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(op_list(m.g) == "Abs Neg");
}

TEST_CASE("dead_code: what a body of a live node uses stays, the body of a dead one is emptied") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean), captured = exp(x);
  const auto branch = [&] {
    const block_scope scope(m.g);
    m.g.set_outputs(scope.id(), std::vector{neg(captured)});
    log(captured);
    return scope.id();
  };
  const block_id live = branch(), dead = branch();
  m.g.emit("If", {c}, x.type(), {{"then_branch", dead}});
  output(m.g.emit("If", {c}, x.type(), {{"then_branch", live}}), "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(op_list(m.g) == "Exp If");
  CHECK(m.g.at(live).nodes.size() == 1);
  CHECK(m.g.at(dead).nodes.empty());
  CHECK(m.g.at(dead).outputs.empty());
}

TEST_CASE("dead_code: collectives stay, also those in a body, until all devices drop them") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean);
  const tensor_type types[] = {x.type()};
  const auto exchange = [&] {
    return m.g.emit_many(operator_name::unchecked("AllReduce"), std::span(&x, 1), types, {}, collective_domain)[0];
  };
  const auto branch = [&](bool exchanges) {
    const block_scope scope(m.g);
    const value y = exchanges ? exchange() : exp(x);
    m.g.set_outputs(scope.id(), std::vector{y});
    return scope.id();
  };
  exchange();
  m.g.emit("If", {c}, x.type(), {{"then_branch", branch(true)}});
  m.g.emit("If", {c}, x.type(), {{"then_branch", branch(false)}});
  output(neg(x), "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(op_list(m.g) == "AllReduce If Neg");
  rewrite::detail::dead_code(m.g, false).run();
  CHECK(op_list(m.g) == "Neg");
}

TEST_CASE("dead_code: a node stays for the sake of a collective in a body of its body") {
  model m;
  const value x = m.in({2}), c = m.in({}, dtype::boolean);
  const tensor_type types[] = {x.type()};
  const block_id outer = [&] {
    const block_scope scope(m.g);
    const block_id inner = [&] {
      const block_scope within(m.g);
      const auto name = operator_name::unchecked("AllReduce");
      m.g.set_outputs(within.id(), m.g.emit_many(name, std::span(&x, 1), types, {}, collective_domain));
      return within.id();
    }();
    m.g.set_outputs(scope.id(), std::vector{m.g.emit("If", {c}, x.type(), {{"then_branch", inner}})});
    return scope.id();
  }();
  m.g.emit("If", {c}, x.type(), {{"then_branch", outer}});
  output(neg(x), "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(op_list(m.g) == "If Neg");
}

namespace {

/// The numbers of operands and results of the first loop in the main block.
std::pair<std::size_t, std::size_t> loop_size(const graph& g) {
  for (const node_id n : g.at(block_id::main).nodes)
    if (g.at(n).op == "Loop" || g.at(n).op == "Scan") return {g.at(n).inputs.size(), g.at(n).outputs.size()};
  return {};
}
using sizes = std::pair<std::size_t, std::size_t>;
using values = std::vector<value>;

}  // namespace

TEST_CASE("dead_code: loop-carried values that only their own next values need") {
  model m;
  const value x = m.in({2});
  const auto body = [](const value&, const values& s) {
    return loop_step{less(reduce("ReduceSum", s[0], {0}, false), 5), {exp(s[0]), add(s[1], 1), log(s[1])}};
  };
  const value one = scalar(m.g, dtype::f32, 1);
  output(loop(m.g, {}, scalar(m.g, dtype::boolean, 1), {x, one, one}, body).carried[0], "y");
  CHECK(loop_size(m.g) == sizes(5, 3));
  rewrite::detail::dead_code(m.g).run();
  CHECK(loop_size(m.g) == sizes(3, 1));
  CHECK(bodies(m.g) == "ReduceSum Less Exp");
}

TEST_CASE("dead_code: a loop-carried value that the condition or another value needs") {
  model m;
  const value x = m.in({2});
  const auto body = [](const value&, const values& s) {
    return loop_step{less(s[1], 5), {add(exp(s[0]), s[2]), add(s[1], 1), mul(s[2], 2)}};
  };
  const value one = scalar(m.g, dtype::f32, 1);
  output(loop(m.g, {}, scalar(m.g, dtype::boolean, 1), {x, one, one}, body).carried[0], "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(loop_size(m.g) == sizes(5, 3));
}

TEST_CASE("dead_code: loop-carried values of a Scan inside of another one") {
  model m;
  const value x = m.in({2}), xs = m.in({5, 2});
  const auto outer = [&](const values& s, const values& e) {
    const auto inner = [&](const values& t, const values& f) {
      return loop_step{{}, {add(t[0], f[0]), mul(t[1], s[1])}};
    };
    const values last = scan(s[0].owner(), {s[0], s[1]}, {xs}, inner).carried;
    return loop_step{{}, {add(last[0], e[0]), last[1]}, {last[0]}};
  };
  const loop_result r = scan(m.g, {x, x}, {xs}, outer);
  SECTION("which nothing reads") {
    output(r.collected[0], "y");
    rewrite::detail::dead_code(m.g).run();
    CHECK(loop_size(m.g) == sizes(2, 2));
    CHECK(bodies(m.g) == "Scan Add");
  }
  SECTION("which are results") {
    output(r.carried[1], "y");
    rewrite::detail::dead_code(m.g).run();
    CHECK(loop_size(m.g) == sizes(3, 3));  // what is stacked stays
  }
}

TEST_CASE("dead_code: a loop with a collective keeps all loop-carried values") {
  model m;
  const value x = m.in({2}), xs = m.in({5, 2});
  const tensor_type types[] = {x.type()};
  const auto body = [&](const values& s, const values& e) {
    const auto name = operator_name::unchecked("AllReduce");
    const value all = m.g.emit_many(name, std::span(&s[1], 1), types, {}, collective_domain)[0];
    return loop_step{{}, {add(s[0], e[0]), all}};
  };
  output(scan(m.g, {x, x}, {xs}, body).carried[0], "y");
  rewrite::detail::dead_code(m.g).run();
  CHECK(loop_size(m.g) == sizes(3, 2));
}
