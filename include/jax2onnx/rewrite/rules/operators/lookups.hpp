// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>

/// Products of one-hot vectors with weights become lookups of rows (Gather).
namespace jax2onnx::rewrite::detail {

/// Returns whether `v` is 0, 1, 2, ... along its last axis, and all other extents are 1.
inline bool counts_up(const value& v) {
  for (std::int64_t i = 0; i + 1 < v.rank(); ++i)
    if (!v.extent(i).is(1)) return false;
  value from, to, step;
  if (match(v, m_up_to_ones(m_op("Range", m_value(from), m_value(to), m_value(step)))))
    return single_number(from) == 0 && single_number(step) == 1;
  const auto numbers = read_elements(v);
  if (!numbers || !is_integer(numbers->type)) return false;
  for (std::size_t i = 0; i < numbers->bits.size(); ++i)
    if ((*numbers)[i].integer() != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// The indices x if `v` has the one-hot vectors of x along its last axis: Cast(Equal(x[..., None], range(n))). Absent
/// for any other value, or if the shape of x would be computed at run time.
inline value indices_of_one_hot(const value& v) {
  value column, numbers, selected;
  const auto counts = [](const value& n) { return n.rank() > 0 && counts_up(n); };
  const auto compares = [&](const value& e) {
    return match(e, m_commutes("Equal", m_bind(numbers, counts), m_value(column)));
  };
  if (v.rank() == 0 || !match(v, m_up_to_ones(m_bind(selected, m_op("Cast", compares))))) return {};
  shape columns = selected.dims(), dims = v.dims();
  const dim classes = columns.back();
  if (numbers.extent(numbers.rank() - 1) != classes || dims.back() != classes) return {};
  columns.back() = 1;
  dims.pop_back();
  if (!adds_leading_ones(column.dims(), columns)) return {};
  return is_static_reshape(column, dims) ? reshape(column, dims) : value();
}

/// Returns whether products of one-hot vectors with an f32 or f64 constant equal its rows. All its numbers have to be
/// finite, since 0 times infinity or NaN is NaN, and none may be -0, since -0 + 0 is 0. Reads the weights once, in
/// pieces.
inline bool are_finite_without_minus_zero(const value& weights) {
  const dtype t = weights.dtype();
  const auto width = static_cast<std::size_t>(bits(t)) / 8;
  bool fine = true;
  std::vector<std::byte> rest;
  weights.data().stream([&](std::span<const std::byte> piece) {
    rest.insert(rest.end(), piece.begin(), piece.end());
    const std::size_t whole = rest.size() / width * width;
    for (std::size_t at = 0; at < whole && fine; at += width) {
      const double number = load_number(t, rest.data() + at);
      fine = std::isfinite(number) && (number != 0 || !std::signbit(number));
    }
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(whole));
  });
  return fine;
}

inline bool is_within(const interval& range, std::int64_t low, std::int64_t high) {
  return range.low.is_constant() && range.high.is_constant() && range.low.extent() >= low &&
         range.high.extent() <= high;
}
/// The rows of the weights at `index`. Adds 0 to the rows unless `same` is true, since a product with one-hot vectors
/// turns -0 into 0.
inline value row_of(const value& weights, const value& index, const tensor_type& type, bool same) {
  const value rows = weights.owner().emit("Gather", {weights, index}, type, {{"axis", std::int64_t{0}}});
  return same ? rows : add(rows, 0.0);
}

inline outcome lookup_of_one_hot(const context& c, const value& root) {
  constexpr std::int64_t fewest_classes = 128;
  value selected, weights;
  if (!match(root, m_op("MatMul", m_value(selected), m_value(weights))) || weights.rank() != 2) return {};
  const dim classes = weights.extent(0);
  const value index = indices_of_one_hot(selected);
  if (!index || !classes.is_constant()) return {};
  if (index.dtype() != dtype::i32 && index.dtype() != dtype::i64) return decline("the index is not int32 or int64");
  if (!is_computed_in_double(weights.dtype())) return decline("the matrix is not float32 or float64");
  if (!weights.is_constant() && !c.assume_finite)
    return decline("the matrix is not constant and may not be finite (assume_finite permits the rule)");
  if (classes.extent() < fewest_classes) return decline("with few classes, the product is as fast as a Gather");
  const bool same = weights.is_constant() && are_finite_without_minus_zero(weights);
  if (!same && !c.assume_finite) return decline("a weight is infinite, NaN or -0 (assume_finite permits the rule)");
  const std::int64_t last = classes.extent() - 1;
  if (is_within(range_of(index), 0, last)) return row_of(weights, index, root.type(), same);
  const value inside = clip(index, scalar(c.g, index.dtype(), std::int64_t{0}), scalar(c.g, index.dtype(), last));
  const value rows = row_of(weights, inside, root.type(), same);
  return where(unsqueeze(equal(inside, index), {index.rank()}), rows, scalar(c.g, root.dtype(), 0.0));
}

inline constexpr rule lookup_rules[] = {
    {"one-hot-product",
     "MatMul(Cast(Equal(x, 0, 1, ..., n - 1)), w) -> Where(i == x, Gather(w, i), 0), i = Clip(x, 0, n - 1)",
     "x is int32 or int64; w is a constant of float32 or float64, finite and without -0, or any w with assume_finite "
     "(0 is added to its rows); n is at least 128; only Gather(w, x) if all indices are known to be in range",
     ops<"MatMul">, lookup_of_one_hot, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
