// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>

namespace jax2onnx::detail {

/// Reports a graph that verbs cannot build: its nodes were added by hand, or this library has a defect.
[[noreturn]] inline void throw_graph_error(std::string message) {
  throw error(failure::internal, "emit.graph", std::move(message));
}

/// The decisions that precede writing: names, the initializers in use, and the outputs that need an Identity. ONNX
/// requires that every output of a (sub)graph is the result of a node of that graph, and is an output once.
class emission_plan {
 public:
  struct output {
    value_id source;
    std::string_view name;
    bool copied;  ///< true if an Identity computes the output as a copy of `source`
  };

  /// A function that is called, and the constants that it uses. A function has no initializers: its constants become
  /// nodes.
  struct function {
    const model_function* of;
    std::vector<value_id> constants;
    std::vector<std::string_view> domains;
  };

  /// If `graph_name` is empty, the graph's name is used. Throws error for a graph that is not in SSA form and for a
  /// function that calls itself, and limit_error for over 31 nested blocks or over 100 nested calls.
  emission_plan(const graph& g, std::string_view graph_name);

  std::string_view name(value_id v) const { return v == value_id::none ? std::string_view() : names_[index(v)]; }
  /// The name given to a node, else the name of its first output.
  std::string_view name(node_id id) const {
    const std::uint32_t own = own_names_.find(static_cast<std::int64_t>(id));
    return own != key_map::none ? given_names_[own] : name(graph_.at(id));
  }
  std::string_view name(const node& n) const {
    const std::vector<value_id> written = results(n);
    const auto it = std::ranges::find_if(written, [](value_id v) { return v != value_id::none; });
    return it == written.end() ? std::string_view() : name(*it);
  }
  /// The results of a node as they are written: unused optional results are left out.
  std::vector<value_id> results(const node& n) const;
  std::string_view name(block_id b) const { return scopes_[index(b)].name; }
  std::span<const output> outputs(block_id b) const { return scopes_[index(b)].outputs; }
  /// Returns whether `v` is an output of the block that computes `v`, and the output needs no Identity.
  bool is_output(value_id v) const { return is_output_[index(v)]; }
  /// The constants that the main graph and its subgraphs use, in order of first use.
  const std::vector<value_id>& initializers() const { return initializers_; }
  /// The functions that are called; callees come first.
  const std::vector<function>& functions() const { return functions_; }
  /// The operator domains that the main graph and its subgraphs use, and those of all called functions, except ai.onnx;
  /// sorted.
  const std::vector<std::string_view>& domains() const { return domains_; }

 private:
  struct scope {
    std::string name;
    std::vector<output> outputs;
  };

  template <typename Id>
  static std::size_t index(Id id) {
    return static_cast<std::size_t>(id);
  }
  void survey(block_id b, int depth);
  void note_domain(std::string_view domain);
  void survey_called(int depth);
  void survey_function(const model_function& f, int depth);
  void name_function(const function& f);
  void name_given(block_id b);
  void use(value_id v, std::string_view by);
  void define(value_id v, block_id b);
  void plan_outputs(block_id b);
  void name_inputs(block_id b);
  void name_outputs(block_id b);
  void name_copied_outputs(block_id b);
  void name_nodes(block_id b);
  void name_results(const node& n);
  std::string_view numbered(std::string_view stem) {
    const std::size_t known = stems_.number(stem);
    if (known == counters_.size()) counters_.push_back(0);
    return pools_.back().unique(message("{}_{}", stem, counters_[known]++));
  }
  void name_value(value_id v, const std::string& stem) {
    const std::string& wish = graph_.at(v).name;
    names_[index(v)] = wish.empty() ? numbered(stem) : pools_.back().unique(wish);
  }

  const graph& graph_;
  std::vector<std::string_view> names_;
  std::vector<block_id> defined_in_;  // for each value, the block that defines it; none if the value is not visible
  std::vector<bool> is_output_, is_used_, visited_;
  std::vector<std::uint32_t> user_;  // for each constant, by value_id, the last function that uses it
  std::uint32_t current_ = 1;        // the index of the function that is being surveyed
  std::vector<scope> scopes_;
  std::vector<value_id> initializers_;
  std::vector<std::string_view> domains_;
  std::vector<function> functions_;
  std::vector<const model_function*> called_;          // functions that the surveyed function calls
  std::map<const model_function*, bool> is_surveyed_;  // false while the function is being surveyed
  key_map own_names_;                                  // index into given_names_ by node_id
  std::vector<std::string_view> given_names_;
  text_index stems_;
  std::vector<std::uint32_t> counters_;  // the next number for a name, by stem
  std::deque<name_pool> pools_{1};       // the names of the main graph, then of each function
};

/// Calls visit(attribute name, block) for every subgraph of a node.
template <typename Visitor>
void for_each_block(const node& n, Visitor&& visit) {
  for (const attribute& a : n.attributes)
    if (const block_id* b = std::get_if<block_id>(&a.value)) visit(a.name, *b);
}

inline std::string lower_case(std::string_view s) {
  std::string out(s);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

inline emission_plan::emission_plan(const graph& g, std::string_view graph_name)
    : graph_(g),
      names_(g.value_count()),
      defined_in_(g.value_count(), block_id::none),
      is_output_(g.value_count()),
      is_used_(g.value_count()),
      visited_(g.block_count()),
      user_(g.value_count()),
      scopes_(g.block_count()) {
  survey(block_id::main, 0);
  survey_called(0);
  name_inputs(block_id::main);
  name_outputs(block_id::main);
  for (value_id v : initializers_) name_value(v, "const");
  name_copied_outputs(block_id::main);
  name_nodes(block_id::main);
  scopes_[index(block_id::main)].name = identifier(graph_name.empty() ? g.options().name : graph_name);
  name_given(block_id::main);
  for (const function& f : functions_)
    for (value_id v : f.constants)
      if (name(v).empty()) name_value(v, "const");
  for (const function& f : functions_) name_function(f);
}

/// Surveys the functions that were found to be called.
inline void emission_plan::survey_called(int depth) {
  constexpr int deepest = 100;
  if (depth > deepest) throw limit_error(message("functions call each other more than {} deep", deepest));
  for (const model_function* f : std::exchange(called_, {})) {
    const auto [known, added] = is_surveyed_.emplace(f, false);
    if (added) survey_function(*f, depth);
    else if (!known->second) throw_graph_error(message("the function {}.{} calls itself", f->domain, f->name));
  }
}

inline void emission_plan::survey_function(const model_function& f, int depth) {
  function found{&f, {}, {}};
  std::swap(domains_, found.domains);
  std::swap(initializers_, found.constants);
  current_ = static_cast<std::uint32_t>(is_surveyed_.size() + 1);
  survey(f.body, 0);
  std::swap(domains_, found.domains);
  std::swap(initializers_, found.constants);
  survey_called(depth + 1);
  is_surveyed_[&f] = true;
  note_domain(f.domain);
  functions_.push_back(std::move(found));
}

// Names in a function are separate from all other names, except the names of constants.
inline void emission_plan::name_function(const function& f) {
  pools_.emplace_back();
  stems_ = {};
  counters_.clear();
  for (value_id v : f.constants) pools_.back().unique(name(v));
  const block_id body = f.of->body;
  name_inputs(body);
  name_outputs(body);
  name_nodes(body);
  name_copied_outputs(body);
  name_given(body);
}

/// Assigns the names given to nodes, after all other names.
inline void emission_plan::name_given(block_id b) {
  for (node_id id : graph_.at(b).nodes) {
    const node_note* note = graph_.note(id);
    for_each_block(graph_.at(id), [&](std::string_view, block_id inner) { name_given(inner); });
    if (!note || note->name.empty() || note->name == name(graph_.at(id))) continue;
    own_names_.set(static_cast<std::int64_t>(id), static_cast<std::uint32_t>(given_names_.size()));
    given_names_.push_back(pools_.back().unique(note->name));
  }
}

inline void emission_plan::survey(block_id b, int depth) {
  if (depth > most_nested_blocks)
    throw limit_error(
        message("control flow is nested more than {} deep, which readers of ONNX files refuse", most_nested_blocks));
  if (visited_[index(b)]) throw_graph_error("two nodes own the same subgraph");
  visited_[index(b)] = true;
  const block& body = graph_.at(b);
  for (value_id v : body.inputs) define(v, b);
  for (node_id id : body.nodes) {
    const node& n = graph_.at(id);
    for (value_id v : n.inputs)
      if (v != value_id::none) use(v, n.op);
    for_each_block(n, [&](std::string_view, block_id inner) { survey(inner, depth + 1); });
    for (value_id v : n.outputs)
      if (v != value_id::none) define(v, b);
    if (n.domain.empty() || n.domain == "ai.onnx") continue;
    note_domain(n.domain);
    if (const model_function* f = graph_.find_function(n.domain, n.op)) called_.push_back(f);
  }
  plan_outputs(b);
  for (value_id v : body.inputs) defined_in_[index(v)] = block_id::none;
  for (node_id id : body.nodes)
    for (value_id v : graph_.at(id).outputs)
      if (v != value_id::none) defined_in_[index(v)] = block_id::none;
}

inline std::vector<value_id> emission_plan::results(const node& n) const {
  std::vector<value_id> out = n.outputs;
  const op_record* const record = out.size() > 1 ? find_record(n.domain, n.op, version_in(graph_, n.domain)) : nullptr;
  if (!record) return out;
  if (const attribute* a = n.find("training_mode"))  // only BatchNormalization has this attribute
    // Training needs all three results.
    if (const auto* trains = std::get_if<std::int64_t>(&a->value); trains && *trains != 0) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const formal* const f = op_record::at(record->outputs, i);
    if (f && f->count == presence::optional && out[i] != value_id::none && !is_used_[index(out[i])])
      out[i] = value_id::none;
  }
  while (out.size() > 1 && out.size() > record->least_outputs && out.back() == value_id::none) out.pop_back();
  if (out.size() == 1) out[0] = n.outputs[0];  // a node states a result even if nothing reads it
  return out;
}

inline void emission_plan::note_domain(std::string_view domain) {
  std::size_t place = 0;
  while (place < domains_.size() && domains_[place] < domain) ++place;
  if (place == domains_.size() || domains_[place] != domain)
    domains_.insert(domains_.begin() + static_cast<std::ptrdiff_t>(place), domain);
}

inline void emission_plan::use(value_id v, std::string_view by) {
  if (index(v) >= names_.size()) throw_graph_error(message("{} uses a value that is not in the graph", by));
  is_used_[index(v)] = true;
  if (graph_.at(v).constant >= 0) {
    if (user_[index(v)] != current_) initializers_.push_back(v);
    user_[index(v)] = current_;
  } else if (defined_in_[index(v)] == block_id::none)
    throw_graph_error(message("{} uses the value '{}' ({}) where it is not defined; optimize() may have removed it", by,
                              graph_.at(v).name, index(v)));
}

inline void emission_plan::define(value_id v, block_id b) {
  if (graph_.at(v).constant >= 0 || defined_in_[index(v)] != block_id::none)
    throw_graph_error(message("the value '{}' ({}) is defined twice", graph_.at(v).name, index(v)));
  defined_in_[index(v)] = b;
}

inline void emission_plan::plan_outputs(block_id b) {
  for (value_id v : graph_.at(b).outputs) {
    use(v, "a graph output");
    const bool own = defined_in_[index(v)] == b && graph_.at(v).producer != node_id::none && !is_output_[index(v)];
    if (own) is_output_[index(v)] = true;
    scopes_[index(b)].outputs.push_back({v, {}, !own});
  }
}

inline void emission_plan::name_inputs(block_id b) {
  for (value_id v : graph_.at(b).inputs) name_value(v, "input");
}

// Outputs are named before other values, so that they keep the names that the caller chose.
inline void emission_plan::name_outputs(block_id b) {
  for (output& o : scopes_[index(b)].outputs)
    if (!o.copied && (b == block_id::main || !graph_.at(o.source).name.empty())) name_value(o.source, "output");
}

// The source of a copied output keeps its name; the copy gets another name.
inline void emission_plan::name_copied_outputs(block_id b) {
  for (output& o : scopes_[index(b)].outputs) {
    const std::string& wish = graph_.at(o.source).name;
    if (!o.copied) o.name = names_[index(o.source)];
    else o.name = wish.empty() ? numbered("output") : pools_.back().unique(wish);
  }
}

inline void emission_plan::name_nodes(block_id b) {
  for (node_id id : graph_.at(b).nodes) {
    const node& n = graph_.at(id);
    name_results(n);
    for_each_block(n, [&](std::string_view attribute, block_id inner) {
      scopes_[index(inner)].name = identifier(message("{}_{}", name(n), attribute));
      name_inputs(inner);
      name_outputs(inner);
      name_nodes(inner);
      name_copied_outputs(inner);
    });
  }
}

inline void emission_plan::name_results(const node& n) {
  std::string_view first;
  for (value_id v : results(n)) {
    if (v == value_id::none) continue;
    std::string_view& own = names_[index(v)];
    if (own.empty() && first.empty()) name_value(v, lower_case(n.op));
    else if (own.empty())
      own = pools_.back().unique(graph_.at(v).name.empty() ? std::string(first) : graph_.at(v).name);
    if (first.empty()) first = own;
  }
}

}  // namespace jax2onnx::detail
