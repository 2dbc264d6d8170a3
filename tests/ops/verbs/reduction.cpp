// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/reduction.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding reduction_rebuildings[];
const rebuilding reduction_rebuildings[] = {
    {"", "ArgMax",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::argmax(n.in(0), {.axis = n.get<std::int64_t>("axis", 0),
                                          .keepdims = n.get<flag>("keepdims", true),
                                          .select_last_index = n.get<flag>("select_last_index", false)})};
     }},
    {"", "ArgMin",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::argmin(n.in(0), {.axis = n.get<std::int64_t>("axis", 0),
                                          .keepdims = n.get<flag>("keepdims", true),
                                          .select_last_index = n.get<flag>("select_last_index", false)})};
     }},
    {"", "CumProd",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::cumprod(
           n.in(0), n.in(1), {.exclusive = n.get<flag>("exclusive", false), .reverse = n.get<flag>("reverse", false)})};
     }},
    {"", "CumSum",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::cumsum(
           n.in(0), n.in(1), {.exclusive = n.get<flag>("exclusive", false), .reverse = n.get<flag>("reverse", false)})};
     }},
    {"", "ReduceL1",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_l1(n.in(0), n.in(1),
                                   {.keepdims = n.get<flag>("keepdims", true),
                                    .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceL2",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_l2(n.in(0), n.in(1),
                                   {.keepdims = n.get<flag>("keepdims", true),
                                    .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceLogSum",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_log_sum(n.in(0), n.in(1),
                                        {.keepdims = n.get<flag>("keepdims", true),
                                         .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceLogSumExp",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_log_sum_exp(n.in(0), n.in(1),
                                            {.keepdims = n.get<flag>("keepdims", true),
                                             .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceMax",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_max(n.in(0), n.in(1),
                                    {.keepdims = n.get<flag>("keepdims", true),
                                     .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceMean",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_mean(n.in(0), n.in(1),
                                     {.keepdims = n.get<flag>("keepdims", true),
                                      .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceMin",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_min(n.in(0), n.in(1),
                                    {.keepdims = n.get<flag>("keepdims", true),
                                     .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceProd",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_prod(n.in(0), n.in(1),
                                     {.keepdims = n.get<flag>("keepdims", true),
                                      .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceSum",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_sum(n.in(0), n.in(1),
                                    {.keepdims = n.get<flag>("keepdims", true),
                                     .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {"", "ReduceSumSquare",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reduce_sum_square(n.in(0), n.in(1),
                                           {.keepdims = n.get<flag>("keepdims", true),
                                            .noop_with_empty_axes = n.get<flag>("noop_with_empty_axes", false)})};
     }},
    {},
};

}  // namespace jax2onnx
