// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/convolution.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding convolution_rebuildings[];
const rebuilding convolution_rebuildings[] = {
    {"", "CausalConvWithState",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::causal_conv_with_state(
           n.in(0), n.in(1), n.in(2), n.in(3),
           {.activation = n.get<jax2onnx::conv_activation>("activation", jax2onnx::conv_activation::none)});
       return {r.output, r.present_state};
     }},
    {"", "Col2Im",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::col2im(
           n.in(0), n.in(1), n.in(2),
           {.strides = n.get<ints>("strides"), .pads = n.get<ints>("pads"), .dilations = n.get<ints>("dilations")})};
     }},
    {"", "Conv",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::conv(n.in(0), n.in(1), n.in(2),
                              {.kernel_shape = n.get<ints>("kernel_shape"),
                               .strides = n.get<ints>("strides"),
                               .pads = n.get<ints>("pads"),
                               .dilations = n.get<ints>("dilations"),
                               .group = n.get<std::int64_t>("group", 1),
                               .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset)})};
     }},
    {"", "ConvInteger",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::conv_integer(n.in(0), n.in(1), n.in(2), n.in(3),
                                      {.kernel_shape = n.get<ints>("kernel_shape"),
                                       .strides = n.get<ints>("strides"),
                                       .pads = n.get<ints>("pads"),
                                       .dilations = n.get<ints>("dilations"),
                                       .group = n.get<std::int64_t>("group", 1),
                                       .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset)})};
     }},
    {"", "ConvTranspose",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::conv_transpose(n.in(0), n.in(1), n.in(2),
                                        {.kernel_shape = n.get<ints>("kernel_shape"),
                                         .strides = n.get<ints>("strides"),
                                         .pads = n.get<ints>("pads"),
                                         .dilations = n.get<ints>("dilations"),
                                         .group = n.get<std::int64_t>("group", 1),
                                         .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                         .output_padding = n.get<ints>("output_padding"),
                                         .output_shape = n.get<ints>("output_shape")})};
     }},
    {"", "DeformConv",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::deform_conv(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4),
                                     {.kernel_shape = n.get<ints>("kernel_shape"),
                                      .strides = n.get<ints>("strides"),
                                      .pads = n.get<ints>("pads"),
                                      .dilations = n.get<ints>("dilations"),
                                      .group = n.get<std::int64_t>("group", 1),
                                      .offset_group = n.get<std::int64_t>("offset_group", 1)})};
     }},
    {"", "QLinearConv",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::qlinear_conv(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5), n.in(6), n.in(7), n.in(8),
                                      {.kernel_shape = n.get<ints>("kernel_shape"),
                                       .strides = n.get<ints>("strides"),
                                       .pads = n.get<ints>("pads"),
                                       .dilations = n.get<ints>("dilations"),
                                       .group = n.get<std::int64_t>("group", 1),
                                       .auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset)})};
     }},
    {},
};

}  // namespace jax2onnx
