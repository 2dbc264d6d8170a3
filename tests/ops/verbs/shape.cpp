// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/shape.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding shape_rebuildings[];
const rebuilding shape_rebuildings[] = {
    {"", "BitCast",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::bitcast(n.in(0), {.to = n.get<jax2onnx::dtype>("to")})};
     }},
    {"", "Cast",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::cast(n.in(0), {.to = n.get<jax2onnx::dtype>("to"),
                                        .round_mode = n.get<std::string>("round_mode", "up"),
                                        .saturate = n.get<bool>("saturate", true)})};
     }},
    {"", "CastLike",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::cast_like(
           n.in(0), n.in(1),
           {.round_mode = n.get<std::string>("round_mode", "up"), .saturate = n.get<bool>("saturate", true)})};
     }},
    {"", "CenterCropPad",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::center_crop_pad(n.in(0), n.in(1), {.axes = n.get<ints>("axes")})};
     }},
    {"", "Concat",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::concat(n.rest(0), {.axis = n.get<std::int64_t>("axis")})};
     }},
    {"", "DepthToSpace",
     [](const node_parts& n) -> std::vector<value> {
       return {
           verbatim::depth_to_space(n.in(0), {.mode = n.get<jax2onnx::depth_mode>("mode", jax2onnx::depth_mode::dcr),
                                              .blocksize = n.get<std::int64_t>("blocksize")})};
     }},
    {"", "Expand", [](const node_parts& n) -> std::vector<value> { return {verbatim::expand(n.in(0), n.in(1))}; }},
    {"", "Flatten",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::flatten(n.in(0), {.axis = n.get<std::int64_t>("axis", 1)})};
     }},
    {"", "Identity", [](const node_parts& n) -> std::vector<value> { return {verbatim::identity(n.in(0))}; }},
    {"", "Pad",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::pad(n.in(0), n.in(1), n.in(2), n.in(3),
                             {.mode = n.get<jax2onnx::pad_mode>("mode", jax2onnx::pad_mode::constant)})};
     }},
    {"", "Reshape",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::reshape(n.in(0), n.in(1), {.allowzero = n.get<bool>("allowzero", false)})};
     }},
    {"", "ReverseSequence",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::reverse_sequence(
           n.in(0), n.in(1),
           {.batch_axis = n.get<std::int64_t>("batch_axis", 1), .time_axis = n.get<std::int64_t>("time_axis", 0)})};
     }},
    {"", "Shape",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::shape_of(
           n.in(0), {.end = n.get<std::optional<std::int64_t>>("end"), .start = n.get<std::int64_t>("start", 0)})};
     }},
    {"", "Size", [](const node_parts& n) -> std::vector<value> { return {verbatim::size(n.in(0))}; }},
    {"", "Slice",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::slice(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4))};
     }},
    {"", "SpaceToDepth",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::space_to_depth(
           n.in(0), {.mode = n.get<std::string>("mode", "DCR"), .blocksize = n.get<std::int64_t>("blocksize")})};
     }},
    {"", "Split",
     [](const node_parts& n) -> std::vector<value> {
       return verbatim::split(
           n.in(0), n.in(1),
           {.axis = n.get<std::int64_t>("axis", 0), .num_outputs = n.get<std::optional<std::int64_t>>("num_outputs")});
     }},
    {"", "Squeeze", [](const node_parts& n) -> std::vector<value> { return {verbatim::squeeze(n.in(0), n.in(1))}; }},
    {"", "Tile", [](const node_parts& n) -> std::vector<value> { return {verbatim::tile(n.in(0), n.in(1))}; }},
    {"", "Transpose",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::transpose(n.in(0), {.perm = n.get<ints>("perm")})};
     }},
    {"", "Trilu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::trilu(n.in(0), n.in(1), {.upper = n.get<bool>("upper", true)})};
     }},
    {"", "Unsqueeze",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::unsqueeze(n.in(0), n.in(1))}; }},
    {},
};

}  // namespace jax2onnx
