// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/defects.hpp>
#include <jax2onnx/rewrite/passes/kernel_table.hpp>
#include <jax2onnx/rewrite/passes/widening.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::rewrite::detail {

/// The row of `op` that holds in `opset` for 1.`release` and newer releases; null if the table has none.
constexpr const kernel_row* find_kernel(std::string_view op, int opset, int release) {
  const kernel_row* after = std::upper_bound(std::begin(kernel_table), std::end(kernel_table), op,
                                             [opset](std::string_view wanted, const kernel_row& r) {
                                               return wanted < r.op || (wanted == r.op && opset < r.since);
                                             });
  if (after == std::begin(kernel_table)) return nullptr;
  const kernel_row* row = after - 1;
  while (row->release > release && row != std::begin(kernel_table) && (row - 1)->op == op) --row;
  return row->op == op ? row : nullptr;
}

/// The largest number of type variables of an operator.
inline constexpr std::size_t most_type_variables = std::size(kernel_row{}.by_onnx);

/// The type variable of operand or result `i` ('a' is 0), by the letters of a row; `most_type_variables` for a fixed
/// type.
constexpr std::size_t type_variable(std::string_view letters, std::size_t i) {
  const char letter = letters.empty() ? '-' : letters[std::min(i, letters.size() - 1)];
  return letter == '-' ? most_type_variables : static_cast<std::size_t>(letter - 'a');
}

/// The types for which the target has kernels, as a mask.
constexpr std::uint32_t kernel_types(const target& t, const kernel_row& row, std::size_t variable) {
  if (!is_onnx_runtime(t)) return row.by_onnx[variable];
  const std::uint32_t by_cuda = t.runtime == runtime::ort_gpu ? row.by_cuda_only[variable] : 0;
  if ((row.by_ort[variable] | by_cuda) != 0) return row.by_ort[variable] | by_cuda;
  // ONNX Runtime expands these operators to their function bodies, whose operators lack bfloat16.
  return row.by_onnx[variable] & ~(1u << static_cast<int>(dtype::bf16));
}

/// Returns whether a node is a scatter with the attribute `reduction`. Such a scatter counts as one that computes;
/// other scatters only move elements.
inline bool combines(const node& n) { return has_trait(n, trait::writes_places) && n.find("reduction"); }

/// Puts casts around the operators that have no kernel for their element type: operands are cast to the nearest type
/// that has a kernel, and results are cast back. Integers wrap on the way back, floating-point values are rounded after
/// every operator, as in the narrow type. A neighbour that needs the wide type reads the wide result. Linear in the
/// graph. Throws an error of kind unsupported for an operator that has a kernel neither for its element type nor for a
/// type that could replace it.
class legalizer {
 public:
  legalizer(graph& g, const target& t) : graph_(g), target_(t), oldest_(oldest_release(t, g.opset())) {}

  void run() {
    for (value_id v : graph_.at(block_id::main).inputs) require_known(v);
    visit(block_id::main);
    for_each_function(graph_, [this](block_id body) {
      root_ = body;
      wide_ = {};  // the widened constants belong to a function as well
      visit(body);
    });
  }

 private:
  /// The chosen types, by type variable ('a' is 0).
  using choices = std::array<stand_in, most_type_variables>;

  void visit(block_id b);
  void legalize(node_id id, block_id b);
  std::uint32_t mask(const kernel_row& row, std::size_t variable) const { return kernel_types(target_, row, variable); }
  /// The mask without types that ONNX Runtime's table lists wrongly: its scatters do not combine 16-bit floats.
  std::uint32_t mask(const node& n, const kernel_row& row, std::size_t variable) const {
    constexpr std::uint32_t small_floats = 1u << static_cast<int>(dtype::f16) | 1u << static_cast<int>(dtype::bf16);
    return mask(row, variable) &
           ~(combines(n) && has_defect(target_, graph_.opset(), defect::scattered_f16) ? small_floats : 0u);
  }
  static element_use use_of(const node& n) { return combines(n) ? element_use::values : detail::use_of(n.op); }
  const kernel_row* kernels(operator_name op) const { return find_kernel(op.text(), graph_.opset(), oldest_); }
  /// Returns whether ONNX Runtime drops a Cast before the node, and then finds no kernel for the operand of the Cast.
  bool reads_through_casts(node_id n) const {
    return is_onnx_runtime(target_) && producer(value(graph_, graph_.at(n).outputs[0]), "Shape");
  }
  /// Returns whether no release is named and the newest release has a kernel. That is enough if no other type can stand
  /// in.
  bool newest_takes(const node& n, std::size_t variable, dtype t) const {
    const kernel_row* row = find_kernel(n.op.text(), graph_.opset(), newest);
    return target_.release == 0 && row && in_mask(mask(n, *row, variable), t);
  }
  choices choose(const node& n, const kernel_row& row) const;
  void require_known(value_id input) const;
  void require_kernels(const node& n, const kernel_row& row) const;
  [[noreturn]] void refuse(const node& n, dtype t) const;
  static bool any_chosen(const choices& c) {
    for (const stand_in& s : c)
      if (s) return true;
    return false;
  }
  value_id widened(value_id v, stand_in to);
  void narrow(value_id wide, stand_in from, value_id result, block_id b);
  value_id emit(operator_name op, std::vector<value_id> inputs, tensor_type type, block_id b,
                value_id result = value_id::none);
  value_id cast(value_id v, dtype to, block_id b, value_id result = value_id::none);
  bool keeps(const node& n, dtype narrow_type) const;

  static std::int64_t key(value_id v, stand_in to) {
    return static_cast<std::int64_t>(v) << 8 | static_cast<std::int64_t>(to.type) << 1 | (to.biased ? 1u : 0u);
  }

  graph& graph_;
  target target_;
  int oldest_;                      // the oldest release that has to run the model
  block_id root_ = block_id::main;  // the main graph, or the body of the current function
  std::uint32_t origin_ = 0;        // the origin of the current node
  jax2onnx::detail::key_map wide_;  // the value_id of a value in another type, by key()
};

/// Rebuilds the block's list of nodes, so that a cast goes to its current end: after the value, before the reader.
inline void legalizer::visit(block_id b) {
  rebuild(graph_, b, [&](node_id id) {
    for_each_body(graph_, id, [this](block_id inner) { visit(inner); });
    legalize(id, b);
  });
}

inline legalizer::choices legalizer::choose(const node& n, const kernel_row& row) const {
  choices chosen{};
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    const std::size_t v = type_variable(row.inputs, i);
    if (v == most_type_variables || n.inputs[i] == value_id::none) continue;
    const dtype t = graph_.at(n.inputs[i]).type.type;
    if (in_mask(mask(n, row, v), t)) continue;
    chosen[v] = stand_in_for(t, use_of(n), mask(n, row, v));
    if (!chosen[v] && !newest_takes(n, v, t)) refuse(n, t);
  }
  return chosen;
}

/// Throws if the target lacks the type of an input at this opset, even if nothing reads the input. A target has a type
/// if it has a Cast that takes the type.
inline void legalizer::require_known(value_id input) const {
  const dtype t = graph_.at(input).type.type;
  if (!is_numeric({t, {}})) return;  // strings and the like have no casts
  if (!in_mask(mask(*kernels("Cast"), 0), t) && !newest_takes({.op = "Cast"}, 0, t))
    throw error(failure::unsupported, "rewrite.no-kernel",
                jax2onnx::detail::message("{} has no {} at opset {}",
                                          is_onnx_runtime(target_) ? "ONNX Runtime" : "ONNX", name(t), graph_.opset()));
}

inline void legalizer::require_kernels(const node& n, const kernel_row& row) const {
  const auto check = [&](const auto& values, std::string_view letters) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t v = type_variable(letters, i);
      if (v == most_type_variables || values[i] == value_id::none) continue;
      const dtype t = graph_.at(values[i]).type.type;
      if (!in_mask(mask(row, v), t) && !newest_takes(n, v, t)) refuse(n, t);
    }
  };
  check(n.inputs, row.inputs);
  check(n.outputs, row.outputs);
}

inline void legalizer::refuse(const node& n, dtype t) const {
  const bool ort = is_onnx_runtime(target_);
  const origin& from = graph_.origins()[n.origin];
  throw error(failure::unsupported, "rewrite.no-kernel",
              jax2onnx::detail::message("{} has no {} for {}", ort ? "ONNX Runtime" : "ONNX", n.op, name(t)),
              ort ? "option target=generic makes a model for other runtimes" : "", {from.begin, from.end});
}

inline void legalizer::legalize(node_id id, block_id b) {
  const auto pass = [&] { graph_.at(b).nodes.push_back(id); };
  const bool numeric = has_only(graph_, graph_.at(id), is_numeric);
  const kernel_row* row = numeric ? kernels(graph_.at(id).op) : nullptr;
  if (!row) return pass();
  if (has_trait(graph_.at(id), trait::mixed_types)) {
    require_kernels(graph_.at(id), *row);
    return pass();
  }
  const choices chosen = choose(graph_.at(id), *row);
  if (!any_chosen(chosen)) return pass();
  origin_ = graph_.at(id).origin;
  for (std::size_t i = 0; i < graph_.at(id).inputs.size(); ++i) {
    const std::size_t v = type_variable(row->inputs, i);
    const value_id in = graph_.at(id).inputs[i];
    if (v == most_type_variables || in == value_id::none || !chosen[v]) continue;
    const value_id wide = widened(in, chosen[v]);
    graph_.at(id).inputs[i] = reads_through_casts(id) ? emit("Abs", {wide}, graph_.at(wide).type, b) : wide;
  }
  pass();
  for (std::size_t i = 0; i < graph_.at(id).outputs.size(); ++i) {
    const std::size_t v = type_variable(row->outputs, i);
    const value_id out = graph_.at(id).outputs[i];
    if (v == most_type_variables || out == value_id::none || !chosen[v]) continue;
    const tensor_type narrow_type = graph_.at(out).type;
    const value_id wide = graph_.add_value({chosen[v].type, narrow_type.dims}, b);
    graph_.at(wide).producer = id;
    graph_.at(id).outputs[i] = wide;
    narrow(wide, chosen[v], out, b);
    if (keeps(graph_.at(id), narrow_type.type)) wide_.set(key(out, chosen[v]), static_cast<std::uint32_t>(wide));
  }
}

/// Returns whether the wide result of `n` equals the narrow result, widened.
inline bool legalizer::keeps(const node& n, dtype narrow_type) const {
  const element_use use = use_of(n);
  if (use == element_use::moves || use == element_use::orders) return true;
  return is_floating(narrow_type) && has_trait(n, trait::exact_in_wider);
}

/// v in another type. A constant is converted if possible. Any other value is cast once, in its own block, for all
/// readers.
inline value_id legalizer::widened(value_id v, stand_in to) {
  if (const auto known = static_cast<value_id>(wide_.find(key(v, to))); known != value_id::none) return known;
  const block_id home = graph_.at(v).constant < 0 ? graph_.at(v).home : root_;
  value_id wide;
  if (const auto constant = jax2onnx::detail::converted_constant({graph_, v}, to.type); constant && !to.biased)
    wide = constant->id();
  else wide = cast(v, to.type, home);
  if (to.biased) wide = emit("Add", {wide, scalar(graph_, dtype::i64, INT64_MIN).id()}, graph_.at(wide).type, home);
  wide_.set(key(v, to), static_cast<std::uint32_t>(wide));
  return wide;
}

/// Makes `result` the narrow form of `wide`.
inline void legalizer::narrow(value_id wide, stand_in from, value_id result, block_id b) {
  if (from.biased) wide = emit("Add", {wide, scalar(graph_, dtype::i64, INT64_MIN).id()}, graph_.at(wide).type, b);
  cast(wide, graph_.at(result).type.type, b, result);
}

inline value_id legalizer::cast(value_id v, dtype to, block_id b, value_id result) {
  const shape dims = graph_.at(v).type.dims;
  const value_id out = emit("Cast", {v}, {to, dims}, b, result);
  node& made = graph_.at(graph_.at(out).producer);
  made.attributes = jax2onnx::detail::cast_attributes(to);
  require_kernels(made, *kernels("Cast"));
  return out;
}

inline value_id legalizer::emit(operator_name op, std::vector<value_id> inputs, tensor_type type, block_id b,
                                value_id result) {
  if (result == value_id::none) result = graph_.add_value(std::move(type), b);
  const node_id id = graph_.add_node(
      {.op = op, .inputs = std::move(inputs), .outputs = {result}, .attributes = {}, .origin = origin_, .domain = {}});
  graph_.at(b).nodes.push_back(id);
  return result;
}

/// Gives every operator element types for which `t` has kernels.
inline void legalize(graph& g, const target& t) { legalizer(g, t).run(); }

}  // namespace jax2onnx::rewrite::detail
