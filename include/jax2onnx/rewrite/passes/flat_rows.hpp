// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Values of three or more axes whose operators work row by row, such as the (batch, position, feature) of a
/// transformer, become matrices of all rows. Then a product and its bias are a Gemm, Reshapes to matrices disappear,
/// and ONNX Runtime does not fuse a sum and its normalization to SkipLayerNormalization, which is slower
/// (docs/decisions/0047).
namespace jax2onnx::rewrite::detail {

/// The name of the pass in reports and options.
inline constexpr std::string_view flat_rows_name = "flat-rows";

/// The role of an operand of an operator that works row by row.
enum class row_role : std::uint8_t {
  rows,  ///< the operand has the rows of the result
  line,  ///< one line or number for all rows
  other
};

inline row_role role_of(const value& operand, const shape& result) {
  const shape& given = operand.dims();
  if (given.size() > 1 && given.size() <= result.size()) {
    const auto first = result.end() - std::ssize(given);
    const bool only_ones = std::all_of(result.begin(), first, [](dim d) { return d.is(1); });
    if (only_ones && std::equal(given.begin(), given.end() - 1, first)) return row_role::rows;
  }
  const bool is_line = given.empty() || std::all_of(given.begin(), given.end() - 1, [](dim d) { return d.is(1); });
  return is_line ? row_role::line : row_role::other;
}

/// Returns whether a Reshape from all rows to this shape needs no extents computed at run time.
inline bool has_static_rows(const shape& dims) {
  const auto unknown = std::ranges::count_if(dims, [](dim d) { return !d.is_constant(); });
  return unknown <= 1 && item_loops::none_of(dims, [](dim d) { return d.is(0); });
}
/// Returns whether a Reshape from all rows to this shape needs no computed extents except extents of inputs.
inline bool has_known_rows(const graph& g, const shape& dims) {
  return has_static_rows(dims) ||
         item_loops::all_of(dims, [&](dim d) { return d.is_constant() ? !d.is(0) : g.axis_with_dim(d) != nullptr; });
}

/// Returns whether the attribute `axis` of the node that makes `v` is the last axis of `v`.
inline bool is_over_last_axis(const value& v) { return axis_of(v) == v.rank() - 1; }

/// Returns whether the node that makes `v` maps each row of its first operand to a row, and reads the other operands
/// unchanged.
inline bool maps_rows(const value& v) {
  const node& n = *producer(v);
  const value x = input_of(v, 0);
  if (!x || !has_known_rows(v.owner(), x.dims()) || role_of(x, v.dims()) != row_role::rows || x.rank() != v.rank())
    return false;
  if (producer(v, "MatMul")) return input_of(v, 1).rank() == 2;
  if (has_trait(n, trait::normalization)) return is_over_last_axis(v);
  if (has_trait(n, trait::reduction)) return reduction_of(v) == reduction{{v.rank() - 1}, true};
  return has_trait(n, trait::unary);
}

/// The shape (rows, features) of the matrix of all rows.
inline shape flat_dims(graph& g, const shape& dims) {
  return {g.dims().product(shape(dims.begin(), dims.end() - 1)), dims.back()};
}

/// Returns whether `v` is a Reshape that keeps the rows of its operand, in other axes.
inline bool is_reshape_of_rows(const value& v) {
  if (!is_reshape(v) || v.rank() < 3 || input_of(v, 0).rank() < 3 || !has_static_rows(v.dims())) return false;
  return has_static_rows(input_of(v, 0).dims()) &&
         flat_dims(v.owner(), v.dims()) == flat_dims(v.owner(), input_of(v, 0).dims());
}

/// The number of leading operands that the node of `v` processes row by row; 0 if it does not.
inline std::size_t row_operand_count(const value& v) {
  const node* n = producer(v);
  if (!n || n->outputs.size() != 1 || !has_only(v.owner(), *n, is_known)) return 0;
  if (v.rank() < 3 || !has_known_rows(v.owner(), v.dims())) return 0;
  if (maps_rows(v) || is_reshape_of_rows(v)) return 1;
  if (!has_trait(*n, trait::broadcasting)) return 0;
  for (std::size_t i = 0; i < n->inputs.size(); ++i)
    if (role_of(input_of(v, i), v.dims()) == row_role::other) return 0;
  return n->inputs.size();
}

/// The operands that have rows, each once, among the first `count` operands of the node that makes `v`.
inline std::vector<value> row_operands(const value& v, std::size_t count) {
  if (is_reshape_of_rows(v)) return {input_of(v, 0)};
  std::vector<value> found;
  for (std::size_t i = 0; i < count; ++i) {
    const value operand = input_of(v, i);
    const bool has_rows = role_of(operand, v.dims()) == row_role::rows && operand.rank() > 2;
    if (has_rows && std::ranges::find(found, operand.id(), &value::id) == found.end()) found.push_back(operand);
  }
  return found;
}

/// Returns whether the matrix of the rows of `v` costs nothing: `v` is a Reshape of it, or a constant that is not
/// stored twice.
inline bool is_flat_for_free(const value& v, const use_counts& uses) {
  constexpr std::uint64_t small = 1024;
  if (v.is_constant()) return v.data().size() <= small || uses.of(v) <= 1;
  return is_reshape(v) && input_of(v, 0).dims() == flat_dims(v.owner(), v.dims());
}

/// For a sum that can become a Gemm: the operand that is a product; or the operand that is a Reshape of a product's
/// rows, followed by that product. Empty for any other node.
inline std::vector<value> product_in_sum(const value& sum, const use_counts& uses) {
  if (!producer(sum, "Add") || !is_floating(sum.dtype())) return {};
  for (const std::size_t i : {0u, 1u}) {
    std::vector<value> found{input_of(sum, i)};
    if (is_reshape_of_rows(found[0])) found.push_back(input_of(found[0], 0));
    const bool is_only_here = item_loops::all_of(found, [&](const value& v) { return uses.of(v) == 1; });
    if (is_only_here && found[0].dims() == sum.dims() && producer(found.back(), "MatMul")) return found;
  }
  return {};
}

/// Returns whether the Add that makes `v` adds one line to all rows.
inline bool adds_line(const value& v) {
  return role_of(input_of(v, 0), v.dims()) == row_role::line || role_of(input_of(v, 1), v.dims()) == row_role::line;
}

/// Returns whether ONNX Runtime fuses the normalization `v` of a sum to SkipLayerNormalization.
inline bool would_skip(const value& v, const use_counts& uses) {
  if (!producer(v, "LayerNormalization") || v.rank() != 3 || v.dtype() != dtype::f32) return false;
  const value sum = input_of(v, 0);
  return producer(sum, "Add") && uses.of(sum) == 1 && input_of(sum, 0).dims() == input_of(sum, 1).dims();
}

/// The time of a pass over the elements of `v`, as a number of Reshapes.
inline double passes_of(const value& v) {
  constexpr double elements_of_reshape = 16384, symbol = 4;
  double elements = 1;
  for (const dim d : v.dims()) elements *= d.is_constant() ? static_cast<double>(d.extent()) : symbol;
  return elements / elements_of_reshape;
}

/// Reshapes values of one block to matrices of their rows. Members are the nodes that will compute such matrices. A
/// Reshape is inserted between a member and a node that is not a member if one of them reads the result of the other.
class row_flattener {
 public:
  row_flattener(graph& g, block_id b, const use_counts& uses, target runtime,
                std::vector<rewrite_report::event>& events)
      : graph_(g), block_(b), uses_(uses), runtime_(runtime), events_(events) {}

  void run() {
    find_members();
    find_gains();
    const std::vector<node_id> nodes = graph_.at(block_).nodes;
    std::for_each(nodes.rbegin(), nodes.rend(), [&](node_id n) { shrink(n); });
    std::for_each(nodes.begin(), nodes.end(), [&](node_id n) { shrink(n); });
    join_members();
    rebuild();
  }

 private:
  struct facts {
    bool member = false;       // the value's node will compute a matrix
    bool needed = false;       // a gain needs the value's node as a member
    std::uint32_t inside = 0;  // reads by members
    std::uint32_t merged = 0;  // reads by Reshapes and the like, with which the value's own Reshape merges
    std::int32_t dropped = 0;  // the merged reads that are Reshapes to the matrix of this value
    double balance = 0;        // the component's gains minus its Reshapes; kept at its representative
    bool computed = false;     // true if the component needs shapes computed at run time; kept at its representative
    bool paid = false;         // the value's Reshape is counted in the balance
    value_id next = value_id::none;
    value flat = {};
    std::vector<value> operands = {};  // for a node that is or was a member, the operands that have rows
  };

  value result_of(node_id n) const {
    const std::vector<value_id>& outputs = graph_.at(n).outputs;
    return outputs.empty() || outputs[0] == value_id::none ? value() : value(graph_, outputs[0]);
  }
  bool is_member(const value& v) const {
    const auto found = facts_.find(v.id());
    return found != facts_.end() && found->second.member;
  }
  std::vector<value> members() const {
    std::vector<value> all;
    for (const node_id n : graph_.at(block_).nodes)
      if (const value v = result_of(n); v && is_member(v)) all.push_back(v);
    return all;
  }

  void find_members() {
    for (const node_id n : graph_.at(block_).nodes) {
      const value v = result_of(n);
      if (!v) continue;
      const std::size_t count = row_operand_count(v);
      if (count > 0) {
        facts_[v.id()].operands = row_operands(v, count);
        if (is_reshape_of_rows(v)) ++facts_[input_of(v, 0).id()].merged;
        enter(v);
      } else if (joins_reshape(v)) {
        facts& f = facts_[input_of(v, 0).id()];
        ++f.merged;
        if (is_reshape(v) && v.dims() == flat_dims(graph_, input_of(v, 0).dims())) ++f.dropped;
      }
    }
  }
  /// Returns whether a Reshape of all rows before `v` costs nothing.
  static bool joins_reshape(const value& v) {
    const bool transposes = producer(v, "Transpose") != nullptr;
    if (!transposes && !is_reshape(v) && !(producer(v) && has_trait(v, trait::reduction))) return false;
    const std::int64_t rows = input_of(v, 0).rank() - 1;
    if (rows < 2) return false;
    if (is_reshape(v)) return has_static_rows(v.dims());
    if (const auto perm = transposes ? transpose_of(v) : std::nullopt) {
      const auto first = std::ranges::find(*perm, 0);  // the axes of rows stay adjacent
      for (std::int64_t i = 0; i < rows; ++i)
        if (perm->end() - first <= i || *(first + i) != i) return false;
      return has_static_rows(v.dims());
    }
    const auto r = reduction_of(v);
    if (!r) return false;
    const auto reduced = std::ranges::count_if(r->axes, [&](std::int64_t axis) { return axis < rows; });
    return (reduced == 0 || reduced == rows) && is_static(v.dims());
  }
  void enter(const value& v) {
    facts& f = facts_[v.id()];
    f.member = true;
    for (const value& operand : f.operands) facts_[operand.id()].inside += reads(v, operand);
    if (is_reshape_of_rows(v)) --facts_[input_of(v, 0).id()].merged;
  }
  void leave(const value& v) {
    facts& f = facts_[v.id()];
    f.member = false;
    for (const value& operand : f.operands) facts_[operand.id()].inside -= reads(v, operand);
    if (is_reshape_of_rows(v)) ++facts_[input_of(v, 0).id()].merged;
  }
  static std::uint32_t reads(const value& v, const value& operand) {
    return static_cast<std::uint32_t>(std::ranges::count(producer(v)->inputs, operand.id()));
  }

  void find_gains() {
    for (const value& v : members()) {
      facts& f = facts_[v.id()];
      if (is_reshape_of_rows(v)) f.balance += 1;
      const std::vector<value> product = product_in_sum(v, uses_);
      if (!product.empty() && item_loops::all_of(product, [&](const value& p) { return is_member(p); })) {
        f.needed = true;
        for (const value& p : product) facts_[p.id()].needed = true;
        f.balance += 1;  // a Gemm adds an operand that has all rows as slowly as an Add does
        if (adds_line(v)) f.balance += passes_of(v);
      }
      constexpr double least = 1, passes_saved = 4;
      const double saved = passes_saved * passes_of(v);
      if (!is_onnx_runtime(runtime_) || saved < least || !would_skip(v, uses_)) continue;
      f.needed = true;
      f.balance += saved;
    }
  }

  /// The number of Reshapes that `v` needs, minus the Reshapes that are not needed any more.
  int reshapes_of(const value& v) {
    const facts& f = facts_[v.id()];
    if (f.member) return (uses_.of(v) > f.inside + f.merged ? 1 : 0) - f.dropped;
    if (f.inside == 0) return 0;
    if (!is_flat_for_free(v, uses_)) return 1;
    return is_reshape(v) && uses_.of(v) == f.inside ? -1 : 0;
  }
  int reshapes_around(const value& v) {
    int sum = reshapes_of(v);
    for (const value& operand : facts_[v.id()].operands) sum += reshapes_of(operand);
    return sum;
  }
  /// Removes a node from the members if no gain needs the node, unless more Reshapes are needed without it.
  void shrink(node_id n) {
    const value v = result_of(n);
    if (!v || !is_member(v) || facts_[v.id()].needed) return;
    const int before = reshapes_around(v);
    leave(v);
    if (reshapes_around(v) > before) enter(v);
  }

  value_id representative(value_id v) {
    while (facts_[v].next != value_id::none) {
      facts& f = facts_[v];
      if (const value_id after = facts_[f.next].next; after != value_id::none) f.next = after;
      v = f.next;
    }
    return v;
  }
  /// Joins members that read each other's rows, or the same rows: they gain and pay together.
  void join_members() {
    for (const value& v : members()) {
      pay(v);
      for (const value& operand : facts_[v.id()].operands) {
        pay(operand);
        join(operand.id(), v.id());
      }
    }
  }
  void pay(const value& v) {
    facts& f = facts_[v.id()];
    if (std::exchange(f.paid, true)) return;
    facts& all = facts_[representative(v.id())];
    all.balance -= reshapes_of(v);
    all.computed |= !has_static_rows(v.dims());
  }
  void join(value_id a, value_id b) {
    a = representative(a);
    b = representative(b);
    if (a == b) return;
    facts_[b].next = a;
    facts_[a].balance += facts_[b].balance;
    facts_[a].computed |= facts_[b].computed;
  }
  bool pays(const value& v) {
    if (!is_member(v)) return false;
    constexpr double nodes_of_shapes = 4;
    const facts& all = facts_[representative(v.id())];
    return all.balance > (all.computed ? nodes_of_shapes : 0);
  }

  void rebuild() {
    rewrite::rebuild(graph_, block_, [this](node_id n) {
      if (const value v = result_of(n); v && pays(v)) return flatten(v, n);
      for_each_body(graph_, n, [this](block_id b) { row_flattener(graph_, b, uses_, runtime_, events_).run(); });
      graph_.append(n);
    });
  }
  void flatten(const value& v, node_id old) {
    const std::size_t first = graph_.node_count();
    const value flat = facts_[v.id()].flat = flat_result(v);
    if (uses_.of(v) > facts_[v.id()].inside) take_place(reshape(flat, v.dims()), v);
    else if (!is_reshape_of_rows(v)) graph_.at(flat.id()).name = graph_.at(v.id()).name;
    give_origin(graph_, first, old);
    events_.push_back(
        {flat_rows_name, {}, old, static_cast<node_id>(first), static_cast<node_id>(graph_.node_count())});
  }
  value flat_result(const value& v) {
    const node& n = *producer(v);
    std::vector<value> inputs = inputs_of(v);
    const std::size_t count = row_operand_count(v);
    if (is_reshape_of_rows(v)) return flat_operand(inputs[0], inputs[0].dims());
    for (std::size_t i = 0; i < count; ++i) inputs[i] = flat_operand(inputs[i], v.dims());
    if (has_trait(n, trait::reduction)) return reduce(n.op, inputs[0], {1}, true);
    std::vector<attribute> attributes = n.attributes;
    for (attribute& a : attributes)
      if (a.name == "axis") a.value = std::int64_t{1};
    return graph_.emit(n.op, inputs, {v.dtype(), flat_dims(graph_, v.dims())}, std::move(attributes));
  }
  value flat_operand(const value& operand, const shape& result) {
    if (operand.rank() <= 2) return operand;
    if (role_of(operand, result) == row_role::line) return reshape(operand, {operand.dims().back()});
    value& flat = facts_[operand.id()].flat;
    if (!flat) flat = reshape(operand, flat_dims(graph_, operand.dims()));
    return flat;
  }

  graph& graph_;
  block_id block_;
  const use_counts& uses_;
  target runtime_;
  std::vector<rewrite_report::event>& events_;
  std::unordered_map<value_id, facts> facts_;
};

/// Reshapes values of all blocks to matrices. Returns an event for each such value. If there are any events, the rules
/// that make a Gemm of a product and its bias must run afterwards. Linear in the size of the graph.
inline std::vector<rewrite_report::event> flatten_rows(graph& g, target runtime) {
  std::vector<rewrite_report::event> events;
  use_counts uses;
  uses.count(g);
  g.forget_dim_values();
  row_flattener(g, block_id::main, uses, runtime, events).run();
  for_each_function(g, [&](block_id body) { row_flattener(g, body, uses, runtime, events).run(); });
  g.forget_dim_values();
  return events;
}

}  // namespace jax2onnx::rewrite::detail
