// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/activation.hpp>
#include <jax2onnx/ops/verbs/activation.hpp>

/// The activation operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using celu = operator_at<records::activation_records, 1>;
using elu = operator_at<records::activation_records, 3>;
using gelu = operator_at<records::activation_records, 4>;
using hard_sigmoid = operator_at<records::activation_records, 6>;
using hard_swish = operator_at<records::activation_records, 8>;
using hardmax = operator_at<records::activation_records, 9>;
using leaky_relu = operator_at<records::activation_records, 10>;
using log_softmax = operator_at<records::activation_records, 11>;
using mish = operator_at<records::activation_records, 13>;
using prelu = operator_at<records::activation_records, 14>;
using relu = operator_at<records::activation_records, 15>;
using selu = operator_at<records::activation_records, 17>;
using shrink = operator_at<records::activation_records, 18>;
using sigmoid = operator_at<records::activation_records, 19>;
using softmax = operator_at<records::activation_records, 20>;
using softplus = operator_at<records::activation_records, 22>;
using softsign = operator_at<records::activation_records, 24>;
using swiglu = operator_at<records::activation_records, 25>;
using swish = operator_at<records::activation_records, 26>;
using thresholded_relu = operator_at<records::activation_records, 28>;
}  // namespace typed_operators

/// Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) for each element (Celu).
/// @{
template <class XType>
requires typed_operands<XType>
auto celu(const XType& x) {
  using call = typed_call<typed_operators::celu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::celu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto celu(const XType& x, const jax2onnx::celu_attributes& attributes) {
  using call = typed_call<typed_operators::celu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::celu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x for x >= 0, else alpha * (exp(x) - 1), for each element (Elu).
/// @{
template <class XType>
requires typed_operands<XType>
auto elu(const XType& x) {
  using call = typed_call<typed_operators::elu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::elu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto elu(const XType& x, const jax2onnx::elu_attributes& attributes) {
  using call = typed_call<typed_operators::elu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::elu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of gelu as a template argument.
struct gelu_attributes_of {
  jax2onnx::gelu_approximation approximate = jax2onnx::gelu_approximation::none;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "approximate",
                            .given = approximate != jax2onnx::gelu_approximation::none,
                            .text = jax2onnx::name(approximate)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gelu_attributes run_time() const { return {.approximate = approximate}; }
};

/// Computes x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh, for each element (Gelu).
/// @{
template <class XType>
requires typed_operands<XType>
auto gelu(const XType& x) {
  using call = typed_call<typed_operators::gelu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::gelu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto gelu(const XType& x, const jax2onnx::gelu_attributes& attributes) {
  using call = typed_call<typed_operators::gelu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::gelu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <gelu_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto gelu(const XType& x) {
  using call = typed_call<typed_operators::gelu, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::gelu(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes max(0, min(1, alpha * x + beta)) for each element (HardSigmoid).
/// @{
template <class XType>
requires typed_operands<XType>
auto hard_sigmoid(const XType& x) {
  using call = typed_call<typed_operators::hard_sigmoid, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hard_sigmoid(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto hard_sigmoid(const XType& x, const jax2onnx::hard_sigmoid_attributes& attributes) {
  using call = typed_call<typed_operators::hard_sigmoid, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hard_sigmoid(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x * max(0, min(1, x / 6 + 0.5)) for each element (HardSwish).
/// @{
template <class XType>
requires typed_arguments<XType>
auto hard_swish(const XType& x) {
  using call = typed_call<typed_operators::hard_swish, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("HardSwish", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of hardmax as a template argument.
struct hardmax_attributes_of {
  std::int64_t axis = -1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::hardmax_attributes run_time() const { return {.axis = axis}; }
};

/// Returns 1 for the first largest element along an axis, and 0 for all others (Hardmax).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto hardmax(const InputType& input) {
  using call = typed_call<typed_operators::hardmax, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hardmax(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto hardmax(const InputType& input, const jax2onnx::hardmax_attributes& attributes) {
  using call = typed_call<typed_operators::hardmax, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hardmax(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <hardmax_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto hardmax(const InputType& input) {
  using call = typed_call<typed_operators::hardmax, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hardmax(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType>
requires typed_operands<InputType>
auto hardmax(const InputType& input) {
  using call =
      typed_call<typed_operators::hardmax, fixed_attributes<hardmax_attributes_of{.axis = Axis}>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::hardmax(as_value(input), hardmax_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x for x >= 0, else alpha * x, for each element (LeakyRelu).
/// @{
template <class XType>
requires typed_operands<XType>
auto leaky_relu(const XType& x) {
  using call = typed_call<typed_operators::leaky_relu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::leaky_relu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto leaky_relu(const XType& x, const jax2onnx::leaky_relu_attributes& attributes) {
  using call = typed_call<typed_operators::leaky_relu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::leaky_relu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of log_softmax as a template argument.
struct log_softmax_attributes_of {
  std::int64_t axis = -1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::log_softmax_attributes run_time() const { return {.axis = axis}; }
};

/// Computes the logarithm of the softmax along an axis (LogSoftmax).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto log_softmax(const InputType& input) {
  using call = typed_call<typed_operators::log_softmax, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::log_softmax(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto log_softmax(const InputType& input, const jax2onnx::log_softmax_attributes& attributes) {
  using call = typed_call<typed_operators::log_softmax, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::log_softmax(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <log_softmax_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto log_softmax(const InputType& input) {
  using call = typed_call<typed_operators::log_softmax, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::log_softmax(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType>
requires typed_operands<InputType>
auto log_softmax(const InputType& input) {
  using call =
      typed_call<typed_operators::log_softmax, fixed_attributes<log_softmax_attributes_of{.axis = Axis}>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::log_softmax(as_value(input), log_softmax_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x * tanh(softplus(x)) for each element (Mish).
/// @{
template <class XType>
requires typed_arguments<XType>
auto mish(const XType& x) {
  using call = typed_call<typed_operators::mish, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Mish", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x for x >= 0, else slope * x, for each element; the slopes broadcast to x (PRelu).
/// @{
template <class XType, class SlopeType>
requires typed_arguments<XType, SlopeType>
auto prelu(const XType& x, const SlopeType& slope) {
  using call = typed_call<typed_operators::prelu, default_attributes, 1, XType, SlopeType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("PRelu", as_operand(x), as_operand(slope)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes max(0, x) for each element (Relu).
/// @{
template <class XType>
requires typed_arguments<XType>
auto relu(const XType& x) {
  using call = typed_call<typed_operators::relu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Relu", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes gamma * x for x > 0, else gamma * (alpha * exp(x) - alpha), for each element (Selu).
/// @{
template <class XType>
requires typed_operands<XType>
auto selu(const XType& x) {
  using call = typed_call<typed_operators::selu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::selu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto selu(const XType& x, const jax2onnx::selu_attributes& attributes) {
  using call = typed_call<typed_operators::selu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::selu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x + bias for x < -lambd, x - bias for x > lambd, else 0, for each element (Shrink).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto shrink(const InputType& input) {
  using call = typed_call<typed_operators::shrink, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::shrink(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto shrink(const InputType& input, const jax2onnx::shrink_attributes& attributes) {
  using call = typed_call<typed_operators::shrink, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::shrink(as_value(input), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes 1 / (1 + exp(-x)) for each element (Sigmoid).
/// @{
template <class XType>
requires typed_arguments<XType>
auto sigmoid(const XType& x) {
  using call = typed_call<typed_operators::sigmoid, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sigmoid", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of softmax as a template argument.
struct softmax_attributes_of {
  std::int64_t axis = -1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "axis", .given = axis != -1, .integer = static_cast<std::int64_t>(axis)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::softmax_attributes run_time() const { return {.axis = axis}; }
};

/// Computes the softmax along an axis: exponentials divided by their sum (Softmax).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto softmax(const InputType& input) {
  using call = typed_call<typed_operators::softmax, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::softmax(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto softmax(const InputType& input, const jax2onnx::softmax_attributes& attributes) {
  using call = typed_call<typed_operators::softmax, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::softmax(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <softmax_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto softmax(const InputType& input) {
  using call = typed_call<typed_operators::softmax, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::softmax(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class InputType>
requires typed_operands<InputType>
auto softmax(const InputType& input) {
  using call =
      typed_call<typed_operators::softmax, fixed_attributes<softmax_attributes_of{.axis = Axis}>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::softmax(as_value(input), softmax_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes log(1 + exp(x)) for each element (Softplus).
/// @{
template <class XType>
requires typed_arguments<XType>
auto softplus(const XType& x) {
  using call = typed_call<typed_operators::softplus, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Softplus", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x / (1 + |x|) for each element (Softsign).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto softsign(const InputType& input) {
  using call = typed_call<typed_operators::softsign, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Softsign", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes swish(A) * B, with swish(a) = a * sigmoid(alpha * a) (SwiGLU).
/// @{
template <class AType, class BType>
requires typed_operands<AType, BType>
auto swiglu(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::swiglu, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::swiglu(as_value(a), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class AType, class BType>
requires typed_operands<AType, BType>
auto swiglu(const AType& a, const BType& b, const jax2onnx::swiglu_attributes& attributes) {
  using call = typed_call<typed_operators::swiglu, run_time_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::swiglu(as_value(a), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x * sigmoid(alpha * x) for each element (Swish).
/// @{
template <class XType>
requires typed_operands<XType>
auto swish(const XType& x) {
  using call = typed_call<typed_operators::swish, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::swish(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto swish(const XType& x, const jax2onnx::swish_attributes& attributes) {
  using call = typed_call<typed_operators::swish, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::swish(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes x for x > alpha, else 0, for each element (ThresholdedRelu).
/// @{
template <class XType>
requires typed_operands<XType>
auto thresholded_relu(const XType& x) {
  using call = typed_call<typed_operators::thresholded_relu, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::thresholded_relu(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto thresholded_relu(const XType& x, const jax2onnx::thresholded_relu_attributes& attributes) {
  using call = typed_call<typed_operators::thresholded_relu, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::thresholded_relu(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
