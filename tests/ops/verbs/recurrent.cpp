// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/recurrent.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding recurrent_rebuildings[];
const rebuilding recurrent_rebuildings[] = {
    {"", "GRU",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::gru(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5),
                                    {.hidden_size = n.get<std::optional<std::int64_t>>("hidden_size"),
                                     .direction = n.get<jax2onnx::direction>("direction", jax2onnx::direction::forward),
                                     .activation_alpha = n.get<std::vector<float>>("activation_alpha"),
                                     .activation_beta = n.get<std::vector<float>>("activation_beta"),
                                     .activations = n.get<std::vector<std::string>>("activations"),
                                     .clip = n.get<std::optional<float>>("clip"),
                                     .layout = n.get<std::int64_t>("layout", 0),
                                     .linear_before_reset = n.get<flag>("linear_before_reset", false)});
       return {r.y, r.y_h};
     }},
    {"", "LSTM",
     [](const node_parts& n) -> std::vector<value> {
       const auto r =
           jax2onnx::lstm(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5), n.in(6), n.in(7),
                          {.hidden_size = n.get<std::optional<std::int64_t>>("hidden_size"),
                           .direction = n.get<jax2onnx::direction>("direction", jax2onnx::direction::forward),
                           .activation_alpha = n.get<std::vector<float>>("activation_alpha"),
                           .activation_beta = n.get<std::vector<float>>("activation_beta"),
                           .activations = n.get<std::vector<std::string>>("activations"),
                           .clip = n.get<std::optional<float>>("clip"),
                           .input_forget = n.get<flag>("input_forget", false),
                           .layout = n.get<std::int64_t>("layout", 0)});
       return {r.y, r.y_h, r.y_c};
     }},
    {"", "RNN",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::rnn(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5),
                                    {.hidden_size = n.get<std::optional<std::int64_t>>("hidden_size"),
                                     .direction = n.get<jax2onnx::direction>("direction", jax2onnx::direction::forward),
                                     .activation_alpha = n.get<std::vector<float>>("activation_alpha"),
                                     .activation_beta = n.get<std::vector<float>>("activation_beta"),
                                     .activations = n.get<std::vector<std::string>>("activations", {"Tanh", "Tanh"}),
                                     .clip = n.get<std::optional<float>>("clip"),
                                     .layout = n.get<std::int64_t>("layout", 0)});
       return {r.y, r.y_h};
     }},
    {},
};

}  // namespace jax2onnx
