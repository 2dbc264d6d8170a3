// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/graph/collectives.hpp>
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
