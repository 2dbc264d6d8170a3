#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/small_constants.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Whether every row of a mask shows something: of a constant, or of comparisons of constants, as causal masks are.
namespace jax2onnx::rewrite {

namespace detail {

/// The element at `place`, to whose axes the constant is broadcast.
inline std::optional<double> constant_at(const value& v, const ints& place) {
  if (!v || !v.is_constant() || !is_decodable(v.dtype()) || v.data().view().empty()) return std::nullopt;
  if (v.dims().size() > place.size()) return std::nullopt;
  std::uint64_t index = 0;
  const std::size_t missing = place.size() - v.dims().size();
  for (std::size_t i = 0; i < v.dims().size(); ++i) {
    const std::int64_t extent = v.dims()[i].extent();
    index =
        index * static_cast<std::uint64_t>(extent) + static_cast<std::uint64_t>(extent == 1 ? 0 : place[missing + i]);
  }
  const std::uint64_t pattern = element_bits(v.dtype(), v.data().view(), index);
  if (is_floating(v.dtype())) return decode_float(v.dtype(), pattern);
  return static_cast<double>(decode_integer(v.dtype(), pattern));
}

inline constexpr std::string_view order_ops[] = {"Greater", "GreaterOrEqual", "Less", "LessOrEqual"};

inline bool compared(std::string_view op, double x, double y) {
  if (op == "Less") return x < y;
  if (op == "LessOrEqual") return x <= y;
  return op == "Greater" ? x > y : x >= y;
}

/// The truth value at `place`; nullopt where it depends on more than constants.
inline std::optional<bool> truth_at(const value& v, const ints& place, int depth = 8) {
  if (!v || depth == 0) return std::nullopt;
  if (const auto number = constant_at(v, place)) return *number != 0;
  if (is_leading_ones_reshape(v) || producer(v, "Expand")) return truth_at(input_of(v, 0), place, depth - 1);
  const node* n = producer(v);
  if (!n || !n->domain.empty()) return std::nullopt;
  if (n->op == "And" || n->op == "Or") {
    const auto x = truth_at(input_of(v, 0), place, depth - 1), y = truth_at(input_of(v, 1), place, depth - 1);
    if (!x || !y) return std::nullopt;
    return n->op == "And" ? *x && *y : *x || *y;
  }
  if (n->op == "Not") {
    const auto x = truth_at(input_of(v, 0), place, depth - 1);
    return x ? std::optional(!*x) : std::nullopt;
  }
  if (std::ranges::count(order_ops, n->op) == 0) return std::nullopt;
  const auto x = constant_at(input_of(v, 0), place), y = constant_at(input_of(v, 1), place);
  return x && y ? std::optional(compared(n->op, *x, *y)) : std::nullopt;
}

}  // namespace detail

/// Whether shows(place) holds somewhere in every row along the last axis of `dims`. `shows` returns nullopt for what is
/// not known. Looks at up to 2^20 places, and at none behind the first one of a row.
template <class F>
bool in_all_rows(const shape& dims, const F& shows) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  std::int64_t rows = 1;
  for (const dim d : dims) {
    if (!d.is_constant() || d.extent() < 1 || d.extent() > most / rows) return false;
    rows *= d.extent();
  }
  if (dims.empty()) return false;
  const std::int64_t length = dims.back().extent();
  for (std::int64_t row = 0; row < rows / length; ++row) {
    ints place(dims.size());
    for (std::int64_t rest = row, i = std::ssize(dims) - 2; i >= 0; --i) {
      const auto axis = static_cast<std::size_t>(i);
      place[axis] = rest % dims[axis].extent();
      rest /= dims[axis].extent();
    }
    std::optional<bool> shown = false;
    for (std::int64_t& column = place.back(); column < length && shown == false; ++column) shown = shows(place);
    if (shown != true) return false;
  }
  return true;
}

/// Whether every row along the last axis has an element of this truth value.
inline bool has_in_all_rows(const value& mask, bool truth) {
  return in_all_rows(mask.dims(), [&](const ints& place) -> std::optional<bool> {
    const auto found = detail::truth_at(mask, place);
    return found ? std::optional(*found == truth) : std::nullopt;
  });
}

/// Whether every row of a constant along the last axis has an element above `bound`.
inline bool has_above_in_all_rows(const value& mask, double bound) {
  return in_all_rows(mask.dims(), [&](const ints& place) -> std::optional<bool> {
    const auto found = detail::constant_at(mask, place);
    return found ? std::optional(*found > bound) : std::nullopt;
  });
}

}  // namespace jax2onnx::rewrite
