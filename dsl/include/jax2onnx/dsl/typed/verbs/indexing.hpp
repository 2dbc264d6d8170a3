// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/indexing.hpp>
#include <jax2onnx/ops/verbs/indexing.hpp>

/// The indexing operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using compress = operator_at<records::indexing_records, 1>;
using gather = operator_at<records::indexing_records, 2>;
using gather_elements = operator_at<records::indexing_records, 3>;
using gather_nd = operator_at<records::indexing_records, 4>;
using non_max_suppression = operator_at<records::indexing_records, 5>;
using non_zero = operator_at<records::indexing_records, 6>;
using one_hot = operator_at<records::indexing_records, 8>;
using scatter_elements = operator_at<records::indexing_records, 10>;
using scatter_nd = operator_at<records::indexing_records, 12>;
using tensor_scatter = operator_at<records::indexing_records, 13>;
using top_k = operator_at<records::indexing_records, 15>;
using unique = operator_at<records::indexing_records, 17>;
}  // namespace typed_operators

/// The attributes of compress as a template argument.
struct compress_attributes_of {
  fixed_optional<std::int64_t> axis = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis.given, .integer = static_cast<std::int64_t>(axis.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::compress_attributes run_time() const { return {.axis = axis.get()}; }
};

/// Selects the slices along an axis for which a condition is true (Compress).
/// @{
template <class InputType, class ConditionType>
requires typed_operands<InputType, ConditionType>
auto compress(const InputType& input, const ConditionType& condition) {
  using call = typed_call<typed_operators::compress, default_attributes, 1, InputType, ConditionType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::compress(as_value(input), as_operand(condition), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class ConditionType>
requires typed_operands<InputType, ConditionType>
auto compress(const InputType& input, const ConditionType& condition, const jax2onnx::compress_attributes& attributes) {
  using call = typed_call<typed_operators::compress, run_time_attributes, 1, InputType, ConditionType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::compress(as_value(input), as_operand(condition), attributes));
  else return typename refusal<call>::result();
}
template <compress_attributes_of Attributes, class InputType, class ConditionType>
requires typed_operands<InputType, ConditionType>
auto compress(const InputType& input, const ConditionType& condition) {
  using call = typed_call<typed_operators::compress, fixed_attributes<Attributes>, 1, InputType, ConditionType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::compress(as_value(input), as_operand(condition), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType, class ConditionType>
requires typed_operands<InputType, ConditionType>
auto compress(const InputType& input, const ConditionType& condition) {
  using call = typed_call<typed_operators::compress, fixed_attributes<compress_attributes_of{.axis = Axis}>, 1,
                          InputType, ConditionType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::compress(as_value(input), as_operand(condition), compress_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of gather as a template argument.
struct gather_attributes_of {
  std::int64_t axis = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gather_attributes run_time() const { return {.axis = axis}; }
};

/// Gathers slices along an axis by their indices (Gather).
/// @{
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather, default_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::gather(as_value(data), as_operand(indices), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather(const DataType& data, const IndicesType& indices, const jax2onnx::gather_attributes& attributes) {
  using call = typed_call<typed_operators::gather, run_time_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather(as_value(data), as_operand(indices), attributes));
  else return typename refusal<call>::result();
}
template <gather_attributes_of Attributes, class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather, fixed_attributes<Attributes>, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather(as_value(data), as_operand(indices), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather, fixed_attributes<gather_attributes_of{.axis = Axis}>, 1, DataType,
                          IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::gather(as_value(data), as_operand(indices), gather_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of gather_elements as a template argument.
struct gather_elements_attributes_of {
  std::int64_t axis = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gather_elements_attributes run_time() const { return {.axis = axis}; }
};

/// Gathers elements by their indices along an axis, one index for each element of the result (GatherElements).
/// @{
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_elements(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather_elements, default_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_elements(as_value(data), as_operand(indices), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_elements(const DataType& data, const IndicesType& indices,
                     const jax2onnx::gather_elements_attributes& attributes) {
  using call = typed_call<typed_operators::gather_elements, run_time_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_elements(as_value(data), as_operand(indices), attributes));
  else return typename refusal<call>::result();
}
template <gather_elements_attributes_of Attributes, class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_elements(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather_elements, fixed_attributes<Attributes>, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::gather_elements(as_value(data), as_operand(indices), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_elements(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather_elements,
                          fixed_attributes<gather_elements_attributes_of{.axis = Axis}>, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_elements(as_value(data), as_operand(indices),
                                                              gather_elements_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of gather_nd as a template argument.
struct gather_nd_attributes_of {
  std::int64_t batch_dims = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "batch_dims", .given = batch_dims != 0, .integer = static_cast<std::int64_t>(batch_dims)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gather_nd_attributes run_time() const { return {.batch_dims = batch_dims}; }
};

/// Gathers elements or slices by vectors of indices (GatherND).
/// @{
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_nd(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather_nd, default_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_nd(as_value(data), as_operand(indices), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_nd(const DataType& data, const IndicesType& indices, const jax2onnx::gather_nd_attributes& attributes) {
  using call = typed_call<typed_operators::gather_nd, run_time_attributes, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_nd(as_value(data), as_operand(indices), attributes));
  else return typename refusal<call>::result();
}
template <gather_nd_attributes_of Attributes, class DataType, class IndicesType>
requires typed_operands<DataType, IndicesType>
auto gather_nd(const DataType& data, const IndicesType& indices) {
  using call = typed_call<typed_operators::gather_nd, fixed_attributes<Attributes>, 1, DataType, IndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gather_nd(as_value(data), as_operand(indices), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of non_max_suppression as a template argument.
struct non_max_suppression_attributes_of {
  std::int64_t center_point_box = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "center_point_box",
                            .given = center_point_box != 0,
                            .integer = static_cast<std::int64_t>(center_point_box)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::non_max_suppression_attributes run_time() const { return {.center_point_box = center_point_box}; }
};

/// Selects boxes by score, without those that overlap a selected box too much (NonMaxSuppression).
/// @{
template <class BoxesType, class ScoresType, class MaxOutputBoxesPerClassType = absent, class IouThresholdType = absent,
          class ScoreThresholdType = absent>
requires typed_operands<BoxesType, ScoresType, MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>
auto non_max_suppression(const BoxesType& boxes, const ScoresType& scores,
                         const MaxOutputBoxesPerClassType& max_output_boxes_per_class = {},
                         const IouThresholdType& iou_threshold = {}, const ScoreThresholdType& score_threshold = {}) {
  using call = typed_call<typed_operators::non_max_suppression, default_attributes, 1, BoxesType, ScoresType,
                          MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::non_max_suppression(as_value(boxes), as_operand(scores), as_operand(max_output_boxes_per_class),
                                      as_operand(iou_threshold), as_operand(score_threshold), {}));
  else return typename refusal<call>::result();
}
template <class BoxesType, class ScoresType, class MaxOutputBoxesPerClassType = absent, class IouThresholdType = absent,
          class ScoreThresholdType = absent>
requires typed_operands<BoxesType, ScoresType, MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>
auto non_max_suppression(const BoxesType& boxes, const ScoresType& scores,
                         const MaxOutputBoxesPerClassType& max_output_boxes_per_class,
                         const IouThresholdType& iou_threshold, const ScoreThresholdType& score_threshold,
                         const jax2onnx::non_max_suppression_attributes& attributes) {
  using call = typed_call<typed_operators::non_max_suppression, run_time_attributes, 1, BoxesType, ScoresType,
                          MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::non_max_suppression(as_value(boxes), as_operand(scores), as_operand(max_output_boxes_per_class),
                                      as_operand(iou_threshold), as_operand(score_threshold), attributes));
  else return typename refusal<call>::result();
}
template <non_max_suppression_attributes_of Attributes, class BoxesType, class ScoresType,
          class MaxOutputBoxesPerClassType = absent, class IouThresholdType = absent, class ScoreThresholdType = absent>
requires typed_operands<BoxesType, ScoresType, MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>
auto non_max_suppression(const BoxesType& boxes, const ScoresType& scores,
                         const MaxOutputBoxesPerClassType& max_output_boxes_per_class = {},
                         const IouThresholdType& iou_threshold = {}, const ScoreThresholdType& score_threshold = {}) {
  using call = typed_call<typed_operators::non_max_suppression, fixed_attributes<Attributes>, 1, BoxesType, ScoresType,
                          MaxOutputBoxesPerClassType, IouThresholdType, ScoreThresholdType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::non_max_suppression(as_value(boxes), as_operand(scores), as_operand(max_output_boxes_per_class),
                                      as_operand(iou_threshold), as_operand(score_threshold), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Returns the indices of all elements that are not 0, in row-major order (NonZero).
/// @{
template <class XType>
requires typed_arguments<XType>
auto non_zero(const XType& x) {
  using call = typed_call<typed_operators::non_zero, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("NonZero", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of one_hot as a template argument.
struct one_hot_attributes_of {
  std::int64_t axis = -1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::one_hot_attributes run_time() const { return {.axis = axis}; }
};

/// Expands indices to one-hot vectors (OneHot).
/// @{
template <class IndicesType, class DepthType, class ValuesType>
requires typed_operands<IndicesType, DepthType, ValuesType>
auto one_hot(const IndicesType& indices, const DepthType& depth, const ValuesType& values) {
  using call = typed_call<typed_operators::one_hot, default_attributes, 1, IndicesType, DepthType, ValuesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::one_hot(as_value(indices), as_operand(depth), as_operand(values), {}));
  else return typename refusal<call>::result();
}
template <class IndicesType, class DepthType, class ValuesType>
requires typed_operands<IndicesType, DepthType, ValuesType>
auto one_hot(const IndicesType& indices, const DepthType& depth, const ValuesType& values,
             const jax2onnx::one_hot_attributes& attributes) {
  using call = typed_call<typed_operators::one_hot, run_time_attributes, 1, IndicesType, DepthType, ValuesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::one_hot(as_value(indices), as_operand(depth), as_operand(values), attributes));
  else return typename refusal<call>::result();
}
template <one_hot_attributes_of Attributes, class IndicesType, class DepthType, class ValuesType>
requires typed_operands<IndicesType, DepthType, ValuesType>
auto one_hot(const IndicesType& indices, const DepthType& depth, const ValuesType& values) {
  using call =
      typed_call<typed_operators::one_hot, fixed_attributes<Attributes>, 1, IndicesType, DepthType, ValuesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::one_hot(as_value(indices), as_operand(depth), as_operand(values), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class IndicesType, class DepthType, class ValuesType>
requires typed_operands<IndicesType, DepthType, ValuesType>
auto one_hot(const IndicesType& indices, const DepthType& depth, const ValuesType& values) {
  using call = typed_call<typed_operators::one_hot, fixed_attributes<one_hot_attributes_of{.axis = Axis}>, 1,
                          IndicesType, DepthType, ValuesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::one_hot(as_value(indices), as_operand(depth), as_operand(values),
                                                      one_hot_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of scatter_elements as a template argument.
struct scatter_elements_attributes_of {
  std::int64_t axis = 0;
  jax2onnx::scatter_reduction reduction = jax2onnx::scatter_reduction::none;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "reduction",
                            .given = reduction != jax2onnx::scatter_reduction::none,
                            .text = jax2onnx::name(reduction)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::scatter_elements_attributes run_time() const { return {.axis = axis, .reduction = reduction}; }
};

/// Copies a tensor and updates elements by their indices along an axis, one index for each update (ScatterElements).
/// @{
template <class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_elements(const DataType& data, const IndicesType& indices, const UpdatesType& updates) {
  using call = typed_call<typed_operators::scatter_elements, default_attributes, 1, DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_elements(as_value(data), as_operand(indices), as_operand(updates), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_elements(const DataType& data, const IndicesType& indices, const UpdatesType& updates,
                      const jax2onnx::scatter_elements_attributes& attributes) {
  using call =
      typed_call<typed_operators::scatter_elements, run_time_attributes, 1, DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_elements(as_value(data), as_operand(indices), as_operand(updates), attributes));
  else return typename refusal<call>::result();
}
template <scatter_elements_attributes_of Attributes, class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_elements(const DataType& data, const IndicesType& indices, const UpdatesType& updates) {
  using call = typed_call<typed_operators::scatter_elements, fixed_attributes<Attributes>, 1, DataType, IndicesType,
                          UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_elements(as_value(data), as_operand(indices), as_operand(updates), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_elements(const DataType& data, const IndicesType& indices, const UpdatesType& updates) {
  using call =
      typed_call<typed_operators::scatter_elements, fixed_attributes<scatter_elements_attributes_of{.axis = Axis}>, 1,
                 DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_elements(as_value(data), as_operand(indices), as_operand(updates),
                                   scatter_elements_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of scatter_nd as a template argument.
struct scatter_nd_attributes_of {
  jax2onnx::scatter_reduction reduction = jax2onnx::scatter_reduction::none;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "reduction",
                            .given = reduction != jax2onnx::scatter_reduction::none,
                            .text = jax2onnx::name(reduction)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::scatter_nd_attributes run_time() const { return {.reduction = reduction}; }
};

/// Copies a tensor and updates elements or slices by vectors of indices (ScatterND).
/// @{
template <class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_nd(const DataType& data, const IndicesType& indices, const UpdatesType& updates) {
  using call = typed_call<typed_operators::scatter_nd, default_attributes, 1, DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::scatter_nd(as_value(data), as_operand(indices), as_operand(updates), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_nd(const DataType& data, const IndicesType& indices, const UpdatesType& updates,
                const jax2onnx::scatter_nd_attributes& attributes) {
  using call = typed_call<typed_operators::scatter_nd, run_time_attributes, 1, DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_nd(as_value(data), as_operand(indices), as_operand(updates), attributes));
  else return typename refusal<call>::result();
}
template <scatter_nd_attributes_of Attributes, class DataType, class IndicesType, class UpdatesType>
requires typed_operands<DataType, IndicesType, UpdatesType>
auto scatter_nd(const DataType& data, const IndicesType& indices, const UpdatesType& updates) {
  using call =
      typed_call<typed_operators::scatter_nd, fixed_attributes<Attributes>, 1, DataType, IndicesType, UpdatesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::scatter_nd(as_value(data), as_operand(indices), as_operand(updates), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of tensor_scatter as a template argument.
struct tensor_scatter_attributes_of {
  std::int64_t axis = -2;
  jax2onnx::cache_mode mode = jax2onnx::cache_mode::linear;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "axis", .given = axis != -2, .integer = static_cast<std::int64_t>(axis)},
        known_attribute{.name = "mode", .given = mode != jax2onnx::cache_mode::linear, .text = jax2onnx::name(mode)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::tensor_scatter_attributes run_time() const { return {.axis = axis, .mode = mode}; }
};

/// Writes updates into a cache along an axis, at a start for each sequence of the batch (TensorScatter).
/// @{
template <class PastCacheType, class UpdateType, class WriteIndicesType = absent>
requires typed_operands<PastCacheType, UpdateType, WriteIndicesType>
auto tensor_scatter(const PastCacheType& past_cache, const UpdateType& update,
                    const WriteIndicesType& write_indices = {}) {
  using call =
      typed_call<typed_operators::tensor_scatter, default_attributes, 1, PastCacheType, UpdateType, WriteIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::tensor_scatter(as_value(past_cache), as_operand(update), as_operand(write_indices), {}));
  else return typename refusal<call>::result();
}
template <class PastCacheType, class UpdateType, class WriteIndicesType = absent>
requires typed_operands<PastCacheType, UpdateType, WriteIndicesType>
auto tensor_scatter(const PastCacheType& past_cache, const UpdateType& update, const WriteIndicesType& write_indices,
                    const jax2onnx::tensor_scatter_attributes& attributes) {
  using call =
      typed_call<typed_operators::tensor_scatter, run_time_attributes, 1, PastCacheType, UpdateType, WriteIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::tensor_scatter(as_value(past_cache), as_operand(update), as_operand(write_indices), attributes));
  else return typename refusal<call>::result();
}
template <tensor_scatter_attributes_of Attributes, class PastCacheType, class UpdateType,
          class WriteIndicesType = absent>
requires typed_operands<PastCacheType, UpdateType, WriteIndicesType>
auto tensor_scatter(const PastCacheType& past_cache, const UpdateType& update,
                    const WriteIndicesType& write_indices = {}) {
  using call = typed_call<typed_operators::tensor_scatter, fixed_attributes<Attributes>, 1, PastCacheType, UpdateType,
                          WriteIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::tensor_scatter(as_value(past_cache), as_operand(update),
                                                             as_operand(write_indices), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class PastCacheType, class UpdateType, class WriteIndicesType = absent>
requires typed_operands<PastCacheType, UpdateType, WriteIndicesType>
auto tensor_scatter(const PastCacheType& past_cache, const UpdateType& update,
                    const WriteIndicesType& write_indices = {}) {
  using call = typed_call<typed_operators::tensor_scatter, fixed_attributes<tensor_scatter_attributes_of{.axis = Axis}>,
                          1, PastCacheType, UpdateType, WriteIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::tensor_scatter(as_value(past_cache), as_operand(update),
                                                             as_operand(write_indices),
                                                             tensor_scatter_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of top_k as a template argument.
struct top_k_attributes_of {
  std::int64_t axis = -1;
  flag largest = true;
  flag sorted = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "largest", .given = largest != true, .integer = static_cast<std::int64_t>(largest)},
            known_attribute{.name = "sorted", .given = sorted != true, .integer = static_cast<std::int64_t>(sorted)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::top_k_attributes run_time() const { return {.axis = axis, .largest = largest, .sorted = sorted}; }
};

/// The results of top_k.
template <class ValuesType, class IndicesType>
struct top_k_results {
  ValuesType values;
  IndicesType indices;
};

/// Returns the k largest or smallest elements along an axis, and their indices (TopK).
/// @{
template <class XType, class KType>
requires typed_operands<XType, KType>
auto top_k(const XType& x, const KType& k) {
  using call = typed_call<typed_operators::top_k, default_attributes, 2, XType, KType>;
  using results = top_k_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::top_k(as_value(x), as_operand(k), {});
    return results{call::template result<0>(made.values), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType, class KType>
requires typed_operands<XType, KType>
auto top_k(const XType& x, const KType& k, const jax2onnx::top_k_attributes& attributes) {
  using call = typed_call<typed_operators::top_k, run_time_attributes, 2, XType, KType>;
  using results = top_k_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::top_k(as_value(x), as_operand(k), attributes);
    return results{call::template result<0>(made.values), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <top_k_attributes_of Attributes, class XType, class KType>
requires typed_operands<XType, KType>
auto top_k(const XType& x, const KType& k) {
  using call = typed_call<typed_operators::top_k, fixed_attributes<Attributes>, 2, XType, KType>;
  using results = top_k_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::top_k(as_value(x), as_operand(k), Attributes.run_time());
    return results{call::template result<0>(made.values), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <std::int64_t Axis, class XType, class KType>
requires typed_operands<XType, KType>
auto top_k(const XType& x, const KType& k) {
  using call = typed_call<typed_operators::top_k, fixed_attributes<top_k_attributes_of{.axis = Axis}>, 2, XType, KType>;
  using results = top_k_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::top_k(as_value(x), as_operand(k), top_k_attributes_of{.axis = Axis}.run_time());
    return results{call::template result<0>(made.values), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of unique as a template argument.
struct unique_attributes_of {
  fixed_optional<std::int64_t> axis = {};
  flag sorted = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis.given, .integer = static_cast<std::int64_t>(axis.value)},
            known_attribute{.name = "sorted", .given = sorted != true, .integer = static_cast<std::int64_t>(sorted)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::unique_attributes run_time() const { return {.axis = axis.get(), .sorted = sorted}; }
};

/// The results of unique.
template <class YType, class IndicesType, class InverseIndicesType, class CountsType>
struct unique_results {
  YType y;
  IndicesType indices;
  InverseIndicesType inverse_indices;
  CountsType counts;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Returns the unique elements of a tensor, or its unique slices along an axis (Unique).
/// @{
template <class XType>
requires typed_operands<XType>
auto unique(const XType& x) {
  using call = typed_call<typed_operators::unique, default_attributes, 4, XType>;
  using results = unique_results<typename call::template output<0>, typename call::template output<1>,
                                 typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::unique(as_value(x), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.indices),
                   call::template result<2>(made.inverse_indices), call::template result<3>(made.counts)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
template <class XType>
requires typed_operands<XType>
auto unique(const XType& x, const jax2onnx::unique_attributes& attributes) {
  using call = typed_call<typed_operators::unique, run_time_attributes, 4, XType>;
  using results = unique_results<typename call::template output<0>, typename call::template output<1>,
                                 typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::unique(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.indices),
                   call::template result<2>(made.inverse_indices), call::template result<3>(made.counts)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
template <unique_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto unique(const XType& x) {
  using call = typed_call<typed_operators::unique, fixed_attributes<Attributes>, 4, XType>;
  using results = unique_results<typename call::template output<0>, typename call::template output<1>,
                                 typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::unique(as_value(x), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.indices),
                   call::template result<2>(made.inverse_indices), call::template result<3>(made.counts)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
template <std::int64_t Axis, class XType>
requires typed_operands<XType>
auto unique(const XType& x) {
  using call = typed_call<typed_operators::unique, fixed_attributes<unique_attributes_of{.axis = Axis}>, 4, XType>;
  using results = unique_results<typename call::template output<0>, typename call::template output<1>,
                                 typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::unique(as_value(x), unique_attributes_of{.axis = Axis}.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.indices),
                   call::template result<2>(made.inverse_indices), call::template result<3>(made.counts)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
/// @}

}  // namespace jax2onnx
