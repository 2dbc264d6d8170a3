// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/loss.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), N = dim::symbol("N");

constexpr formal_attribute attributes[] = {standard("reduction", "mean")};
constexpr op_record named(std::string_view name) {
  op_record r = record_of(attributes);
  r.name = name;
  return r;
}
constexpr op_record op = named("Op"), adam = named("Adam");

constexpr applied scores(auto... more) { return applied(op, f32({B, 5, 3}), i64({B, 3}), more...); }

}  // namespace

static_assert(scores().run(rules::negative_log_likelihood_loss).is({}));
static_assert(scores(f32({5})).with("reduction", "none").run(rules::negative_log_likelihood_loss).is({B, 3}));
static_assert(scores().attributes_at_run_time().run(rules::negative_log_likelihood_loss).is_unranked());
static_assert(scores().wants(2).run(rules::softmax_cross_entropy_loss).are(f32({}), f32({B, 5, 3})));

TEST_CASE("losses whose operands do not fit", "[graph]") {
  for (const auto rule : {rules::negative_log_likelihood_loss, rules::softmax_cross_entropy_loss}) {
    const auto problem = [&](auto&& application) { return application.run(rule).problem; };
    CHECK(problem(applied(op, f32({5}), i64({}))).starts_with("the scores have {} dimension{|s}"));
    CHECK(problem(applied(op, f32({B, 5}), i64({B, 1}))) ==
          "the labels have {} dimension{|s}; they need one fewer than the scores, which have {}");
    CHECK(problem(applied(op, f32({2, 5, 3}), i64({2, 4}))).starts_with("the labels have an extent of {}"));
    CHECK(problem(applied(op, f32({2, 5, 3}), i64({5, 3}))).starts_with("the labels have an extent of {}"));
    CHECK(problem(scores(f32({4}))) == "the number of weights is {} for {} class{|es}");
    CHECK(problem(scores(f32({1, 5}))).starts_with("the weights of classes have {} dimension{|s}"));
    CHECK(problem(scores().with("reduction", "max")) == "reduction must be none, sum or mean");
  }
}

static_assert(applied(op, f32({}), i64({}), f32({B}), f32({2}), f32({B}), f32({2}), f32({B}), f32({2}))
                  .wants(4)
                  .run(rules::training)
                  .are(f32({B}), f32({2}), f32({B}), f32({2})));
static_assert(applied(adam, f32({}), i64({}), f32({N}), f32({N}), f32({N}), f32({N}))
                  .wants(3)
                  .run(rules::training)
                  .are(f32({N}), f32({N}), f32({N})));

TEST_CASE("steps of optimizers that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::training).problem; };
  const tensor_type scalar = f32({}), x = f32({2});
  CHECK(problem(applied(op, f32({2}), scalar, x, x, x)).starts_with("learning rate or step have {} dimension{|s}"));
  CHECK(problem(applied(op, scalar, scalar, x, x, x, x))
            .starts_with("it has {} operand{|s} after R and T; each tensor needs {}"));
  CHECK(problem(applied(adam, scalar, scalar, x, x, x))
            .starts_with("it has {} operand{|s} after R and T; each tensor needs {}"));
  CHECK(problem(applied(op, scalar, scalar, x, f32({3}), x)).starts_with("a gradient or statistic has an extent"));
  CHECK(problem(applied(op, scalar, scalar, x, f32({2, 1}), x)).starts_with("a gradient or statistic has a different"));
  CHECK(problem(applied(op, scalar, scalar, x, x, of(dtype::f64, {2})))
            .starts_with("a gradient or statistic has a different"));
  CHECK(problem(applied(op, scalar, scalar, x, x, x).wants(3)) == "{} result{ is|s are} requested; it has {}");
  CHECK(problem(applied(op, scalar, scalar, x, x, x).with("mode", "fast")) == "mode must be standard or nesterov");
}

TEST_CASE("labels are classes, unless one is to be ignored", "[graph]") {
  const auto loss = [](dim label, auto... ignored) {
    applied a(op, f32({1, 5}), i64({1}));
    (a.with("ignore_index", ignored), ...);
    return a.known(1, {label}).run(rules::negative_log_likelihood_loss);
  };
  CHECK(loss(4).ok());
  CHECK(loss(5).problem == "there is no class {}; the last one is {}");
  CHECK(loss(5, 5).ok());
}
