// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/common_subexpressions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

namespace {

node_id made_by(const value& v) { return v.owner().at(v.id()).producer; }

}  // namespace

TEST_CASE("common_subexpressions: operators, operands and attributes have to be equal") {
  model m;
  const value x = m.in({2, 3}), y = m.in({2, 3});
  common_subexpressions seen;
  seen.enter();
  const auto find = [&](const value& v) { return seen.find_or_add(m.g, made_by(v)); };
  const value first = exp(x);
  CHECK(find(first) == node_id::none);
  CHECK(find(exp(x)) == made_by(first));
  CHECK(find(exp(y)) == node_id::none);
  CHECK(find(log(x)) == node_id::none);
  const auto leaky = [&](float alpha) { return m.g.emit("LeakyRelu", {x}, x.type(), {{"alpha", alpha}}); };
  CHECK(find(leaky(0.5f)) == node_id::none);
  CHECK(find(leaky(0.25f)) == node_id::none);
  CHECK(find(leaky(0.5f)) != node_id::none);
  const value other = exp(x);
  m.g.at(made_by(other)).domain = "com.example";
  CHECK(find(other) == node_id::none);
}

TEST_CASE("common_subexpressions: random operators and nodes with bodies are not merged") {
  model m;
  const value x = m.in({2});
  common_subexpressions seen;
  seen.enter();
  for (int i = 0; i < 2; ++i) {
    CHECK(seen.find_or_add(m.g, made_by(unary("Bernoulli", x))) == node_id::none);
    const block_scope scope(m.g);
    const value branch = m.g.emit("If", {x}, x.type(), {{"then_branch", scope.id()}});
    CHECK(seen.find_or_add(m.g, made_by(branch)) == node_id::none);
  }
}

TEST_CASE("common_subexpressions: a block forgets its nodes when it is left, the outer ones stay") {
  model m;
  const value x = m.in({2}), outer = exp(x), inner = log(x);
  common_subexpressions seen;
  seen.enter();
  seen.find_or_add(m.g, made_by(outer));
  seen.enter();
  seen.find_or_add(m.g, made_by(inner));
  CHECK(seen.find_or_add(m.g, made_by(exp(x))) == made_by(outer));
  seen.leave();
  CHECK(seen.find_or_add(m.g, made_by(log(x))) == node_id::none);
  CHECK(seen.find_or_add(m.g, made_by(exp(x))) == made_by(outer));
}
