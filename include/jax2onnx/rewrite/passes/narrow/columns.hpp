// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/narrow/rows.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Differences of all pairs of points, and values computed from them, get the axis of the coordinates first, so that
/// ONNX Runtime broadcasts long runs instead of a few numbers (docs/decisions/0105-axes-of-few-elements.md).
namespace jax2onnx::rewrite::detail {

/// Changes one block, and the bodies in it. Every value that is computed with its last axis first is also transposed
/// back; these Transposes are removed if nothing reads them.
class column_forms {
 public:
  column_forms(graph& g, block_id b) : graph_(g), block_(b) {}

  void run() {
    bool any = false;
    for (const node_id n : graph_.at(block_).nodes) {
      for_each_body(graph_, n, [this](block_id b) { column_forms(graph_, b).run(); });
      any = any || (may_broadcast(graph_.at(n)) && may_start(result_of(n)));
    }
    if (!any) return;
    find_summed();
    rebuild(graph_, block_, [this](node_id n) {
      const std::size_t before = graph_.node_count();
      if (!move(result_of(n))) graph_.append(n);
      give_origin(graph_, before, n);
    });
  }

 private:
  static constexpr std::int64_t most_columns = 16, least_elements = 2048, least_run = 16, least_repeats = 4;
  /// With so few columns, a Transpose back takes less time than short runs.
  static constexpr std::int64_t few_columns = 4;

  bool may_broadcast(const node& n) const {
    return n.outputs.size() == 1 && n.outputs[0] != value_id::none && graph_.at(n.outputs[0]).type.dims.size() > 2 &&
           has_trait(n, trait::broadcasting);
  }
  /// The only result of a node, if its extents are constant; else absent.
  value result_of(node_id n) const {
    const node& made = graph_.at(n);
    if (made.outputs.size() != 1 || made.outputs[0] == value_id::none || !has_only(graph_, made, is_known)) return {};
    const value v(graph_, made.outputs[0]);
    return is_static(v.dims()) ? v : value();
  }
  /// Finds values from which elementwise operators alone compute the operand of a reduction along the last axis.
  void find_summed() {
    const std::vector<node_id>& nodes = graph_.at(block_).nodes;
    for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) {
      const value v = result_of(*n);
      if (!v) continue;
      if (const auto r = reduction_of(v)) {
        if (r->axes == ints{input_of(v, 0).rank() - 1}) summed_.insert(input_of(v, 0).id());
      } else if (summed_.contains(v.id()) && (has_trait(v, trait::unary) || has_trait(v, trait::broadcasting))) {
        for (const value& x : inputs_of(v))
          if (x && x.dims() == v.dims()) summed_.insert(x.id());
      }
    }
  }
  static std::int64_t elements_of(const value& v) { return static_cast<std::int64_t>(element_count(v.type())); }

  /// Returns whether operands are broadcast to v in short runs that become long if the last axis comes first.
  static bool may_start(const value& v) {
    if (!v || v.rank() < 3 || elements_of(v) < least_elements) return false;
    const std::int64_t columns = v.dims().back().extent(), run = v.extent(v.rank() - 2).extent();
    if (columns < 2 || columns > most_columns || run < least_run) return false;
    const std::vector<value> operands = inputs_of(v);
    return item_loops::all_of(operands, [&](const value& x) { return is_static(x.dims()) && is_repeated(x, v); }) &&
           item_loops::any_of(operands, [&](const value& x) {
             const auto r = repetition_in(x.dims(), v.dims());
             return r && r->run <= most_columns && r->runs >= least_elements / most_columns;
           });
  }
  bool starts(const value& v) const {
    const bool is_kept = !summed_.contains(v.id()) && v.rank() > 0 && v.dims().back().extent() > few_columns;
    return has_trait(v, trait::broadcasting) && !is_kept && may_start(v);
  }
  /// Returns whether transposing x takes little time compared with computing v.
  static bool is_repeated(const value& x, const value& v) { return elements_of(x) * least_repeats <= elements_of(v); }
  bool is_moved(const value& x) const { return x && moved_.contains(x.id()); }

  /// Computes v with its last axis first, if that is faster. Otherwise, changes nothing and returns false.
  bool move(const value& v) {
    if (!v) return false;
    if (const auto r = reduction_of(v); r && is_moved(input_of(v, 0))) return move_reduction(v, *r);
    if (producer(v, "Gather") && is_moved(input_of(v, 0))) return move_pick(v);
    if (!starts(v) && !continues(v)) return false;
    const std::size_t count = has_trait(v, trait::unary) ? 1 : producer(v)->inputs.size();
    std::vector<value> operands = inputs_of(v);
    for (std::size_t i = 0; i < count; ++i) operands[i] = moved(operands[i], v);
    keep(with_inputs(v, operands, {v.dtype(), moved_dims(v.dims())}), v);
    return true;
  }
  bool continues(const value& v) const {
    if (has_trait(v, trait::unary)) return is_moved(input_of(v, 0)) && input_of(v, 0).dims() == v.dims();
    if (!has_trait(v, trait::broadcasting)) return false;
    const std::vector<value> operands = inputs_of(v);
    const auto is_whole = [&](const value& x) { return is_moved(x) && x.dims() == v.dims(); };
    return item_loops::any_of(operands, is_whole) && item_loops::all_of(operands, [&](const value& x) {
             if (x.rank() == 0 || is_whole(x) || x.dims().back().is(1)) return true;
             return is_static(x.dims()) && is_repeated(x, v);
           });
  }
  /// Reads x[..., i] from x with its last axis first. Returns false for any other Gather.
  bool move_pick(const value& v) {
    if (axis_of(v) != input_of(v, 0).rank() - 1 || input_of(v, 1).rank() != 0) return false;
    const value index = input_of(v, 1);
    take_place(gather(moved_.at(input_of(v, 0).id()), index, 0), v);
    return true;
  }
  /// Reduces x with its last axis first. The result is also moved, unless that axis is reduced.
  bool move_reduction(const value& v, const reduction& r) {
    const value x = moved_.at(input_of(v, 0).id());
    ints axes;
    bool reduces_columns = false;
    for (const std::int64_t axis : r.axes) {
      const bool is_last = axis == x.rank() - 1;
      reduces_columns = reduces_columns || is_last;
      axes.insert(is_last ? axes.begin() : axes.end(), is_last ? 0 : axis + 1);
    }
    if (!reduces_columns && v.rank() < 2) return false;
    const value y = reduce(producer(v)->op, x, axes, r.keep);
    if (!reduces_columns) keep(y, v);
    else take_place(y.dims() == v.dims() ? y : reshape(y, v.dims()), v);
    return true;
  }
  void keep(const value& y, const value& v) {
    moved_.emplace(v.id(), y);
    ints back = iota_axes(v.rank() - 1);
    for (std::int64_t& axis : back) ++axis;
    back.push_back(0);
    take_place(transpose(y, back), v);
  }

  static shape moved_dims(shape dims) {
    const dim columns = dims.back();
    dims.drop(std::ssize(dims) - 1);
    dims.insert(dims.begin(), columns);
    return dims;
  }
  /// The operand x of v with its last axis first.
  value moved(const value& x, const value& v) {
    if (x.rank() == 0) return x;
    shape padded(static_cast<std::size_t>(v.rank() - x.rank()), dim(1));
    padded.append(x.dims());
    const shape result = moved_dims(padded);
    if (const auto known = moved_.find(x.id()); known != moved_.end()) return reshape(known->second, result);
    if (x.dims().back().is(1)) return reshape(x, result);
    const value rows = reshape(x, without_ones(x.dims()));
    ints perm = iota_axes(rows.rank() - 1);
    perm.insert(perm.begin(), rows.rank() - 1);
    value& turned = turned_[rows.id()];
    if (!turned) turned = transpose(rows, perm);
    return reshape(turned, result);
  }

  graph& graph_;
  block_id block_;
  std::unordered_map<value_id, value> moved_, turned_;
  std::unordered_set<value_id> summed_;
};

/// Applies column_forms to all blocks. Linear in the graph.
inline void move_columns(graph& g) {
  column_forms(g, block_id::main).run();
  for_each_function(g, [&](block_id body) { column_forms(g, body).run(); });
}

}  // namespace jax2onnx::rewrite::detail
