// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/shape.hpp>
#include <jax2onnx/ops/verbs/shape.hpp>

/// The shape operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using bitcast = operator_at<records::shape_records, 0>;
using cast = operator_at<records::shape_records, 7>;
using cast_like = operator_at<records::shape_records, 13>;
using center_crop_pad = operator_at<records::shape_records, 14>;
using concat = operator_at<records::shape_records, 15>;
using depth_to_space = operator_at<records::shape_records, 17>;
using expand = operator_at<records::shape_records, 18>;
using flatten = operator_at<records::shape_records, 23>;
using identity = operator_at<records::shape_records, 29>;
using pad = operator_at<records::shape_records, 36>;
using reshape = operator_at<records::shape_records, 42>;
using reverse_sequence = operator_at<records::shape_records, 44>;
using shape_of = operator_at<records::shape_records, 50>;
using size = operator_at<records::shape_records, 56>;
using slice = operator_at<records::shape_records, 57>;
using space_to_depth = operator_at<records::shape_records, 59>;
using split = operator_at<records::shape_records, 61>;
using squeeze = operator_at<records::shape_records, 66>;
using tile = operator_at<records::shape_records, 67>;
using transpose = operator_at<records::shape_records, 72>;
using trilu = operator_at<records::shape_records, 73>;
using unsqueeze = operator_at<records::shape_records, 78>;
}  // namespace typed_operators

/// The attributes of bitcast as a template argument.
struct bitcast_attributes_of {
  fixed_required<jax2onnx::dtype> to;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "to", .given = true, .integer = static_cast<std::int64_t>(to.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::bitcast_attributes run_time() const { return {.to = to.value}; }
};

/// Reinterprets the bits of each element as another data type of the same width (BitCast).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto bitcast(const InputType& input, const jax2onnx::bitcast_attributes& attributes = {}) {
  using call = typed_call<typed_operators::bitcast, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::bitcast(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <bitcast_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto bitcast(const InputType& input) {
  using call = typed_call<typed_operators::bitcast, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::bitcast(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of cast as a template argument.
struct cast_attributes_of {
  fixed_required<jax2onnx::dtype> to;
  fixed_string round_mode = "up";
  flag saturate = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{.name = "to", .given = true, .integer = static_cast<std::int64_t>(to.value)},
        known_attribute{.name = "round_mode", .given = !(round_mode == fixed_string("up")), .text = round_mode.view()},
        known_attribute{.name = "saturate", .given = saturate != true, .integer = static_cast<std::int64_t>(saturate)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::cast_attributes run_time() const {
    return {.to = to.value, .round_mode = std::string(round_mode.view()), .saturate = saturate};
  }
};

/// Converts the elements to another data type (Cast).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto cast(const InputType& input, const jax2onnx::cast_attributes& attributes = {}) {
  using call = typed_call<typed_operators::cast, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::cast(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <cast_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto cast(const InputType& input) {
  using call = typed_call<typed_operators::cast, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::cast(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of cast_like as a template argument.
struct cast_like_attributes_of {
  fixed_string round_mode = "up";
  flag saturate = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "round_mode", .given = !(round_mode == fixed_string("up")), .text = round_mode.view()},
        known_attribute{.name = "saturate", .given = saturate != true, .integer = static_cast<std::int64_t>(saturate)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::cast_like_attributes run_time() const {
    return {.round_mode = std::string(round_mode.view()), .saturate = saturate};
  }
};

/// Converts the elements of the first tensor to the data type of the second one (CastLike).
/// @{
template <class InputType, class TargetTypeType>
requires typed_operands<InputType, TargetTypeType>
auto cast_like(const InputType& input, const TargetTypeType& target_type) {
  using call = typed_call<typed_operators::cast_like, default_attributes, 1, InputType, TargetTypeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cast_like(as_value(input), as_operand(target_type), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class TargetTypeType>
requires typed_operands<InputType, TargetTypeType>
auto cast_like(const InputType& input, const TargetTypeType& target_type,
               const jax2onnx::cast_like_attributes& attributes) {
  using call = typed_call<typed_operators::cast_like, run_time_attributes, 1, InputType, TargetTypeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cast_like(as_value(input), as_operand(target_type), attributes));
  else return typename refusal<call>::result();
}
template <cast_like_attributes_of Attributes, class InputType, class TargetTypeType>
requires typed_operands<InputType, TargetTypeType>
auto cast_like(const InputType& input, const TargetTypeType& target_type) {
  using call = typed_call<typed_operators::cast_like, fixed_attributes<Attributes>, 1, InputType, TargetTypeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::cast_like(as_value(input), as_operand(target_type), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of center_crop_pad as a template argument.
struct center_crop_pad_attributes_of {
  fixed_integers axes = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axes", .given = !(axes == fixed_integers{}), .integers = axes.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::center_crop_pad_attributes run_time() const { return {.axes = axes.vector()}; }
};

/// Crops or pads a tensor around its center to given extents (CenterCropPad).
/// @{
template <class InputDataType, class ShapeType>
requires typed_operands<InputDataType, ShapeType>
auto center_crop_pad(const InputDataType& input_data, const ShapeType& shape_) {
  using call = typed_call<typed_operators::center_crop_pad, default_attributes, 1, InputDataType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::center_crop_pad(as_value(input_data), as_operand(shape_), {}));
  else return typename refusal<call>::result();
}
template <class InputDataType, class ShapeType>
requires typed_operands<InputDataType, ShapeType>
auto center_crop_pad(const InputDataType& input_data, const ShapeType& shape_,
                     const jax2onnx::center_crop_pad_attributes& attributes) {
  using call = typed_call<typed_operators::center_crop_pad, run_time_attributes, 1, InputDataType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::center_crop_pad(as_value(input_data), as_operand(shape_), attributes));
  else return typename refusal<call>::result();
}
template <center_crop_pad_attributes_of Attributes, class InputDataType, class ShapeType>
requires typed_operands<InputDataType, ShapeType>
auto center_crop_pad(const InputDataType& input_data, const ShapeType& shape_) {
  using call = typed_call<typed_operators::center_crop_pad, fixed_attributes<Attributes>, 1, InputDataType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::center_crop_pad(as_value(input_data), as_operand(shape_), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of concat as a template argument.
struct concat_attributes_of {
  fixed_required<std::int64_t> axis;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = true, .integer = static_cast<std::int64_t>(axis.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::concat_attributes run_time() const { return {.axis = axis.value}; }
};

/// Concatenates tensors along an axis (Concat).
/// @{
template <concat_attributes_of Attributes, class... InputsType>
requires all_typed<InputsType...>
auto concat(const InputsType&... inputs) {
  using call = typed_call<typed_operators::concat, fixed_attributes<Attributes>, 1, InputsType...>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::concat({as_value(inputs)...}, Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class... InputsType>
requires all_typed<InputsType...>
auto concat(const InputsType&... inputs) {
  using call =
      typed_call<typed_operators::concat, fixed_attributes<concat_attributes_of{.axis = Axis}>, 1, InputsType...>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::concat({as_value(inputs)...}, concat_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of depth_to_space as a template argument.
struct depth_to_space_attributes_of {
  jax2onnx::depth_mode mode = jax2onnx::depth_mode::dcr;
  fixed_required<std::int64_t> blocksize;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "mode", .given = mode != jax2onnx::depth_mode::dcr, .text = jax2onnx::name(mode)},
            known_attribute{.name = "blocksize", .given = true, .integer = static_cast<std::int64_t>(blocksize.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::depth_to_space_attributes run_time() const { return {.mode = mode, .blocksize = blocksize.value}; }
};

/// Rearranges channels into blocks of pixels (DepthToSpace).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto depth_to_space(const InputType& input, const jax2onnx::depth_to_space_attributes& attributes = {}) {
  using call = typed_call<typed_operators::depth_to_space, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::depth_to_space(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <depth_to_space_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto depth_to_space(const InputType& input) {
  using call = typed_call<typed_operators::depth_to_space, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::depth_to_space(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Broadcasts a tensor to a shape (Expand).
/// @{
template <class InputType, class ShapeType>
requires typed_arguments<InputType, ShapeType>
auto expand(const InputType& input, const ShapeType& shape_) {
  using call = typed_call<typed_operators::expand, default_attributes, 1, InputType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Expand", as_operand(input), as_operand(shape_)));
  else return typename refusal<call>::result();
}
template <class InputType, std::size_t N>
requires typed_operands<InputType>
auto expand(const InputType& input, const std::int64_t (&shape_)[N]) { return expand(input, std::to_array(shape_)); }
/// @}

/// The attributes of flatten as a template argument.
struct flatten_attributes_of {
  std::int64_t axis = 1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != 1, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::flatten_attributes run_time() const { return {.axis = axis}; }
};

/// Reshapes a tensor to a matrix (Flatten).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto flatten(const InputType& input) {
  using call = typed_call<typed_operators::flatten, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::flatten(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto flatten(const InputType& input, const jax2onnx::flatten_attributes& attributes) {
  using call = typed_call<typed_operators::flatten, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::flatten(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <flatten_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto flatten(const InputType& input) {
  using call = typed_call<typed_operators::flatten, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::flatten(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType>
requires typed_operands<InputType>
auto flatten(const InputType& input) {
  using call =
      typed_call<typed_operators::flatten, fixed_attributes<flatten_attributes_of{.axis = Axis}>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::flatten(as_value(input), flatten_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Returns its operand (Identity).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto identity(const InputType& input) {
  using call = typed_call<typed_operators::identity, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Identity", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of pad as a template argument.
struct pad_attributes_of {
  jax2onnx::pad_mode mode = jax2onnx::pad_mode::constant;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {
        known_attribute{.name = "mode", .given = mode != jax2onnx::pad_mode::constant, .text = jax2onnx::name(mode)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::pad_attributes run_time() const { return {.mode = mode}; }
};

/// Pads a tensor at the start and end of its axes; negative amounts crop (Pad).
/// @{
template <class DataType, class PadsType, class ConstantValueType = absent, class AxesType = absent>
requires typed_operands<DataType, PadsType, ConstantValueType, AxesType>
auto pad(const DataType& data, const PadsType& pads, const ConstantValueType& constant_value = {},
         const AxesType& axes = {}) {
  using call = typed_call<typed_operators::pad, default_attributes, 1, DataType, PadsType, ConstantValueType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::pad(as_value(data), as_operand(pads), as_operand(constant_value), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class PadsType, class ConstantValueType = absent, class AxesType = absent>
requires typed_operands<DataType, PadsType, ConstantValueType, AxesType>
auto pad(const DataType& data, const PadsType& pads, const ConstantValueType& constant_value, const AxesType& axes,
         const jax2onnx::pad_attributes& attributes) {
  using call =
      typed_call<typed_operators::pad, run_time_attributes, 1, DataType, PadsType, ConstantValueType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::pad(as_value(data), as_operand(pads), as_operand(constant_value), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <pad_attributes_of Attributes, class DataType, class PadsType, class ConstantValueType = absent,
          class AxesType = absent>
requires typed_operands<DataType, PadsType, ConstantValueType, AxesType>
auto pad(const DataType& data, const PadsType& pads, const ConstantValueType& constant_value = {},
         const AxesType& axes = {}) {
  using call = typed_call<typed_operators::pad, fixed_attributes<Attributes>, 1, DataType, PadsType, ConstantValueType,
                          AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::pad(as_value(data), as_operand(pads), as_operand(constant_value),
                                                  as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of reshape as a template argument.
struct reshape_attributes_of {
  flag allowzero = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "allowzero", .given = allowzero != false, .integer = static_cast<std::int64_t>(allowzero)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reshape_attributes run_time() const { return {.allowzero = allowzero}; }
};

/// Gives a tensor another shape with the same elements in the same order (Reshape).
/// @{
template <class DataType, class ShapeType>
requires typed_operands<DataType, ShapeType>
auto reshape(const DataType& data, const ShapeType& shape_) {
  using call = typed_call<typed_operators::reshape, default_attributes, 1, DataType, ShapeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reshape(as_value(data), as_operand(shape_), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class ShapeType>
requires typed_operands<DataType, ShapeType>
auto reshape(const DataType& data, const ShapeType& shape_, const jax2onnx::reshape_attributes& attributes) {
  using call = typed_call<typed_operators::reshape, run_time_attributes, 1, DataType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reshape(as_value(data), as_operand(shape_), attributes));
  else return typename refusal<call>::result();
}
template <reshape_attributes_of Attributes, class DataType, class ShapeType>
requires typed_operands<DataType, ShapeType>
auto reshape(const DataType& data, const ShapeType& shape_) {
  using call = typed_call<typed_operators::reshape, fixed_attributes<Attributes>, 1, DataType, ShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reshape(as_value(data), as_operand(shape_), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reshape(const DataType& data, const std::int64_t (&shape_)[N]) { return reshape(data, std::to_array(shape_)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reshape(const DataType& data, const std::int64_t (&shape_)[N], const jax2onnx::reshape_attributes& attributes) {
  return reshape(data, std::to_array(shape_), attributes);
}
/// @}

/// The attributes of reverse_sequence as a template argument.
struct reverse_sequence_attributes_of {
  std::int64_t batch_axis = 1;
  std::int64_t time_axis = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{
            .name = "batch_axis", .given = batch_axis != 1, .integer = static_cast<std::int64_t>(batch_axis)},
        known_attribute{.name = "time_axis", .given = time_axis != 0, .integer = static_cast<std::int64_t>(time_axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reverse_sequence_attributes run_time() const { return {.batch_axis = batch_axis, .time_axis = time_axis}; }
};

/// Reverses each sequence of a batch up to its length (ReverseSequence).
/// @{
template <class InputType, class SequenceLensType>
requires typed_operands<InputType, SequenceLensType>
auto reverse_sequence(const InputType& input, const SequenceLensType& sequence_lens) {
  using call = typed_call<typed_operators::reverse_sequence, default_attributes, 1, InputType, SequenceLensType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reverse_sequence(as_value(input), as_operand(sequence_lens), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class SequenceLensType>
requires typed_operands<InputType, SequenceLensType>
auto reverse_sequence(const InputType& input, const SequenceLensType& sequence_lens,
                      const jax2onnx::reverse_sequence_attributes& attributes) {
  using call = typed_call<typed_operators::reverse_sequence, run_time_attributes, 1, InputType, SequenceLensType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reverse_sequence(as_value(input), as_operand(sequence_lens), attributes));
  else return typename refusal<call>::result();
}
template <reverse_sequence_attributes_of Attributes, class InputType, class SequenceLensType>
requires typed_operands<InputType, SequenceLensType>
auto reverse_sequence(const InputType& input, const SequenceLensType& sequence_lens) {
  using call =
      typed_call<typed_operators::reverse_sequence, fixed_attributes<Attributes>, 1, InputType, SequenceLensType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reverse_sequence(as_value(input), as_operand(sequence_lens), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of shape_of as a template argument.
struct shape_of_attributes_of {
  fixed_optional<std::int64_t> end = {};
  std::int64_t start = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "end", .given = end.given, .integer = static_cast<std::int64_t>(end.value)},
            known_attribute{.name = "start", .given = start != 0, .integer = static_cast<std::int64_t>(start)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::shape_of_attributes run_time() const { return {.end = end.get(), .start = start}; }
};

/// Returns the shape of a tensor as an int64 vector (Shape).
/// @{
template <class DataType>
requires typed_operands<DataType>
auto shape_of(const DataType& data) {
  using call = typed_call<typed_operators::shape_of, default_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::shape_of(as_value(data), {}));
  else return typename refusal<call>::result();
}
template <class DataType>
requires typed_operands<DataType>
auto shape_of(const DataType& data, const jax2onnx::shape_of_attributes& attributes) {
  using call = typed_call<typed_operators::shape_of, run_time_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::shape_of(as_value(data), attributes));
  else return typename refusal<call>::result();
}
template <shape_of_attributes_of Attributes, class DataType>
requires typed_operands<DataType>
auto shape_of(const DataType& data) {
  using call = typed_call<typed_operators::shape_of, fixed_attributes<Attributes>, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::shape_of(as_value(data), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Returns the number of elements of a tensor as an int64 scalar (Size).
/// @{
template <class DataType>
requires typed_arguments<DataType>
auto size(const DataType& data) {
  using call = typed_call<typed_operators::size, default_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Size", as_operand(data)));
  else return typename refusal<call>::result();
}
/// @}

/// Takes a slice of a tensor along axes (Slice).
/// @{
template <class DataType, class StartsType, class EndsType, class AxesType = absent, class StepsType = absent>
requires typed_arguments<DataType, StartsType, EndsType, AxesType, StepsType>
auto slice(const DataType& data, const StartsType& starts, const EndsType& ends, const AxesType& axes = {},
           const StepsType& steps = {}) {
  using call =
      typed_call<typed_operators::slice, default_attributes, 1, DataType, StartsType, EndsType, AxesType, StepsType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Slice", as_operand(data), as_operand(starts), as_operand(ends),
                                                       as_operand(axes), as_operand(steps)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of space_to_depth as a template argument.
struct space_to_depth_attributes_of {
  fixed_string mode = "DCR";
  fixed_required<std::int64_t> blocksize;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "mode", .given = !(mode == fixed_string("DCR")), .text = mode.view()},
            known_attribute{.name = "blocksize", .given = true, .integer = static_cast<std::int64_t>(blocksize.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::space_to_depth_attributes run_time() const {
    return {.mode = std::string(mode.view()), .blocksize = blocksize.value};
  }
};

/// Rearranges blocks of pixels into channels (SpaceToDepth).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto space_to_depth(const InputType& input, const jax2onnx::space_to_depth_attributes& attributes = {}) {
  using call = typed_call<typed_operators::space_to_depth, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::space_to_depth(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <space_to_depth_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto space_to_depth(const InputType& input) {
  using call = typed_call<typed_operators::space_to_depth, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::space_to_depth(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of split as a template argument.
struct split_attributes_of {
  std::int64_t axis = 0;
  fixed_optional<std::int64_t> num_outputs = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "num_outputs",
                            .given = num_outputs.given,
                            .integer = static_cast<std::int64_t>(num_outputs.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::split_attributes run_time() const { return {.axis = axis, .num_outputs = num_outputs.get()}; }
};

/// Removes axes of extent 1 (Squeeze).
/// @{
template <class DataType, class AxesType = absent>
requires typed_arguments<DataType, AxesType>
auto squeeze(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::squeeze, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Squeeze", as_operand(data), as_operand(axes)));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto squeeze(const DataType& data) {
  using call = typed_call<typed_operators::squeeze, default_attributes, 1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        detail::plain_node("Squeeze", as_operand(data), as_operand(known_integers<First, Rest...>())));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto squeeze(const DataType& data, const std::int64_t (&axes)[N]) { return squeeze(data, std::to_array(axes)); }
/// @}

/// Repeats a tensor along its axes (Tile).
/// @{
template <class InputType, class RepeatsType>
requires typed_arguments<InputType, RepeatsType>
auto tile(const InputType& input, const RepeatsType& repeats) {
  using call = typed_call<typed_operators::tile, default_attributes, 1, InputType, RepeatsType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Tile", as_operand(input), as_operand(repeats)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of transpose as a template argument.
struct transpose_attributes_of {
  fixed_integers perm = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "perm", .given = !(perm == fixed_integers{}), .integers = perm.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::transpose_attributes run_time() const { return {.perm = perm.vector()}; }
};

/// Permutes the axes of a tensor (Transpose).
/// @{
template <class DataType>
requires typed_operands<DataType>
auto transpose(const DataType& data) {
  using call = typed_call<typed_operators::transpose, default_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::transpose(as_value(data), {}));
  else return typename refusal<call>::result();
}
template <class DataType>
requires typed_operands<DataType>
auto transpose(const DataType& data, const jax2onnx::transpose_attributes& attributes) {
  using call = typed_call<typed_operators::transpose, run_time_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::transpose(as_value(data), attributes));
  else return typename refusal<call>::result();
}
template <transpose_attributes_of Attributes, class DataType>
requires typed_operands<DataType>
auto transpose(const DataType& data) {
  using call = typed_call<typed_operators::transpose, fixed_attributes<Attributes>, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::transpose(as_value(data), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of trilu as a template argument.
struct trilu_attributes_of {
  flag upper = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "upper", .given = upper != true, .integer = static_cast<std::int64_t>(upper)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::trilu_attributes run_time() const { return {.upper = upper}; }
};

/// Keeps the upper or lower triangle of a matrix, or of each matrix of a batch, and sets other elements to 0 (Trilu).
/// @{
template <class InputType, class KType = absent>
requires typed_operands<InputType, KType>
auto trilu(const InputType& input, const KType& k = {}) {
  using call = typed_call<typed_operators::trilu, default_attributes, 1, InputType, KType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::trilu(as_value(input), as_operand(k), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class KType = absent>
requires typed_operands<InputType, KType>
auto trilu(const InputType& input, const KType& k, const jax2onnx::trilu_attributes& attributes) {
  using call = typed_call<typed_operators::trilu, run_time_attributes, 1, InputType, KType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::trilu(as_value(input), as_operand(k), attributes));
  else return typename refusal<call>::result();
}
template <trilu_attributes_of Attributes, class InputType, class KType = absent>
requires typed_operands<InputType, KType>
auto trilu(const InputType& input, const KType& k = {}) {
  using call = typed_call<typed_operators::trilu, fixed_attributes<Attributes>, 1, InputType, KType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::trilu(as_value(input), as_operand(k), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Inserts axes of extent 1 (Unsqueeze).
/// @{
template <class DataType, class AxesType>
requires typed_arguments<DataType, AxesType>
auto unsqueeze(const DataType& data, const AxesType& axes) {
  using call = typed_call<typed_operators::unsqueeze, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Unsqueeze", as_operand(data), as_operand(axes)));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto unsqueeze(const DataType& data) {
  using call = typed_call<typed_operators::unsqueeze, default_attributes, 1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        detail::plain_node("Unsqueeze", as_operand(data), as_operand(known_integers<First, Rest...>())));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto unsqueeze(const DataType& data, const std::int64_t (&axes)[N]) { return unsqueeze(data, std::to_array(axes)); }
/// @}

}  // namespace jax2onnx
