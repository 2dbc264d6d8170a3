// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The recurrent operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of gru.
struct gru_attributes {
  std::optional<std::int64_t> hidden_size = std::nullopt;
  chosen<jax2onnx::direction> direction = jax2onnx::direction::forward;
  std::vector<float> activation_alpha = {};
  std::vector<float> activation_beta = {};
  std::vector<std::string> activations = {};
  std::optional<float> clip = std::nullopt;
  std::int64_t layout = 0;
  flag linear_before_reset = false;
};
/// The results of gru.
struct gru_outputs {
  value y, y_h;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes a GRU of one layer (GRU).
inline gru_outputs gru(const operand& x, const operand& w, const operand& r, const operand& b = {},
                       const operand& sequence_lens = {}, const operand& initial_h = {},
                       const gru_attributes& attributes = {}) {
  node_builder n("GRU", {x, w, r, b, sequence_lens, initial_h});
  n.set("hidden_size", attributes.hidden_size);
  n.set("direction", attributes.direction.value, jax2onnx::direction::forward);
  n.set("activation_alpha", attributes.activation_alpha);
  n.set("activation_beta", attributes.activation_beta);
  n.set("activations", attributes.activations);
  n.set("clip", attributes.clip);
  n.set("layout", attributes.layout, 0);
  n.set("linear_before_reset", attributes.linear_before_reset, false);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of lstm.
struct lstm_attributes {
  std::optional<std::int64_t> hidden_size = std::nullopt;
  chosen<jax2onnx::direction> direction = jax2onnx::direction::forward;
  std::vector<float> activation_alpha = {};
  std::vector<float> activation_beta = {};
  std::vector<std::string> activations = {};
  std::optional<float> clip = std::nullopt;
  flag input_forget = false;
  std::int64_t layout = 0;
};
/// The results of lstm.
struct lstm_outputs {
  value y, y_h, y_c;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes an LSTM of one layer (LSTM).
inline lstm_outputs lstm(const operand& x, const operand& w, const operand& r, const operand& b = {},
                         const operand& sequence_lens = {}, const operand& initial_h = {},
                         const operand& initial_c = {}, const operand& p = {}, const lstm_attributes& attributes = {}) {
  node_builder n("LSTM", {x, w, r, b, sequence_lens, initial_h, initial_c, p});
  n.set("hidden_size", attributes.hidden_size);
  n.set("direction", attributes.direction.value, jax2onnx::direction::forward);
  n.set("activation_alpha", attributes.activation_alpha);
  n.set("activation_beta", attributes.activation_beta);
  n.set("activations", attributes.activations);
  n.set("clip", attributes.clip);
  n.set("input_forget", attributes.input_forget, false);
  n.set("layout", attributes.layout, 0);
  const auto results = n.build(3);
  return {results[0], results[1], results[2]};
}

/// The attributes of rnn.
struct rnn_attributes {
  std::optional<std::int64_t> hidden_size = std::nullopt;
  chosen<jax2onnx::direction> direction = jax2onnx::direction::forward;
  std::vector<float> activation_alpha = {};
  std::vector<float> activation_beta = {};
  std::vector<std::string> activations = {"Tanh", "Tanh"};
  std::optional<float> clip = std::nullopt;
  std::int64_t layout = 0;
};
/// The results of rnn.
struct rnn_outputs {
  value y, y_h;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes a simple RNN of one layer (RNN).
inline rnn_outputs rnn(const operand& x, const operand& w, const operand& r, const operand& b = {},
                       const operand& sequence_lens = {}, const operand& initial_h = {},
                       const rnn_attributes& attributes = {}) {
  node_builder n("RNN", {x, w, r, b, sequence_lens, initial_h});
  n.set("hidden_size", attributes.hidden_size);
  n.set("direction", attributes.direction.value, jax2onnx::direction::forward);
  n.set("activation_alpha", attributes.activation_alpha);
  n.set("activation_beta", attributes.activation_beta);
  n.set("activations", attributes.activations, std::vector<std::string>{"Tanh", "Tanh"});
  n.set("clip", attributes.clip);
  n.set("layout", attributes.layout, 0);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

}  // namespace jax2onnx
