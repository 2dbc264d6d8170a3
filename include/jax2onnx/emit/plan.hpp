#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>

namespace jax2onnx::detail {

/// Reports a graph that verbs cannot build: either its nodes were added by hand, or this library has a defect.
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
    bool copied;  ///< through an Identity named like the output
  };

  /// Throws error for a graph that is not in SSA form, and limit_error for over 31 nested blocks.
  emission_plan(const graph& g, std::string_view graph_name);

  std::string_view name(value_id v) const { return v == value_id::none ? std::string_view() : names_[index(v)]; }
  /// A node has the name of its first output.
  std::string_view name(const node& n) const {
    const auto it = std::ranges::find_if(n.outputs, [](value_id v) { return v != value_id::none; });
    return it == n.outputs.end() ? std::string_view() : name(*it);
  }
  std::string_view name(block_id b) const { return scopes_[index(b)].name; }
  std::span<const output> outputs(block_id b) const { return scopes_[index(b)].outputs; }
  /// Whether `v` is an output of its own block, under the name of its producer's result.
  bool is_output(value_id v) const { return is_output_[index(v)]; }
  /// The constants in use, in order of first use.
  const std::vector<value_id>& initializers() const { return initializers_; }
  /// The operator domains in use, except ai.onnx; sorted.
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
    return pool_.unique(message("{}_{}", stem, counters_[known]++));
  }
  void name_value(value_id v, const std::string& stem) {
    const std::string& wish = graph_.at(v).name;
    names_[index(v)] = wish.empty() ? numbered(stem) : pool_.unique(wish);
  }

  const graph& graph_;
  std::vector<std::string_view> names_;
  std::vector<block_id> defined_in_;  // none: not (or no longer) visible
  std::vector<bool> used_constant_, is_output_, visited_;
  std::vector<scope> scopes_;
  std::vector<value_id> initializers_;
  std::vector<std::string_view> domains_;
  text_index stems_;
  std::vector<std::uint32_t> counters_;  // by stem
  name_pool pool_;
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
      used_constant_(g.value_count()),
      is_output_(g.value_count()),
      visited_(g.block_count()),
      scopes_(g.block_count()) {
  survey(block_id::main, 0);
  name_inputs(block_id::main);
  name_outputs(block_id::main);
  for (value_id v : initializers_) name_value(v, "const");
  name_copied_outputs(block_id::main);
  name_nodes(block_id::main);
  scopes_[index(block_id::main)].name = identifier(graph_name);
}

inline void emission_plan::survey(block_id b, int depth) {
  if (depth > most_nested_blocks)
    throw limit_error(
        message("control flow is nested over {} deep, which no reader of ONNX files follows", most_nested_blocks));
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
    if (!n.domain.empty() && n.domain != "ai.onnx") note_domain(n.domain);
  }
  plan_outputs(b);
  for (value_id v : body.inputs) defined_in_[index(v)] = block_id::none;
  for (node_id id : body.nodes)
    for (value_id v : graph_.at(id).outputs)
      if (v != value_id::none) defined_in_[index(v)] = block_id::none;
}

inline void emission_plan::note_domain(std::string_view domain) {
  std::size_t place = 0;
  while (place < domains_.size() && domains_[place] < domain) ++place;
  if (place == domains_.size() || domains_[place] != domain)
    domains_.insert(domains_.begin() + static_cast<std::ptrdiff_t>(place), domain);
}

inline void emission_plan::use(value_id v, std::string_view by) {
  if (index(v) >= names_.size()) throw_graph_error(message("{} uses a value that the graph does not have", by));
  if (graph_.at(v).constant >= 0) {
    if (!used_constant_[index(v)]) initializers_.push_back(v);
    used_constant_[index(v)] = true;
  } else if (defined_in_[index(v)] == block_id::none)
    throw_graph_error(message("{} uses the value '{}' ({}) where it is not defined", by, graph_.at(v).name, index(v)));
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

// The source of a copied output keeps its name; the copy gets another one.
inline void emission_plan::name_copied_outputs(block_id b) {
  for (output& o : scopes_[index(b)].outputs) {
    const std::string& wish = graph_.at(o.source).name;
    if (!o.copied) o.name = names_[index(o.source)];
    else o.name = wish.empty() ? numbered("output") : pool_.unique(wish);
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
  for (value_id v : n.outputs) {
    if (v == value_id::none) continue;
    std::string_view& own = names_[index(v)];
    if (own.empty() && first.empty()) name_value(v, lower_case(n.op));
    else if (own.empty()) own = pool_.unique(graph_.at(v).name.empty() ? std::string(first) : graph_.at(v).name);
    if (first.empty()) first = own;
  }
}

}  // namespace jax2onnx::detail
