// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/random.hpp>
#include <jax2onnx/ops/verbs/random.hpp>

/// The random operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using bernoulli = operator_at<records::random_records, 1>;
using multinomial = operator_at<records::random_records, 3>;
using random_normal = operator_at<records::random_records, 5>;
using random_normal_like = operator_at<records::random_records, 7>;
using random_uniform = operator_at<records::random_records, 9>;
using random_uniform_like = operator_at<records::random_records, 11>;
}  // namespace typed_operators

/// The attributes of bernoulli as a template argument.
struct bernoulli_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "dtype", .given = dtype != jax2onnx::dtype::undefined, .integer = static_cast<std::int64_t>(dtype)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::bernoulli_attributes run_time() const { return {.dtype = dtype}; }
};

/// Draws 0 or 1 for each element, which is the probability of 1 (Bernoulli).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto bernoulli(const InputType& input) {
  using call = typed_call<typed_operators::bernoulli, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::bernoulli(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto bernoulli(const InputType& input, const jax2onnx::bernoulli_attributes& attributes) {
  using call = typed_call<typed_operators::bernoulli, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::bernoulli(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <bernoulli_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto bernoulli(const InputType& input) {
  using call = typed_call<typed_operators::bernoulli, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::bernoulli(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of multinomial as a template argument.
struct multinomial_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::i32;
  std::int64_t sample_size = 1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{
                .name = "dtype", .given = dtype != jax2onnx::dtype::i32, .integer = static_cast<std::int64_t>(dtype)},
            known_attribute{
                .name = "sample_size", .given = sample_size != 1, .integer = static_cast<std::int64_t>(sample_size)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::multinomial_attributes run_time() const { return {.dtype = dtype, .sample_size = sample_size}; }
};

/// Draws samples from multinomial distributions with the given unnormalized log-probabilities (Multinomial).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto multinomial(const InputType& input) {
  using call = typed_call<typed_operators::multinomial, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::multinomial(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto multinomial(const InputType& input, const jax2onnx::multinomial_attributes& attributes) {
  using call = typed_call<typed_operators::multinomial, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::multinomial(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <multinomial_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto multinomial(const InputType& input) {
  using call = typed_call<typed_operators::multinomial, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::multinomial(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of random_normal as a template argument.
struct random_normal_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::f32;
  fixed_required<fixed_integers> shape;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{
                .name = "dtype", .given = dtype != jax2onnx::dtype::f32, .integer = static_cast<std::int64_t>(dtype)},
            known_attribute{.name = "shape", .given = true, .integers = shape.value.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::random_normal_attributes run_time() const { return {.dtype = dtype, .shape = shape.value.vector()}; }
};

/// Draws random numbers from a normal distribution (RandomNormal).
/// @{
template <random_normal_attributes_of Attributes>
auto random_normal(graph& g) {
  using call = typed_call<typed_operators::random_normal, fixed_attributes<Attributes>, 1>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_normal(g, Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of random_normal_like as a template argument.
struct random_normal_like_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "dtype", .given = dtype != jax2onnx::dtype::undefined, .integer = static_cast<std::int64_t>(dtype)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::random_normal_like_attributes run_time() const { return {.dtype = dtype}; }
};

/// Draws random numbers from a normal distribution, in the shape of the operand (RandomNormalLike).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto random_normal_like(const InputType& input) {
  using call = typed_call<typed_operators::random_normal_like, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_normal_like(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto random_normal_like(const InputType& input, const jax2onnx::random_normal_like_attributes& attributes) {
  using call = typed_call<typed_operators::random_normal_like, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_normal_like(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <random_normal_like_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto random_normal_like(const InputType& input) {
  using call = typed_call<typed_operators::random_normal_like, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::random_normal_like(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of random_uniform as a template argument.
struct random_uniform_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::f32;
  fixed_required<fixed_integers> shape;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{
                .name = "dtype", .given = dtype != jax2onnx::dtype::f32, .integer = static_cast<std::int64_t>(dtype)},
            known_attribute{.name = "shape", .given = true, .integers = shape.value.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::random_uniform_attributes run_time() const { return {.dtype = dtype, .shape = shape.value.vector()}; }
};

/// Draws random numbers from a uniform distribution (RandomUniform).
/// @{
template <random_uniform_attributes_of Attributes>
auto random_uniform(graph& g) {
  using call = typed_call<typed_operators::random_uniform, fixed_attributes<Attributes>, 1>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_uniform(g, Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of random_uniform_like as a template argument.
struct random_uniform_like_attributes_of {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "dtype", .given = dtype != jax2onnx::dtype::undefined, .integer = static_cast<std::int64_t>(dtype)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::random_uniform_like_attributes run_time() const { return {.dtype = dtype}; }
};

/// Draws random numbers from a uniform distribution, in the shape of the operand (RandomUniformLike).
/// @{
template <class InputType>
requires typed_operands<InputType>
auto random_uniform_like(const InputType& input) {
  using call = typed_call<typed_operators::random_uniform_like, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_uniform_like(as_value(input), {}));
  else return typename refusal<call>::result();
}
template <class InputType>
requires typed_operands<InputType>
auto random_uniform_like(const InputType& input, const jax2onnx::random_uniform_like_attributes& attributes) {
  using call = typed_call<typed_operators::random_uniform_like, run_time_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::random_uniform_like(as_value(input), attributes));
  else return typename refusal<call>::result();
}
template <random_uniform_like_attributes_of Attributes, class InputType>
requires typed_operands<InputType>
auto random_uniform_like(const InputType& input) {
  using call = typed_call<typed_operators::random_uniform_like, fixed_attributes<Attributes>, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::random_uniform_like(as_value(input), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
