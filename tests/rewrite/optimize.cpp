// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/optimize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("optimize: reports what was applied, and why rules declined") {
  model m;
  const value x = m.in({2});
  output(maximum(x, 0), "y");
  output(maximum(m.in({2}, dtype::i32), 0), "z");
  const rewrite_report r = optimize(m.g, {});
  CHECK(r.applied("Relu") == 1);
  CHECK(r.find("Relu")->reasons == std::vector<std::string_view>{"the element type is not floating-point"});
  CHECK(r.find("Gelu") == nullptr);
  CHECK(r.applied("Gelu") == 0);
}

TEST_CASE("rewrite_names: the rules, and the passes that are not rules") {
  const std::vector<std::string_view> names = rewrite_names();
  CHECK(names.size() == rewrite_rules().size() + 6);
  CHECK(names.front() == rewrite_rules().front().name);
  for (const std::string_view pass :
       {"common-subexpressions", "hoist-invariants", "flat-rows", "reshape-splits", "known-branches", "joint-draws"})
    CHECK(std::ranges::count(names, pass) == 1);
}

TEST_CASE("optimize: rules can be switched off, all fusions or by name") {
  const auto build = [](model& m) { output(maximum(m.in({2}), 0), "y"); };
  model with, without, by_name;
  build(with), build(without), build(by_name);
  optimize(with.g, {});
  rewrite_options no_fusions, no_relu;
  no_fusions.fuse = false;
  no_relu.disabled = {"Relu"};
  optimize(without.g, no_fusions);
  optimize(by_name.g, no_relu);
  CHECK(op_list(with.g) == "Relu");
  CHECK(op_list(without.g) == "Max");
  CHECK(op_list(by_name.g) == "Max");
  CHECK_THROWS_WITH(optimize(with.g, {.disabled = {"Rleu"}}), Catch::Matchers::Contains("there is no rewrite 'Rleu'"));
}

TEST_CASE("optimize: maxima of finite values are those of ONNX") {
  const auto made = [](bool finite) {
    model m;
    output(m.last("ReduceMax", m.in({2, 3})), "y");
    optimize(m.g, {.target = target::ort, .as_jax = true, .assume_finite = finite});
    return op_list(m.g);
  };
  CHECK(made(false) == "ReduceMax ReduceL1 Min");
  CHECK(made(true) == "ReduceMax");
}

TEST_CASE("optimize: rules of one's own that are their text") {
  graph g(23);
  const value x = g.input({dtype::f32, {3}}, "x");
  output(div(x, add(abs(x), 1)), "y");
  rewrite_options o;
  o.equations = {{"Softsign", "x / (1 + Abs(x)) -> Softsign(x) if floating(x), at_most_f32(x)"}};
  CHECK(optimize(g, o).applied("Softsign") == 1);
  CHECK_THROWS_AS(own_equation("wrong", "Max(x, 0) -> Relu(y)"), build_error);
}
