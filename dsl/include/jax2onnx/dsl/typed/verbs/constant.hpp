// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/constant.hpp>
#include <jax2onnx/ops/verbs/constant.hpp>

/// The constant operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using constant_of_shape = operator_at<records::constant_records, 11>;
using eye_like = operator_at<records::constant_records, 13>;
using range = operator_at<records::constant_records, 15>;
}  // namespace typed_operators

/// Fills a tensor of the given shape with a number (ConstantOfShape).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto constant_of_shape(const InputType& input) {
  using call = typed_call<typed_operators::constant_of_shape, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::constant_of_shape(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto constant_of_shape(const InputType& input, const jax2onnx::constant_of_shape_attributes& attributes) {
  using call = typed_call<typed_operators::constant_of_shape, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::constant_of_shape(as_value(input), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of eye_like as a template argument.
struct eye_like_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  std::int64_t k = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{
            .name = "dtype", .given = dtype != jax2onnx::dtype::undefined, .integer = static_cast<std::int64_t>(dtype)},
        known_attribute{.name = "k", .given = k != 0, .integer = static_cast<std::int64_t>(k)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::eye_like_attributes run_time() const { return {.dtype = dtype, .k = k}; }
};

/// Returns a matrix with ones on a diagonal and zeros elsewhere, in the shape of the operand (EyeLike).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto eye_like(const InputType& input) {
  using call = typed_call<typed_operators::eye_like, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::eye_like(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto eye_like(const InputType& input, const jax2onnx::eye_like_attributes& attributes) {
  using call = typed_call<typed_operators::eye_like, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::eye_like(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <eye_like_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto eye_like(const InputType& input) {
  using call = typed_call<typed_operators::eye_like, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::eye_like(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of range as a template argument.
struct range_attributes_of {
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "stash_type",
                            .given = stash_type != jax2onnx::dtype::f32,
                            .integer = static_cast<std::int64_t>(stash_type)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::range_attributes run_time() const { return {.stash_type = stash_type}; }
};

/// Returns the numbers from start up to limit, without it, in steps of delta (Range).
/// @{
template <class StartType, class LimitType, class DeltaType>
requires typed_operands<StartType, LimitType, DeltaType>
auto range(const StartType& start, const LimitType& limit, const DeltaType& delta) {
  using call = typed_call<typed_operators::range, default_attributes, 1, StartType, LimitType, DeltaType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::range(as_value(start), as_operand(limit), as_operand(delta), {}));
  else return typename refusal<call>::result();
}
template <class StartType, class LimitType, class DeltaType>
requires typed_operands<StartType, LimitType, DeltaType>
auto range(const StartType& start, const LimitType& limit, const DeltaType& delta,
           const jax2onnx::range_attributes& attributes) {
  using call = typed_call<typed_operators::range, run_time_attributes, 1, StartType, LimitType, DeltaType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::range(as_value(start), as_operand(limit), as_operand(delta), attributes));
  else return typename refusal<call>::result();
}
template <range_attributes_of Attributes, class StartType, class LimitType, class DeltaType>
requires typed_operands<StartType, LimitType, DeltaType>
auto range(const StartType& start, const LimitType& limit, const DeltaType& delta) {
  using call = typed_call<typed_operators::range, fixed_attributes<Attributes>, 1, StartType, LimitType, DeltaType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::range(as_value(start), as_operand(limit), as_operand(delta), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
