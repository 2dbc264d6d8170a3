// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/shape.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding shape_rebuildings[];
const rebuilding shape_rebuildings[] = {
    {"", "BitCast",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::bitcast(n.in(0), {.to = n.get<jax2onnx::dtype>("to")})};
     }},
    {"", "Cast",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::cast(n.in(0), {.to = n.get<jax2onnx::dtype>("to"),
                                        .round_mode = n.get<std::string>("round_mode", "up"),
                                        .saturate = n.get<flag>("saturate", true)})};
     }},
    {"", "CastLike",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::cast_like(
           n.in(0), n.in(1),
           {.round_mode = n.get<std::string>("round_mode", "up"), .saturate = n.get<flag>("saturate", true)})};
     }},
    {"", "CenterCropPad",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::center_crop_pad(n.in(0), n.in(1), {.axes = n.get<ints>("axes")})};
     }},
    {"", "Concat",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::concat(n.rest(0), {.axis = n.get<std::int64_t>("axis")})};
     }},
    {"", "DepthToSpace",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::depth_to_space(n.in(0), {.mode = n.get<jax2onnx::depth_mode>("mode", jax2onnx::depth_mode::dcr),
                                              .blocksize = n.get<std::int64_t>("blocksize")})};
     }},
    {"", "Expand", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::expand(n.in(0), n.in(1))}; }},
    {"", "Flatten",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::flatten(n.in(0), {.axis = n.get<std::int64_t>("axis", 1)})};
     }},
    {"", "Identity", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::identity(n.in(0))}; }},
    {"", "Pad",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::pad(n.in(0), n.in(1), n.in(2), n.in(3),
                             {.mode = n.get<jax2onnx::pad_mode>("mode", jax2onnx::pad_mode::constant)})};
     }},
    {"", "Reshape",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reshape(n.in(0), n.in(1), {.allowzero = n.get<flag>("allowzero", false)})};
     }},
    {"", "ReverseSequence",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::reverse_sequence(
           n.in(0), n.in(1),
           {.batch_axis = n.get<std::int64_t>("batch_axis", 1), .time_axis = n.get<std::int64_t>("time_axis", 0)})};
     }},
    {"", "Shape",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::shape_of(
           n.in(0), {.end = n.get<std::optional<std::int64_t>>("end"), .start = n.get<std::int64_t>("start", 0)})};
     }},
    {"", "Size", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::size(n.in(0))}; }},
    {"", "Slice",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::slice(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4))};
     }},
    {"", "SpaceToDepth",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::space_to_depth(
           n.in(0), {.mode = n.get<std::string>("mode", "DCR"), .blocksize = n.get<std::int64_t>("blocksize")})};
     }},
    {"", "Split",
     [](const node_parts& n) -> std::vector<value> {
       return jax2onnx::split(
           n.in(0), n.in(1),
           {.axis = n.get<std::int64_t>("axis", 0), .num_outputs = n.get<std::optional<std::int64_t>>("num_outputs")});
     }},
    {"", "Squeeze", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::squeeze(n.in(0), n.in(1))}; }},
    {"", "Tile", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::tile(n.in(0), n.in(1))}; }},
    {"", "Transpose",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::transpose(n.in(0), {.perm = n.get<ints>("perm")})};
     }},
    {"", "Trilu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::trilu(n.in(0), n.in(1), {.upper = n.get<flag>("upper", true)})};
     }},
    {"", "Unsqueeze",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::unsqueeze(n.in(0), n.in(1))}; }},
    {},
};

}  // namespace jax2onnx
