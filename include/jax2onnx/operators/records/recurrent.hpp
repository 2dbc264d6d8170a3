// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/recurrent.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// GRU
inline constexpr formal gru_inputs[] = {{"X", 0},
                                        {"W", 0},
                                        {"R", 0},
                                        {"B", 0, presence::optional},
                                        {"sequence_lens", 1, presence::optional},
                                        {"initial_h", 0, presence::optional}};
inline constexpr formal gru_outputs[] = {{"Y", 0, presence::optional}, {"Y_h", 0, presence::optional}};
inline constexpr type_constraint gru_types[] = {{"T", {.tensors = floats}}, {"T1", {.tensors = types({i32})}}};
inline constexpr formal_attribute gru_attributes[] = {{"activation_alpha", reals},
                                                      {"activation_beta", reals},
                                                      {"activations", texts},
                                                      {"clip", real},
                                                      {"direction", text, defaulted, {.text = "forward"}},
                                                      {"hidden_size", integer},
                                                      {"layout", integer, defaulted},
                                                      {"linear_before_reset", integer, defaulted}};
inline constexpr type_constraint gru_types_22[] = {{"T", {.tensors = floats | types({bf16})}},
                                                   {"T1", {.tensors = types({i32})}}};
// LSTM
inline constexpr formal lstm_inputs[] = {{"X", 0},
                                         {"W", 0},
                                         {"R", 0},
                                         {"B", 0, presence::optional},
                                         {"sequence_lens", 1, presence::optional},
                                         {"initial_h", 0, presence::optional},
                                         {"initial_c", 0, presence::optional},
                                         {"P", 0, presence::optional}};
inline constexpr formal lstm_outputs[] = {
    {"Y", 0, presence::optional}, {"Y_h", 0, presence::optional}, {"Y_c", 0, presence::optional}};
inline constexpr type_constraint lstm_types[] = {{"T", {.tensors = floats}}, {"T1", {.tensors = types({i32})}}};
inline constexpr formal_attribute lstm_attributes[] = {{"activation_alpha", reals},
                                                       {"activation_beta", reals},
                                                       {"activations", texts},
                                                       {"clip", real},
                                                       {"direction", text, defaulted, {.text = "forward"}},
                                                       {"hidden_size", integer},
                                                       {"input_forget", integer, defaulted},
                                                       {"layout", integer, defaulted}};
inline constexpr type_constraint lstm_types_22[] = {{"T", {.tensors = floats | types({bf16})}},
                                                    {"T1", {.tensors = types({i32})}}};
// RNN
inline constexpr formal rnn_inputs[] = {{"X", 0},
                                        {"W", 0},
                                        {"R", 0},
                                        {"B", 0, presence::optional},
                                        {"sequence_lens", 1, presence::optional},
                                        {"initial_h", 0, presence::optional}};
inline constexpr formal rnn_outputs[] = {{"Y", 0, presence::optional}, {"Y_h", 0, presence::optional}};
inline constexpr type_constraint rnn_types[] = {{"T", {.tensors = floats}}, {"T1", {.tensors = types({i32})}}};
inline constexpr formal_attribute rnn_attributes[] = {{"activation_alpha", reals},
                                                      {"activation_beta", reals},
                                                      {"activations", texts, defaulted},
                                                      {"clip", real},
                                                      {"direction", text, defaulted, {.text = "forward"}},
                                                      {"hidden_size", integer},
                                                      {"layout", integer, defaulted}};
inline constexpr type_constraint rnn_types_22[] = {{"T", {.tensors = floats | types({bf16})}},
                                                   {"T1", {.tensors = types({i32})}}};

inline constexpr op_record recurrent_records[] = {
    {"GRU",
     "",
     14,
     gru_inputs,
     gru_outputs,
     gru_types,
     gru_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes a GRU of one layer"},
    {"GRU",
     "",
     22,
     gru_inputs,
     gru_outputs,
     gru_types_22,
     gru_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes a GRU of one layer"},
    {"LSTM",
     "",
     14,
     lstm_inputs,
     lstm_outputs,
     lstm_types,
     lstm_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes an LSTM of one layer"},
    {"LSTM",
     "",
     22,
     lstm_inputs,
     lstm_outputs,
     lstm_types_22,
     lstm_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes an LSTM of one layer"},
    {"RNN",
     "",
     14,
     rnn_inputs,
     rnn_outputs,
     rnn_types,
     rnn_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes a simple RNN of one layer"},
    {"RNN",
     "",
     22,
     rnn_inputs,
     rnn_outputs,
     rnn_types_22,
     rnn_attributes,
     3,
     0,
     {rules::recurrent},
     "Computes a simple RNN of one layer"},
};

}  // namespace jax2onnx::records
