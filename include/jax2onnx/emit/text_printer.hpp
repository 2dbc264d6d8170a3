// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/emit/element_text.hpp>
#include <jax2onnx/emit/message_writer.hpp>
#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/plan.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/strings.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Prints a graph in the ONNX textual syntax (onnx/docs/Syntax.md). onnx.parser reads the result.
class text_printer {
 public:
  text_printer(const graph& g, const emit_options& options, text_options style)
      : graph_(g), plan_(g, options.graph_name), options_(options), style_(style) {}
  std::string print();

 private:
  struct entry {
    std::string text, comment;
  };
  template <class... Parts>
  void put(message_pattern<sizeof...(Parts)> pattern, const Parts&... parts) {
    out_ += message(pattern, parts...);
  }
  void newline() { out_.append(1, '\n').append(2 * static_cast<std::size_t>(depth_), ' '); }
  static std::string quoted(std::string_view s);
  static std::string id(std::string_view name);
  std::string type(const tensor_type& t) const;
  template <typename Values, typename Text>
  static std::string list(const Values& values, Text text);
  std::string references(const std::vector<value_id>& values) const;
  /// The value of an attribute, as it is printed after the name.
  std::string scalar(const attribute& a) const;
  std::string scalar(const attribute::content& value) const;
  std::string tensor_text(const tensor_type& t, const bytes& data) const;
  entry initializer(value_id v) const;
  /// Appends the elements, or their size in bytes if they are not printed.
  void print_elements(entry& e, const tensor_type& t, const bytes& data) const;
  void print_header();
  void print_graph(block_id b);
  void print_values(block_id b);
  void print_attributes(const node& n);
  void print_node(const node& n);
  void print_body(const std::vector<node_id>& nodes, std::span<const emission_plan::output> outputs);
  void print_function(const emission_plan::function& f);
  void print_opsets(const std::vector<std::string_view>& domains);

  const graph& graph_;
  emission_plan plan_;
  const emit_options& options_;
  text_options style_;
  std::string out_;
  int depth_ = 0;
};

inline std::string text_printer::print() {
  print_header();
  print_graph(block_id::main);
  out_ += '\n';
  for (const emission_plan::function& f : plan_.functions()) print_function(f);
  return std::move(out_);
}

inline std::string text_printer::quoted(std::string_view s) {
  std::string q = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q + '"';
}

inline std::string text_printer::id(std::string_view name) {
  return identifier(name) == name ? std::string(name) : quoted(name);
}

template <typename Values, typename Text>
std::string text_printer::list(const Values& values, Text text) {
  std::string s;
  for (const auto& v : values) {
    if (!s.empty()) s += ", ";
    s += text(v);
  }
  return s;
}

inline std::string text_printer::type(const tensor_type& t) const {
  const auto extent = [&](dim d) {
    if (d.is_constant()) return std::to_string(d.extent());
    return d.is_dyn() ? "?" : id(graph_.dims().text(d));
  };
  std::string s(traits(t.type).onnx);
  if (!t.ranked) s += "[...]";
  else if (!t.dims.empty()) s += '[' + list(t.dims, extent) + ']';
  switch (t.kind) {
    case value_kind::tensor: return s;
    case value_kind::sequence: return "seq(" + s + ')';
    case value_kind::optional: return "optional(" + s + ')';
    default: return "optional(seq(" + s + "))";
  }
}

// An absent value is printed as nothing before a comma, and as an empty string at the end.
inline std::string text_printer::references(const std::vector<value_id>& values) const {
  std::string s;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) s += ", ";
    if (values[i] != value_id::none) s += id(plan_.name(values[i]));
    else if (i + 1 == values.size()) s += "\"\"";
  }
  return s;
}

inline std::string text_printer::scalar(const attribute::content& value) const {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return message(" = {}", *n);
  if (const auto* f = std::get_if<float>(&value)) return " = " + float_text(*f);
  if (const auto* s = std::get_if<std::string>(&value)) return " = " + quoted(*s);
  if (const auto* list_of = std::get_if<ints>(&value))
    return message("{} = [{}]", list_of->empty() ? ": ints" : "", joined_text(*list_of, ", "));
  if (const auto* floats = std::get_if<std::vector<float>>(&value))
    return message("{} = [{}]", floats->empty() ? ": floats" : "", list(*floats, float_text<float>));
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    return message("{} = [{}]", texts->empty() ? ": strings" : "", list(*texts, quoted));
  if (const auto* t = std::get_if<tensor_type>(&value)) return ": type_proto = " + type(*t);
  if (const auto* t = std::get_if<tensor_constant>(&value)) return tensor_text(t->type(), t->data());
  return {};
}

inline std::string text_printer::tensor_text(const tensor_type& t, const bytes& data) const {
  entry e{type(t), {}};
  print_elements(e, t, data);
  return ": tensor = " + e.text + (e.comment.empty() ? "" : " {...}");
}

inline std::string text_printer::scalar(const attribute& a) const {
  if (a.reference.empty()) return scalar(a.value);
  constexpr std::string_view kinds[] = {"int",   "float",   "string", "ints",      "floats",
                                        "graph", "strings", "tensor", "type_proto"};
  return message(": {} = @{}", kinds[a.value.index()], a.reference);
}

inline text_printer::entry text_printer::initializer(value_id v) const {
  const value_record& r = graph_.at(v);
  entry e{type(r.type) + ' ' + id(plan_.name(v)), {}};
  const std::size_t head = e.text.size();
  print_elements(e, r.type, graph_.data(r));
  if (e.text.size() > head) e.text.insert(head, " =");
  return e;
}

inline void text_printer::print_elements(entry& e, const tensor_type& t, const bytes& data) const {
  std::uint64_t count = 1;
  for (dim d : t.dims) count *= static_cast<std::uint64_t>(d.extent());
  const bool has_literals = bits(t.type) <= 64;
  if (count > style_.max_elements || data.view().size() != data.size() || !has_literals) {
    e.comment = message("  # {} byte{|s}", data.size());
    return;
  }
  std::vector<std::string> elements;
  if (t.type == dtype::string) for_each_string(data.view(), [&](std::string_view s) { elements.push_back(quoted(s)); });
  else
    for (std::uint64_t i = 0; i < count; ++i) elements.push_back(element_text(t.type, data.view(), i));
  e.text += " {" + list(elements, [](const std::string& s) { return s; }) + '}';
}

inline void text_printer::print_header() {
  put("<\n  ir_version: {},\n", options_.ir_version);
  print_opsets(plan_.domains());
}

inline void text_printer::print_opsets(const std::vector<std::string_view>& domains) {
  put("  opset_import: [\"\" : {}", graph_.opset());
  for (std::string_view domain : domains) put(", {} : {}", quoted(domain), version_of(graph_, options_, domain));
  put("]\n>\n");
}

// Constants are printed as nodes of the function.
inline void text_printer::print_function(const emission_plan::function& f) {
  const block_id body = f.of->body;
  const auto parameter = [&](const attribute& a) { return std::string(a.name) + scalar(a); };
  put("<\n  domain: {},\n", quoted(f.of->domain));
  print_opsets(f.domains);
  put("{}", f.of->name);
  if (!f.of->attributes.empty()) put(" <{}>", list(f.of->attributes, parameter));
  put(" ({}) => ({}) {}", references(graph_.at(body).inputs),
      list(plan_.outputs(body), [](const emission_plan::output& o) { return id(o.name); }), '{');
  ++depth_;
  for (value_id v : f.constants) {
    newline();
    put("{} = Constant <value{}> ()", id(plan_.name(v)), tensor_text(graph_.at(v).type, graph_.data(graph_.at(v))));
  }
  print_body(graph_.at(body).nodes, plan_.outputs(body));
  out_ += "}\n";
}

inline void text_printer::print_graph(block_id b) {
  const auto input = [&](value_id v) { return type(graph_.at(v).type) + ' ' + id(plan_.name(v)); };
  const auto output = [&](const emission_plan::output& o) { return type(graph_.at(o.source).type) + ' ' + id(o.name); };
  put("{} ({}) => ({}) ", plan_.name(b), list(graph_.at(b).inputs, input), list(plan_.outputs(b), output));
  print_values(b);
  out_ += '{';
  ++depth_;
  print_body(graph_.at(b).nodes, plan_.outputs(b));
  out_ += '}';
}

inline void text_printer::print_body(const std::vector<node_id>& nodes,
                                     std::span<const emission_plan::output> outputs) {
  for (node_id n : nodes) print_node(graph_.at(n));
  for (const emission_plan::output& o : outputs) {
    if (!o.copied) continue;
    newline();
    put("{} = Identity ({})", id(o.name), id(plan_.name(o.source)));
  }
  --depth_;
  newline();
}

inline void text_printer::print_values(block_id b) {
  std::vector<entry> entries;
  if (b == block_id::main)
    for (value_id v : plan_.initializers()) entries.push_back(initializer(v));
  if (options_.shape_info)
    for (node_id n : graph_.at(b).nodes)
      for (value_id v : plan_.results(graph_.at(n)))
        if (v != value_id::none && !plan_.is_output(v))
          entries.push_back({type(graph_.at(v).type) + ' ' + id(plan_.name(v)), {}});
  if (entries.empty()) return;
  out_ += '<';
  ++depth_;
  for (const entry& e : entries) {
    newline();
    put("{}{}{}", e.text, &e == &entries.back() ? "" : ",", e.comment);
  }
  --depth_;
  newline();
  out_ += "> ";
}

inline void text_printer::print_attributes(const node& n) {
  std::string_view separator = " <";
  for (const attribute& a : n.attributes) {
    put("{}{}{}", separator, a.name, scalar(a));
    if (const block_id* body = std::get_if<block_id>(&a.value)) {
      out_ += " = ";
      print_graph(*body);
    }
    separator = ", ";
  }
  if (!n.attributes.empty()) out_ += '>';
}

// Attributes with subgraphs are printed after the operands, which reads better.
inline void text_printer::print_node(const node& n) {
  bool bodies = false;
  for_each_block(n, [&](std::string_view, block_id) { bodies = true; });
  newline();
  put("{} = {}{}{}", references(plan_.results(n)), n.domain, n.domain.empty() ? "" : ".", n.op);
  if (!bodies) print_attributes(n);
  put(" ({})", references(n.inputs));
  if (bodies) print_attributes(n);
}

}  // namespace jax2onnx::detail
