// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Tests whether every row of a mask has a visible element. The mask is a constant, or elementwise operators compute it
/// from constants: a causal mask, for example, is a comparison of constants.
namespace jax2onnx::rewrite {

namespace detail {

/// For a Reshape `v` that only moves extents of 1: the index in its operand that corresponds to index `place` in a
/// shape that `v` is broadcast to.
inline ints place_before(const value& v, const ints& place) {
  const shape& from = input_of(v, 0).dims();
  const std::size_t missing = place.size() - v.dims().size();
  ints before(from.size());
  for (std::size_t i = 0, to = 0; i < before.size(); ++i) {
    if (from[i].is(1)) continue;
    while (v.dims()[to].is(1)) ++to;
    before[i] = place[missing + to++];
  }
  return before;
}

/// The element of `v` at index `place`, if elementwise operators compute it from constants; else nullopt.
inline std::optional<single_element> element_below(const value& v, const ints& place, int depth = 8) {
  if (!v || depth == 0) return std::nullopt;
  if (v.is_constant()) return element_at(v, place);
  if (is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims()))
    return element_below(input_of(v, 0), place_before(v, place), depth - 1);
  const node* n = producer(v);
  const element_row* row = n ? element_row_of(*n) : nullptr;
  if (!row) return std::nullopt;
  std::vector<single_element> in;
  for (std::size_t i = 0; i < row->operands; ++i) {
    const auto operand = element_below(input_of(v, i), place, depth - 1);
    if (!operand) return std::nullopt;
    in.push_back(*operand);
  }
  const auto bits = row->rule(in, v.dtype());
  return bits ? std::optional(single_element{v.dtype(), *bits}) : std::nullopt;
}

}  // namespace detail

/// True if every row along the last axis of `dims` has an index for which shows(index) is true. `shows` is called with
/// the indices of a row until it returns true. The result is false if `shows` returns nullopt, which stands for
/// unknown. The result is also false for a scalar, for an extent that is 0 or unknown, and for more than 2^20 elements.
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

/// True if every row along the last axis is known to have an element of this truth value.
inline bool has_in_all_rows(const value& mask, bool truth) {
  return in_all_rows(mask.dims(), [&](const ints& place) -> std::optional<bool> {
    const auto found = detail::element_below(mask, place);
    return found ? std::optional((found->bits != 0) == truth) : std::nullopt;
  });
}

/// True if the mask is a constant in memory, and every row along its last axis has an element above `bound`.
inline bool has_above_in_all_rows(const value& mask, double bound) {
  return in_all_rows(mask.dims(), [&](const ints& place) -> std::optional<bool> {
    const auto found = element_at(mask, place);
    return found ? std::optional(found->number() > bound) : std::nullopt;
  });
}

}  // namespace jax2onnx::rewrite
