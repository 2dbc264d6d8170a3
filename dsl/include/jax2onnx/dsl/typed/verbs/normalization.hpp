// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/normalization.hpp>
#include <jax2onnx/ops/verbs/normalization.hpp>

/// The normalization operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using batch_normalization = operator_at<records::normalization_records, 0>;
using dropout = operator_at<records::normalization_records, 2>;
using group_normalization = operator_at<records::normalization_records, 3>;
using instance_normalization = operator_at<records::normalization_records, 5>;
using lrn = operator_at<records::normalization_records, 6>;
using layer_normalization = operator_at<records::normalization_records, 7>;
using lp_normalization = operator_at<records::normalization_records, 9>;
using mean_variance_normalization = operator_at<records::normalization_records, 10>;
using rms_normalization = operator_at<records::normalization_records, 11>;
}  // namespace typed_operators

/// The attributes of batch_normalization as a template argument.
struct batch_normalization_attributes_of {
  flag training_mode = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "training_mode", .given = training_mode != false, .integer = static_cast<std::int64_t>(training_mode)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::batch_normalization_attributes run_time() const { return {.training_mode = training_mode}; }
};

/// The results of batch_normalization.
template <class YType>
struct batch_normalization_results {
  YType y;
  value running_mean, running_var;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes batch normalization (https://arxiv.org/abs/1502.03167) (BatchNormalization).
/// @{
template <class XType, class ScaleType, class BType, class InputMeanType, class InputVarType>
requires typed_operands<XType, ScaleType, BType, InputMeanType, InputVarType>
auto batch_normalization(const XType& x, const ScaleType& scale, const BType& b, const InputMeanType& input_mean,
                         const InputVarType& input_var) {
  using call = typed_call<typed_operators::batch_normalization, default_attributes, 1, XType, ScaleType, BType,
                          InputMeanType, InputVarType>;
  using results = batch_normalization_results<typename call::template output<0>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::batch_normalization(as_value(x), as_operand(scale), as_operand(b),
                                                    as_operand(input_mean), as_operand(input_var), {});
    return results{call::template result<0>(made.y), made.running_mean, made.running_var};
  } else return results{typename refusal<call>::result(), value(), value()};
}
template <class XType, class ScaleType, class BType, class InputMeanType, class InputVarType>
requires typed_operands<XType, ScaleType, BType, InputMeanType, InputVarType>
auto batch_normalization(const XType& x, const ScaleType& scale, const BType& b, const InputMeanType& input_mean,
                         const InputVarType& input_var, const jax2onnx::batch_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::batch_normalization, run_time_attributes, 1, XType, ScaleType, BType,
                          InputMeanType, InputVarType>;
  using results = batch_normalization_results<typename call::template output<0>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::batch_normalization(as_value(x), as_operand(scale), as_operand(b),
                                                    as_operand(input_mean), as_operand(input_var), attributes);
    return results{call::template result<0>(made.y), made.running_mean, made.running_var};
  } else return results{typename refusal<call>::result(), value(), value()};
}
template <batch_normalization_attributes_of Attributes, class XType, class ScaleType, class BType, class InputMeanType,
          class InputVarType>
requires typed_operands<XType, ScaleType, BType, InputMeanType, InputVarType>
auto batch_normalization(const XType& x, const ScaleType& scale, const BType& b, const InputMeanType& input_mean,
                         const InputVarType& input_var) {
  using call = typed_call<typed_operators::batch_normalization, fixed_attributes<Attributes>, 1, XType, ScaleType,
                          BType, InputMeanType, InputVarType>;
  using results = batch_normalization_results<typename call::template output<0>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::batch_normalization(as_value(x), as_operand(scale), as_operand(b), as_operand(input_mean),
                                      as_operand(input_var), Attributes.run_time());
    return results{call::template result<0>(made.y), made.running_mean, made.running_var};
  } else return results{typename refusal<call>::result(), value(), value()};
}
/// @}

/// The attributes of dropout as a template argument.
struct dropout_attributes_of {
  fixed_optional<std::int64_t> seed = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "seed", .given = seed.given, .integer = static_cast<std::int64_t>(seed.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::dropout_attributes run_time() const { return {.seed = seed.get()}; }
};

/// The results of dropout.
template <class OutputType, class MaskType>
struct dropout_results {
  OutputType output;
  MaskType mask;
  /// The first result; the others are optional.
  /// @{
  const OutputType& first_output() const { return output; }
  operator const value&() const { return output; }
  /// @}
};

/// Sets random elements to 0 and scales the others if training_mode is true, else returns its operand (Dropout).
/// @{
template <class DataType, class RatioType = absent, class TrainingModeType = absent>
requires typed_operands<DataType, RatioType, TrainingModeType>
auto dropout(const DataType& data, const RatioType& ratio = {}, const TrainingModeType& training_mode = {}) {
  using call = typed_call<typed_operators::dropout, default_attributes, 2, DataType, RatioType, TrainingModeType>;
  using results = dropout_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::dropout(as_value(data), as_operand(ratio), as_operand(training_mode), {});
    return results{call::template result<0>(made.output), call::template result<1>(made.mask)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class DataType, class RatioType = absent, class TrainingModeType = absent>
requires typed_operands<DataType, RatioType, TrainingModeType>
auto dropout(const DataType& data, const RatioType& ratio, const TrainingModeType& training_mode,
             const jax2onnx::dropout_attributes& attributes) {
  using call = typed_call<typed_operators::dropout, run_time_attributes, 2, DataType, RatioType, TrainingModeType>;
  using results = dropout_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::dropout(as_value(data), as_operand(ratio), as_operand(training_mode), attributes);
    return results{call::template result<0>(made.output), call::template result<1>(made.mask)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <dropout_attributes_of Attributes, class DataType, class RatioType = absent, class TrainingModeType = absent>
requires typed_operands<DataType, RatioType, TrainingModeType>
auto dropout(const DataType& data, const RatioType& ratio = {}, const TrainingModeType& training_mode = {}) {
  using call =
      typed_call<typed_operators::dropout, fixed_attributes<Attributes>, 2, DataType, RatioType, TrainingModeType>;
  using results = dropout_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::dropout(as_value(data), as_operand(ratio), as_operand(training_mode), Attributes.run_time());
    return results{call::template result<0>(made.output), call::template result<1>(made.mask)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of group_normalization as a template argument.
struct group_normalization_attributes_of {
  fixed_required<std::int64_t> num_groups;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "num_groups", .given = true, .integer = static_cast<std::int64_t>(num_groups.value)},
        known_attribute{.name = "stash_type",
                        .given = stash_type != jax2onnx::dtype::f32,
                        .integer = static_cast<std::int64_t>(stash_type)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::group_normalization_attributes run_time() const {
    return {.num_groups = num_groups.value, .stash_type = stash_type};
  }
};

/// Computes group normalization (https://arxiv.org/abs/1803.08494) (GroupNormalization).
/// @{
template <class XType, class ScaleType, class BiasType>
requires typed_operands<XType, ScaleType, BiasType>
auto group_normalization(const XType& x, const ScaleType& scale, const BiasType& bias,
                         const jax2onnx::group_normalization_attributes& attributes = {}) {
  using call = typed_call<typed_operators::group_normalization, run_time_attributes, 1, XType, ScaleType, BiasType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::group_normalization(as_value(x), as_operand(scale), as_operand(bias), attributes));
  else return typename refusal<call>::result();
}
template <group_normalization_attributes_of Attributes, class XType, class ScaleType, class BiasType>
requires typed_operands<XType, ScaleType, BiasType>
auto group_normalization(const XType& x, const ScaleType& scale, const BiasType& bias) {
  using call =
      typed_call<typed_operators::group_normalization, fixed_attributes<Attributes>, 1, XType, ScaleType, BiasType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::group_normalization(as_value(x), as_operand(scale), as_operand(bias), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes instance normalization (https://arxiv.org/abs/1607.08022) (InstanceNormalization).
/// @{
template <class InputType, class ScaleType, class BType>
requires typed_operands<InputType, ScaleType, BType>
auto instance_normalization(const InputType& input, const ScaleType& scale, const BType& b) {
  using call = typed_call<typed_operators::instance_normalization, default_attributes, 1, InputType, ScaleType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::instance_normalization(as_value(input), as_operand(scale), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class ScaleType, class BType>
requires typed_operands<InputType, ScaleType, BType>
auto instance_normalization(const InputType& input, const ScaleType& scale, const BType& b,
                            const jax2onnx::instance_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::instance_normalization, run_time_attributes, 1, InputType, ScaleType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::instance_normalization(as_value(input), as_operand(scale), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of lrn as a template argument.
struct lrn_attributes_of {
  fixed_required<std::int64_t> size;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "size", .given = true, .integer = static_cast<std::int64_t>(size.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::lrn_attributes run_time() const { return {.size = size.value}; }
};

/// Computes local response normalization, as AlexNet does (LRN).
/// @{
template <class XType>
requires typed_operands<XType>
auto lrn(const XType& x, const jax2onnx::lrn_attributes& attributes = {}) {
  using call = typed_call<typed_operators::lrn, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lrn(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <lrn_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto lrn(const XType& x) {
  using call = typed_call<typed_operators::lrn, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lrn(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of layer_normalization as a template argument.
struct layer_normalization_attributes_of {
  std::int64_t axis = -1;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "stash_type",
                            .given = stash_type != jax2onnx::dtype::f32,
                            .integer = static_cast<std::int64_t>(stash_type)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::layer_normalization_attributes run_time() const { return {.axis = axis, .stash_type = stash_type}; }
};

/// The results of layer_normalization.
template <class YType, class MeanType, class InvStdDevType>
struct layer_normalization_results {
  YType y;
  MeanType mean;
  InvStdDevType inv_std_dev;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes layer normalization over the last axes (https://arxiv.org/abs/1607.06450) (LayerNormalization).
/// @{
template <class XType, class ScaleType, class BType = absent>
requires typed_operands<XType, ScaleType, BType>
auto layer_normalization(const XType& x, const ScaleType& scale, const BType& b = {}) {
  using call = typed_call<typed_operators::layer_normalization, default_attributes, 3, XType, ScaleType, BType>;
  using results = layer_normalization_results<typename call::template output<0>, typename call::template output<1>,
                                              typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::layer_normalization(as_value(x), as_operand(scale), as_operand(b), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.mean),
                   call::template result<2>(made.inv_std_dev)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
template <class XType, class ScaleType, class BType = absent>
requires typed_operands<XType, ScaleType, BType>
auto layer_normalization(const XType& x, const ScaleType& scale, const BType& b,
                         const jax2onnx::layer_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::layer_normalization, run_time_attributes, 3, XType, ScaleType, BType>;
  using results = layer_normalization_results<typename call::template output<0>, typename call::template output<1>,
                                              typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::layer_normalization(as_value(x), as_operand(scale), as_operand(b), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.mean),
                   call::template result<2>(made.inv_std_dev)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
template <layer_normalization_attributes_of Attributes, class XType, class ScaleType, class BType = absent>
requires typed_operands<XType, ScaleType, BType>
auto layer_normalization(const XType& x, const ScaleType& scale, const BType& b = {}) {
  using call =
      typed_call<typed_operators::layer_normalization, fixed_attributes<Attributes>, 3, XType, ScaleType, BType>;
  using results = layer_normalization_results<typename call::template output<0>, typename call::template output<1>,
                                              typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::layer_normalization(as_value(x), as_operand(scale), as_operand(b), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.mean),
                   call::template result<2>(made.inv_std_dev)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
template <std::int64_t Axis, class XType, class ScaleType, class BType = absent>
requires typed_operands<XType, ScaleType, BType>
auto layer_normalization(const XType& x, const ScaleType& scale, const BType& b = {}) {
  using call =
      typed_call<typed_operators::layer_normalization,
                 fixed_attributes<layer_normalization_attributes_of{.axis = Axis}>, 3, XType, ScaleType, BType>;
  using results = layer_normalization_results<typename call::template output<0>, typename call::template output<1>,
                                              typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::layer_normalization(as_value(x), as_operand(scale), as_operand(b),
                                                    layer_normalization_attributes_of{.axis = Axis}.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.mean),
                   call::template result<2>(made.inv_std_dev)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
/// @}

/// The attributes of lp_normalization as a template argument.
struct lp_normalization_attributes_of {
  std::int64_t axis = -1;
  std::int64_t p = 2;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "p", .given = p != 2, .integer = static_cast<std::int64_t>(p)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::lp_normalization_attributes run_time() const { return {.axis = axis, .p = p}; }
};

/// Divides a tensor by its Lp norm along an axis (LpNormalization).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto lp_normalization(const InputType& input) {
  using call = typed_call<typed_operators::lp_normalization, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lp_normalization(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto lp_normalization(const InputType& input, const jax2onnx::lp_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::lp_normalization, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::lp_normalization(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <lp_normalization_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto lp_normalization(const InputType& input) {
  using call = typed_call<typed_operators::lp_normalization, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::lp_normalization(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType>
requires typed_operands<InputType>
auto lp_normalization(const InputType& input) {
  using call = typed_call<typed_operators::lp_normalization,
                          fixed_attributes<lp_normalization_attributes_of{.axis = Axis}>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::lp_normalization(as_value(input), lp_normalization_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of mean_variance_normalization as a template argument.
struct mean_variance_normalization_attributes_of {
  fixed_integers axes = {0, 2, 3};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axes", .given = !(axes == fixed_integers{0, 2, 3}), .integers = axes.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::mean_variance_normalization_attributes run_time() const { return {.axes = axes.vector()}; }
};

/// Subtracts the mean along axes, and divides by the standard deviation (MeanVarianceNormalization).
/// @{
template <class XType>
requires typed_operands<XType>
auto mean_variance_normalization(const XType& x) {
  using call = typed_call<typed_operators::mean_variance_normalization, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::mean_variance_normalization(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto mean_variance_normalization(const XType& x, const jax2onnx::mean_variance_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::mean_variance_normalization, run_time_attributes, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mean_variance_normalization(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <mean_variance_normalization_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto mean_variance_normalization(const XType& x) {
  using call = typed_call<typed_operators::mean_variance_normalization, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mean_variance_normalization(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of rms_normalization as a template argument.
struct rms_normalization_attributes_of {
  std::int64_t axis = -1;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{.name = "stash_type",
                            .given = stash_type != jax2onnx::dtype::f32,
                            .integer = static_cast<std::int64_t>(stash_type)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::rms_normalization_attributes run_time() const { return {.axis = axis, .stash_type = stash_type}; }
};

/// Computes RMS normalization over the last axes (https://arxiv.org/abs/1910.07467) (RMSNormalization).
/// @{
template <class XType, class ScaleType>
requires typed_operands<XType, ScaleType>
auto rms_normalization(const XType& x, const ScaleType& scale) {
  using call = typed_call<typed_operators::rms_normalization, default_attributes, 1, XType, ScaleType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rms_normalization(as_value(x), as_operand(scale), {}));
  else return typename refusal<call>::result();
}
template <class XType, class ScaleType>
requires typed_operands<XType, ScaleType>
auto rms_normalization(const XType& x, const ScaleType& scale,
                       const jax2onnx::rms_normalization_attributes& attributes) {
  using call = typed_call<typed_operators::rms_normalization, run_time_attributes, 1, XType, ScaleType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rms_normalization(as_value(x), as_operand(scale), attributes));
  else return typename refusal<call>::result();
}
template <rms_normalization_attributes_of Attributes, class XType, class ScaleType>
requires typed_operands<XType, ScaleType>
auto rms_normalization(const XType& x, const ScaleType& scale) {
  using call = typed_call<typed_operators::rms_normalization, fixed_attributes<Attributes>, 1, XType, ScaleType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rms_normalization(as_value(x), as_operand(scale), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class XType, class ScaleType>
requires typed_operands<XType, ScaleType>
auto rms_normalization(const XType& x, const ScaleType& scale) {
  using call = typed_call<typed_operators::rms_normalization,
                          fixed_attributes<rms_normalization_attributes_of{.axis = Axis}>, 1, XType, ScaleType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rms_normalization(
        as_value(x), as_operand(scale), rms_normalization_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
