// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of recurrent networks.
namespace jax2onnx::rules {

/// The extents that the operands of a recurrent network share.
struct recurrence {
  dim steps, batch, features;  ///< the extents of the sequences
  dim directions, hidden;      ///< the extents of weights and states
  bool batch_first = false;    ///< true for layout 1: [batch, steps, ...], states [batch, directions, hidden]

  /// The shape of a state.
  constexpr shape state() const {
    if (batch_first) return {batch, directions, hidden};
    return {directions, batch, hidden};
  }
  /// The shape of the states of all steps.
  constexpr shape states() const {
    if (batch_first) return {batch, steps, directions, hidden};
    return {steps, directions, batch, hidden};
  }
};

/// Fails unless operand i, if given, has this shape.
constexpr bool expect_shape(inference& c, std::size_t i, const shape& expected, std::string_view wrong_rank,
                            std::string_view wrong_extent) {
  if (!c.has(i)) return !c.failed();
  c.expect_rank(i, static_cast<std::int64_t>(expected.size()), wrong_rank);
  for (std::size_t j = 0; j < expected.size() && !c.failed(); ++j)
    c.expect_equal(c.dims(i)[j], expected[j], wrong_extent);
  return !c.failed();
}

/// The number of directions; fails for a `direction` that ONNX does not define.
constexpr dim directions(inference& c) {
  c.expect_choice("direction", {"forward", "reverse", "bidirectional"},
                  "direction must be forward, reverse or bidirectional");
  if (!c.given("direction") && !c.defaults_apply()) return dim::dyn();
  return c.text("direction") == "bidirectional" ? 2 : 1;
}

/// Reads the extents of sequences and recurrent weights.
constexpr recurrence recurrence_of(inference& c) {
  const shape &x = c.dims(0), &weights = c.dims(2);
  const dim layout = c.number("layout");
  c.expect(!layout.is_constant() || layout.is(0) || layout.is(1), "layout is {}; it must be 0 or 1", layout);
  const dim hidden = c.given("hidden_size") ? dim(c.integer("hidden_size")) : weights[2];
  c.expect_positive(hidden, "hidden_size is {}; it must be positive");
  const bool batch_first = layout.is(1);
  recurrence r{x[batch_first ? 1 : 0], x[batch_first ? 0 : 1], x[2], directions(c), hidden, batch_first};
  if (layout.is_dyn()) r.steps = r.batch = r.directions = dim::dyn();
  r.directions = c.either(r.directions, weights[0]);
  return r;
}

/// True if ONNX has an activation of this name. ONNX Runtime ignores the case of letters, and so do we.
constexpr bool is_activation(std::string_view name) {
  constexpr std::string_view names[] = {
      "relu",       "tanh",        "sigmoid", "affine",   "leakyrelu", "thresholdedrelu",
      "scaledtanh", "hardsigmoid", "elu",     "softsign", "softplus"};
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::string_view known : names) {
    bool same = known.size() == name.size();
    for (std::size_t i = 0; same && i < name.size(); ++i) same = lower(name[i]) == known[i];
    if (same) return true;
  }
  return false;
}

/// RNN, GRU, LSTM: X, W, R, B, sequence_lens, initial_h, and LSTM's initial_c, P.
constexpr void recurrent(inference& c) {
  c.expect_rank(0, 3, "the sequences have {} dimension{|s}; they must be [steps, batch, features]");
  c.expect_rank(1, 3, "the weights have {} dimension{|s}; they must be [directions, gates * hidden, features]");
  if (!c.expect_rank(2, 3,
                     "the recurrent weights have {} dimension{|s}; they must be [directions, gates * hidden, hidden]"))
    return;
  const std::int64_t gates = c.op() == "LSTM" ? 4 : c.op() == "GRU" ? 3 : 1;
  const recurrence r = recurrence_of(c);
  const dim rows = c.mul(r.hidden, gates);
  expect_shape(c, 1, {r.directions, rows, r.features}, "", "the weights have an extent of {} instead of {}");
  expect_shape(c, 2, {r.directions, rows, r.hidden}, "", "the recurrent weights have an extent of {} instead of {}");
  expect_shape(c, 3, {r.directions, c.mul(rows, 2)},
               "the bias has {} dimension{|s}; it must be [directions, 2 * gates * hidden]",
               "the bias has an extent of {} instead of {}");
  expect_shape(c, 4, {r.batch}, "the lengths of sequences have {} dimension{|s}; they must be a vector",
               "there are lengths of {} sequence{|s} instead of {}");
  c.expect_elements(4, 0, r.steps, "the length of a sequence is {}, but the sequences have {} step{|s}");
  for (std::size_t state : {std::size_t{5}, std::size_t{6}})
    expect_shape(c, state, r.state(), "an initial state has {} dimension{|s}; it needs 3",
                 "an initial state has an extent of {} instead of {}");
  expect_shape(c, 7, {r.directions, c.mul(r.hidden, 3)},
               "the peepholes have {} dimension{|s}; they must be [directions, 3 * hidden]",
               "the peepholes have an extent of {} instead of {}");
  const std::int64_t functions = gates == 4 ? 3 : gates == 3 ? 2 : 1;
  const auto named = static_cast<std::int64_t>(c.attribute_size("activations"));
  const std::int64_t least = r.directions.is_constant() ? functions * r.directions.extent() : 0;
  c.expect(!c.given("activations") || named >= least, "it has {} activation{|s}; all directions together need {}",
           named, least);
  for (std::int64_t i = 0; i < named; ++i) {
    const std::string_view name = c.text_at("activations", static_cast<std::size_t>(i));
    c.expect(name.empty() || is_activation(name), "entry {} of activations is not an activation of RNN, GRU and LSTM",
             i);
  }
  c.result(0, r.states());
  for (std::size_t i = 1; i < c.result_count(); ++i) c.result(i, r.state());
}

}  // namespace jax2onnx::rules
