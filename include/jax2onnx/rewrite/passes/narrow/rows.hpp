// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Forms for ONNX Runtime if the last axis has few elements. Its elementwise kernels broadcast run by run, at some 17
/// nanoseconds each, and Gather copies element by element (docs/decisions/0083-narrow-rows.md).
namespace jax2onnx::rewrite::detail {

/// The repetition of an operand in a result of more elements.
struct repetition {
  /// The number of elements of a run. A run spans the last axes of the result, as long as the operand is repeated along
  /// all of these axes or along none of them.
  std::int64_t run = 1;
  bool within_run = false;  ///< true if one number is repeated for a whole run
  std::int64_t runs = 1;
  std::int64_t elements = 1;  ///< the number of elements of the operand
};

/// Finds the repetition. Nullopt if the operand has all elements or is one number, and if an extent is symbolic or 0.
inline std::optional<repetition> repetition_in(const shape& operand, const shape& result) {
  repetition r;
  bool first = true, other = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const dim wide = result[result.size() - 1 - i];
    const dim own = i < operand.size() ? operand[operand.size() - 1 - i] : dim(1);
    if (!wide.is_constant() || !own.is_constant() || wide.is(0)) return std::nullopt;
    r.elements *= own.extent();
    if (wide.is(1)) continue;
    const bool repeated = own.is(1);
    if (std::exchange(first, false)) r.within_run = repeated;
    other = other || repeated != r.within_run;
    (other ? r.runs : r.run) *= wide.extent();
  }
  return other ? std::optional(r) : std::nullopt;
}

/// Changes one block, and the bodies in it.
class narrow_row_forms {
 public:
  narrow_row_forms(graph& g, block_id b) : graph_(g), block_(b) {}

  void run() {
    bool any = false;
    for (const node_id n : graph_.at(block_).nodes) {
      for_each_body(graph_, n, [this](block_id b) { narrow_row_forms(graph_, b).run(); });
      if (const value x = picked_from(n)) any = ++picks_[x.id()] > 0;
      any = any || broadcasts(n) || has_unranked(n);
    }
    if (!any) return;
    rebuild(graph_, block_, [this](node_id n) {
      const std::size_t before = graph_.node_count();
      if (const value x = picked_from(n); x && pays_to_split(x)) {
        pick(x, n);
      } else {
        rank_numbers(n);
        spread_operands(n);
        graph_.append(n);
      }
      give_origin(graph_, before, n);
    });
  }

 private:
  static constexpr std::int64_t least_runs = 256, longest_run = 16, most_copies = 8;

  value result_of(node_id n) const {
    const node& made = graph_.at(n);
    if (made.outputs.size() != 1 || made.outputs[0] == value_id::none) return {};
    const value v(graph_, made.outputs[0]);
    return is_known(v.type()) ? v : value();
  }

  /// x if the node is x[..., i] or x[..., [i]] for a constant i and a computed x of constant extents; else absent.
  value picked_from(node_id n) const {
    static constexpr operator_name gather = "Gather";
    if (graph_.at(n).op != gather) return {};
    const value v = result_of(n);
    if (!v || !single_number(input_of(v, 1)) || input_of(v, 1).rank() > 1) return {};
    const value x = input_of(v, 0);
    const bool is_last = is_known(x.type()) && x.rank() >= 2 && !x.is_constant() && axis_of(v) == x.rank() - 1;
    return is_last && is_static(x.dims()) ? x : value();
  }
  bool pays_to_split(const value& x) const {
    constexpr std::int64_t few_rows = 64, many_rows = 1024, few_parts = 4;
    const std::int64_t parts = x.dims().back().extent();
    std::int64_t rows = 1;
    for (std::int64_t axis = 0; axis < x.rank() - 1; ++axis) rows *= x.extent(axis).extent();
    if (parts < 2 || parts > most_copies) return false;
    return picks_.at(x.id()) > 1 ? rows >= few_rows : rows >= many_rows && parts <= few_parts;
  }
  /// Replaces a Gather of index i by part i of a Split.
  void pick(const value& x, node_id n) {
    const value v(graph_, graph_.at(n).outputs[0]);
    const auto parts = x.dims().back().extent();
    std::int64_t index = constant_integers(input_of(v, 1))->front();
    if (index < 0) index += parts;
    std::vector<value>& split = splits_[x.id()];
    if (split.empty()) {
      shape part = x.dims();
      part.back() = 1;
      const value ones = int64s(graph_, ints(static_cast<std::size_t>(parts), 1));
      split = graph_.emit_many("Split", std::vector<value>{x, ones},
                               std::vector<tensor_type>(static_cast<std::size_t>(parts), {x.dtype(), part}),
                               {{"axis", x.rank() - 1}});
    }
    value& part = split.at(static_cast<std::size_t>(index));
    if (v.rank() != x.rank()) return take_place(squeeze(part, {x.rank() - 1}), v);
    if (taken_.contains(part.id())) return take_place(unary("Identity", part), v);
    taken_.insert(v.id());
    take_place(std::exchange(part, v), v);
  }

  /// Returns whether x is one number of a lower rank than the result, whose last axis has extent 1: ONNX Runtime would
  /// call its kernel for every element.
  bool lacks_rank(value_id id, node_id n) const {
    constexpr std::uint64_t fewest = 64, fewest_for_reshape = 256;
    const value v = id == value_id::none ? value() : result_of(n);
    if (!v || v.rank() < 2 || !v.dims().back().is(1)) return false;
    const value x(graph_, id);
    if (x.rank() >= v.rank() || !item_loops::all_equal(x.dims(), dim(1))) return false;
    const bool has_many = is_static(v.dims())
                              ? element_count(v.type()) >= (x.is_constant() ? fewest : fewest_for_reshape)
                              : x.is_constant();
    const auto last = v.dims().end() - std::max<std::int64_t>(1, x.rank());
    return has_many && std::all_of(last, v.dims().end(), [](dim d) { return d.is(1); });
  }
  bool has_unranked(node_id n) const {
    const node& made = graph_.at(n);
    if (made.outputs.size() != 1 || made.outputs[0] == value_id::none) return false;
    const shape& dims = graph_.at(made.outputs[0]).type.dims;
    if (dims.size() < 2 || !dims.back().is(1) || !has_trait(made, trait::broadcasting)) return false;
    return item_loops::any_of(made.inputs, [&](value_id x) { return lacks_rank(x, n); });
  }
  void rank_numbers(node_id n) {
    if (!has_unranked(n)) return;
    for (std::size_t i = 0; i < graph_.at(n).inputs.size(); ++i) {
      const value_id x = graph_.at(n).inputs[i];
      if (!lacks_rank(x, n)) continue;
      const shape ones(static_cast<std::size_t>(result_of(n).rank()), dim(1));
      const value ranked = reshape(value(graph_, x), ones);
      graph_.at(n).inputs[i] = ranked.id();
    }
  }

  /// Returns whether an operand of an elementwise node has other extents than the result, and is not a scalar.
  bool broadcasts(node_id id) const {
    static constexpr operator_name elementwise[] = {"Add", "Sub", "Mul", "Div", "Where"};
    const node& n = graph_.at(id);
    if (!item_loops::contains(elementwise, n.op)) return false;
    if (!has_only(graph_, n, is_known) || n.outputs.size() != 1 || n.outputs[0] == value_id::none) return false;
    const tensor_type& result = graph_.at(n.outputs[0]).type;
    return item_loops::any_of(n.inputs, [&](value_id x) {
      const shape& dims = graph_.at(x).type.dims;
      return !dims.empty() && dims != result.dims;
    });
  }
  /// Expands operands that are repeated often, in short runs, to all elements of the result.
  void spread_operands(node_id n) {
    if (!broadcasts(n)) return;
    const value v = result_of(n);
    if (!v || !is_static(v.dims())) return;
    const std::vector<value> operands = inputs_of(v);
    if (item_loops::none_of(operands, [&](const value& x) { return x.dims() == v.dims(); })) return;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (const value all = spread(operands[i], v.dims())) graph_.at(n).inputs[i] = all.id();
  }
  /// The only axis along which x is repeated, if it is repeated a few times; else -1.
  static std::int64_t copied_axis(const shape& x, const shape& result) {
    std::int64_t found = -1;
    if (x.size() != result.size()) return found;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == result[i]) continue;
      if (found >= 0 || result[i].extent() > most_copies) return -1;
      found = static_cast<std::int64_t>(i);
    }
    return found;
  }
  value spread(const value& x, const shape& result) {
    const auto r = repetition_in(x.dims(), result);
    if (!r || r->runs < least_runs || r->run > longest_run) return {};
    const bool once = r->within_run && r->elements == r->runs;
    if (once && (r->run > most_copies || !result.back().is(r->run) || !x.dims().back().is(1))) return {};
    const std::int64_t copied = once ? x.rank() - 1 : copied_axis(x.dims(), result);
    if (copied < 0 && r->elements * most_copies > r->runs * r->run) return {};
    auto& known = spread_[x.id()];
    for (const value& v : known)
      if (v.dims() == result) return v;
    if (copied < 0) return known.emplace_back(broadcast_to(x, result));
    const auto copies = result[result.size() - x.dims().size() + static_cast<std::size_t>(copied)].extent();
    const value all = concat(std::vector<value>(static_cast<std::size_t>(copies), x), copied);
    return known.emplace_back(reshape(all, result));
  }

  graph& graph_;
  block_id block_;
  std::unordered_map<value_id, int> picks_;
  std::unordered_map<value_id, std::vector<value>> splits_, spread_;
  std::unordered_set<value_id> taken_;  ///< values of Gathers that became results of a Split
};

/// Applies the forms of rows to all blocks. Linear in the graph.
inline void widen_narrow_rows(graph& g) {
  narrow_row_forms(g, block_id::main).run();
  for_each_function(g, [&](block_id body) { narrow_row_forms(g, body).run(); });
}

}  // namespace jax2onnx::rewrite::detail
