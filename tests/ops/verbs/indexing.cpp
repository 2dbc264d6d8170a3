// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/indexing.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding indexing_rebuildings[];
const rebuilding indexing_rebuildings[] = {
    {"", "Compress",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::compress(n.in(0), n.in(1), {.axis = n.get<std::optional<std::int64_t>>("axis")})};
     }},
    {"", "Gather",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::gather(n.in(0), n.in(1), {.axis = n.get<std::int64_t>("axis", 0)})};
     }},
    {"", "GatherElements",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::gather_elements(n.in(0), n.in(1), {.axis = n.get<std::int64_t>("axis", 0)})};
     }},
    {"", "GatherND",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::gather_nd(n.in(0), n.in(1), {.batch_dims = n.get<std::int64_t>("batch_dims", 0)})};
     }},
    {"", "NonMaxSuppression",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::non_max_suppression(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4),
                                             {.center_point_box = n.get<std::int64_t>("center_point_box", 0)})};
     }},
    {"", "NonZero", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::non_zero(n.in(0))}; }},
    {"", "OneHot",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::one_hot(n.in(0), n.in(1), n.in(2), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "ScatterElements",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::scatter_elements(
           n.in(0), n.in(1), n.in(2),
           {.axis = n.get<std::int64_t>("axis", 0),
            .reduction = n.get<jax2onnx::scatter_reduction>("reduction", jax2onnx::scatter_reduction::none)})};
     }},
    {"", "ScatterND",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::scatter_nd(
           n.in(0), n.in(1), n.in(2),
           {.reduction = n.get<jax2onnx::scatter_reduction>("reduction", jax2onnx::scatter_reduction::none)})};
     }},
    {"", "TensorScatter",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::tensor_scatter(n.in(0), n.in(1), n.in(2),
                                        {.axis = n.get<std::int64_t>("axis", -2),
                                         .mode = n.get<jax2onnx::cache_mode>("mode", jax2onnx::cache_mode::linear)})};
     }},
    {"", "TopK",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::top_k(n.in(0), n.in(1),
                                      {.axis = n.get<std::int64_t>("axis", -1),
                                       .largest = n.get<flag>("largest", true),
                                       .sorted = n.get<flag>("sorted", true)});
       return {r.values, r.indices};
     }},
    {"", "Unique",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::unique(
           n.in(0), {.axis = n.get<std::optional<std::int64_t>>("axis"), .sorted = n.get<flag>("sorted", true)});
       return {r.y, r.indices, r.inverse_indices, r.counts};
     }},
    {},
};

}  // namespace jax2onnx
