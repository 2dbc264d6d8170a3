// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/operators/traits.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

/// The verbs that lowerings and rewrite rules share. They have a separate namespace because they trust their callers,
/// and because some of them have the same names as the checked verbs of ops/verbs/. The namespaces below import them by
/// using-directives.
namespace jax2onnx::ops {}
namespace jax2onnx::detail {
using namespace ops;
}  // namespace jax2onnx::detail
namespace jax2onnx::lower {
using namespace ops;
}  // namespace jax2onnx::lower
namespace jax2onnx::rewrite {
using namespace ops;
}  // namespace jax2onnx::rewrite

namespace jax2onnx {

using facts::uniform_constant;
using facts::uniform_integer;
using facts::uniform_number;

/// Results of up to this many bytes are computed while the graph is built: keys, tables of indices, scalars.
inline constexpr std::uint64_t folding_limit = 4096;

namespace ops {

/// A rank-0 constant. A narrower integer dtype keeps the low bits, a floating-point dtype rounds to nearest even.
template <class Number>
requires std::is_arithmetic_v<Number> value scalar(graph& g, dtype t, Number v) {
  if constexpr (std::is_floating_point_v<Number>)
    return g.constant({t, {}}, bytes(scalar_bytes(t, static_cast<double>(v))));
  else return g.constant({t, {}}, bytes(scalar_bytes(t, static_cast<std::int64_t>(v))));
}
/// A constant of the given extents from numbers in row-major order, which are copied and converted as scalar() does.
/// Types of less than a byte are packed. Throws a build_error if the count of numbers does not match the extents.
template <class Number>
value array(graph& g, dtype t, const ints& extents, std::span<const Number> numbers) {
  using widest = std::conditional_t<std::is_floating_point_v<Number>, double, std::int64_t>;
  std::vector<std::uint64_t> patterns(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) patterns[i] = scalar_pattern(t, static_cast<widest>(numbers[i]));
  std::string data = pattern_bytes(t, patterns);
  if (const int width = bits(t); width > 0 && width < 8) data = detail::packed(width, data);
  return g.constant({t, shape(extents.begin(), extents.end())}, bytes(std::move(data)));
}

}  // namespace ops

namespace detail {

/// Throws a build_error for a number that type t cannot hold.
template <class Number>
void require_held(std::string_view verb, dtype t, Number n) {
  using widest = std::conditional_t<std::is_floating_point_v<Number>, double, std::int64_t>;
  if (const auto wide = static_cast<widest>(n); !holds(t, wide) && !(t == dtype::u64 && std::is_unsigned_v<Number>))
    throw build_error(message("{}: {} cannot be represented in {}", verb, wide, name(t)));
}

}  // namespace detail

/// A rank-0 constant; a floating-point dtype rounds to nearest even. Throws a build_error for a number that the dtype
/// cannot hold. (If ops::scalar() is visible as well, overload resolution prefers ops::scalar(), which has no pack.)
template <class Number, class... None>
value scalar(graph& g, dtype t, Number v, None...) {
  static_assert(std::is_arithmetic_v<Number> && sizeof...(None) == 0, "scalar: expected a C++ number");
  detail::require_held("scalar", t, v);
  return ops::scalar(g, t, v);
}

/// A constant of the given extents from numbers in row-major order, which are copied: `array(g, dtype::f32, {2},
/// weights)`. Floating-point dtypes round, types of less than a byte are packed. Throws a build_error if the count of
/// numbers does not match the extents, and for a number that the dtype cannot hold.
/// @{
template <class Number, class... None>
value array(graph& g, dtype t, const ints& extents, std::span<const Number> numbers, None...) {
  static_assert(sizeof...(None) == 0);
  for (const Number& n : numbers) detail::require_held("array", t, n);
  return ops::array(g, t, extents, numbers);
}
template <std::ranges::contiguous_range Numbers>
value array(graph& g, dtype t, const ints& extents, const Numbers& numbers) {
  return jax2onnx::array(g, t, extents, std::span<const std::ranges::range_value_t<Numbers>>(numbers));
}
template <class Number>
requires std::is_arithmetic_v<Number> value array(graph& g, dtype t, const ints& extents,
                                                  std::initializer_list<Number> numbers) {
  return jax2onnx::array(g, t, extents, std::span<const Number>(numbers.begin(), numbers.size()));
}
/// @}

/// An int64 vector, as ONNX wants axes, starts and shapes.
inline value int64s(graph& g, std::span<const std::int64_t> numbers) {
  return ops::array(g, dtype::i64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}
/// An int64 vector from a list in braces.
inline value int64s(graph& g, std::initializer_list<std::int64_t> numbers) {
  return int64s(g, std::span(numbers.begin(), numbers.size()));
}

namespace detail {

/// A small constant stored inline, converted to another dtype: integers wrap, floating-point numbers are rounded.
/// nullopt for any other value, and for types of less than 8 bits.
inline std::optional<value> converted_constant(const value& v, dtype to) {
  const dtype from = v.dtype();
  if (!v.is_constant() || !v.data().in_place() || v.data().size() > folding_limit || bits(from) < 8 || bits(to) < 8)
    return std::nullopt;
  const auto raw = v.data().view();
  std::string out;
  for (std::size_t i = 0; i < raw.size() * 8 / static_cast<std::size_t>(bits(from)); ++i) {
    const std::uint64_t pattern = element_bits(from, raw, i);
    out += is_floating(from) ? scalar_bytes(to, decode_float(from, pattern))
                             : scalar_bytes(to, decode_integer(from, pattern));
  }
  return v.owner().constant({to, v.dims()}, bytes(std::move(out)));
}

}  // namespace detail

/// The scalar e of type t with op(x, e) = x for every x of that type. The operator must have such a number. For a type
/// without infinities, e is an extreme number of the type instead of an infinity.
inline value identity_element(graph& g, operator_name op, dtype t) {
  const double e = operators::neutral_number(op);
  if (!std::isinf(e)) return is_integer(t) ? ops::scalar(g, t, static_cast<std::int64_t>(e)) : ops::scalar(g, t, e);
  if (is_integer(t))
    return ops::scalar(g, t, e < 0 ? smallest_integer(t) : static_cast<std::int64_t>(largest_integer(t)));
  return ops::scalar(g, t, format_of(t).has_infinity ? e : std::copysign(largest_finite(t), e));
}

}  // namespace jax2onnx
