// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/pooling.hpp>
#include <jax2onnx/ops/verbs/pooling.hpp>

/// The pooling operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using average_pool = operator_at<records::pooling_records, 2>;
using global_average_pool = operator_at<records::pooling_records, 4>;
using global_lp_pool = operator_at<records::pooling_records, 6>;
using global_max_pool = operator_at<records::pooling_records, 8>;
using lp_pool = operator_at<records::pooling_records, 11>;
using max_pool = operator_at<records::pooling_records, 13>;
using max_roi_pool = operator_at<records::pooling_records, 15>;
using max_unpool = operator_at<records::pooling_records, 17>;
using roi_align = operator_at<records::pooling_records, 19>;
}  // namespace typed_operators

/// The attributes of average_pool as a template argument.
struct average_pool_attributes_of {
  fixed_required<fixed_integers> kernel_shape;
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  flag count_include_pad = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {
        known_attribute{.name = "kernel_shape", .given = true, .integers = kernel_shape.value.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)},
        known_attribute{
            .name = "ceil_mode", .given = ceil_mode != false, .integer = static_cast<std::int64_t>(ceil_mode)},
        known_attribute{.name = "count_include_pad",
                        .given = count_include_pad != false,
                        .integer = static_cast<std::int64_t>(count_include_pad)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::average_pool_attributes run_time() const {
    return {.kernel_shape = kernel_shape.value.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .auto_pad = auto_pad,
            .ceil_mode = ceil_mode,
            .count_include_pad = count_include_pad};
  }
};

/// Computes the mean of each window (AveragePool).
/// @{
template <class XType>
requires typed_operands<XType>
auto average_pool(const XType& x, const jax2onnx::average_pool_attributes& attributes = {}) {
  using call = typed_call<typed_operators::average_pool, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::average_pool(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <average_pool_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto average_pool(const XType& x) {
  using call = typed_call<typed_operators::average_pool, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::average_pool(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the mean of each channel over all spatial axes (GlobalAveragePool).
/// @{
template <class XType>
requires typed_arguments<XType>
auto global_average_pool(const XType& x) {
  using call = typed_call<typed_operators::global_average_pool, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("GlobalAveragePool", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of global_lp_pool as a template argument.
struct global_lp_pool_attributes_of {
  std::int64_t p = 2;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "p", .given = p != 2, .integer = static_cast<std::int64_t>(p)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::global_lp_pool_attributes run_time() const { return {.p = p}; }
};

/// Computes the Lp norm of each channel over all spatial axes (GlobalLpPool).
/// @{
template <class XType>
requires typed_operands<XType>
auto global_lp_pool(const XType& x) {
  using call = typed_call<typed_operators::global_lp_pool, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::global_lp_pool(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto global_lp_pool(const XType& x, const jax2onnx::global_lp_pool_attributes& attributes) {
  using call = typed_call<typed_operators::global_lp_pool, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::global_lp_pool(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <global_lp_pool_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto global_lp_pool(const XType& x) {
  using call = typed_call<typed_operators::global_lp_pool, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::global_lp_pool(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the maximum of each channel over all spatial axes (GlobalMaxPool).
/// @{
template <class XType>
requires typed_arguments<XType>
auto global_max_pool(const XType& x) {
  using call = typed_call<typed_operators::global_max_pool, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("GlobalMaxPool", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of lp_pool as a template argument.
struct lp_pool_attributes_of {
  fixed_required<fixed_integers> kernel_shape;
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  std::int64_t p = 2;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {
        known_attribute{.name = "kernel_shape", .given = true, .integers = kernel_shape.value.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)},
        known_attribute{
            .name = "ceil_mode", .given = ceil_mode != false, .integer = static_cast<std::int64_t>(ceil_mode)},
        known_attribute{.name = "p", .given = p != 2, .integer = static_cast<std::int64_t>(p)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::lp_pool_attributes run_time() const {
    return {.kernel_shape = kernel_shape.value.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .auto_pad = auto_pad,
            .ceil_mode = ceil_mode,
            .p = p};
  }
};

/// Computes the Lp norm of each window (LpPool).
/// @{
template <class XType>
requires typed_operands<XType>
auto lp_pool(const XType& x, const jax2onnx::lp_pool_attributes& attributes = {}) {
  using call = typed_call<typed_operators::lp_pool, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lp_pool(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <lp_pool_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto lp_pool(const XType& x) {
  using call = typed_call<typed_operators::lp_pool, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lp_pool(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of max_pool as a template argument.
struct max_pool_attributes_of {
  fixed_required<fixed_integers> kernel_shape;
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  std::int64_t storage_order = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {
        known_attribute{.name = "kernel_shape", .given = true, .integers = kernel_shape.value.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)},
        known_attribute{
            .name = "ceil_mode", .given = ceil_mode != false, .integer = static_cast<std::int64_t>(ceil_mode)},
        known_attribute{
            .name = "storage_order", .given = storage_order != 0, .integer = static_cast<std::int64_t>(storage_order)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::max_pool_attributes run_time() const {
    return {.kernel_shape = kernel_shape.value.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .auto_pad = auto_pad,
            .ceil_mode = ceil_mode,
            .storage_order = storage_order};
  }
};

/// The results of max_pool.
template <class YType, class IndicesType>
struct max_pool_results {
  YType y;
  IndicesType indices;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes the maximum of each window (MaxPool).
/// @{
template <class XType>
requires typed_operands<XType>
auto max_pool(const XType& x, const jax2onnx::max_pool_attributes& attributes = {}) {
  using call = typed_call<typed_operators::max_pool, run_time_attributes, 2, XType>;
  using results = max_pool_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::max_pool(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <max_pool_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto max_pool(const XType& x) {
  using call = typed_call<typed_operators::max_pool, fixed_attributes<Attributes>, 2, XType>;
  using results = max_pool_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::max_pool(as_value(x), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.indices)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of max_roi_pool as a template argument.
struct max_roi_pool_attributes_of {
  fixed_required<fixed_integers> pooled_shape;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "pooled_shape", .given = true, .integers = pooled_shape.value.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::max_roi_pool_attributes run_time() const { return {.pooled_shape = pooled_shape.value.vector()}; }
};

/// Divides each region of interest into a grid, and computes the maximum of each of its cells (MaxRoiPool).
/// @{
template <class XType, class RoisType>
requires typed_operands<XType, RoisType>
auto max_roi_pool(const XType& x, const RoisType& rois, const jax2onnx::max_roi_pool_attributes& attributes = {}) {
  using call = typed_call<typed_operators::max_roi_pool, run_time_attributes, 1, XType, RoisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::max_roi_pool(as_value(x), as_operand(rois), attributes));
  else return typename refusal<call>::result();
}
template <max_roi_pool_attributes_of Attributes, class XType, class RoisType>
requires typed_operands<XType, RoisType>
auto max_roi_pool(const XType& x, const RoisType& rois) {
  using call = typed_call<typed_operators::max_roi_pool, fixed_attributes<Attributes>, 1, XType, RoisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::max_roi_pool(as_value(x), as_operand(rois), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of max_unpool as a template argument.
struct max_unpool_attributes_of {
  fixed_required<fixed_integers> kernel_shape;
  fixed_integers strides = {};
  fixed_integers pads = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {known_attribute{.name = "kernel_shape", .given = true, .integers = kernel_shape.value.list()},
            known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
            known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::max_unpool_attributes run_time() const {
    return {.kernel_shape = kernel_shape.value.vector(), .strides = strides.vector(), .pads = pads.vector()};
  }
};

/// Inverts MaxPool in part: writes the maxima at their indices, and zeros elsewhere (MaxUnpool).
/// @{
template <class XType, class IType, class OutputShapeType = absent>
requires typed_operands<XType, IType, OutputShapeType>
auto max_unpool(const XType& x, const IType& i, const OutputShapeType& output_shape,
                const jax2onnx::max_unpool_attributes& attributes = {}) {
  using call = typed_call<typed_operators::max_unpool, run_time_attributes, 1, XType, IType, OutputShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::max_unpool(as_value(x), as_operand(i), as_operand(output_shape), attributes));
  else return typename refusal<call>::result();
}
template <max_unpool_attributes_of Attributes, class XType, class IType, class OutputShapeType = absent>
requires typed_operands<XType, IType, OutputShapeType>
auto max_unpool(const XType& x, const IType& i, const OutputShapeType& output_shape = {}) {
  using call = typed_call<typed_operators::max_unpool, fixed_attributes<Attributes>, 1, XType, IType, OutputShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::max_unpool(as_value(x), as_operand(i), as_operand(output_shape), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of roi_align as a template argument.
struct roi_align_attributes_of {
  jax2onnx::roi_mode mode = jax2onnx::roi_mode::avg;
  jax2onnx::coordinate_mode coordinate_transformation_mode = jax2onnx::coordinate_mode::half_pixel;
  std::int64_t output_height = 1;
  std::int64_t output_width = 1;
  std::int64_t sampling_ratio = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 5> known() const {
    return {
        known_attribute{.name = "mode", .given = mode != jax2onnx::roi_mode::avg, .text = jax2onnx::name(mode)},
        known_attribute{.name = "coordinate_transformation_mode",
                        .given = coordinate_transformation_mode != jax2onnx::coordinate_mode::half_pixel,
                        .text = jax2onnx::name(coordinate_transformation_mode)},
        known_attribute{
            .name = "output_height", .given = output_height != 1, .integer = static_cast<std::int64_t>(output_height)},
        known_attribute{
            .name = "output_width", .given = output_width != 1, .integer = static_cast<std::int64_t>(output_width)},
        known_attribute{.name = "sampling_ratio",
                        .given = sampling_ratio != 0,
                        .integer = static_cast<std::int64_t>(sampling_ratio)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::roi_align_attributes run_time() const {
    return {.mode = mode,
            .coordinate_transformation_mode = coordinate_transformation_mode,
            .output_height = output_height,
            .output_width = output_width,
            .sampling_ratio = sampling_ratio};
  }
};

/// Samples each region of interest on a grid by interpolation, as Mask R-CNN does (RoiAlign).
/// @{
template <class XType, class RoisType, class BatchIndicesType>
requires typed_operands<XType, RoisType, BatchIndicesType>
auto roi_align(const XType& x, const RoisType& rois, const BatchIndicesType& batch_indices) {
  using call = typed_call<typed_operators::roi_align, default_attributes, 1, XType, RoisType, BatchIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::roi_align(as_value(x), as_operand(rois), as_operand(batch_indices), {}));
  else return typename refusal<call>::result();
}
template <class XType, class RoisType, class BatchIndicesType>
requires typed_operands<XType, RoisType, BatchIndicesType>
auto roi_align(const XType& x, const RoisType& rois, const BatchIndicesType& batch_indices,
               const jax2onnx::roi_align_attributes& attributes) {
  using call = typed_call<typed_operators::roi_align, run_time_attributes, 1, XType, RoisType, BatchIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::roi_align(as_value(x), as_operand(rois), as_operand(batch_indices), attributes));
  else return typename refusal<call>::result();
}
template <roi_align_attributes_of Attributes, class XType, class RoisType, class BatchIndicesType>
requires typed_operands<XType, RoisType, BatchIndicesType>
auto roi_align(const XType& x, const RoisType& rois, const BatchIndicesType& batch_indices) {
  using call =
      typed_call<typed_operators::roi_align, fixed_attributes<Attributes>, 1, XType, RoisType, BatchIndicesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::roi_align(as_value(x), as_operand(rois), as_operand(batch_indices), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
