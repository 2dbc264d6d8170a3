// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arrays whose rows are set and read at constant indices, as in unrolled loops that sort in place or fill a table. A
/// read of such a row often needs only the value that was set, and not the array.
namespace jax2onnx::rewrite::detail {

/// A ScatterND(before, indices, updates) that sets rows along the first axis.
struct rows_that_are_set {
  value before;
  ints indices;
  value updates;

  /// The index of the update that sets `row`; nullopt if no update does.
  std::optional<std::size_t> update_of(std::int64_t row) const {
    const auto at = std::ranges::find(indices, row);
    return at == indices.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - indices.begin()));
  }
};

/// The largest number of rows of an array whose updates are joined, and of ScatterNDs that a read passes.
inline constexpr std::int64_t longest_set_array = 1024;

/// `index` counted from the start; nullopt if it is out of range or the extent is not constant.
inline std::optional<std::int64_t> row_in_range(std::int64_t index, dim extent) {
  if (!extent.is_constant()) return std::nullopt;
  if (index < 0) index += extent.extent();
  return index >= 0 && index < extent.extent() ? std::optional(index) : std::nullopt;
}

/// The rows that the ScatterND `v` sets. nullopt for any other operator, for a ScatterND that combines elements or has
/// indices of several axes, if an index is not constant or is out of range, or if two indices are equal.
inline std::optional<rows_that_are_set> known_rows_set_by(const value& v) {
  if (!producer(v, "ScatterND") || text_of(v, "reduction") != "none") return std::nullopt;
  rows_that_are_set rows{input_of(v, 0), {}, input_of(v, 2)};
  const value indices = input_of(v, 1);
  const auto numbers = constant_integers(indices);
  if (!numbers || indices.rank() != 2 || !indices.extent(1).is(1)) return std::nullopt;
  for (const std::int64_t index : *numbers) {
    const auto row = row_in_range(index, v.extent(0));
    if (!row || rows.update_of(*row)) return std::nullopt;
    rows.indices.push_back(*row);
  }
  return rows;
}

/// Gather(x, k, 0) of one constant index reads the update that set row k, or the array before the updates.
inline outcome read_set_row(const context&, const value& root) {
  constexpr std::uint64_t small = 4096;  // reading an earlier state of a larger array could keep a copy alive
  value x = input_of(root, 0);
  if (!producer(x, "ScatterND") || axis_of(root) != 0) return {};
  const auto index = constant_integer(input_of(root, 1));
  const auto row = index ? row_in_range(*index, x.extent(0)) : std::nullopt;
  if (!row) return {};
  for (std::int64_t steps = 0; steps < longest_set_array; ++steps) {
    const auto rows = known_rows_set_by(x);
    if (!rows) break;
    if (const auto update = rows->update_of(*row)) {
      if (rows->indices.size() == 1) return reshape(rows->updates, root.dims());
      return reshape(pick(rows->updates, static_cast<std::int64_t>(*update), 0), root.dims());
    }
    x = rows->before;
  }
  if (same_value(x, input_of(root, 0))) return {};
  if (!is_static(x.dims()) || element_count(x.type()) > small) return decline("the array is large");
  return gather(x, input_of(root, 1), 0);
}

/// The updates of the rows, each with a first axis of extent 1; empty if several updates are not a Concat of single
/// rows.
inline std::vector<value> single_updates(const rows_that_are_set& rows) {
  if (rows.indices.size() == 1) return {rows.updates};
  if (!producer(rows.updates, "Concat") || axis_of(rows.updates) != 0) return {};
  std::vector<value> updates = inputs_of(rows.updates);
  const auto is_row = [](const value& update) { return update.extent(0).is(1); };
  return updates.size() == rows.indices.size() && item_loops::all_of(updates, is_row) ? updates : std::vector<value>();
}

/// Joins two ScatterNDs into one ScatterND, which sets each row to the row's last update. If the two ScatterNDs set all
/// rows, the result is the Concat of the last updates.
inline outcome join_set_rows(const context& c, const value& root) {
  if (!producer(input_of(root, 0), "ScatterND") || !c.single_use(input_of(root, 0))) return {};
  if (!root.extent(0).is_constant() || root.extent(0).extent() > longest_set_array) return {};
  const auto later = known_rows_set_by(root), earlier = known_rows_set_by(input_of(root, 0));
  if (!later || !earlier) return {};
  std::vector<value> updates(static_cast<std::size_t>(root.extent(0).extent()));
  for (const auto* rows : {&*later, &*earlier}) {
    const std::vector<value> single = single_updates(*rows);
    if (single.empty()) return {};
    for (std::size_t i = 0; i < single.size(); ++i)
      if (value& update = updates[static_cast<std::size_t>(rows->indices[i])]; !update) update = single[i];
  }
  ints indices;
  std::vector<value> rows;
  for (std::size_t i = 0; i < updates.size(); ++i)
    if (updates[i]) indices.push_back(static_cast<std::int64_t>(i)), rows.push_back(updates[i]);
  const value joined = concat(rows, 0);
  if (root.extent(0).is(std::ssize(rows))) return joined;
  const value at = array(c.g, dtype::i64, {std::ssize(indices), 1}, std::span<const std::int64_t>(indices));
  return scatter_nd(earlier->before, at, joined);
}

inline constexpr rule set_row_rules[] = {
    {"read-set-row", "Gather(ScatterND(x, i, u), k, 0) -> u or Gather(x, k, 0)",
     "constant indices that are in range; i are distinct rows along the first axis; "
     "row k is set, or x has at most 4096 elements; at most 1024 ScatterND",
     ops<"Gather">, read_set_row},
    {"join-set-rows", "ScatterND(ScatterND(x, i, u), j, v) -> ScatterND(x, (i, j), Concat(u, v)) or Concat(u, v)",
     "constant indices that are in range; i and j are rows along the first axis; the inner ScatterND is read once; at "
     "most 1024 rows",
     ops<"ScatterND">, join_set_rows},
};

}  // namespace jax2onnx::rewrite::detail
