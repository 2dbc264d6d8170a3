// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include <jax2onnx/read/graph_copier.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/plain_text.hpp>

namespace jax2onnx {

namespace detail {

/// Maps the symbols of a model to the extents of its arguments.
class symbol_bindings {
 public:
  void bind(dim parameter, dim argument) {
    if (!parameter.is_symbolic() || numbers_.find(parameter.key()) != key_map::none) return;
    numbers_.set(parameter.key(), static_cast<std::uint32_t>(extents_.size()));
    extents_.push_back(argument);
  }
  dim of(dim d) const {
    if (!d.is_symbolic()) return d;
    const std::uint32_t i = numbers_.find(d.key());
    return i == key_map::none ? dim::dyn() : extents_[i];
  }

 private:
  key_map numbers_;  // the index into extents_ of an extent, by dim::key()
  std::vector<dim> extents_;
};

inline const binding& argument_for(std::string_view input, std::span<const binding> arguments) {
  for (const binding& b : arguments)
    if (b.input == input) return b;
  throw build_error(message("the model's input '{}' has no argument", shown(input)));
}

/// Checks that the input can have the argument's type, and binds the input's symbols to the argument's extents.
inline void bind_input(const graph& model, value_id input, const value& argument, symbol_bindings& symbols) {
  const tensor_type& wanted = model.at(input).type;
  const tensor_type& given = argument.type();
  bool fits = wanted.kind == given.kind && (wanted.type == given.type || wanted.type == dtype::undefined);
  const bool ranked = wanted.ranked && given.ranked;
  fits = fits && (!ranked || wanted.dims.size() == given.dims.size());
  for (std::size_t i = 0; fits && ranked && i < wanted.dims.size(); ++i) {
    fits = !definitely_differ(wanted.dims[i], given.dims[i]);
    symbols.bind(wanted.dims[i], given.dims[i]);
  }
  if (!fits)
    throw build_error(message("the model's input '{}' is {}, but its argument is {}", shown(model.at(input).name),
                              text(model, wanted), text(argument)));
}

inline value_id value_named(const graph& g, std::string_view name) {
  for (std::size_t i = 0; i < g.value_count(); ++i)
    if (const auto v = static_cast<value_id>(i); g.at(v).home == block_id::main && g.at(v).name == name) return v;
  throw build_error(message("the main graph has no value '{}'", shown(name)));
}

/// Finds the nodes of the main block that some values need, back to the values that are given.
class needed_nodes {
 public:
  explicit needed_nodes(const graph& g) : graph_(g), given_(g.value_count()), needed_(g.node_count()) {}
  void give(value_id v) { given_[static_cast<std::size_t>(v)] = true; }
  void need(value_id v) {
    waiting_.push_back(v);
    while (!waiting_.empty()) {
      const value_id next = waiting_.back();
      waiting_.pop_back();
      visit(next);
    }
  }
  bool has(node_id n) const { return needed_[static_cast<std::size_t>(n)]; }

 private:
  void visit(value_id v) {
    if (v == value_id::none || graph_.at(v).constant >= 0 || given_[static_cast<std::size_t>(v)]) return;
    const value_record& r = graph_.at(v);
    if (r.producer != node_id::none) return visit_node(r.producer);
    if (r.home == block_id::main)
      throw build_error(message("the outputs need the input '{}', which is not listed", shown(r.name)));
  }
  void visit_node(node_id id) {
    if (needed_[static_cast<std::size_t>(id)]) return;
    needed_[static_cast<std::size_t>(id)] = true;
    const node& n = graph_.at(id);
    waiting_.insert(waiting_.end(), n.inputs.begin(), n.inputs.end());
    for (const attribute& a : n.attributes)
      if (const auto* body = std::get_if<block_id>(&a.value)) visit_body(*body);
  }
  void visit_body(block_id b) {
    for (node_id n : graph_.at(b).nodes) visit_node(n);
    waiting_.insert(waiting_.end(), graph_.at(b).outputs.begin(), graph_.at(b).outputs.end());
  }

  const graph& graph_;
  std::vector<bool> given_, needed_;
  std::vector<value_id> waiting_;
};

/// Copies the nodes that some values need to a separate graph.
class part_copier {
 public:
  part_copier(const graph& g, graph& part)
      : graph_(g),
        part_(part),
        needed_(g),
        // An extent has one normal form, so its text is the same in all tables that know it.
        copier_(g, part, [&](dim d) { return d.is_symbolic() ? part.dims().parse(g.dims().text(d)) : d; }) {}

  /// Makes a value an input of the part.
  void give(value_id v, const std::string& name) {
    needed_.give(v);
    copier_.place(v, part_.input(copier_.translated(graph_.at(v).type), name).id());
  }
  /// Copies all nodes that these values need.
  std::vector<value> copies_of(std::span<const value_id> results) {
    for (const value_id v : results) needed_.need(v);
    for (const node_id n : graph_.at(block_id::main).nodes)
      if (needed_.has(n)) copier_.copy_node(n);
    std::vector<value> copies;
    for (const value_id v : results) copies.emplace_back(part_, copier_.copy_of(v));
    return copies;
  }

 private:
  const graph& graph_;
  graph& part_;
  needed_nodes needed_;
  graph_copier copier_;
};

}  // namespace detail

JAX2ONNX_INLINE value model_outputs::operator[](std::size_t i) const {
  if (i >= outputs_.size())
    throw build_error(detail::message("the model has {} output{|s}, none with the index {}", outputs_.size(), i));
  return outputs_[i].second;
}

JAX2ONNX_INLINE value model_outputs::operator[](std::string_view name) const {
  std::string names;
  for (const auto& [known, v] : outputs_) {
    if (known == name) return v;
    names += (names.empty() ? "" : ", ") + detail::shown(known);
  }
  throw build_error(detail::message("the model has no output '{}'; its outputs are {}", detail::shown(name), names));
}

JAX2ONNX_INLINE model_outputs inline_model(graph& g, const graph& model, std::span<const binding> arguments) {
  const block& main = model.at(block_id::main);
  detail::symbol_bindings symbols;
  std::vector<std::pair<value_id, value>> bound;
  for (value_id input : main.inputs) {
    const value argument = detail::argument_for(model.at(input).name, arguments).argument;
    if (&argument.owner() != &g)
      throw build_error(detail::message("the argument '{}' of a model belongs to another graph",
                                        detail::shown(model.at(input).name)));
    detail::bind_input(model, input, argument, symbols);
    bound.emplace_back(input, argument);
  }
  if (arguments.size() != bound.size())
    throw build_error(detail::message("the model has {} input{|s}, but {} argument{ is|s are} given", bound.size(),
                                      arguments.size()));
  detail::graph_copier copier(model, g, [&](dim d) { return symbols.of(d); });
  for (const auto& [input, argument] : bound) copier.place(input, argument.id());
  for (node_id n : main.nodes) copier.copy_node(n);
  std::vector<std::pair<std::string, value>> outputs;
  for (value_id v : main.outputs) outputs.emplace_back(model.at(v).name, value(g, copier.copy_of(v)));
  return model_outputs(std::move(outputs));
}

JAX2ONNX_INLINE value find_value(graph& g, std::string_view name) {
  for (std::size_t i = 0; i < g.value_count(); ++i)
    if (const auto v = static_cast<value_id>(i); g.at(v).home == block_id::main && g.at(v).name == name)
      return value(g, v);
  return {};
}

JAX2ONNX_INLINE graph cut(const graph& g, std::span<const std::string> inputs, std::span<const std::string> outputs) {
  graph part(graph_options{.opset = g.opset(), .name = g.options().name, .doc = g.options().doc});
  detail::part_copier copier(g, part);
  for (const std::string& name : inputs) copier.give(detail::value_named(g, name), name);
  std::vector<value_id> results;
  for (const std::string& name : outputs) results.push_back(detail::value_named(g, name));
  const std::vector<value> copies = copier.copies_of(results);
  for (std::size_t i = 0; i < copies.size(); ++i) output(copies[i], outputs[i]);
  return part;
}

namespace detail {

/// Throws build_error unless each name occurs once, each input is a different value, and all values belong to the main
/// block of one graph.
inline void require_names(std::span<const named_value> inputs, std::span<const named_value> outputs) {
  std::set<std::string_view> names;
  for (const auto& list : {inputs, outputs})
    for (const named_value& v : list) {
      if (!names.insert(v.name).second)
        throw build_error(message("build: two inputs or outputs have the name '{}'", shown(v.name)));
      v.v.require_graph();
      if (&v.v.owner() != &outputs[0].v.owner()) throw build_error("build: the values are of two graphs");
      const value_record& r = v.v.record();
      if (r.home != block_id::main)
        throw build_error(message("build: the value for '{}' is inside of a body", shown(v.name)));
    }
  std::map<value_id, std::string_view> given;
  for (const named_value& in : inputs)
    if (const auto [first, is_new] = given.emplace(in.v.id(), in.name); !is_new)
      throw build_error(
          message("build: the inputs '{}' and '{}' are the same value", shown(first->second), shown(in.name)));
}

}  // namespace detail

JAX2ONNX_INLINE graph build(std::span<const named_value> inputs, std::span<const named_value> outputs) {
  if (outputs.empty()) throw build_error("build: the model has no outputs");
  detail::require_names(inputs, outputs);
  const graph& g = outputs[0].v.owner();
  graph model(graph_options{.opset = g.opset(), .name = g.options().name, .doc = g.options().doc});
  detail::part_copier copier(g, model);
  for (const named_value& in : inputs) copier.give(in.v.id(), std::string(in.name));
  std::vector<value_id> results;
  for (const named_value& out : outputs) results.push_back(out.v.id());
  const std::vector<value> copies = copier.copies_of(results);
  for (std::size_t i = 0; i < copies.size(); ++i) output(copies[i], std::string(outputs[i].name));
  return model;
}

}  // namespace jax2onnx
