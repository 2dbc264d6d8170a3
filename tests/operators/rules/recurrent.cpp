// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/recurrent.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), T = dim::symbol("T"), dyn = dim::dyn();
constexpr std::optional<tensor_type> absent;

constexpr formal_attribute attributes[] = {standard("direction", "forward"), standard("layout", 0)};
constexpr op_record named(std::string_view name) {
  op_record r = record_of(attributes);
  r.name = name;
  return r;
}
constexpr op_record rnn = named("RNN"), gru = named("GRU"), lstm = named("LSTM");

constexpr applied steps(auto... more) {
  return applied(lstm, f32({T, B, 6}), f32({1, 20, 6}), f32({1, 20, 5}), more...);
}

}  // namespace

static_assert(steps().wants(3).run(rules::recurrent).are(f32({T, 1, B, 5}), f32({1, B, 5}), f32({1, B, 5})));
static_assert(applied(rnn, f32({T, B, 6}), f32({2, 5, 6}), f32({2, 5, 5}))
                  .with("direction", "bidirectional")
                  .wants(2)
                  .run(rules::recurrent)
                  .are(f32({T, 2, B, 5}), f32({2, B, 5})));
static_assert(applied(gru, f32({B, T, 6}), f32({1, 15, 6}), f32({1, 15, 5}), f32({1, 30}))
                  .with("layout", 1)
                  .wants(2)
                  .run(rules::recurrent)
                  .are(f32({B, T, 1, 5}), f32({B, 1, 5})));
static_assert(steps(f32({1, 40}), of(dtype::i32, {B}), f32({1, B, 5}), f32({1, dyn, 5}), f32({1, 15}))
                  .run(rules::recurrent)
                  .is({T, 1, B, 5}));
static_assert(steps().attributes_at_run_time().run(rules::recurrent).is({dyn, 1, dyn, 5}));

TEST_CASE("recurrent networks that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::recurrent).problem; };
  CHECK(problem(steps(f32({1, 20}))) == "the bias has an extent of {} instead of {}");
  CHECK(problem(steps(f32({40}))).starts_with("the bias has {} dimension{|s}"));
  CHECK(problem(steps(absent, of(dtype::i32, {1, B}))).starts_with("the lengths of sequences have {} dimension{|s}"));
  CHECK(problem(steps(absent, absent, f32({1, B, 4}))) == "an initial state has an extent of {} instead of {}");
  CHECK(problem(steps(absent, absent, absent, f32({1, 5}))) == "an initial state has {} dimension{|s}; it needs 3");
  CHECK(problem(steps(absent, absent, absent, absent, f32({1, 20}))) ==
        "the peepholes have an extent of {} instead of {}");
  CHECK(problem(steps().with("direction", "backward")).starts_with("direction must be "));
  CHECK(problem(steps().with("direction", "bidirectional")) == "the weights have an extent of {} instead of {}");
  CHECK(problem(steps().with("layout", 2)) == "layout is {}; it must be 0 or 1");
  CHECK(problem(steps().with("hidden_size", 4)) == "the weights have an extent of {} instead of {}");
  CHECK(problem(steps().with("hidden_size", 0)) == "hidden_size is {}; it must be positive");
  CHECK(problem(steps().list("activations", 2)) == "it has {} activation{|s}; all directions together need {}");
  CHECK(steps().list("activations", 3).run(rules::recurrent).ok());
  CHECK(steps().list("activations", {"Sigmoid", "tanh", "Tanh"}).run(rules::recurrent).ok());
  CHECK(problem(steps().list("activations", {"Sigmoid", "Swish", "Tanh"})) ==
        "entry {} of activations is not an activation of RNN, GRU and LSTM");
  CHECK(problem(applied(rnn, f32({T, B}), f32({1, 5, 6}), f32({1, 5, 5}))).starts_with("the sequences have {}"));
  CHECK(
      problem(applied(rnn, f32({T, B, 7}), f32({1, 5, 6}), f32({1, 5, 5}))).starts_with("the weights have an extent"));
  CHECK(problem(applied(rnn, f32({T, B, 6}), f32({5, 6}), f32({1, 5, 5}))).starts_with("the weights have {}"));
  CHECK(
      problem(applied(rnn, f32({T, B, 6}), f32({1, 5, 6}), f32({5, 5}))).starts_with("the recurrent weights have {}"));
  CHECK(problem(applied(rnn, f32({T, B, 6}), f32({1, 5, 6}), f32({1, 4, 5})))
            .starts_with("the recurrent weights have an"));
}

TEST_CASE("sequences are no longer than the steps", "[graph]") {
  const auto lengths = [](dim length) {
    return applied(lstm, f32({5, 1, 6}), f32({1, 20, 6}), f32({1, 20, 5}), absent, i64({1}))
        .known(4, {length})
        .run(rules::recurrent);
  };
  CHECK(lengths(5).ok());
  CHECK(lengths(9).problem == "the length of a sequence is {}, but the sequences have {} step{|s}");
}
