// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/loss.hpp>
#include <jax2onnx/ops/verbs/loss.hpp>

/// The loss operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using negative_log_likelihood_loss = operator_at<records::loss_records, 1>;
using softmax_cross_entropy_loss = operator_at<records::loss_records, 2>;
}  // namespace typed_operators

/// The attributes of negative_log_likelihood_loss as a template argument.
struct negative_log_likelihood_loss_attributes_of {
  fixed_optional<std::int64_t> ignore_index = {};
  jax2onnx::loss_reduction reduction = jax2onnx::loss_reduction::mean;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "ignore_index",
                            .given = ignore_index.given,
                            .integer = static_cast<std::int64_t>(ignore_index.value)},
            known_attribute{.name = "reduction",
                            .given = reduction != jax2onnx::loss_reduction::mean,
                            .text = jax2onnx::name(reduction)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::negative_log_likelihood_loss_attributes run_time() const {
    return {.ignore_index = ignore_index.get(), .reduction = reduction};
  }
};

/// Computes the negative log likelihood loss, weighted by class if there are weights (NegativeLogLikelihoodLoss).
/// @{
template <class InputType, class TargetType, class WeightType = absent>
requires typed_operands<InputType, TargetType, WeightType>
auto negative_log_likelihood_loss(const InputType& input, const TargetType& target, const WeightType& weight = {}) {
  using call = typed_call<typed_operators::negative_log_likelihood_loss, default_attributes, 1, InputType, TargetType,
                          WeightType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::negative_log_likelihood_loss(as_value(input), as_operand(target), as_operand(weight), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class TargetType, class WeightType = absent>
requires typed_operands<InputType, TargetType, WeightType>
auto negative_log_likelihood_loss(const InputType& input, const TargetType& target, const WeightType& weight,
                                  const jax2onnx::negative_log_likelihood_loss_attributes& attributes) {
  using call = typed_call<typed_operators::negative_log_likelihood_loss, run_time_attributes, 1, InputType, TargetType,
                          WeightType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::negative_log_likelihood_loss(as_value(input), as_operand(target), as_operand(weight), attributes));
  else return typename refusal<call>::result();
}
template <negative_log_likelihood_loss_attributes_of Attributes, class InputType, class TargetType,
          class WeightType = absent>
requires typed_operands<InputType, TargetType, WeightType>
auto negative_log_likelihood_loss(const InputType& input, const TargetType& target, const WeightType& weight = {}) {
  using call = typed_call<typed_operators::negative_log_likelihood_loss, fixed_attributes<Attributes>, 1, InputType,
                          TargetType, WeightType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::negative_log_likelihood_loss(as_value(input), as_operand(target),
                                                                           as_operand(weight), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of softmax_cross_entropy_loss as a template argument.
struct softmax_cross_entropy_loss_attributes_of {
  fixed_optional<std::int64_t> ignore_index = {};
  jax2onnx::loss_reduction reduction = jax2onnx::loss_reduction::mean;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "ignore_index",
                            .given = ignore_index.given,
                            .integer = static_cast<std::int64_t>(ignore_index.value)},
            known_attribute{.name = "reduction",
                            .given = reduction != jax2onnx::loss_reduction::mean,
                            .text = jax2onnx::name(reduction)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::softmax_cross_entropy_loss_attributes run_time() const {
    return {.ignore_index = ignore_index.get(), .reduction = reduction};
  }
};

/// The results of softmax_cross_entropy_loss.
template <class OutputType, class LogProbType>
struct softmax_cross_entropy_loss_results {
  OutputType output;
  LogProbType log_prob;
  /// The first result; the others are optional.
  /// @{
  const OutputType& first_output() const { return output; }
  operator const value&() const { return output; }
  /// @}
};

/// Computes the cross entropy between the softmax of scores and labels (SoftmaxCrossEntropyLoss).
/// @{
template <class ScoresType, class LabelsType, class WeightsType = absent>
requires typed_operands<ScoresType, LabelsType, WeightsType>
auto softmax_cross_entropy_loss(const ScoresType& scores, const LabelsType& labels, const WeightsType& weights = {}) {
  using call = typed_call<typed_operators::softmax_cross_entropy_loss, default_attributes, 2, ScoresType, LabelsType,
                          WeightsType>;
  using results =
      softmax_cross_entropy_loss_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::softmax_cross_entropy_loss(as_value(scores), as_operand(labels), as_operand(weights), {});
    return results{call::template result<0>(made.output), call::template result<1>(made.log_prob)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class ScoresType, class LabelsType, class WeightsType = absent>
requires typed_operands<ScoresType, LabelsType, WeightsType>
auto softmax_cross_entropy_loss(const ScoresType& scores, const LabelsType& labels, const WeightsType& weights,
                                const jax2onnx::softmax_cross_entropy_loss_attributes& attributes) {
  using call = typed_call<typed_operators::softmax_cross_entropy_loss, run_time_attributes, 2, ScoresType, LabelsType,
                          WeightsType>;
  using results =
      softmax_cross_entropy_loss_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::softmax_cross_entropy_loss(as_value(scores), as_operand(labels), as_operand(weights), attributes);
    return results{call::template result<0>(made.output), call::template result<1>(made.log_prob)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <softmax_cross_entropy_loss_attributes_of Attributes, class ScoresType, class LabelsType,
          class WeightsType = absent>
requires typed_operands<ScoresType, LabelsType, WeightsType>
auto softmax_cross_entropy_loss(const ScoresType& scores, const LabelsType& labels, const WeightsType& weights = {}) {
  using call = typed_call<typed_operators::softmax_cross_entropy_loss, fixed_attributes<Attributes>, 2, ScoresType,
                          LabelsType, WeightsType>;
  using results =
      softmax_cross_entropy_loss_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::softmax_cross_entropy_loss(as_value(scores), as_operand(labels), as_operand(weights),
                                                           Attributes.run_time());
    return results{call::template result<0>(made.output), call::template result<1>(made.log_prob)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

}  // namespace jax2onnx
