// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/random.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding random_rebuildings[];
const rebuilding random_rebuildings[] = {
    {"", "Bernoulli",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::bernoulli(n.in(0), {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::undefined),
                                             .seed = n.get<std::optional<float>>("seed")})};
     }},
    {"", "Multinomial",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::multinomial(n.in(0), {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::i32),
                                               .sample_size = n.get<std::int64_t>("sample_size", 1),
                                               .seed = n.get<std::optional<float>>("seed")})};
     }},
    {"", "RandomNormal",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::random_normal(n.g, {.scale = n.get<float>("scale", 1.0f),
                                             .dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::f32),
                                             .mean = n.get<float>("mean", 0.0f),
                                             .seed = n.get<std::optional<float>>("seed"),
                                             .shape = n.get<ints>("shape")})};
     }},
    {"", "RandomNormalLike",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::random_normal_like(n.in(0), {.scale = n.get<float>("scale", 1.0f),
                                                  .dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::undefined),
                                                  .mean = n.get<float>("mean", 0.0f),
                                                  .seed = n.get<std::optional<float>>("seed")})};
     }},
    {"", "RandomUniform",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::random_uniform(n.g, {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::f32),
                                              .high = n.get<float>("high", 1.0f),
                                              .low = n.get<float>("low", 0.0f),
                                              .seed = n.get<std::optional<float>>("seed"),
                                              .shape = n.get<ints>("shape")})};
     }},
    {"", "RandomUniformLike",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::random_uniform_like(n.in(0), {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::undefined),
                                                   .high = n.get<float>("high", 1.0f),
                                                   .low = n.get<float>("low", 0.0f),
                                                   .seed = n.get<std::optional<float>>("seed")})};
     }},
    {},
};

}  // namespace jax2onnx
