// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Padding by copies of rows, as by jnp.pad in modes edge, reflect and wrap, and rolled rows, as by jnp.roll
/// (docs/decisions/0057).
namespace jax2onnx::rewrite::detail {

/// The largest number of rows along an axis, which is enough for images.
inline constexpr std::int64_t most_image_rows = 65536;

/// The part of `rows` that a Slice along the axis takes; nullopt if the Slice is not constant, or slices another axis.
inline std::optional<ints> sliced_rows(const value& slice, std::int64_t axis, const ints& rows) {
  const auto taken = single_slice_of(slice);
  if (!taken || taken->axis != axis || !taken->count.is_constant()) return {};
  ints out;
  for (std::int64_t i = 0; i < taken->count.extent(); ++i)
    out.push_back(rows[static_cast<std::size_t>(taken->first + i * taken->step)]);
  return out;
}

/// The row if `v` consists of copies of one row along the axis, as Expand(row) or Reshape(Expand(Reshape(row))); else
/// absent.
inline value copied_row(const value& v, std::int64_t axis) {
  const value expanded = is_reshape(v) ? input_of(v, 0) : v;
  if (!producer(expanded, "Expand")) return {};
  const value narrow = input_of(expanded, 0);
  const std::int64_t added = expanded.rank() - narrow.rank();
  std::int64_t repeated = -1;
  for (std::int64_t i = 0; i < expanded.rank(); ++i) {
    const dim before = i < added ? dim(1) : narrow.extent(i - added);
    if (before == expanded.extent(i)) continue;
    if (repeated >= 0) return {};
    repeated = i;
  }
  shape row = v.dims();
  row[static_cast<std::size_t>(axis)] = 1;
  const auto outer = [&](const value& of, std::int64_t end) {
    return v.owner().dims().product(shape(of.dims().begin(), of.dims().begin() + end));
  };
  if (repeated < 0 || outer(expanded, repeated) != outer(v, axis)) return {};
  if (narrow.dims() == row) return narrow;
  const value wide = is_reshape(narrow) ? input_of(narrow, 0) : value();
  return wide && wide.dims() == row ? wide : value();
}

/// The largest number of Slices and copies between a value x and a value that consists of rows of x.
inline constexpr int most_between = 4;

/// Returns whether `v` is made of x by Slices and copies only. Does not check which rows of x `v` has.
inline bool may_have_rows_of(value v, const value& x, std::int64_t axis) {
  for (int step = 0; !same_value(v, x); ++step) {
    if (step == most_between) return false;
    v = producer(v, "Slice") ? input_of(v, 0) : copied_row(v, axis);
    if (!v) return false;
  }
  return true;
}

/// The rows of x, along the axis, of which `v` consists; nullopt if `v` may have other rows.
inline std::optional<ints> rows_of(const value& v, const value& x, std::int64_t axis, int depth = most_between) {
  if (same_value(v, x)) {
    ints rows(static_cast<std::size_t>(x.extent(axis).extent()));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    return rows;
  }
  if (depth == 0) return {};
  if (producer(v, "Slice")) {
    const std::optional<ints> rows = rows_of(input_of(v, 0), x, axis, depth - 1);
    return rows ? sliced_rows(v, axis, *rows) : std::nullopt;
  }
  const value row = copied_row(v, axis);
  if (!row || !v.extent(axis).is_constant() || v.extent(axis).extent() > most_image_rows) return {};
  const std::optional<ints> rows = rows_of(row, x, axis, depth - 1);
  if (!rows || rows->size() != 1) return {};
  return ints(static_cast<std::size_t>(v.extent(axis).extent()), rows->front());
}

/// A value whose rows along an axis are rows of x.
struct chosen_rows {
  value x;
  std::int64_t axis = 0;
  ints rows = {};
};

/// The rows of x of which the operands of a Concat consist; nullopt if an operand may have other rows, or if x has a
/// symbolic number of rows or too many.
inline std::optional<chosen_rows> joined_rows(const value& concat, const value& x, std::int64_t axis) {
  const dim extent = x.extent(axis);
  if (!extent.is_constant() || extent.extent() > most_image_rows) return {};
  const std::vector<value> operands = inputs_of(concat);
  if (!item_loops::all_of(operands, [&](const value& v) { return may_have_rows_of(v, x, axis); })) return {};
  chosen_rows all{x, axis};
  for (const value& operand : operands) {
    const std::optional<ints> rows = rows_of(operand, x, axis);
    if (!rows) return {};
    all.rows.insert(all.rows.end(), rows->begin(), rows->end());
  }
  return all;
}

/// A mode of Pad.
struct pad_mode {
  std::string_view name;
  std::int64_t (*row)(std::int64_t i, std::int64_t n);  ///< the row at position i, which may be beyond the n rows
  std::int64_t most;                                    ///< at most n + `most` rows are added on a side
  int opset;
};

/// The modes of ONNX Pad that copy rows. Reflect adds at most n - 1 rows on a side, since further rows would be
/// reflected twice.
inline constexpr pad_mode pad_modes[] = {
    {"reflect", [](std::int64_t i, std::int64_t n) { return i < 0   ? -i
                                                            : i < n ? i
                                                                    : 2 * (n - 1) - i; }, -1, 1},
    {"edge", [](std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); }, most_image_rows, 1},
    {"wrap", [](std::int64_t i, std::int64_t n) { return (i + n) % n; }, 0, 19},
};

/// The mode in which a Pad continues a value beyond its rows, and the numbers of rows that it adds before and after
/// them.
struct continuation {
  const pad_mode* mode;
  std::int64_t front, behind;
};

inline std::optional<continuation> continuation_of(const ints& rows, std::int64_t n) {
  const std::int64_t added = std::ssize(rows) - n;
  if (n < 2 || added < 1) return {};  // copies of a single row are the same in all modes
  const auto second = std::ranges::find_if(rows, [](std::int64_t row) { return row != 0; });
  for (const pad_mode& mode : pad_modes) {
    std::int64_t front = rows.front();
    if (mode.name == "edge") front = second - rows.begin() - 1;
    if (mode.name == "wrap") front = (n - front) % n;
    const std::int64_t behind = added - front, most = n + mode.most;
    if (front < 0 || behind < 0 || front > most || behind > most) continue;
    const auto is_row = [&](std::size_t i) { return rows[i] == mode.row(static_cast<std::int64_t>(i) - front, n); };
    std::size_t same = 0;
    while (same < rows.size() && is_row(same)) ++same;
    if (same == rows.size()) return continuation{&mode, front, behind};
  }
  return {};
}

/// Replaces rows of x that continue x along one axis by a Pad of x.
inline outcome continued(const context& c, const chosen_rows& chosen, const value& root) {
  if (is_empty(root.dims())) return {};  // ONNX Runtime's Pad fails for empty results
  const std::int64_t n = chosen.x.extent(chosen.axis).extent();
  const std::optional<continuation> found = continuation_of(chosen.rows, n);
  if (!found) return {};
  if (c.g.opset() < found->mode->opset) return decline("the mode wrap of Pad needs opset 19");
  const dtype t = root.dtype();
  const bool has_kernel = is_floating(t) ? bits(t) >= 32 : bits(t) != 16 && bits(t) >= 8;
  if (!has_kernel && is_onnx_runtime(c.runtime)) return decline("ONNX Runtime has no kernel for the element type");
  const auto axis = static_cast<std::size_t>(chosen.axis), rank = root.dims().size();
  ints pads(2 * rank, 0);
  pads[axis] = found->front;
  pads[rank + axis] = found->behind;
  return c.g.emit("Pad", {chosen.x, int64s(c.g, pads)}, root.type(), {{"mode", std::string(found->mode->name)}});
}

inline outcome pad_of_joined(const context& c, const value& root) {
  constexpr std::size_t most_operands = 3;
  const std::vector<value> operands = inputs_of(root);
  if (operands.size() < 2 || operands.size() > most_operands) return {};
  if (std::ranges::count(operands, operands.front().id(), &value::id) == std::ssize(operands)) return {};
  for (const value& x : operands)
    if (const std::optional<chosen_rows> chosen = joined_rows(root, x, axis_of(root)))
      return continued(c, *chosen, root);
  return {};
}

inline outcome pad_of_gathered(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const std::int64_t axis = axis_of(root);
  const std::optional<ints> indices = constant_integers(input_of(root, 1));
  if (!indices || input_of(root, 1).rank() != 1 || !x.extent(axis).is_constant()) return {};
  const std::int64_t n = x.extent(axis).extent();
  chosen_rows chosen{x, axis, *indices};
  for (std::int64_t& row : chosen.rows) row += row < 0 ? n : 0;
  return continued(c, chosen, root);
}

/// Returns whether two Pads in the same mode, one after the other, equal one Pad by the sums of their pads.
inline bool are_one_pad(const pad_mode& mode, const pad_view& first, const pad_view& second) {
  for (std::size_t i = 0; i < first.front.size(); ++i) {
    const bool both = (first.front[i] != 0 || first.behind[i] != 0) && (second.front[i] != 0 || second.behind[i] != 0);
    if (!both) continue;
    const auto pads = {first.front[i], first.behind[i], second.front[i], second.behind[i]};
    if (mode.name == "edge" && std::ranges::min(pads) >= 0) continue;
    const bool on_other_side =
        (first.front[i] == 0 && second.behind[i] == 0) || (first.behind[i] == 0 && second.front[i] == 0);
    const dim extent = first.x.dims()[i];
    if (mode.name != "reflect" || !on_other_side || !extent.is_constant()) return false;
    if (std::max(second.front[i], second.behind[i]) >= extent.extent()) return false;
  }
  return true;
}

inline outcome join_pads_of_rows(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  const auto first = pad_of(inner), second = pad_of(root);
  if (!first || !second || first->mode != second->mode) return {};
  const auto known = std::ranges::find(pad_modes, std::string_view(first->mode), &pad_mode::name);
  if (known == std::end(pad_modes)) return {};
  if (!c.single_use(inner)) return decline("the padded value is read elsewhere too");
  if (!are_one_pad(*known, *first, *second)) return decline("the outer Pad copies rows that the inner Pad has added");
  ints pads;
  for (const auto side : {&pad_view::front, &pad_view::behind})
    for (std::size_t i = 0; i < first->front.size(); ++i) pads.push_back(((*first).*side)[i] + ((*second).*side)[i]);
  return c.g.emit("Pad", {first->x, int64s(c.g, pads)}, root.type(), {{"mode", first->mode}});
}

/// Rewrites jnp.roll, which is a Concat of two Slices of x in exchanged order. One Gather copies few rows, or long
/// rows, faster than the Concat. If a small array is rolled several times, each roll becomes a Slice of a common
/// Concat(x, x).
inline outcome roll_of_rows(const context& c, const value& root) {
  constexpr std::int64_t shortest = 32, most_long = 512, most_copies = 64;
  constexpr std::uint64_t small = 4096;
  const std::vector<value> operands = inputs_of(root);
  if (operands.size() != 2 || !producer(operands[0], "Slice")) return {};
  const value x = input_of(operands[0], 0);
  const std::int64_t axis = axis_of(root);
  const std::optional<chosen_rows> chosen = joined_rows(root, x, axis);
  if (!chosen || x.dims() != root.dims() || chosen->rows[0] == 0) return {};
  for (std::size_t i = 1; i < chosen->rows.size(); ++i)
    if (chosen->rows[i] != (chosen->rows[i - 1] + 1) % std::ssize(chosen->rows)) return {};
  const dim row = c.g.dims().product(shape(x.dims().begin() + axis + 1, x.dims().end()));
  const dim before = c.g.dims().product(shape(x.dims().begin(), x.dims().begin() + axis));
  const std::int64_t count = std::ssize(chosen->rows);
  const bool has_few = before.is_constant() && before.extent() * count <= most_copies;
  const bool has_long = row.is_constant() && row.extent() >= shortest && count <= most_long;
  if (!has_few && !has_long) {
    const bool is_small = is_static(x.dims()) && element_count(x.type()) <= small;
    if (!is_small || c.uses.of(x) < 4) return decline("short rows are copied faster by Slices");
    return slice(concat({x, x}, axis), axis, chosen->rows[0], chosen->rows[0] + count);
  }
  return c.g.emit("Gather", {x, int64s(c.g, chosen->rows)}, root.type(), {{"axis", axis}});
}

/// Removes a Pad if the Slice takes none of the padding. Kernels that read arrays in blocks pad the arrays in this way.
inline outcome slice_of_pad(const context& c, const value& root) {
  if (!producer(input_of(root, 0), "Pad")) return {};
  const auto part = single_slice_of(root);
  const auto p = pad_of(input_of(root, 0));
  if (!part || part->step != 1 || !p || !part->count.is_constant()) return {};
  if (p->mode != "constant" && !c.single_use(input_of(root, 0))) return decline("the Pad is read elsewhere too");
  const auto axis = static_cast<std::size_t>(part->axis);
  const auto is_padded = [&](std::size_t i) { return i != axis && (p->front[i] != 0 || p->behind[i] != 0); };
  for (std::size_t i = 0; i < p->front.size(); ++i)
    if (is_padded(i)) return {};
  const dim extent = p->x.extent(part->axis);
  const std::int64_t first = part->first - p->front[axis], end = first + part->count.extent();
  if (!extent.is_constant() || first < 0 || end > extent.extent()) return {};
  return first == 0 && extent.is(end) ? p->x : slice(p->x, part->axis, first, end);
}

inline constexpr rule padding_rules[] = {
    {"slice-of-pad", "Slice(Pad(x, m), i, j, axis) -> Slice(x, i - m, j - m, axis)",
     "the Pad pads only this axis, with a constant, or is read once; "
     "the Slice takes none of the padding; constant extents",
     ops<"Slice">, slice_of_pad},
    {"Pad-rows", "Concat(r, x, s, axis) -> Pad(x, mode=edge, reflect or wrap)",
     "r and s are rows of x: Slices, which may be reversed or repeated; one of them may be missing; "
     "a constant extent of 2 or more; wrap needs opset 19; for ONNX Runtime, not float16, bfloat16, int16 or uint16",
     ops<"Concat">, pad_of_joined, stage::fuse},
    {"Pad-lookups", "Gather(x, i, axis) -> Pad(x, mode=edge, reflect or wrap)", "constant i; as Pad-rows",
     ops<"Gather">, pad_of_gathered, stage::weights},
    {"join-pads-of-rows", "Pad(Pad(x, p, mode), q, mode) -> Pad(x, p + q, mode)",
     "mode is edge, reflect or wrap; no row is copied from a copy; the inner Pad is read once", ops<"Pad">,
     join_pads_of_rows, stage::fuse},
    {"roll",
     "Concat(x[k:], x[:k], axis) -> Gather(x, [k, ..., n - 1, 0, ..., k - 1], axis) "
     "or Slice(Concat(x, x, axis), k, k + n, axis)",
     "Gather for at most 64 rows, or for at most 512 rows of at least 32 elements; otherwise at most 4096 elements, "
     "and x is read four times or more",
     ops<"Concat">, roll_of_rows, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
