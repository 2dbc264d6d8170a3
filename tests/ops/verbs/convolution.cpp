// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/convolution.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding convolution_rebuildings[];
const rebuilding convolution_rebuildings[] = {
    {"", "Col2Im",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::col2im(
           n.in(0), n.in(1), n.in(2),
           {.dilations = n.get<ints>("dilations"), .pads = n.get<ints>("pads"), .strides = n.get<ints>("strides")})};
     }},
    {"", "Conv",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::conv(n.in(0), n.in(1), n.in(2),
                              {.auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                               .dilations = n.get<ints>("dilations"),
                               .group = n.get<std::int64_t>("group", 1),
                               .kernel_shape = n.get<ints>("kernel_shape"),
                               .pads = n.get<ints>("pads"),
                               .strides = n.get<ints>("strides")})};
     }},
    {"", "ConvInteger",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::conv_integer(n.in(0), n.in(1), n.in(2), n.in(3),
                                      {.auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                       .dilations = n.get<ints>("dilations"),
                                       .group = n.get<std::int64_t>("group", 1),
                                       .kernel_shape = n.get<ints>("kernel_shape"),
                                       .pads = n.get<ints>("pads"),
                                       .strides = n.get<ints>("strides")})};
     }},
    {"", "ConvTranspose",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::conv_transpose(n.in(0), n.in(1), n.in(2),
                                        {.auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                         .dilations = n.get<ints>("dilations"),
                                         .group = n.get<std::int64_t>("group", 1),
                                         .kernel_shape = n.get<ints>("kernel_shape"),
                                         .output_padding = n.get<ints>("output_padding"),
                                         .output_shape = n.get<ints>("output_shape"),
                                         .pads = n.get<ints>("pads"),
                                         .strides = n.get<ints>("strides")})};
     }},
    {"", "DeformConv",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::deform_conv(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4),
                                     {.dilations = n.get<ints>("dilations"),
                                      .group = n.get<std::int64_t>("group", 1),
                                      .kernel_shape = n.get<ints>("kernel_shape"),
                                      .offset_group = n.get<std::int64_t>("offset_group", 1),
                                      .pads = n.get<ints>("pads"),
                                      .strides = n.get<ints>("strides")})};
     }},
    {"", "QLinearConv",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::qlinear_conv(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5), n.in(6), n.in(7), n.in(8),
                                      {.auto_pad = n.get<jax2onnx::auto_pad>("auto_pad", jax2onnx::auto_pad::notset),
                                       .dilations = n.get<ints>("dilations"),
                                       .group = n.get<std::int64_t>("group", 1),
                                       .kernel_shape = n.get<ints>("kernel_shape"),
                                       .pads = n.get<ints>("pads"),
                                       .strides = n.get<ints>("strides")})};
     }},
    {},
};

}  // namespace jax2onnx
