// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/read_log.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/driver/vain_attempts.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/apply.hpp>
#include <jax2onnx/rewrite/passes/common_subexpressions.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/loop_invariants.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::rewrite::detail {

/// The names, in reports and options, of the driver's rewrites besides the rules.
/// @{
inline constexpr std::string_view common_subexpressions_name = "common-subexpressions";
inline constexpr std::string_view hoist_invariants_name = "hoist-invariants";
inline constexpr std::string_view known_branches_name = "known-branches";
/// @}

/// The driver's target, and its rewrites besides the rules.
struct driver_options {
  target runtime = target::ort;
  std::int64_t most_unrolled = 8;  ///< the largest number of iterations of a Loop that is unrolled
  bool assume_finite = false;      ///< true if no value is NaN or infinite, except constants
  bool merge_common = true;        ///< merges common subexpressions
  bool hoist_invariants = true;    ///< moves loop invariants out of loops
  bool known_branches = true;      ///< replaces an If with a known condition by the branch that it takes
  bool keep_events = false;        ///< records in the report what rules did at each node
  /// If true, rules that cannot apply are also tried, and a build_error is thrown if one applies; for tests.
  bool retry = false;
};

/// Applies rules in rounds until none applies. A round walks every block once, front to back, and rebuilds its list of
/// nodes: a node that a rule replaces is left out, and new nodes take its place. Common subexpressions are merged
/// on the way, and loop invariants move out of loops. A round is linear in the graph. The number of rounds is bounded.
/// Rules are tried at a node once, and again when something that they have read changes.
class rule_driver {
 public:
  rule_driver(graph& g, rewrite_report& r, driver_options options = {}) : graph_(g), report_(r), options_(options) {}

  /// Rules are tried at a node in the order in which they are added. `r` must outlive the driver.
  void add(const rule& r) {
    for (const operator_name op : r.roots) {
      const auto number = static_cast<std::size_t>(op.number());
      if (number >= rules_.size()) rules_.resize(number + 1);
      rules_[number].push_back(&r);
    }
  }
  /// Applies the rules of the stages up to `last`.
  void run(stage last);
  /// Call these before and after a pass that changes the producers of values.
  /// @{
  void before_pass();
  void after_pass();
  /// @}

 private:
  static constexpr int most_rounds = 16;

  bool round(stage last);
  void visit(block_id b);
  void visit_node(node_id n);
  void visit_block_of(const node& n, std::string_view name, block_id b);
  void hoist(const node& n);
  void settle_results(node_id id);
  bool take_branch(node_id id);
  bool apply_rules(node_id n);
  bool try_rules(std::span<const rule* const> rules, node_id n);
  outcome attempt(const rule& r, const value& root, const equations::surroundings& around);
  void take_back(std::size_t count);
  bool apply(const rule& r, node_id n, const value& root, const equations::surroundings& around);
  void resolve_inputs(node& n);
  void count_reads(value_id v, std::int64_t n);
  void count_again();
  void forget(value_id changed) { vain_.forget({changed, read_log::aspect::record}); }
  void forget_results(const node& n);
  void note_declined(const rule& r, node_id n, std::string_view reason);
  void note_applied(const rule& r, node_id n, node_id first_added);
  bool merge(node_id n);
  bool replace(value_id old, value with);
  bool replace(const rule& r, const value& root, const value& with);
  bool replace_all(const rule& r, node_id id, std::span<const value> with);
  bool can_be_output(value v) const;
  bool take_name_of_output(value_id old, value with);
  static bool refine(tensor_type& type, const tensor_type& by);

  value_id resolved(value_id v) const {
    for (auto i = static_cast<std::size_t>(v); i < forward_.size() && forward_[i] != value_id::none;
         i = static_cast<std::size_t>(v))
      v = forward_[i];
    return v;
  }
  bool is_main_output(value_id v) const {
    return static_cast<std::size_t>(v) < main_output_.size() && main_output_[static_cast<std::size_t>(v)];
  }

  graph& graph_;
  rewrite_report& report_;
  driver_options options_;
  std::vector<std::vector<const rule*>> rules_;  // the rules of each operator, by the operator's number
  use_counts uses_, uses_before_;
  read_log log_;
  vain_attempts vain_;
  bool refused_ = false;            // a rule applied at the node, but its result could not become an output
  std::vector<node_id> producers_;  // for each value, its producer when before_pass() ran
  common_subexpressions seen_;
  std::vector<value_id> forward_;  // for each value, its replacement, or none
  std::vector<bool> main_output_;
  stage last_ = stage::tidy;
  bool changed_ = false;
};

inline void rule_driver::run(stage last) {
  int rounds = 0;
  for (; rounds < most_rounds && round(last); ++rounds) dead_code(graph_).run();
  if (rounds == most_rounds) ++report_.unsettled;
}

inline void rule_driver::after_pass() {
  for (std::size_t v = 0; v < producers_.size(); ++v)
    if (graph_.at(static_cast<value_id>(v)).producer != producers_[v]) forget(static_cast<value_id>(v));
}
inline void rule_driver::before_pass() {
  producers_.resize(graph_.value_count());
  for (std::size_t v = 0; v < producers_.size(); ++v) producers_[v] = graph_.at(static_cast<value_id>(v)).producer;
}

inline bool rule_driver::round(stage last) {
  last_ = last;
  changed_ = false;
  count_again();
  forward_.assign(graph_.value_count(), value_id::none);
  main_output_.assign(graph_.value_count(), false);
  for (value_id v : graph_.at(block_id::main).outputs) main_output_[static_cast<std::size_t>(v)] = true;
  graph_.forget_dim_values();  // the values of dims are recomputed where they are needed, and merged
  visit(block_id::main);
  for_each_function(graph_, [this](block_id body) { visit(body); });
  graph_.forget_dim_values();
  return changed_;
}

/// Counts the uses of all values. During a round, reads by dead nodes also count.
inline void rule_driver::count_again() {
  std::swap(uses_, uses_before_);
  uses_.count(graph_);
  uses_.for_each_change(uses_before_, [this](value_id v) { vain_.forget({v, read_log::aspect::uses}); });
}
inline void rule_driver::count_reads(value_id v, std::int64_t n) {
  if (v == value_id::none) return;
  uses_.add(v, n);
  vain_.forget({v, read_log::aspect::uses});
}

inline void rule_driver::forget_results(const node& n) {
  for (value_id v : n.outputs)
    if (v != value_id::none) forget(v);
}

inline void rule_driver::visit(block_id b) {
  const std::vector<node_id> nodes = std::exchange(graph_.at(b).nodes, {});
  const insertion_scope here(graph_, b);
  seen_.enter();
  for (node_id n : nodes) visit_node(n);
  seen_.leave();
  for (value_id& v : graph_.at(b).outputs) v = resolved(v);
}

inline void rule_driver::visit_node(node_id id) {
  node& n = graph_.at(id);
  resolve_inputs(n);
  if (take_branch(id)) return;
  const auto is_block = [](const attribute& a) { return std::holds_alternative<block_id>(a.value); };
  if (item_loops::any_of(n.attributes, is_block)) settle_results(id);
  for (const attribute& a : n.attributes)
    if (const block_id* body = std::get_if<block_id>(&a.value)) visit_block_of(n, a.name, *body);
  hoist(n);
  if (!apply_rules(id) && !merge(id)) graph_.append(id);
}

/// Visits a block of a node. Within a branch of an If, the condition is a known constant.
inline void rule_driver::visit_block_of(const node& n, std::string_view name, block_id b) {
  const value_id condition = options_.known_branches && operators::is_choice(n) ? n.inputs[0] : value_id::none;
  if (condition == value_id::none || static_cast<std::size_t>(condition) >= forward_.size()) return visit(b);
  const tensor_type& type = graph_.at(condition).type;
  if (!type.ranked || !type.dims.empty()) return visit(b);  // ONNX also allows a vector of one element
  const auto at = static_cast<std::size_t>(condition);
  forward_[at] = scalar(graph_, dtype::boolean, name == "then_branch" ? 1 : 0).id();
  visit(b);
  forward_[at] = value_id::none;
}

inline void rule_driver::resolve_inputs(node& n) {
  bool changed = false;
  for (value_id& v : n.inputs)
    if (v != value_id::none) {
      const value_id by = resolved(v);
      changed |= by != v;
      v = by;
    }
  if (changed) forget_results(n);
}

inline void rule_driver::hoist(const node& n) {
  if (!options_.hoist_invariants) return;
  const std::size_t before = graph_.at(graph_.current()).nodes.size();
  hoist_invariants(graph_, n);
  for (std::size_t i = before; i < graph_.at(graph_.current()).nodes.size(); ++i) {
    forget_results(graph_.at(graph_.at(graph_.current()).nodes[i]));
    report_.add_applied(hoist_invariants_name);
    changed_ = true;
  }
}

/// If a result of an If, Loop or Scan always equals a value from outside, replaces the result by that value.
inline void rule_driver::settle_results(node_id id) {
  node& n = graph_.at(id);
  const bool is_loop = n.domain.empty() && has_trait(n, trait::has_loop_body);
  if (!options_.hoist_invariants || (!is_loop && !operators::is_choice(n)) || !operators::fits_its_blocks(graph_, n))
    return;
  for (std::size_t i = n.outputs.size(); i-- > 0;) {
    const value_id outside = resolved(settled_result(graph_, n, i)), result = n.outputs[i];
    if (outside == value_id::none) continue;
    value by(graph_, outside);
    if (is_main_output(result) && !can_be_output(by)) by = graph_.emit("Identity", {by}, by.type());
    if (result != value_id::none) replace(result, by);
    if (is_loop) replace(graph_.at(block_of(n, "body")).inputs[carried_places_of(n).inputs + i], by);
    forget_results(n);
    erase_result(graph_, n, i);
    report_.add_applied(hoist_invariants_name);
    changed_ = true;
  }
}

/// Replaces an If whose condition is known, possibly from ranges, by the nodes of its branch. Returns false for any
/// other node. Runs before the branches are visited, so that each node moves once, however deep the Ifs are nested.
inline bool rule_driver::take_branch(node_id id) {
  const node& n = graph_.at(id);
  if (!options_.known_branches || !operators::is_choice(n) || n.outputs.empty()) return false;
  const std::vector<value_id> outputs = n.outputs;
  const auto condition = equations::known_everywhere({graph_, n.inputs.front()});
  const attribute* const chosen = condition ? n.find(*condition != 0 ? "then_branch" : "else_branch") : nullptr;
  const block_id* const found = chosen ? std::get_if<block_id>(&chosen->value) : nullptr;
  if (!found || graph_.at(*found).outputs.size() != outputs.size()) return false;
  const block_id branch = *found;
  count_reads(n.inputs.front(), -1);
  for (node_id inner : std::exchange(graph_.at(branch).nodes, {})) {
    for (value_id v : graph_.at(inner).outputs)
      if (v != value_id::none) graph_.at(v).home = graph_.current();
    forget_results(graph_.at(inner));
    for (const attribute& a : graph_.at(inner).attributes)
      if (const block_id* body = std::get_if<block_id>(&a.value)) graph_.at(*body).parent = graph_.current();
    visit_node(inner);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == value_id::none) continue;
    value result(graph_, resolved(graph_.at(branch).outputs[i]));
    if (is_main_output(outputs[i]) && !can_be_output(result)) result = graph_.emit("Identity", {result}, result.type());
    replace(outputs[i], result);
  }
  report_.add_applied(known_branches_name);
  return changed_ = true;
}

/// True if rules for this operator replace all of its outputs, however many it has.
inline bool has_rules_for_all_outputs(operator_name op) {
  return item_loops::contains(ops<"Loop", "Scan", "Split">, op);
}

inline bool rule_driver::apply_rules(node_id id) {
  const node& n = graph_.at(id);
  // -1, for an operator that ONNX lacks, becomes the largest number.
  const auto number = static_cast<std::size_t>(n.op.number());
  if (number >= rules_.size() || rules_[number].empty()) return false;
  if (n.outputs.size() != 1 && !has_rules_for_all_outputs(n.op)) return false;
  if (vain_.covers(id, last_) && !options_.retry) return false;
  log_.start();
  for (value_id v : n.outputs)
    if (v != value_id::none) log_.note({v, read_log::aspect::record});
  refused_ = false;
  const std::size_t size = graph_.node_count();
  if (try_rules(rules_[number], id)) return true;
  if (graph_.node_count() == size && !log_.has_blocks() && !refused_) vain_.add(id, last_, log_.reads());
  return false;
}

/// Notes reads in a log until the end of the scope.
class reading_scope {
 public:
  reading_scope(graph& g, use_counts& uses, read_log& log) : graph_(g), uses_(uses) {
    graph_.note_reads(&log);
    uses_.note_reads(&log);
  }
  ~reading_scope() {
    graph_.note_reads(nullptr);
    uses_.note_reads(nullptr);
  }
  reading_scope(const reading_scope&) = delete;
  reading_scope& operator=(const reading_scope&) = delete;

 private:
  graph& graph_;
  use_counts& uses_;
};

inline bool rule_driver::try_rules(std::span<const rule* const> rules, node_id id) {
  const node& n = graph_.at(id);
  const auto root_at = std::ranges::find_if(n.outputs, [](value_id v) { return v != value_id::none; });
  const reading_scope reading(graph_, uses_, log_);
  if (root_at == n.outputs.end() || !has_known_types(graph_, n)) return false;
  const value root(graph_, *root_at);
  const equations::surroundings around(root);
  for (const rule* r : rules) {
    if (r->when > last_ || (r->text && !equations::admits(*r->text, around))) continue;
    const bool in_vain = vain_.covers(id, r->when);
    if ((in_vain && !options_.retry) || !apply(*r, id, root, around)) continue;
    if (in_vain)
      throw build_error(
          jax2onnx::detail::message("rewrite {}: it applies at a node where it declined before", r->name));
    return true;
  }
  return false;
}

/// Tries a rule at `root`. If the rule throws `declined`, returns the reason as a decline. If the rule needs the value
/// of a symbol that the inputs do not determine (in models that were read), the rule does not apply. In both cases,
/// removes the nodes that the rule has added.
inline outcome rule_driver::attempt(const rule& r, const value& root, const equations::surroundings& around) {
  const std::size_t before = graph_.node_count();
  try {
    const context c{graph_, uses_, options_.runtime, options_.most_unrolled, options_.assume_finite};
    return r.text ? equations::apply(*r.text, c, root, around) : r.apply(c, root);
  } catch (const symbol_error&) {
    take_back(before);
    return {};
  } catch (const declined& d) {
    take_back(before);
    return decline(d.reason);
  }
}

/// Removes from the current block the nodes that were added since the graph had `count` nodes.
inline void rule_driver::take_back(std::size_t count) {
  if (graph_.node_count() == count) return;
  std::vector<node_id>& nodes = graph_.at(graph_.current()).nodes;
  while (!nodes.empty() && static_cast<std::size_t>(nodes.back()) >= count) nodes.pop_back();
}

inline bool rule_driver::apply(const rule& r, node_id id, const value& root, const equations::surroundings& around) {
  const std::size_t before = graph_.node_count();
  const outcome o = attempt(r, root, around);
  if (!o.reason.empty()) note_declined(r, id, o.reason);
  if (!o.replacement && o.all.empty()) return false;
  for (std::size_t i = before; i < graph_.node_count(); ++i) {
    node& added = graph_.at(static_cast<node_id>(i));
    added.origin = graph_.at(id).origin;
    for (value_id v : added.inputs) count_reads(v, 1);
  }
  if (!(o.all.empty() ? replace(r, root, o.replacement) : replace_all(r, id, o.all))) {
    refused_ = true;
    return false;
  }
  for (value_id v : graph_.at(id).inputs) count_reads(v, -1);
  note_applied(r, id, static_cast<node_id>(before));
  return true;
}

inline void rule_driver::note_declined(const rule& r, node_id n, std::string_view reason) {
  report_.add_reason(r.name, reason);
  if (options_.keep_events) report_.events.push_back({r.name, reason, n});
}

inline void rule_driver::note_applied(const rule& r, node_id n, node_id first_added) {
  report_.add_applied(r.name);
  if (options_.keep_events)
    report_.events.push_back({r.name, {}, n, first_added, static_cast<node_id>(graph_.node_count())});
}

inline bool rule_driver::replace(const rule& r, const value& root, const value& with) {
  if (with.dtype() != root.dtype() || with.rank() != root.rank())
    throw build_error(
        jax2onnx::detail::message("rewrite {}: the replacement is {} instead of {}", r.name, text(with), text(root)));
  return replace(root.id(), with);
}

/// Replaces all outputs of a node. Returns false, and replaces none of them, if a new value cannot take the name of an
/// output of the model.
inline bool rule_driver::replace_all(const rule& r, node_id id, std::span<const value> with) {
  const std::vector<value_id>& outputs = graph_.at(id).outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != value_id::none && is_main_output(outputs[i]) && !can_be_output(with[i])) return false;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != value_id::none && !replace(r, {graph_, outputs[i]}, with[i])) return false;
  return true;
}

inline bool rule_driver::can_be_output(value v) const {
  const value_record& record = graph_.at(v.id());
  return record.producer != node_id::none && record.home == block_id::main && !is_main_output(v.id());
}

/// Makes `with` take the place of `old` as an output of the model. Returns false, and keeps the old node, if `with`
/// already is an output or if no node of the main block makes it.
inline bool rule_driver::take_name_of_output(value_id old, value with) {
  if (!can_be_output(with)) return false;
  main_output_.resize(graph_.value_count());
  main_output_[static_cast<std::size_t>(with.id())] = true;
  graph_.at(with.id()).name = graph_.at(old).name;
  return true;
}

/// From now on `with` replaces `old`. The model's outputs keep their names. Returns false, and replaces nothing, if
/// `old` is an output of the model and `with` cannot become one.
inline bool rule_driver::replace(value_id old, value with) {
  if (is_main_output(old) && !take_name_of_output(old, with)) return false;
  count_reads(with.id(), uses_.at(old));
  value_record& record = graph_.at(with.id());
  if (record.producer != node_id::none) {
    if (refine(record.type, graph_.at(old).type)) forget(with.id());
    if (record.name.empty()) record.name = graph_.at(old).name;
  }
  forward_[static_cast<std::size_t>(old)] = with.id();
  return changed_ = true;
}

/// Refines `type` by the facts in `by`, a type of the same value. Returns whether that changes `type`.
inline bool rule_driver::refine(tensor_type& type, const tensor_type& by) {
  if (!by.ranked) return false;
  if (!type.ranked) {
    type = by;
    return true;
  }
  bool refined = false;
  shape& dims = type.dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool knows_more = !dims[i].is_constant() && (dims[i].is_dyn() || by.dims[i].is_constant());
    if (knows_more) refined |= std::exchange(dims[i], by.dims[i]) != by.dims[i];
  }
  return refined;
}

inline bool rule_driver::merge(node_id id) {
  if (!options_.merge_common) return false;
  const node_id twin = seen_.find_or_add(graph_, id);
  if (twin == node_id::none) return false;
  for (std::size_t i = 0; i < graph_.at(id).outputs.size(); ++i) {
    const value_id old = graph_.at(id).outputs[i], with = graph_.at(twin).outputs[i];
    if (old == value_id::none) continue;
    if (!replace(old, {graph_, with})) return false;
  }
  for (value_id v : graph_.at(id).inputs) count_reads(v, -1);
  report_.add_applied(common_subexpressions_name);
  return true;
}

}  // namespace jax2onnx::rewrite::detail
