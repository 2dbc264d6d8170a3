// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/reduction.hpp>
#include <jax2onnx/ops/verbs/reduction.hpp>

/// The reduction operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using argmax = operator_at<records::reduction_records, 0>;
using argmin = operator_at<records::reduction_records, 1>;
using cumprod = operator_at<records::reduction_records, 2>;
using cumsum = operator_at<records::reduction_records, 3>;
using reduce_l1 = operator_at<records::reduction_records, 5>;
using reduce_l2 = operator_at<records::reduction_records, 7>;
using reduce_log_sum = operator_at<records::reduction_records, 10>;
using reduce_log_sum_exp = operator_at<records::reduction_records, 13>;
using reduce_max = operator_at<records::reduction_records, 16>;
using reduce_mean = operator_at<records::reduction_records, 18>;
using reduce_min = operator_at<records::reduction_records, 21>;
using reduce_prod = operator_at<records::reduction_records, 23>;
using reduce_sum = operator_at<records::reduction_records, 24>;
using reduce_sum_square = operator_at<records::reduction_records, 26>;
}  // namespace typed_operators

/// The attributes of argmax as a template argument.
struct argmax_attributes_of {
  std::int64_t axis = 0;
  flag keepdims = true;
  flag select_last_index = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)},
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "select_last_index",
                        .given = select_last_index != false,
                        .integer = static_cast<std::int64_t>(select_last_index)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::argmax_attributes run_time() const {
    return {.axis = axis, .keepdims = keepdims, .select_last_index = select_last_index};
  }
};

/// Computes the index of the largest element along an axis (ArgMax).
/// @{
template <class DataType>
requires typed_operands<DataType>
auto argmax(const DataType& data) {
  using call = typed_call<typed_operators::argmax, default_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmax(as_value(data), {}));
  else return typename refusal<call>::result();
}
template <class DataType>
requires typed_operands<DataType>
auto argmax(const DataType& data, const jax2onnx::argmax_attributes& attributes) {
  using call = typed_call<typed_operators::argmax, run_time_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmax(as_value(data), attributes));
  else return typename refusal<call>::result();
}
template <argmax_attributes_of Attributes, class DataType>
requires typed_operands<DataType>
auto argmax(const DataType& data) {
  using call = typed_call<typed_operators::argmax, fixed_attributes<Attributes>, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmax(as_value(data), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType>
requires typed_operands<DataType>
auto argmax(const DataType& data) {
  using call = typed_call<typed_operators::argmax,
                          fixed_attributes<argmax_attributes_of{.axis = Axis, .keepdims = false}>, 1, DataType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::argmax(as_value(data), argmax_attributes_of{.axis = Axis, .keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType>
requires typed_operands<DataType>
auto argmax(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::argmax,
                          fixed_attributes<argmax_attributes_of{.axis = Axis, .keepdims = true}>, 1, DataType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::argmax(as_value(data), argmax_attributes_of{.axis = Axis, .keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of argmin as a template argument.
struct argmin_attributes_of {
  std::int64_t axis = 0;
  flag keepdims = true;
  flag select_last_index = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{.name = "axis", .given = axis != 0, .integer = static_cast<std::int64_t>(axis)},
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "select_last_index",
                        .given = select_last_index != false,
                        .integer = static_cast<std::int64_t>(select_last_index)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::argmin_attributes run_time() const {
    return {.axis = axis, .keepdims = keepdims, .select_last_index = select_last_index};
  }
};

/// Computes the index of the smallest element along an axis (ArgMin).
/// @{
template <class DataType>
requires typed_operands<DataType>
auto argmin(const DataType& data) {
  using call = typed_call<typed_operators::argmin, default_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmin(as_value(data), {}));
  else return typename refusal<call>::result();
}
template <class DataType>
requires typed_operands<DataType>
auto argmin(const DataType& data, const jax2onnx::argmin_attributes& attributes) {
  using call = typed_call<typed_operators::argmin, run_time_attributes, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmin(as_value(data), attributes));
  else return typename refusal<call>::result();
}
template <argmin_attributes_of Attributes, class DataType>
requires typed_operands<DataType>
auto argmin(const DataType& data) {
  using call = typed_call<typed_operators::argmin, fixed_attributes<Attributes>, 1, DataType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::argmin(as_value(data), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType>
requires typed_operands<DataType>
auto argmin(const DataType& data) {
  using call = typed_call<typed_operators::argmin,
                          fixed_attributes<argmin_attributes_of{.axis = Axis, .keepdims = false}>, 1, DataType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::argmin(as_value(data), argmin_attributes_of{.axis = Axis, .keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class DataType>
requires typed_operands<DataType>
auto argmin(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::argmin,
                          fixed_attributes<argmin_attributes_of{.axis = Axis, .keepdims = true}>, 1, DataType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::argmin(as_value(data), argmin_attributes_of{.axis = Axis, .keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of cumprod as a template argument.
struct cumprod_attributes_of {
  flag exclusive = false;
  flag reverse = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{
            .name = "exclusive", .given = exclusive != false, .integer = static_cast<std::int64_t>(exclusive)},
        known_attribute{.name = "reverse", .given = reverse != false, .integer = static_cast<std::int64_t>(reverse)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::cumprod_attributes run_time() const { return {.exclusive = exclusive, .reverse = reverse}; }
};

/// Computes the cumulative product along an axis (CumProd).
/// @{
template <class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumprod(const XType& x, const AxisType& axis) {
  using call = typed_call<typed_operators::cumprod, default_attributes, 1, XType, AxisType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::cumprod(as_value(x), as_operand(axis), {}));
  else return typename refusal<call>::result();
}
template <class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumprod(const XType& x, const AxisType& axis, const jax2onnx::cumprod_attributes& attributes) {
  using call = typed_call<typed_operators::cumprod, run_time_attributes, 1, XType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cumprod(as_value(x), as_operand(axis), attributes));
  else return typename refusal<call>::result();
}
template <cumprod_attributes_of Attributes, class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumprod(const XType& x, const AxisType& axis) {
  using call = typed_call<typed_operators::cumprod, fixed_attributes<Attributes>, 1, XType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cumprod(as_value(x), as_operand(axis), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of cumsum as a template argument.
struct cumsum_attributes_of {
  flag exclusive = false;
  flag reverse = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{
            .name = "exclusive", .given = exclusive != false, .integer = static_cast<std::int64_t>(exclusive)},
        known_attribute{.name = "reverse", .given = reverse != false, .integer = static_cast<std::int64_t>(reverse)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::cumsum_attributes run_time() const { return {.exclusive = exclusive, .reverse = reverse}; }
};

/// Computes the cumulative sum along an axis (CumSum).
/// @{
template <class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumsum(const XType& x, const AxisType& axis) {
  using call = typed_call<typed_operators::cumsum, default_attributes, 1, XType, AxisType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::cumsum(as_value(x), as_operand(axis), {}));
  else return typename refusal<call>::result();
}
template <class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumsum(const XType& x, const AxisType& axis, const jax2onnx::cumsum_attributes& attributes) {
  using call = typed_call<typed_operators::cumsum, run_time_attributes, 1, XType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cumsum(as_value(x), as_operand(axis), attributes));
  else return typename refusal<call>::result();
}
template <cumsum_attributes_of Attributes, class XType, class AxisType>
requires typed_operands<XType, AxisType>
auto cumsum(const XType& x, const AxisType& axis) {
  using call = typed_call<typed_operators::cumsum, fixed_attributes<Attributes>, 1, XType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::cumsum(as_value(x), as_operand(axis), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of reduce_l1 as a template argument.
struct reduce_l1_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_l1_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the L1 norm along axes (ReduceL1).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l1(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_l1, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reduce_l1(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l1(const DataType& data, const AxesType& axes, const jax2onnx::reduce_l1_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_l1, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l1(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_l1_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l1(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_l1, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l1(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_l1(const DataType& data) {
  using call = typed_call<typed_operators::reduce_l1, fixed_attributes<reduce_l1_attributes_of{.keepdims = false}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l1(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                        reduce_l1_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_l1(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_l1, fixed_attributes<reduce_l1_attributes_of{.keepdims = true}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l1(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                        reduce_l1_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_l1(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_l1(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_l1(const DataType& data, const std::int64_t (&axes)[N], const jax2onnx::reduce_l1_attributes& attributes) {
  return reduce_l1(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_l2 as a template argument.
struct reduce_l2_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_l2_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the L2 norm along axes (ReduceL2).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l2(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_l2, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reduce_l2(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l2(const DataType& data, const AxesType& axes, const jax2onnx::reduce_l2_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_l2, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l2(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_l2_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_l2(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_l2, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l2(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_l2(const DataType& data) {
  using call = typed_call<typed_operators::reduce_l2, fixed_attributes<reduce_l2_attributes_of{.keepdims = false}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l2(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                        reduce_l2_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_l2(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_l2, fixed_attributes<reduce_l2_attributes_of{.keepdims = true}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_l2(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                        reduce_l2_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_l2(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_l2(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_l2(const DataType& data, const std::int64_t (&axes)[N], const jax2onnx::reduce_l2_attributes& attributes) {
  return reduce_l2(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_log_sum as a template argument.
struct reduce_log_sum_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_log_sum_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the logarithm of the sum along axes (ReduceLogSum).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_log_sum, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_log_sum(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum(const DataType& data, const AxesType& axes, const jax2onnx::reduce_log_sum_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_log_sum, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_log_sum(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_log_sum_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_log_sum, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_log_sum(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_log_sum(const DataType& data) {
  using call =
      typed_call<typed_operators::reduce_log_sum, fixed_attributes<reduce_log_sum_attributes_of{.keepdims = false}>, 1,
                 DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_log_sum(as_value(data), as_operand(known_integers<First, Rest...>()),
                                 reduce_log_sum_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_log_sum(const DataType& data, keepdims_tag) {
  using call =
      typed_call<typed_operators::reduce_log_sum, fixed_attributes<reduce_log_sum_attributes_of{.keepdims = true}>, 1,
                 DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_log_sum(as_value(data), as_operand(known_integers<First, Rest...>()),
                                 reduce_log_sum_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_log_sum(const DataType& data, const std::int64_t (&axes)[N]) {
  return reduce_log_sum(data, std::to_array(axes));
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_log_sum(const DataType& data, const std::int64_t (&axes)[N],
                    const jax2onnx::reduce_log_sum_attributes& attributes) {
  return reduce_log_sum(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_log_sum_exp as a template argument.
struct reduce_log_sum_exp_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_log_sum_exp_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the logarithm of the sum of exponentials along axes (ReduceLogSumExp).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum_exp(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_log_sum_exp, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_log_sum_exp(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum_exp(const DataType& data, const AxesType& axes,
                        const jax2onnx::reduce_log_sum_exp_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_log_sum_exp, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_log_sum_exp(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_log_sum_exp_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_log_sum_exp(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_log_sum_exp, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_log_sum_exp(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_log_sum_exp(const DataType& data) {
  using call = typed_call<typed_operators::reduce_log_sum_exp,
                          fixed_attributes<reduce_log_sum_exp_attributes_of{.keepdims = false}>, 1, DataType,
                          known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_log_sum_exp(as_value(data), as_operand(known_integers<First, Rest...>()),
                                     reduce_log_sum_exp_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_log_sum_exp(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_log_sum_exp,
                          fixed_attributes<reduce_log_sum_exp_attributes_of{.keepdims = true}>, 1, DataType,
                          known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_log_sum_exp(as_value(data), as_operand(known_integers<First, Rest...>()),
                                     reduce_log_sum_exp_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_log_sum_exp(const DataType& data, const std::int64_t (&axes)[N]) {
  return reduce_log_sum_exp(data, std::to_array(axes));
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_log_sum_exp(const DataType& data, const std::int64_t (&axes)[N],
                        const jax2onnx::reduce_log_sum_exp_attributes& attributes) {
  return reduce_log_sum_exp(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_max as a template argument.
struct reduce_max_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_max_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the maximum along axes (ReduceMax).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_max(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_max, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reduce_max(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_max(const DataType& data, const AxesType& axes, const jax2onnx::reduce_max_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_max, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_max(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_max_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_max(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_max, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_max(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_max(const DataType& data) {
  using call = typed_call<typed_operators::reduce_max, fixed_attributes<reduce_max_attributes_of{.keepdims = false}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_max(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_max_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_max(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_max, fixed_attributes<reduce_max_attributes_of{.keepdims = true}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_max(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_max_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_max(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_max(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_max(const DataType& data, const std::int64_t (&axes)[N],
                const jax2onnx::reduce_max_attributes& attributes) {
  return reduce_max(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_mean as a template argument.
struct reduce_mean_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_mean_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the mean along axes (ReduceMean).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_mean(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_mean, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_mean(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_mean(const DataType& data, const AxesType& axes, const jax2onnx::reduce_mean_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_mean, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_mean(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_mean_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_mean(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_mean, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_mean(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_mean(const DataType& data) {
  using call = typed_call<typed_operators::reduce_mean, fixed_attributes<reduce_mean_attributes_of{.keepdims = false}>,
                          1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_mean(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                          reduce_mean_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_mean(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_mean, fixed_attributes<reduce_mean_attributes_of{.keepdims = true}>,
                          1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_mean(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                          reduce_mean_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_mean(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_mean(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_mean(const DataType& data, const std::int64_t (&axes)[N],
                 const jax2onnx::reduce_mean_attributes& attributes) {
  return reduce_mean(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_min as a template argument.
struct reduce_min_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_min_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the minimum along axes (ReduceMin).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_min(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_min, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reduce_min(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_min(const DataType& data, const AxesType& axes, const jax2onnx::reduce_min_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_min, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_min(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_min_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_min(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_min, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_min(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_min(const DataType& data) {
  using call = typed_call<typed_operators::reduce_min, fixed_attributes<reduce_min_attributes_of{.keepdims = false}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_min(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_min_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_min(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_min, fixed_attributes<reduce_min_attributes_of{.keepdims = true}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_min(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_min_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_min(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_min(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_min(const DataType& data, const std::int64_t (&axes)[N],
                const jax2onnx::reduce_min_attributes& attributes) {
  return reduce_min(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_prod as a template argument.
struct reduce_prod_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_prod_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the product along axes (ReduceProd).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_prod(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_prod, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_prod(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_prod(const DataType& data, const AxesType& axes, const jax2onnx::reduce_prod_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_prod, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_prod(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_prod_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_prod(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_prod, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_prod(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_prod(const DataType& data) {
  using call = typed_call<typed_operators::reduce_prod, fixed_attributes<reduce_prod_attributes_of{.keepdims = false}>,
                          1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_prod(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                          reduce_prod_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_prod(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_prod, fixed_attributes<reduce_prod_attributes_of{.keepdims = true}>,
                          1, DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_prod(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                          reduce_prod_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_prod(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_prod(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_prod(const DataType& data, const std::int64_t (&axes)[N],
                 const jax2onnx::reduce_prod_attributes& attributes) {
  return reduce_prod(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_sum as a template argument.
struct reduce_sum_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_sum_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the sum along axes (ReduceSum).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_sum, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::reduce_sum(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum(const DataType& data, const AxesType& axes, const jax2onnx::reduce_sum_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_sum, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_sum_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_sum, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_sum(const DataType& data) {
  using call = typed_call<typed_operators::reduce_sum, fixed_attributes<reduce_sum_attributes_of{.keepdims = false}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_sum_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_sum(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_sum, fixed_attributes<reduce_sum_attributes_of{.keepdims = true}>, 1,
                          DataType, known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum(as_value(data), as_operand(known_integers<First, Rest...>()),
                                                         reduce_sum_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_sum(const DataType& data, const std::int64_t (&axes)[N]) { return reduce_sum(data, std::to_array(axes)); }
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_sum(const DataType& data, const std::int64_t (&axes)[N],
                const jax2onnx::reduce_sum_attributes& attributes) {
  return reduce_sum(data, std::to_array(axes), attributes);
}
/// @}

/// The attributes of reduce_sum_square as a template argument.
struct reduce_sum_square_attributes_of {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "keepdims", .given = keepdims != true, .integer = static_cast<std::int64_t>(keepdims)},
        known_attribute{.name = "noop_with_empty_axes",
                        .given = noop_with_empty_axes != false,
                        .integer = static_cast<std::int64_t>(noop_with_empty_axes)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::reduce_sum_square_attributes run_time() const {
    return {.keepdims = keepdims, .noop_with_empty_axes = noop_with_empty_axes};
  }
};

/// Computes the sum of squares along axes (ReduceSumSquare).
/// @{
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum_square(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_sum_square, default_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum_square(as_value(data), as_operand(axes), {}));
  else return typename refusal<call>::result();
}
template <class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum_square(const DataType& data, const AxesType& axes,
                       const jax2onnx::reduce_sum_square_attributes& attributes) {
  using call = typed_call<typed_operators::reduce_sum_square, run_time_attributes, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::reduce_sum_square(as_value(data), as_operand(axes), attributes));
  else return typename refusal<call>::result();
}
template <reduce_sum_square_attributes_of Attributes, class DataType, class AxesType = absent>
requires typed_operands<DataType, AxesType>
auto reduce_sum_square(const DataType& data, const AxesType& axes = {}) {
  using call = typed_call<typed_operators::reduce_sum_square, fixed_attributes<Attributes>, 1, DataType, AxesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_sum_square(as_value(data), as_operand(axes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_sum_square(const DataType& data) {
  using call = typed_call<typed_operators::reduce_sum_square,
                          fixed_attributes<reduce_sum_square_attributes_of{.keepdims = false}>, 1, DataType,
                          known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_sum_square(as_value(data), as_operand(known_integers<First, Rest...>()),
                                    reduce_sum_square_attributes_of{.keepdims = false}.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t First, std::int64_t... Rest, class DataType>
requires typed_operands<DataType>
auto reduce_sum_square(const DataType& data, keepdims_tag) {
  using call = typed_call<typed_operators::reduce_sum_square,
                          fixed_attributes<reduce_sum_square_attributes_of{.keepdims = true}>, 1, DataType,
                          known_integers<First, Rest...>>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::reduce_sum_square(as_value(data), as_operand(known_integers<First, Rest...>()),
                                    reduce_sum_square_attributes_of{.keepdims = true}.run_time()));
  else return typename refusal<call>::result();
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_sum_square(const DataType& data, const std::int64_t (&axes)[N]) {
  return reduce_sum_square(data, std::to_array(axes));
}
template <class DataType, std::size_t N>
requires typed_operands<DataType>
auto reduce_sum_square(const DataType& data, const std::int64_t (&axes)[N],
                       const jax2onnx::reduce_sum_square_attributes& attributes) {
  return reduce_sum_square(data, std::to_array(axes), attributes);
}
/// @}

}  // namespace jax2onnx
