#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <jax2onnx/ops/constants.hpp>

/// Identity elements of binary operators.
namespace jax2onnx {

/// The number e with op(x, e) = x for every x of dtype t, for Add, Mul, Max, Min, And and Or of floating-point or bool
/// type. That of Add is -0: 0 would turn -0 into 0. Types without an infinity have their extreme finite number instead.
constexpr double identity_number(std::string_view op, dtype t) {
  const double highest = format_of(t).has_infinity ? std::numeric_limits<double>::infinity() : largest_finite(t);
  if (op == "Max") return -highest;
  if (op == "Min") return highest;
  return op == "Mul" || op == "And" ? 1 : op == "Or" ? 0 : -0.0;
}

/// The same as a scalar constant, also of integer type.
inline value identity_element(graph& g, std::string_view op, dtype t) {
  if (is_integer(t) && op == "Max") return scalar(g, t, smallest_integer(t));
  if (is_integer(t) && op == "Min") return scalar(g, t, static_cast<std::int64_t>(largest_integer(t)));
  return is_integer(t) ? scalar(g, t, op == "Mul" ? 1 : 0) : scalar(g, t, identity_number(op, t));
}

}  // namespace jax2onnx
