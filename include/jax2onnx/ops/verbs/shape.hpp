// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/call/split_count.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The shape operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of bitcast.
struct bitcast_attributes {
  required<jax2onnx::dtype, struct bitcast_needs_to> to;
};
/// Reinterprets the bits of each element as another data type of the same width (BitCast, opset 26).
inline value bitcast(const operand& input, const bitcast_attributes& attributes = {}) {
  node_builder n("BitCast", {input});
  n.set("to", attributes.to);
  return n.build();
}

/// The attributes of cast.
struct cast_attributes {
  required<jax2onnx::dtype, struct cast_needs_to> to;
  std::string round_mode = "up";
  flag saturate = true;
};
/// Converts the elements to another data type (Cast).
inline value cast(const operand& input, const cast_attributes& attributes = {}) {
  node_builder n("Cast", {input});
  n.set("to", attributes.to);
  n.set("round_mode", attributes.round_mode, std::string("up"));
  n.set("saturate", attributes.saturate, true);
  return n.build();
}

/// The attributes of cast_like.
struct cast_like_attributes {
  std::string round_mode = "up";
  flag saturate = true;
};
/// Converts the elements of the first tensor to the data type of the second one (CastLike).
inline value cast_like(const operand& input, const operand& target_type, const cast_like_attributes& attributes = {}) {
  node_builder n("CastLike", {input, target_type});
  n.set("round_mode", attributes.round_mode, std::string("up"));
  n.set("saturate", attributes.saturate, true);
  return n.build();
}

/// The attributes of center_crop_pad.
struct center_crop_pad_attributes {
  ints axes = {};
};
/// Crops or pads a tensor around its center to given extents (CenterCropPad, opset 18).
inline value center_crop_pad(const operand& input_data, const operand& shape_,
                             const center_crop_pad_attributes& attributes = {}) {
  node_builder n("CenterCropPad", {input_data, detail::listed(shape_)});
  n.set("axes", attributes.axes);
  return n.build();
}

/// The attributes of concat.
struct concat_attributes {
  required<std::int64_t, struct concat_needs_axis> axis;
};
/// Concatenates tensors along an axis (Concat).
inline value concat(const operands& inputs, const concat_attributes& attributes = {}) {
  node_builder n("Concat", {});
  n.add(inputs);
  n.set("axis", attributes.axis);
  return n.build();
}

/// The attributes of depth_to_space.
struct depth_to_space_attributes {
  chosen<jax2onnx::depth_mode> mode = jax2onnx::depth_mode::dcr;
  required<std::int64_t, struct depth_to_space_needs_blocksize> blocksize;
};
/// Rearranges channels into blocks of pixels (DepthToSpace).
inline value depth_to_space(const operand& input, const depth_to_space_attributes& attributes = {}) {
  node_builder n("DepthToSpace", {input});
  n.set("mode", attributes.mode.value, jax2onnx::depth_mode::dcr);
  n.set("blocksize", attributes.blocksize);
  return n.build();
}

/// Broadcasts a tensor to a shape (Expand).
inline value expand(const operand& input, const operand& shape_) {
  node_builder n("Expand", {input, detail::listed(shape_)});
  return n.build();
}

/// The attributes of flatten.
struct flatten_attributes {
  std::int64_t axis = 1;
};
/// Reshapes a tensor to a matrix (Flatten).
inline value flatten(const operand& input, const flatten_attributes& attributes = {}) {
  node_builder n("Flatten", {input});
  n.set("axis", attributes.axis, 1);
  return n.build();
}

/// Returns its operand (Identity).
inline value identity(const operand& input) {
  node_builder n("Identity", {input});
  return n.build();
}

/// The attributes of pad.
struct pad_attributes {
  chosen<jax2onnx::pad_mode> mode = jax2onnx::pad_mode::constant;
};
/// Pads a tensor at the start and end of its axes; negative amounts crop (Pad).
inline value pad(const operand& data, const operand& pads, const operand& constant_value = {}, const operand& axes = {},
                 const pad_attributes& attributes = {}) {
  node_builder n("Pad", {data, pads, constant_value, axes});
  n.set("mode", attributes.mode.value, jax2onnx::pad_mode::constant);
  return n.build();
}

/// The attributes of reshape.
struct reshape_attributes {
  flag allowzero = false;
};
/// Gives a tensor another shape with the same elements in the same order (Reshape).
inline value reshape(const operand& data, const operand& shape_, const reshape_attributes& attributes = {}) {
  node_builder n("Reshape", {data, detail::listed(shape_)});
  n.set("allowzero", attributes.allowzero, false);
  return n.build();
}

/// The attributes of reverse_sequence.
struct reverse_sequence_attributes {
  std::int64_t batch_axis = 1;
  std::int64_t time_axis = 0;
};
/// Reverses each sequence of a batch up to its length (ReverseSequence).
inline value reverse_sequence(const operand& input, const operand& sequence_lens,
                              const reverse_sequence_attributes& attributes = {}) {
  node_builder n("ReverseSequence", {input, sequence_lens});
  n.set("batch_axis", attributes.batch_axis, 1);
  n.set("time_axis", attributes.time_axis, 0);
  return n.build();
}

/// The attributes of shape_of.
struct shape_of_attributes {
  std::optional<std::int64_t> end = std::nullopt;
  std::int64_t start = 0;
};
/// Returns the shape of a tensor as an int64 vector (Shape).
inline value shape_of(const operand& data, const shape_of_attributes& attributes = {}) {
  node_builder n("Shape", {data});
  n.set("end", attributes.end);
  n.set("start", attributes.start, 0);
  return n.build();
}

/// Returns the number of elements of a tensor as an int64 scalar (Size).
inline value size(const operand& data) {
  node_builder n("Size", {data});
  return n.build();
}

/// Takes a slice of a tensor along axes (Slice).
inline value slice(const operand& data, const operand& starts, const operand& ends, const operand& axes = {},
                   const operand& steps = {}) {
  node_builder n("Slice", {data, starts, ends, axes, steps});
  return n.build();
}

/// The attributes of space_to_depth.
struct space_to_depth_attributes {
  std::string mode = "DCR";
  required<std::int64_t, struct space_to_depth_needs_blocksize> blocksize;
};
/// Rearranges blocks of pixels into channels (SpaceToDepth).
inline value space_to_depth(const operand& input, const space_to_depth_attributes& attributes = {}) {
  node_builder n("SpaceToDepth", {input});
  n.set("mode", attributes.mode, std::string("DCR"));
  n.set("blocksize", attributes.blocksize);
  return n.build();
}

/// The attributes of split.
struct split_attributes {
  std::int64_t axis = 0;
  std::optional<std::int64_t> num_outputs = std::nullopt;
};
/// Splits a tensor along an axis (Split).
inline std::vector<value> split(const operand& input, const operand& split = {},
                                const split_attributes& attributes = {}) {
  node_builder n("Split", {input, split});
  n.set("axis", attributes.axis, 0);
  n.set("num_outputs", attributes.num_outputs);
  return n.build(detail::split_count(split, attributes.num_outputs));
}

/// Removes axes of extent 1 (Squeeze).
inline value squeeze(const operand& data, const operand& axes = {}) {
  node_builder n("Squeeze", {data, axes});
  return n.build();
}

/// Repeats a tensor along its axes (Tile).
inline value tile(const operand& input, const operand& repeats) {
  node_builder n("Tile", {input, repeats});
  return n.build();
}

/// The attributes of transpose.
struct transpose_attributes {
  ints perm = {};
};
/// Permutes the axes of a tensor (Transpose).
inline value transpose(const operand& data, const transpose_attributes& attributes = {}) {
  node_builder n("Transpose", {data});
  n.set("perm", attributes.perm);
  return n.build();
}

/// The attributes of trilu.
struct trilu_attributes {
  flag upper = true;
};
/// Keeps the upper or lower triangle of a matrix, or of each matrix of a batch, and sets other elements to 0 (Trilu).
inline value trilu(const operand& input, const operand& k = {}, const trilu_attributes& attributes = {}) {
  node_builder n("Trilu", {input, k});
  n.set("upper", attributes.upper, true);
  return n.build();
}

/// Inserts axes of extent 1 (Unsqueeze).
inline value unsqueeze(const operand& data, const operand& axes) {
  node_builder n("Unsqueeze", {data, axes});
  return n.build();
}

}  // namespace jax2onnx
