// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/normalization.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding normalization_rebuildings[];
const rebuilding normalization_rebuildings[] = {
    {"", "BatchNormalization",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::batch_normalization(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4),
                                                    {.epsilon = n.get<float>("epsilon", 1e-05f),
                                                     .momentum = n.get<float>("momentum", 0.9f),
                                                     .training_mode = n.get<flag>("training_mode", false)});
       return {r.y, r.running_mean, r.running_var};
     }},
    {"", "Dropout",
     [](const node_parts& n) -> std::vector<value> {
       const auto r =
           jax2onnx::dropout(n.in(0), n.in(1), n.in(2), {.seed = n.get<std::optional<std::int64_t>>("seed")});
       return {r.output, r.mask};
     }},
    {"", "GroupNormalization",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::group_normalization(n.in(0), n.in(1), n.in(2),
                                         {.num_groups = n.get<std::int64_t>("num_groups"),
                                          .epsilon = n.get<float>("epsilon", 1e-05f),
                                          .stash_type = n.get<jax2onnx::dtype>("stash_type", jax2onnx::dtype::f32)})};
     }},
    {"", "InstanceNormalization",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::instance_normalization(n.in(0), n.in(1), n.in(2), {.epsilon = n.get<float>("epsilon", 1e-05f)})};
     }},
    {"", "LRN",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::lrn(n.in(0), {.alpha = n.get<float>("alpha", 0.0001f),
                                       .beta = n.get<float>("beta", 0.75f),
                                       .bias = n.get<float>("bias", 1.0f),
                                       .size = n.get<std::int64_t>("size")})};
     }},
    {"", "LayerNormalization",
     [](const node_parts& n) -> std::vector<value> {
       const auto r =
           jax2onnx::layer_normalization(n.in(0), n.in(1), n.in(2),
                                         {.axis = n.get<std::int64_t>("axis", -1),
                                          .epsilon = n.get<float>("epsilon", 1e-05f),
                                          .stash_type = n.get<jax2onnx::dtype>("stash_type", jax2onnx::dtype::f32)});
       return {r.y, r.mean, r.inv_std_dev};
     }},
    {"", "LpNormalization",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::lp_normalization(n.in(0),
                                          {.axis = n.get<std::int64_t>("axis", -1), .p = n.get<std::int64_t>("p", 2)})};
     }},
    {"", "MeanVarianceNormalization",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::mean_variance_normalization(n.in(0), {.axes = n.get<ints>("axes", {0, 2, 3})})};
     }},
    {"", "RMSNormalization",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::rms_normalization(n.in(0), n.in(1),
                                           {.axis = n.get<std::int64_t>("axis", -1),
                                            .epsilon = n.get<float>("epsilon", 1e-05f),
                                            .stash_type = n.get<jax2onnx::dtype>("stash_type", jax2onnx::dtype::f32)})};
     }},
    {},
};

}  // namespace jax2onnx
