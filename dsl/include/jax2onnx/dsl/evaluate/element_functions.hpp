// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <jax2onnx/dsl/evaluate/call.hpp>
#include <jax2onnx/facts/elements.hpp>

/// Elementwise results that facts/elements.hpp does not compute, mostly because they may differ between runtimes.
namespace jax2onnx::evaluation {

using facts::single_element;
using operands = std::span<const single_element>;

/// A function of a number and of the attributes of a node.
using number_function = double (*)(const call& c, double x);

/// An operator of one operand that maps numbers. The operator is computed in double, and its result is converted to the
/// element type.
struct number_row {
  operator_name op;
  number_function f;
};

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
inline double gelu(const call& c, double x) {
  if (c.text("approximate") == "tanh")
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}

inline constexpr number_row number_rows[] = {
    {"Acos", [](const call&, double x) { return std::acos(x); }},
    {"Acosh", [](const call&, double x) { return std::acosh(x); }},
    {"Asin", [](const call&, double x) { return std::asin(x); }},
    {"Asinh", [](const call&, double x) { return std::asinh(x); }},
    {"Atan", [](const call&, double x) { return std::atan(x); }},
    {"Atanh", [](const call&, double x) { return std::atanh(x); }},
    {"Celu",
     [](const call& c, double x) {
       const double a = c.real("alpha");
       return std::max(x, 0.0) + std::min(0.0, a * std::expm1(x / a));
     }},
    {"Cos", [](const call&, double x) { return std::cos(x); }},
    {"Cosh", [](const call&, double x) { return std::cosh(x); }},
    {"Elu", [](const call& c, double x) { return x < 0 ? c.real("alpha") * std::expm1(x) : x; }},
    {"Erf", [](const call&, double x) { return std::erf(x); }},
    {"Exp", [](const call&, double x) { return std::exp(x); }},
    {"Gelu", gelu},
    {"HardSigmoid",
     [](const call& c, double x) { return std::max(0.0, std::min(1.0, c.real("alpha") * x + c.real("beta"))); }},
    {"HardSwish", [](const call&, double x) { return x * std::max(0.0, std::min(1.0, x / 6 + 0.5)); }},
    {"LeakyRelu", [](const call& c, double x) { return x < 0 ? c.real("alpha") * x : x; }},
    {"Log", [](const call&, double x) { return std::log(x); }},
    {"Mish", [](const call&, double x) { return x * std::tanh(softplus(x)); }},
    {"Relu", [](const call&, double x) { return x < 0 ? 0 : x; }},
    {"Round", [](const call&, double x) { return std::nearbyint(x); }},
    {"Selu", [](const call& c, double x) { return c.real("gamma") * (x < 0 ? c.real("alpha") * std::expm1(x) : x); }},
    {"Sigmoid", [](const call&, double x) { return sigmoid(x); }},
    {"Sign", [](const call&, double x) { return x > 0   ? 1.0
                                                : x < 0 ? -1.0
                                                        : x; }},
    {"Sin", [](const call&, double x) { return std::sin(x); }},
    {"Sinh", [](const call&, double x) { return std::sinh(x); }},
    {"Softplus", [](const call&, double x) { return softplus(x); }},
    {"Softsign", [](const call&, double x) { return x / (1 + std::fabs(x)); }},
    {"Swish", [](const call& c, double x) { return x * sigmoid(c.real("alpha") * x); }},
    {"Tan", [](const call&, double x) { return std::tan(x); }},
    {"Tanh", [](const call&, double x) { return std::tanh(x); }},
    {"ThresholdedRelu", [](const call& c, double x) { return x > c.real("alpha") ? x : 0; }},
};

/// Computes an element of a result of type `t`; nullopt if the operands are not supported.
using element_function = std::optional<std::uint64_t> (*)(const call& c, operands in, dtype t);
struct element_function_row {
  operator_name op;
  element_function f;
};

inline std::uint64_t encoded(dtype t, double x) {
  return is_floating(t) ? encode_float(t, x) : facts::of_elements::encode(t, static_cast<std::int64_t>(x));
}
inline std::optional<std::uint64_t> power(const call&, operands in, dtype t) {
  return encoded(t, std::pow(in[0].number(), in[1].number()));
}
/// The quotient of integers, truncated toward 0; nullopt for floats and for a divisor of 0. Reads a uint64 as the int64
/// of the same bits.
inline std::optional<std::uint64_t> quotient(const call&, operands in, dtype t) {
  if (is_floating(t) || in[1].integer() == 0) return std::nullopt;
  if (in[1].integer() == -1) return facts::of_elements::negative(in, t);
  return facts::of_elements::encode(t, in[0].integer() / in[1].integer());
}
/// The remainder, with the sign of the divisor, or with the sign of the dividend if `fmod` is set. nullopt for an
/// integer divisor of 0. Reads a uint64 as the int64 of the same bits.
inline std::optional<std::uint64_t> remainder(const call& c, operands in, dtype t) {
  if (is_floating(t)) {
    const double divisor = in[1].number(), rest = std::fmod(in[0].number(), divisor);
    const bool moves = rest != 0 && (rest < 0) != (divisor < 0) && !c.flag("fmod");
    return encoded(t, moves ? rest + divisor : rest);
  }
  const std::int64_t a = in[0].integer(), b = in[1].integer();
  if (b == 0) return std::nullopt;
  const std::int64_t rest = b == -1 ? 0 : a % b;
  const bool moves = rest != 0 && (rest < 0) != (b < 0) && !c.flag("fmod");
  return facts::of_elements::encode(t, moves ? rest + b : rest);
}
inline std::optional<std::uint64_t> shifted(const call& c, operands in, dtype t) {
  const std::uint64_t by = in[1].bits;
  if (by >= static_cast<std::uint64_t>(bits(t))) return 0;
  const std::uint64_t x = c.text("direction") == "LEFT" ? in[0].bits << by : in[0].bits >> by;
  return facts::of_elements::encode(t, static_cast<std::int64_t>(x));
}
inline std::optional<std::uint64_t> infinite(const call& c, operands in, dtype) {
  const double x = in[0].number();
  return std::isinf(x) && c.flag(x > 0 ? "detect_positive" : "detect_negative");
}
/// The largest or smallest operand; NaN if an operand is NaN.
template <bool Largest>
std::optional<std::uint64_t> extreme(const call&, operands in, dtype) {
  for (const single_element& x : in)
    if (facts::of_elements::is_nan(x)) return x.bits;
  const single_element* found = &in[0];
  for (const single_element& x : in) {
    const bool less = facts::of_elements::compare<std::less<>>(x, *found);
    if (Largest ? facts::of_elements::compare<std::less<>>(*found, x) : less) found = &x;
  }
  return found->bits;
}
template <bool Mean>
std::optional<std::uint64_t> total(const call&, operands in, dtype t) {
  double sum = 0;
  for (const single_element& x : in) sum += x.number();
  return encoded(t, Mean ? sum / static_cast<double>(in.size()) : sum);
}

inline constexpr element_function_row element_function_rows[] = {
    {"BitShift", shifted},
    {"Div", quotient},
    {"IsInf", infinite},
    {"Max", extreme<true>},
    {"Mean", total<true>},
    {"Min", extreme<false>},
    {"Mod", remainder},
    {"Pow", power},
    {"PRelu",
     [](const call&, operands in, dtype t) {
       return std::optional(in[0].number() < 0 ? encoded(t, in[0].number() * in[1].number()) : in[0].bits);
     }},
    {"Sum", total<false>},
    {"Xor", [](const call&, operands in, dtype) { return std::optional(in[0].bits ^ in[1].bits); }},
};

}  // namespace jax2onnx::evaluation
