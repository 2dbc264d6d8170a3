// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/pooling.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding pooling_rebuildings[];
const rebuilding pooling_rebuildings[] = {
    {"", "AveragePool",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::average_pool(n.in(0),
                                      {.kernel_shape = n.get<ints>("kernel_shape"),
                                       .strides = n.get<ints>("strides"),
                                       .pads = n.get<ints>("pads"),
                                       .dilations = n.get<ints>("dilations"),
                                       .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                       .ceil_mode = n.get<flag>("ceil_mode", false),
                                       .count_include_pad = n.get<flag>("count_include_pad", false)})};
     }},
    {"", "GlobalAveragePool",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::global_average_pool(n.in(0))}; }},
    {"", "GlobalLpPool",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::global_lp_pool(n.in(0), {.p = n.get<std::int64_t>("p", 2)})};
     }},
    {"", "GlobalMaxPool",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::global_max_pool(n.in(0))}; }},
    {"", "LpPool",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::lp_pool(n.in(0), {.kernel_shape = n.get<ints>("kernel_shape"),
                                       .strides = n.get<ints>("strides"),
                                       .pads = n.get<ints>("pads"),
                                       .dilations = n.get<ints>("dilations"),
                                       .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                       .ceil_mode = n.get<flag>("ceil_mode", false),
                                       .p = n.get<std::int64_t>("p", 2)})};
     }},
    {"", "MaxPool",
     [](const node_parts& n) -> std::vector<value> {
       const auto r =
           jax2onnx::max_pool(n.in(0), {.kernel_shape = n.get<ints>("kernel_shape"),
                                        .strides = n.get<ints>("strides"),
                                        .pads = n.get<ints>("pads"),
                                        .dilations = n.get<ints>("dilations"),
                                        .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                        .ceil_mode = n.get<flag>("ceil_mode", false),
                                        .storage_order = n.get<std::int64_t>("storage_order", 0)});
       return {r.y, r.indices};
     }},
    {"", "MaxRoiPool",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::max_roi_pool(
           n.in(0), n.in(1),
           {.pooled_shape = n.get<ints>("pooled_shape"), .spatial_scale = n.get<float>("spatial_scale", 1.0f)})};
     }},
    {"", "MaxUnpool",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::max_unpool(n.in(0), n.in(1), n.in(2),
                                    {.kernel_shape = n.get<ints>("kernel_shape"),
                                     .strides = n.get<ints>("strides"),
                                     .pads = n.get<ints>("pads")})};
     }},
    {"", "RoiAlign",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::roi_align(n.in(0), n.in(1), n.in(2),
                                   {.mode = n.get<jax2onnx::roi_mode>("mode", jax2onnx::roi_mode::avg),
                                    .coordinate_transformation_mode = n.get<jax2onnx::coordinate_mode>(
                                        "coordinate_transformation_mode", jax2onnx::coordinate_mode::half_pixel),
                                    .output_height = n.get<std::int64_t>("output_height", 1),
                                    .output_width = n.get<std::int64_t>("output_width", 1),
                                    .sampling_ratio = n.get<std::int64_t>("sampling_ratio", 0),
                                    .spatial_scale = n.get<float>("spatial_scale", 1.0f)})};
     }},
    {},
};

}  // namespace jax2onnx
