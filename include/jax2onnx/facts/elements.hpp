// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// The results of operators for single elements, in the arithmetic of the elements' type: integers wrap, and
/// floating-point numbers are rounded to nearest even.
namespace jax2onnx::facts {

/// The bits of the result of type `t` for the elements of the operands; nullopt if runtimes may differ.
using element_rule = std::optional<std::uint64_t> (*)(std::span<const single_element> in, dtype t);

/// Computes an element of an operator's result.
struct element_row {
  operator_name op;
  std::size_t operands;
  element_rule rule;
};

namespace of_elements {

using result = std::optional<std::uint64_t>;
using operands = std::span<const single_element>;

inline std::uint64_t encode(dtype t, double v) { return encode_float(t, v); }
inline std::uint64_t encode(dtype t, std::int64_t v) {
  return bits(t) == 64 ? static_cast<std::uint64_t>(v)
                       : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << bits(t)) - 1);
}

/// f(a, b) as a number of the floating-point type `t`. It is computed in f64 for f64, and in f32 for narrower types.
template <class F>
std::uint64_t rounded(dtype t, const single_element& a, const single_element& b, const F& f) {
  if (t == dtype::f64) return encode(t, f(a.number(), b.number()));
  return encode(t, static_cast<double>(f(static_cast<float>(a.number()), static_cast<float>(b.number()))));
}
template <class F>
result arithmetic(operands in, dtype t) {
  if (is_floating(t)) return rounded(t, in[0], in[1], F());
  if (!is_integer(t)) return std::nullopt;
  const auto x = static_cast<std::uint64_t>(in[0].integer()), y = static_cast<std::uint64_t>(in[1].integer());
  return encode(t, static_cast<std::int64_t>(F()(x, y)));
}
/// F(dividend, divisor) for integers; F divides, or takes the remainder. Nullopt if the dividend is negative or the
/// divisor is not above 0, since runtimes differ. Nullopt also for a uint64 of 2^63 or more, and for other types.
template <class F>
result of_positive(operands in, dtype t) {
  if (!is_integer(t) || in[0].integer() < 0 || in[1].integer() <= 0) return std::nullopt;
  return encode(t, F()(in[0].integer(), in[1].integer()));
}
/// The remainder of integers, with the sign of the dividend. Nullopt if the divisor is not above 0, for a uint64 of
/// 2^63 or more, and for other types.
inline result truncated_remainder(operands in, dtype t) {
  if (!is_signed_integer(t) || in[1].integer() <= 0) return of_positive<std::modulus<>>(in, t);
  return encode(t, in[0].integer() % in[1].integer());
}
/// The remainder of integers, with the sign of the divisor; nullopt for the operands for which truncated_remainder() is
/// nullopt.
inline result remainder(operands in, dtype t) {
  const result r = truncated_remainder(in, t);
  const bool is_negative = r && is_signed_integer(t) && decode_integer(t, *r) < 0;
  return is_negative ? encode(t, decode_integer(t, *r) + in[1].integer()) : r;
}
inline result quotient(operands in, dtype t) {
  return is_floating(t) ? result(rounded(t, in[0], in[1], std::divides<>())) : of_positive<std::divides<>>(in, t);
}

/// Applies the comparison F to two elements, in the order of their type.
template <class F>
bool compare(const single_element& a, const single_element& b) {
  if (a.type == dtype::u64) return F()(a.bits, b.bits);
  return is_floating(a.type) ? F()(a.number(), b.number()) : F()(a.integer(), b.integer());
}
template <class F>
result comparison(operands in, dtype) {
  return compare<F>(in[0], in[1]);
}
inline bool is_nan(const single_element& x) { return is_floating(x.type) && std::isnan(x.number()); }
/// The second operand if F(first, second) holds, else the first one; -0 counts as less than 0. Nullopt for bools, and
/// for NaN, which runtimes treat differently.
template <class F>
result extreme(operands in, dtype t) {
  if (is_boolean(t) || is_nan(in[0]) || is_nan(in[1])) return std::nullopt;
  if (is_floating(t) && in[0].number() == 0 && in[1].number() == 0)
    return F()(-1, 0) ? in[0].bits & in[1].bits : in[0].bits | in[1].bits;
  return compare<F>(in[0], in[1]) ? in[1].bits : in[0].bits;
}
/// If the upper bound of a Clip is below its lower bound, the result is the upper bound. Nullopt for bounds that are
/// NaN, which runtimes treat differently.
inline result clipped(operands in, dtype) {
  if (is_nan(in[1]) || is_nan(in[2])) return std::nullopt;
  const single_element& raised = compare<std::less<>>(in[0], in[1]) ? in[1] : in[0];
  return compare<std::greater<>>(raised, in[2]) ? in[2].bits : raised.bits;
}

inline result negative(operands in, dtype t) {
  if (is_floating(t)) return encode(t, -in[0].number());
  return encode(t, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(in[0].integer())));
}
inline result magnitude(operands in, dtype t) {
  if (is_floating(t)) return encode(t, std::abs(in[0].number()));
  return is_signed_integer(t) && in[0].integer() < 0 ? negative(in, t) : in[0].bits;
}
inline result sign(operands in, dtype t) {
  if (is_floating(t)) return std::nullopt;
  const bool is_negative = is_signed_integer(t) && in[0].integer() < 0;
  return encode(t, std::int64_t{is_negative ? -1 : in[0].bits != 0});
}
inline result floor(operands in, dtype t) { return encode(t, std::floor(in[0].number())); }
inline result ceil(operands in, dtype t) { return encode(t, std::ceil(in[0].number())); }
inline result sqrt(operands in, dtype t) {
  const double x = in[0].number();
  return encode(t, t == dtype::f64 ? std::sqrt(x) : static_cast<double>(std::sqrt(static_cast<float>(x))));
}
inline result reciprocal(operands in, dtype t) {
  const double x = in[0].number();
  return encode(t, t == dtype::f64 ? 1 / x : static_cast<double>(1 / static_cast<float>(x)));
}
/// Relu of a floating-point element; nullopt for NaN and -0, which runtimes treat differently, and for other types.
inline result relu(operands in, dtype t) {
  const double x = in[0].number();
  if (!is_floating(t) || std::isnan(x) || (x == 0 && std::signbit(x))) return std::nullopt;
  return encode(t, std::max(x, 0.0));
}

inline result both(operands in, dtype) { return in[0].bits & in[1].bits; }
inline result either(operands in, dtype) { return in[0].bits | in[1].bits; }
inline result different(operands in, dtype) { return in[0].bits ^ in[1].bits; }
inline result complement(operands in, dtype t) { return encode(t, static_cast<std::int64_t>(~in[0].bits)); }
inline result opposite(operands in, dtype) { return in[0].bits == 0; }
inline result not_a_number(operands in, dtype) { return is_nan(in[0]); }
inline result chosen(operands in, dtype) { return in[0].bits != 0 ? in[1].bits : in[2].bits; }
inline result same(operands in, dtype) { return in[0].bits; }

/// Casts an element. A cast to an integer type is nullopt for NaN and for floating-point numbers outside of the type's
/// range, which runtimes convert differently. It is also nullopt for floating-point numbers whose magnitude is 2^53 or
/// more. A cast to a floating-point type is nullopt for integers whose magnitude is over 2^53, up to which doubles hold
/// all integers.
inline result converted(operands in, dtype to) {
  const single_element& x = in[0];
  if (is_boolean(to)) return x.number() != 0;
  if (is_floating(to)) {
    if (is_integer(x.type) && std::abs(x.number()) > 0x1p53) return std::nullopt;
    return encode(to, x.number());
  }
  if (!is_floating(x.type)) return encode(to, x.integer());
  const double n = std::trunc(x.number());
  const bool fits = n >= static_cast<double>(smallest_integer(to)) && n <= static_cast<double>(largest_integer(to)) &&
                    std::abs(n) < 0x1p53;
  return fits ? result(encode(to, static_cast<std::int64_t>(n))) : std::nullopt;
}

}  // namespace of_elements

inline constexpr element_row element_rows[] = {
    {"Abs", 1, of_elements::magnitude},
    {"Add", 2, of_elements::arithmetic<std::plus<>>},
    {"And", 2, of_elements::both},
    {"BitwiseAnd", 2, of_elements::both},
    {"BitwiseNot", 1, of_elements::complement},
    {"BitwiseOr", 2, of_elements::either},
    {"BitwiseXor", 2, of_elements::different},
    {"Cast", 1, of_elements::converted},
    {"Ceil", 1, of_elements::ceil},
    {"Clip", 3, of_elements::clipped},
    {"Div", 2, of_elements::quotient},
    {"Equal", 2, of_elements::comparison<std::equal_to<>>},
    {"Expand", 1, of_elements::same},
    {"Floor", 1, of_elements::floor},
    {"Greater", 2, of_elements::comparison<std::greater<>>},
    {"GreaterOrEqual", 2, of_elements::comparison<std::greater_equal<>>},
    {"IsNaN", 1, of_elements::not_a_number},
    {"Less", 2, of_elements::comparison<std::less<>>},
    {"LessOrEqual", 2, of_elements::comparison<std::less_equal<>>},
    {"Max", 2, of_elements::extreme<std::less<>>},
    {"Min", 2, of_elements::extreme<std::greater<>>},
    {"Mod", 2, of_elements::remainder},
    {"Mul", 2, of_elements::arithmetic<std::multiplies<>>},
    {"Neg", 1, of_elements::negative},
    {"Not", 1, of_elements::opposite},
    {"Or", 2, of_elements::either},
    {"Reciprocal", 1, of_elements::reciprocal},
    {"Relu", 1, of_elements::relu},
    {"Sign", 1, of_elements::sign},
    {"Sqrt", 1, of_elements::sqrt},
    {"Sub", 2, of_elements::arithmetic<std::minus<>>},
    {"Where", 3, of_elements::chosen},
};
inline constexpr operators::by_operator rows_of_elements(element_rows);
inline constexpr element_row row_of_truncated_remainder{"Mod", 2, of_elements::truncated_remainder};

/// The row that computes an element of a node's result from elements of its first operands. Null if the operator has no
/// row, if the node lacks an operand, or if it is a Max or Min of more than two operands.
inline const element_row* element_row_of(const node& n) {
  const element_row* row = n.domain.empty() ? rows_of_elements.find(n.op) : nullptr;
  if (!row || n.inputs.size() < row->operands || item_loops::contains(n.inputs, value_id::none)) return nullptr;
  if (row->operands == 2 && n.inputs.size() > 2) return nullptr;
  if (row->rule != of_elements::remainder) return row;
  const attribute* fmod = n.find("fmod");
  return fmod && fmod->value != attribute::content(std::int64_t{0}) ? &row_of_truncated_remainder : row;
}

/// The index of the operand's element that element `at` of the result is computed from, if the operand's shape `from`
/// is broadcast to the result's shape `to`. All extents are constant. The shape `from` of a bound of Clip is empty, so
/// that the index is 0.
inline std::size_t broadcast_index(std::size_t at, const shape& to, const shape& from) {
  std::size_t index = 0, stride = 1;
  for (std::size_t back = 1; back <= from.size(); ++back) {
    const auto extent = static_cast<std::size_t>(to[to.size() - back].extent());
    const auto own = static_cast<std::size_t>(from[from.size() - back].extent());
    if (own != 1) index += at % extent * stride;
    stride *= own;
    at /= extent;
  }
  return index;
}

}  // namespace jax2onnx::facts
