#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <jax2onnx/read/graph_copier.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/plain_text.hpp>

namespace jax2onnx {

namespace detail {

/// The extents that arguments give to the symbols of a model.
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
  key_map numbers_;  // index into extents_ by dim::key()
  std::vector<dim> extents_;
};

inline const binding& argument_for(std::string_view input, std::span<const binding> arguments) {
  for (const binding& b : arguments)
    if (b.input == input) return b;
  throw build_error(message("the model's input '{}' has no argument", shown(input)));
}

/// The argument has a type that the input may have; its extents become those of the input's symbols.
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
    throw build_error(message("the model's input '{}' is {}, and its argument {}", shown(model.at(input).name),
                              text(model, wanted), text(argument)));
}

inline value_id named_value(const graph& g, std::string_view name) {
  for (std::size_t i = 0; i < g.value_count(); ++i)
    if (const auto v = static_cast<value_id>(i); g.at(v).home == block_id::main && g.at(v).name == name) return v;
  throw build_error(message("the main graph has no value '{}'", shown(name)));
}

/// The nodes of the main block that some values need, up to values that are given.
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

}  // namespace detail

JAX2ONNX_INLINE value model_outputs::operator[](std::size_t i) const {
  if (i >= outputs_.size())
    throw build_error(detail::message("the model has {} outputs, none with the index {}", outputs_.size(), i));
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
    if (&argument.owner() != &g) throw build_error("an argument of a model is of another graph");
    detail::bind_input(model, input, argument, symbols);
    bound.emplace_back(input, argument);
  }
  if (arguments.size() != bound.size())
    throw build_error(
        detail::message("the model has {} inputs, {} arguments are given", bound.size(), arguments.size()));
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
  // An extent has one normal form, and so it is the same in all tables that know it.
  detail::graph_copier copier(g, part,
                              [&](dim d) { return d.is_symbolic() ? part.dims().parse(g.dims().text(d)) : d; });
  detail::needed_nodes needed(g);
  for (const std::string& name : inputs) {
    const value_id v = detail::named_value(g, name);
    needed.give(v);
    copier.place(v, part.input(copier.translated(g.at(v).type), name).id());
  }
  std::vector<value_id> results;
  for (const std::string& name : outputs) results.push_back(detail::named_value(g, name));
  for (value_id v : results) needed.need(v);
  for (node_id n : g.at(block_id::main).nodes)
    if (needed.has(n)) copier.copy_node(n);
  std::vector<value> ends;
  for (value_id v : results) ends.emplace_back(part, copier.copy_of(v));
  part.set_outputs(block_id::main, ends);
  return part;
}

}  // namespace jax2onnx
