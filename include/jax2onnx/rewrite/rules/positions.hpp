// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules for tables that compare or combine positions, such as causal masks. If the model reads only a part of a table,
/// only that part is computed. For example, a decoder that keeps the keys of earlier tokens reads one row.
namespace jax2onnx::rewrite::detail {

/// Returns whether at most one extent of `v` is not 1; false for an absent value.
inline bool is_vector(const value& v) { return v && without_ones(v.dims()).size() <= 1; }

inline value table_below(const value& v, int depth = 4);

/// Returns whether `v` may be an operand of a table: integers with at most one extent that is not 1, a bool constant,
/// or a bool table.
inline bool makes_tables(const value& v, int depth) {
  if (!v) return false;
  return is_boolean(v.dtype()) ? v.is_constant() || table_below(v, depth) : is_vector(v) && is_integer(v.dtype());
}

/// If `v` is a table of positions, returns `v` without a Reshape that only moves extents of 1; absent for any other
/// value.
inline value table_below(const value& v, int depth) {
  const bool moved = is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims());
  const value table = moved ? input_of(v, 0) : v;
  const node* n = producer(table);
  if (depth == 0 || !n || !has_trait(*n, trait::broadcasting) || !has_only(table.owner(), *n, is_known)) return {};
  const std::vector<value> operands = inputs_of(table);
  return item_loops::all_of(operands, [&](const value& x) { return makes_tables(x, depth - 1); }) ? table : value();
}

/// The operand's axis that is aligned with axis `axis` of the table; -1 if the operand lacks this axis, or has extent 1
/// along it.
inline std::int64_t axis_of_operand(const value& operand, const value& table, std::int64_t axis) {
  const std::int64_t own = axis - (table.rank() - operand.rank());
  return own < 0 || operand.extent(own).is(1) ? -1 : own;
}

/// For `v` with at most one extent that is not 1: k if the elements of `v` are known to be k, k + 1, k + 2, ... for a
/// constant k. nullopt for any other elements, for empty constants, and for constants of over 4096 bytes.
inline std::optional<std::int64_t> counts_from(const value& v) {
  if (is_reshape(v)) return is_vector(v) ? counts_from(input_of(v, 0)) : std::nullopt;
  if (producer(v, "Range")) return match(input_of(v, 2), m_number(1)) ? constant_integer(input_of(v, 0)) : std::nullopt;
  constexpr std::uint64_t small = 4096;
  if (!v.is_constant() || v.data().size() > small) return std::nullopt;
  const std::optional<ints> numbers = constant_integers(v);
  if (!numbers || numbers->empty()) return std::nullopt;
  for (std::size_t i = 1; i < numbers->size(); ++i)
    if ((*numbers)[i] != (*numbers)[i - 1] + 1) return std::nullopt;
  return numbers->front();
}

/// Returns whether the elements of `v` at the indices `at` along axis `axis` of `v` are known to be these indices plus
/// a constant.
inline bool are_sums_of(const value& v, const value& at, std::int64_t axis) {
  const dim extent = v.extent(axis);
  if (!extent.is_constant() || !counts_from(v)) return false;
  return interval_math(v.owner().dims()).inside(range_of(at), {0, extent.extent() - 1});
}

/// The elements of `v` at the indices `at` along its axis `axis`, with the rank of `v`.
inline value elements_at(const value& v, const value& at, std::int64_t axis) {
  if (!are_sums_of(v, at, axis)) return gather(v, at, axis);
  shape dims = v.dims();
  dims[static_cast<std::size_t>(axis)] = at.extent(0);
  const value places = reshape(cast(at, v.dtype()), dims);
  return *counts_from(v) == 0 ? places : add(places, *counts_from(v));
}

/// The elements start, ..., start + size - 1 of `v` along its axis `axis`; absent for computed integers, unless each
/// integer is known to be one more than the integer before it.
inline value elements_from(const value& v, std::int64_t axis, std::int64_t start, std::int64_t size) {
  const std::optional<std::int64_t> first = counts_from(v);
  if (!first) return v.is_constant() || is_boolean(v.dtype()) ? slice(v, axis, dim(start), dim(start + size)) : value();
  const auto number = [&](std::int64_t n) { return scalar(v.owner(), v.dtype(), *first + n); };
  shape dims = v.dims();
  dims[static_cast<std::size_t>(axis)] = dim(size);
  const value one = scalar(v.owner(), v.dtype(), 1);
  return reshape(v.owner().emit("Range", {number(start), number(start + size), one}, {v.dtype(), {dim(size)}}), dims);
}

/// Applies the table's operator to parts of the table's operands, and reshapes the result, of shape `dims`, to the
/// shape of `root`. Declines if this shape would be computed at run time.
inline outcome table_of_parts(const value& table, const std::vector<value>& parts, const shape& dims,
                              const value& root) {
  const value made = with_inputs(table, parts, {table.dtype(), dims});
  if (dims != root.dims() && !is_static_reshape(made, root.dims()))
    return decline("the shape would be computed at run time");
  return reshape(made, root.dims());
}

inline outcome gather_of_table(const context&, const value& root) {
  const value whole = input_of(root, 0), at = input_of(root, 1), table = table_below(whole);
  if (!table || at.rank() != 1) return {};
  const std::int64_t axis = axis_before_ones(table.dims(), whole.dims(), axis_of(root));
  if (axis < 0) return {};
  const bool is_wide = without_ones(table.dims()).size() > 1;
  std::vector<value> parts = inputs_of(table);
  for (const value& v : parts)
    if (const std::int64_t own = axis_of_operand(v, table, axis); own >= 0 && !is_wide && !are_sums_of(v, at, own))
      return {};  // this would take a Gather for each operand
  for (value& v : parts)
    if (const std::int64_t own = axis_of_operand(v, table, axis); own >= 0) v = elements_at(v, at, own);
  shape dims = table.dims();
  dims[static_cast<std::size_t>(axis)] = at.extent(0);
  return table_of_parts(table, parts, dims, root);
}

inline outcome slice_of_table(const context& c, const value& root) {
  const value whole = input_of(root, 0), table = table_below(whole);
  const auto taken = table ? slice_of(root) : std::nullopt;
  if (!taken) return {};
  if (!c.single_use(whole) || !c.single_use(table)) return decline("the whole table is read elsewhere too");
  std::vector<value> parts = inputs_of(table);
  shape dims = table.dims();
  for (const sliced_axis& a : *taken) {
    const std::int64_t axis = axis_before_ones(table.dims(), whole.dims(), a.axis);
    if (axis < 0 || a.step != 1 || !a.count.is_constant()) return {};
    dims[static_cast<std::size_t>(axis)] = a.count;
    for (value& v : parts)
      if (const std::int64_t own = axis_of_operand(v, table, axis); own >= 0) {
        v = elements_from(v, own, a.first, a.count.extent());
        if (!v) return {};
      }
  }
  return table_of_parts(table, parts, dims, root);
}

/// Returns whether `v`, with extents `dims`, can be reshaped without a new node. This is true for absent values and
/// scalars, which stay as they are, for constants that are then not stored twice, and for results of elementwise
/// operators on such values if nothing else reads these results.
inline bool is_reshaped_for_free(const context& c, const value& v, const shape& dims, int depth = 8) {
  if (!v || v.rank() == 0) return true;
  if (v.dims() != dims) return false;
  if (v.is_constant()) return is_stored_once_reshaped(c, v);
  const node* n = producer(v);
  if (depth == 0 || !n || !c.single_use(v) || !has_only(c.g, *n, is_known)) return false;
  if (!has_trait(*n, trait::broadcasting) && !has_trait(*n, trait::unary)) return false;
  const std::vector<value> operands = inputs_of(v);
  return item_loops::all_of(operands, [&](const value& x) { return is_reshaped_for_free(c, x, dims, depth - 1); });
}

/// Reshapes a value for which `is_reshaped_for_free` holds.
inline value reshaped_for_free(const value& v, const shape& dims) {
  if (!v || v.rank() == 0) return v;
  if (v.is_constant()) return reshape(v, dims);
  std::vector<value> operands = inputs_of(v);
  for (value& x : operands) x = reshaped_for_free(x, dims);
  return with_inputs(v, operands, {v.dtype(), dims});
}

inline outcome reshape_of_table(const context& c, const value& root) {
  const value table = input_of(root, 0);
  if (table.rank() == 0 || table.is_constant() || !is_static(root.dims())) return {};
  return is_reshaped_for_free(c, table, table.dims()) ? outcome(reshaped_for_free(table, root.dims())) : outcome();
}

/// first <= second, or first < second if `strict` is true, for signed integers. first < second + 1 is read as first <=
/// second.
struct comparison {
  value first, second;
  bool strict = false;
};
inline std::optional<comparison> match_at_most(const value& v) {
  comparison k;
  const auto end = [&](const value& limit) {
    k.strict = !match(limit, m_commutes("Add", m_value(k.second), m_number(1)));
    return !k.strict || match(limit, m_value(k.second));
  };
  if (!match(v, m_any_of(m_op("LessOrEqual", m_value(k.first), m_value(k.second)),
                         m_op("GreaterOrEqual", m_value(k.second), m_value(k.first)))) &&
      !match(v, m_any_of(m_op("Less", m_value(k.first), end), m_op("Greater", end, m_value(k.first)))))
    return std::nullopt;
  return is_signed_integer(k.first.dtype()) ? std::optional(k) : std::nullopt;
}

/// Returns whether `v` is a Cast of signed integers to a signed type with at least as many bits.
inline bool is_cast_of_same_integers(const value& v) {
  if (!producer(v, "Cast") || !is_signed_integer(v.dtype())) return false;
  const dtype from = input_of(v, 0).dtype();
  return is_signed_integer(from) && bits(from) <= bits(v.dtype());
}
/// `v` without Reshapes and without Casts that change no number, if `v` is one signed integer; else absent.
inline value one_integer_below(value v) {
  while (is_reshape(v) || is_cast_of_same_integers(v)) v = input_of(v, 0);
  return v && is_signed_integer(v.dtype()) && without_ones(v.dims()).empty() ? v : value();
}

/// Returns whether `c` clamps the index `i` to [0, m], and all positions in `p` are known to be in [0, m]. Before `i`
/// is clamped, an extent may be added to a negative `i`. If the result is true, a position in `p` that is at most `i`
/// is also at most `c`.
inline bool bounds(const value& c, const value& i, const value& p) {
  value inner;
  double last = 0;
  const interval_math math(c.owner().dims());
  if (!match(c, m_op("Clip", m_value(inner), m_number(0), m_scalar(last)))) return false;
  const std::optional<wrapped_index> w = match_wrapped(inner);
  return same_value(w ? w->i : inner, i) && math.inside(range_of(p), {0, dim(static_cast<std::int64_t>(last))});
}

/// Returns whether `a` and `b` are known to be equal vectors along their last axes.
inline bool are_equal_positions(const value& a, const value& b) {
  const auto below = [](const value& v) { return is_leading_ones_reshape(v) ? input_of(v, 0) : v; };
  const value x = below(a), y = below(b);
  if (!is_vector(x) || !is_vector(y) || x.rank() == 0 || y.rank() == 0) return false;
  const dim extent = x.dims().back();
  if (extent.is(1) || extent != y.dims().back()) return false;
  return same_value(x, y) || (counts_from(x) && counts_from(x) == counts_from(y));
}

/// Returns whether the comparison `q` is known to hold for all elements for which `p` holds.
inline bool implies(const value& p, const value& q) {
  const auto below = [](const value& v) { return is_reshape(v) ? input_of(v, 0) : v; };
  const std::optional<comparison> a = match_at_most(below(p)), b = match_at_most(below(q));
  if (!a || !b || b->strict || !are_equal_positions(a->first, b->first)) return false;
  const value i = one_integer_below(a->second), limit = one_integer_below(b->second);
  return i && limit && bounds(limit, i, a->first);
}

/// Removes a comparison that another comparison implies. For example, a decoder masks positions after the current
/// token, and positions of its cache that are not filled yet. Positions that pass the first comparison pass the second
/// comparison as well.
inline outcome implied_comparison(const context&, const value& root) {
  for (std::size_t k = 0; k < 2; ++k) {
    const value p = input_of(root, k), q = input_of(root, 1 - k);
    if (implies(p, q) && adds_leading_ones(p.dims(), root.dims()) && is_static_reshape(p, root.dims()))
      return reshape(p, root.dims());
    const value both = is_reshape(q) ? input_of(q, 0) : q;
    if (!producer(both, "And")) continue;
    for (std::size_t l = 0; l < 2; ++l) {
      const value rest = input_of(both, 1 - l);
      const infer::result joined = infer::broadcast(p.dims(), rest.dims());
      if (!implies(p, input_of(both, l)) || !joined.ok() || !moves_only_ones(joined.dims, root.dims())) continue;
      const value y = logical_and(p, rest);
      if (is_static_reshape(y, root.dims())) return reshape(y, root.dims());
    }
  }
  return {};
}

inline constexpr rule position_rules[] = {
    {"gather-of-table",
     "Gather(op(x, y), i, axis) -> op(Gather(x, i), y), where Gather([k, k + 1, ..., k + n - 1], i) is i + k",
     "op broadcasts integer vectors, or boolean tables made of them, to a table; "
     "a vector i in [0, n - 1]; the shape is static",
     ops<"Gather">, gather_of_table, stage::late},
    {"slice-of-table", "Slice(op(x, y), i, j) -> op(Slice(x, i, j), Slice(y, i, j))",
     "op broadcasts constant integer vectors, or boolean tables made of them, to a table that is read once; "
     "constants i and j",
     ops<"Slice">, slice_of_table, stage::late},
    {"reshape-of-table", "Reshape(op(c, x)) -> op(Reshape(c), x)",
     "op is elementwise on constants c, scalars x, or results of such an op, and is read once; "
     "c as in reshape-constant; the shape is static",
     operators_with<trait::reshapes>, reshape_of_table, stage::late},
    {"implied-comparison",
     "And(p < i + 1, p <= Clip(Where(i < 0, i + n, i), 0, m)) -> p < i + 1, also p <= i and p < i",
     "i is one integer; p is a vector with elements in [0, m]", ops<"And">, implied_comparison, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
