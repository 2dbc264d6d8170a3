// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/loss.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding loss_rebuildings[];
const rebuilding loss_rebuildings[] = {
    {"", "NegativeLogLikelihoodLoss",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::negative_log_likelihood_loss(
           n.in(0), n.in(1), n.in(2),
           {.ignore_index = n.get<std::optional<std::int64_t>>("ignore_index"),
            .reduction = n.get<jax2onnx::loss_reduction>("reduction", jax2onnx::loss_reduction::mean)})};
     }},
    {"", "SoftmaxCrossEntropyLoss",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::softmax_cross_entropy_loss(
           n.in(0), n.in(1), n.in(2),
           {.ignore_index = n.get<std::optional<std::int64_t>>("ignore_index"),
            .reduction = n.get<jax2onnx::loss_reduction>("reduction", jax2onnx::loss_reduction::mean)});
       return {r.output, r.log_prob};
     }},
    {"ai.onnx.preview.training", "Adagrad",
     [](const node_parts& n) -> std::vector<value> {
       return jax2onnx::adagrad(n.in(0), n.in(1), n.rest(2),
                                {.epsilon = n.get<float>("epsilon", 1e-06f),
                                 .decay_factor = n.get<float>("decay_factor", 0.0f),
                                 .norm_coefficient = n.get<float>("norm_coefficient", 0.0f)});
     }},
    {"ai.onnx.preview.training", "Adam",
     [](const node_parts& n) -> std::vector<value> {
       return jax2onnx::adam(n.in(0), n.in(1), n.rest(2),
                             {.epsilon = n.get<float>("epsilon", 1e-06f),
                              .alpha = n.get<float>("alpha", 0.9f),
                              .beta = n.get<float>("beta", 0.999f),
                              .norm_coefficient = n.get<float>("norm_coefficient", 0.0f),
                              .norm_coefficient_post = n.get<float>("norm_coefficient_post", 0.0f)});
     }},
    {"ai.onnx.preview.training", "Momentum",
     [](const node_parts& n) -> std::vector<value> {
       return jax2onnx::momentum(n.in(0), n.in(1), n.rest(2),
                                 {.mode = n.get<std::string>("mode"),
                                  .alpha = n.get<float>("alpha"),
                                  .beta = n.get<float>("beta"),
                                  .norm_coefficient = n.get<float>("norm_coefficient")});
     }},
    {},
};

}  // namespace jax2onnx
