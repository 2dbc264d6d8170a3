#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/operators/traits.hpp>

namespace jax2onnx {

/// Results of up to this many bytes are computed while the graph is built: keys, tables of indices, scalars.
inline constexpr std::uint64_t folding_limit = 4096;

/// A rank-0 constant; a floating-point dtype rounds the number to nearest even.
inline value scalar(graph& g, dtype t, double v) { return g.constant({t, {}}, bytes(scalar_bytes(t, v))); }
/// A rank-0 integer constant. A narrower integer dtype keeps its low bits, a floating-point dtype rounds.
template <class Integer>
requires std::is_integral_v<Integer> value scalar(graph& g, dtype t, Integer v) {
  return g.constant({t, {}}, bytes(scalar_bytes(t, static_cast<std::int64_t>(v))));
}

/// A constant of the given extents from numbers in row-major order.
template <class Number>
value array(graph& g, dtype t, const ints& extents, std::span<const Number> numbers) {
  std::string data;
  for (const Number& n : numbers) {
    if constexpr (std::is_floating_point_v<Number>) data += scalar_bytes(t, static_cast<double>(n));
    else data += scalar_bytes(t, static_cast<std::int64_t>(n));
  }
  return g.constant({t, shape(extents.begin(), extents.end())}, bytes(std::move(data)));
}

/// An int64 vector, as ONNX wants axes, starts and shapes.
inline value int64s(graph& g, std::span<const std::int64_t> numbers) {
  return array(g, dtype::i64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}
/// The same for numbers that are written in place.
inline value int64s(graph& g, std::initializer_list<std::int64_t> numbers) {
  return int64s(g, std::span(numbers.begin(), numbers.size()));
}

/// The scalar constant whose number all elements of v have: v itself, or the operand that it was expanded from; absent
/// for any other v.
inline value uniform_constant(value v) {
  graph& g = v.owner();
  for (node_id n = g.at(v.id()).producer; n != node_id::none; n = g.at(v.id()).producer) {
    if (g.at(n).op != "Expand" && g.at(n).op != "Reshape" && g.at(n).op != "Unsqueeze") return {};
    v = {g, g.at(n).inputs[0]};
  }
  const bool one = v.is_constant() && v.data().in_place() && bits(v.dtype()) >= 8 &&
                   v.data().size() == static_cast<std::uint64_t>(bits(v.dtype()) / 8);
  return one ? v : value{};
}
/// The integer that fills v; a uint64 wraps.
inline std::optional<std::int64_t> uniform_integer(const value& v) {
  const value c = is_floating(v.dtype()) ? value{} : uniform_constant(v);
  if (!c) return std::nullopt;
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, c.data().view().data(), c.data().size());
  const int unused = 64 - bits(c.dtype());
  if (is_signed_integer(c.dtype())) return static_cast<std::int64_t>(pattern << unused) >> unused;
  return static_cast<std::int64_t>(pattern);
}
/// The floating-point number that fills v.
inline std::optional<double> uniform_number(const value& v) {
  const value c = is_floating(v.dtype()) ? uniform_constant(v) : value{};
  if (!c) return std::nullopt;
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, c.data().view().data(), c.data().size());
  return decode_float(c.dtype(), pattern);
}

namespace detail {

/// A small constant that is held in place, in another dtype: integers wrap, floating-point numbers are rounded. nullopt
/// for any other value.
inline std::optional<value> converted_constant(const value& v, dtype to) {
  const dtype from = v.dtype();
  if (!v.is_constant() || !v.data().in_place() || v.data().size() > folding_limit || bits(from) < 8 || bits(to) < 8)
    return std::nullopt;
  const auto raw = v.data().view();
  const auto width = static_cast<std::size_t>(bits(from)) / 8;
  std::string out;
  for (std::size_t i = 0; i < raw.size(); i += width) {
    std::uint64_t pattern = 0;
    std::memcpy(&pattern, raw.data() + i, width);
    const int unused = 64 - bits(from);
    if (is_floating(from)) out += scalar_bytes(to, decode_float(from, pattern));
    else if (is_signed_integer(from)) out += scalar_bytes(to, static_cast<std::int64_t>(pattern << unused) >> unused);
    else out += scalar_bytes(to, static_cast<std::int64_t>(pattern));
  }
  return v.owner().constant({to, v.dims()}, bytes(std::move(out)));
}

}  // namespace detail

/// The scalar e of type t with op(x, e) = x for every x of that type, for an operator that has such a number. A type
/// without infinities has its extreme numbers instead.
inline value identity_element(graph& g, operator_name op, dtype t) {
  const double e = operators::neutral_number(op);
  if (!std::isinf(e)) return is_integer(t) ? scalar(g, t, static_cast<std::int64_t>(e)) : scalar(g, t, e);
  if (is_integer(t)) return scalar(g, t, e < 0 ? smallest_integer(t) : static_cast<std::int64_t>(largest_integer(t)));
  return scalar(g, t, format_of(t).has_infinity ? e : std::copysign(largest_finite(t), e));
}

}  // namespace jax2onnx
