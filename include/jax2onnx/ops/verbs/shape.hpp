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
/// Reinterprets the binary representation of a tensor as a different data type, specified by the 'to' attribute
/// (BitCast, opset 26).
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
/// The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and returns
/// an output tensor of the same size in the converted type (Cast).
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
/// The operator casts the elements of a given input tensor (the first input) to the same data type as the elements of
/// the second input tensor (CastLike).
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
/// Center crop or pad an input to given dimensions (CenterCropPad, opset 18).
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
/// Concatenate a list of tensors into a single tensor (Concat).
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
/// DepthToSpace rearranges (permutes) data from depth into blocks of spatial data (DepthToSpace).
inline value depth_to_space(const operand& input, const depth_to_space_attributes& attributes = {}) {
  node_builder n("DepthToSpace", {input});
  n.set("mode", attributes.mode.value, jax2onnx::depth_mode::dcr);
  n.set("blocksize", attributes.blocksize);
  return n.build();
}

/// Broadcast the input tensor following the given shape and the broadcast rule (Expand).
inline value expand(const operand& input, const operand& shape_) {
  node_builder n("Expand", {input, detail::listed(shape_)});
  return n.build();
}

/// The attributes of flatten.
struct flatten_attributes {
  std::int64_t axis = 1;
};
/// Flattens the input tensor into a 2D matrix (Flatten).
inline value flatten(const operand& input, const flatten_attributes& attributes = {}) {
  node_builder n("Flatten", {input});
  n.set("axis", attributes.axis, 1);
  return n.build();
}

/// Identity operator (Identity).
inline value identity(const operand& input) {
  node_builder n("Identity", {input});
  return n.build();
}

/// The attributes of pad.
struct pad_attributes {
  chosen<jax2onnx::pad_mode> mode = jax2onnx::pad_mode::constant;
};
/// Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad values
/// for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is generated
/// (Pad).
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
/// Reshape the input tensor similar to numpy.reshape (Reshape).
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
/// Reverse batch of sequences having different lengths specified by sequence_lens (ReverseSequence).
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
/// Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor (Shape).
inline value shape_of(const operand& data, const shape_of_attributes& attributes = {}) {
  node_builder n("Shape", {data});
  n.set("end", attributes.end);
  n.set("start", attributes.start, 0);
  return n.build();
}

/// Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input tensor
/// (Size).
inline value size(const operand& data) {
  node_builder n("Size", {data});
  return n.build();
}

/// Produces a slice of the input tensor along multiple axes (Slice).
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
/// SpaceToDepth rearranges blocks of spatial data into depth (SpaceToDepth).
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
/// Split a tensor into a list of tensors, along the specified 'axis' (Split).
inline std::vector<value> split(const operand& input, const operand& split = {},
                                const split_attributes& attributes = {}) {
  node_builder n("Split", {input, split});
  n.set("axis", attributes.axis, 0);
  n.set("num_outputs", attributes.num_outputs);
  return n.build(detail::split_count(split, attributes.num_outputs));
}

/// Remove single-dimensional entries from the shape of a tensor (Squeeze).
inline value squeeze(const operand& data, const operand& axes = {}) {
  node_builder n("Squeeze", {data, axes});
  return n.build();
}

/// Constructs a tensor by tiling a given tensor (Tile).
inline value tile(const operand& input, const operand& repeats) {
  node_builder n("Tile", {input, repeats});
  return n.build();
}

/// The attributes of transpose.
struct transpose_attributes {
  ints perm = {};
};
/// Returns a transpose of the input tensor (Transpose).
inline value transpose(const operand& data, const transpose_attributes& attributes = {}) {
  node_builder n("Transpose", {data});
  n.set("perm", attributes.perm);
  return n.build();
}

/// The attributes of trilu.
struct trilu_attributes {
  flag upper = true;
};
/// Given a 2-D matrix or batches of 2-D matrices, returns the upper or lower triangular part of the tensor(s)
/// (Trilu).
inline value trilu(const operand& input, const operand& k = {}, const trilu_attributes& attributes = {}) {
  node_builder n("Trilu", {input, k});
  n.set("upper", attributes.upper, true);
  return n.build();
}

/// Insert single-dimensional entries to the shape of an input tensor (data) (Unsqueeze).
inline value unsqueeze(const operand& data, const operand& axes) {
  node_builder n("Unsqueeze", {data, axes});
  return n.build();
}

}  // namespace jax2onnx
