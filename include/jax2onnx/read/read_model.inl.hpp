// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <set>

#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/read/model_reader.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx {

namespace detail {

inline std::pair<std::string, std::int64_t> read_import(wire_source& from, wire_range message) {
  std::pair<std::string, std::int64_t> out{"", 0};
  wire_reader reader(from, message);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::opset_domain) out.first = reader.text(f);
    if (f.number == onnx_fields::opset_version) out.second = reader.integer(f);
  }
  if (out.first == "ai.onnx") out.first.clear();
  return out;
}

inline std::pair<std::string, std::string> read_entry(wire_source& from, wire_range message) {
  std::pair<std::string, std::string> out;
  wire_reader reader(from, message);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::entry_key) out.first = reader.text(f);
    if (f.number == onnx_fields::entry_value) out.second = reader.text(f);
  }
  return out;
}

/// The text in a field of a message; empty if there is no such field.
inline std::string text_in(wire_source& from, wire_range message, std::uint32_t field) {
  std::string out;
  wire_reader reader(from, message);
  for (wire_field f; reader.next(f);)
    if (f.number == field) out = reader.text(f);
  return out;
}

/// The version of the file format with which the model is written again: `version`, or the version that opset 17 needs
/// if that is newer. Throws file_error for a version that this library does not know.
inline std::int64_t read_format(const file_site& site, std::int64_t version) {
  constexpr std::int64_t oldest = 8, newest = 14;
  if (version > newest)
    site.fail(
        failure::unsupported,
        message("the model has version {} of the file format; the newest one that is known is {}", version, newest));
  return std::max(version, oldest);
}

JAX2ONNX_INLINE model_parts read_model_parts(wire_source& from) {
  using namespace onnx_fields;
  constexpr std::size_t most_metadata = 4096;
  model_parts out;
  out.envelope.producer_name.clear();
  wire_reader reader(from, from.all());
  for (wire_field f; reader.next(f);) switch (f.number) {
      case model_ir_version: out.envelope.ir_version = read_format(from.site(), reader.integer(f)); break;
      case model_producer_name: out.envelope.producer_name = reader.text(f); break;
      case model_producer_version: out.envelope.producer_version = reader.text(f); break;
      case model_doc_string: out.doc = reader.text(f); break;
      case model_metadata_props:
        if (out.metadata.size() == most_metadata) throw limit_error("the model has over 4096 entries of metadata");
        out.metadata.push_back(read_entry(from, reader.message(f)));
        break;
      case model_opset_import: out.imports.insert(read_import(from, reader.message(f))); break;
      case model_functions: out.functions.push_back(reader.message(f)); break;
      case model_training_info: from.site().malformed("the model has training information, which is not supported");
      case model_graph:
        if (out.graph) from.site().malformed("the model has two graphs");
        out.graph = reader.message(f);
        break;
      default: break;
    }
  if (!out.graph) from.site().malformed("is not an ONNX model: it has no graph");
  out.name = text_in(from, *out.graph, onnx_fields::graph_name);
  return out;
}

JAX2ONNX_INLINE function_parts read_function_parts(wire_source& from, wire_range message) {
  using namespace onnx_fields;
  function_parts out;
  wire_reader reader(from, message);
  for (wire_field f; reader.next(f);) switch (f.number) {
      case function_name: out.name = reader.text(f); break;
      case function_domain: out.domain = reader.text(f); break;
      case function_overload: out.overload = reader.text(f); break;
      case function_input:
        out.inputs.push_back(reader.text(f));
        out.header_size += f.content.size() + 2;
        break;
      case function_output: out.outputs.push_back(reader.text(f)); break;
      case function_node: out.nodes.push_back(reader.message(f)); break;
      case function_attribute_default: {
        const wire_range attribute = reader.message(f);
        out.defaults[text_in(from, attribute, attribute_name)] = attribute;
        break;
      }
      case function_opset_import: out.imports.insert(read_import(from, reader.message(f))); break;
      default: break;
    }
  return out;
}

/// The opset of the graph into which a model is read.
inline int graph_opset(const model_parts& parts, const file_site& site) {
  const auto version = parts.imports.find(std::string_view());
  if (version == parts.imports.end()) return highest_opset;
  if (version->second > highest_opset)
    site.fail(failure::unsupported,
              message("the model is of opset {}; the newest one that is known is {}", version->second, highest_opset));
  return static_cast<int>(std::max<std::int64_t>(version->second, lowest_opset));
}

/// The key by which a call finds its function.
inline std::string function_key(std::string_view domain, std::string_view name, std::string_view overload) {
  std::string key(domain == "ai.onnx" ? std::string_view() : domain);
  return key.append(1, '\0').append(name).append(1, '\0').append(overload);
}

inline model_reader::model_reader(wire_source& from, model_parts parts,
                                  const std::optional<std::filesystem::path>& directory, graph_limits limits)
    : from_(from),
      parts_(std::move(parts)),
      graph_({.opset = graph_opset(parts_, from.site()), .name = parts_.name, .doc = parts_.doc}),
      tensors_(from, directory),
      types_(from, graph_.dims()),
      steps_left_(limits.nodes),
      bytes_left_(limits.bytes) {
  graph_.set_limits(limits);
  for (const auto& [key, text] : parts_.metadata) graph_.set_metadata(key, text);
  for (const auto& [domain, version] : parts_.imports)
    if (!domain.empty() && domain != "ai.onnx") {
      const int newest = domain_version(domain, lowest_opset);
      graph_.set_domain_version(
          domain, static_cast<int>(std::clamp<std::int64_t>(version, 1, newest == 0 ? INT32_MAX : newest)));
    }
  for (const wire_range& message : parts_.functions) {
    function_parts f = read_function_parts(from_, message);
    std::string key = function_key(f.domain, f.name, f.overload);
    functions_.emplace(std::move(key), std::move(f));
  }
}

inline void model_reader::visit(std::uint64_t bytes) {
  if (open_calls_ == 0) return;
  if (bytes > bytes_left_)
    throw limit_error("the model with its functions inlined takes too many bytes (the limit 'bytes')");
  bytes_left_ -= bytes;
}

inline graph model_reader::read() {
  environment main{.names = name_scope(), .imports = &parts_.imports};
  read_graph(*parts_.graph, main, block_id::main, {});
  return std::move(graph_);
}

inline model_reader::graph_parts model_reader::read_graph_parts(wire_range message) {
  using namespace onnx_fields;
  visit(message.size());
  graph_parts out;
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) switch (f.number) {
      case graph_node: out.nodes.push_back(reader.message(f)); break;
      case graph_initializer: out.initializers.push_back(reader.message(f)); break;
      case graph_input: out.inputs.push_back(reader.message(f)); break;
      case graph_output: out.outputs.push_back(reader.message(f)); break;
      case graph_value_info: out.types.push_back(reader.message(f)); break;
      case graph_sparse_initializer: malformed("the model has a sparse initializer, which is not supported");
      default: break;
    }
  return out;
}

inline model_reader::stated_value model_reader::read_value_info(wire_range message) {
  stated_value out{{}, unknown_type()};
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::value_name) out.name = reader.text(f);
    if (f.number == onnx_fields::value_type) out.type = types_.read(reader.only_message(f));
  }
  return out;
}

/// The type of an input or output. Throws file_error for a type that graphs do not support.
inline tensor_type model_reader::required_type(const stated_value& v) const {
  if (!v.type)
    from_.site().at(v.name).fail(failure::unsupported, "maps, sparse tensors and nested sequences are not supported");
  return *v.type;
}

inline void model_reader::read_initializers(const graph_parts& parts, environment& here) {
  for (const wire_range& message : parts.initializers) {
    read_tensor t = tensors_.read(message);
    if (here.names.defines(t.name)) from_.site().at(t.name).malformed("there are two initializers of this name");
    const value v = graph_.constant(std::move(t.type), std::move(t.data), t.name);
    here.names.define(t.name, v.id());
  }
}

/// Inputs of a body that state no type have the element type of the corresponding operand.
inline void model_reader::read_inputs(const graph_parts& parts, environment& here, std::span<const value_id> operands) {
  std::set<std::string, std::less<>> names;
  const bool main = graph_.current() == block_id::main;
  for (std::size_t i = 0; i < parts.inputs.size(); ++i) {
    const stated_value v = read_value_info(parts.inputs[i]);
    if (v.name.empty()) malformed("an input has no name");
    if (!names.insert(v.name).second) from_.site().at(v.name).malformed("there are two inputs of this name");
    if (here.names.defines(v.name)) continue;  // an initializer
    tensor_type type = required_type(v);
    if (main && type.type == dtype::undefined) from_.site().at(v.name).malformed("the input states no element type");
    if (type.type == dtype::undefined && i < operands.size() && operands[i] != value_id::none)
      type.type = graph_.at(operands[i]).type.type;
    here.names.define(v.name, graph_.input(std::move(type), v.name).id());
  }
}

/// If the value of an output has another name than the output, or is not the result of a node of this graph, an
/// Identity with the output's name computes the output.
inline void model_reader::read_outputs(const graph_parts& parts, environment& here, block_id block) {
  std::vector<value> outputs;
  for (const wire_range& message : parts.outputs) {
    const stated_value stated = read_value_info(message);
    const auto found = here.names.find(stated.name);
    if (!found || *found == value_id::none) from_.site().at(stated.name).malformed("no node computes this output");
    value v(graph_, *found);
    const value_record& r = graph_.at(*found);
    const auto type = merged(r.type, required_type(stated));
    if (!type)
      from_.site()
          .at(stated.name)
          .malformed(detail::message("the output is {}, but the model states {}", text(graph_, r.type),
                                     text(graph_, *stated.type)));
    const bool own = r.producer != node_id::none && r.home == block && r.name == stated.name;
    if (!own && !stated.name.empty()) {
      v = graph_.emit("Identity", {v}, *type);
      graph_.at(v.id()).name = stated.name;
    }
    outputs.push_back(v);
  }
  graph_.set_outputs(block, outputs);
}

inline void model_reader::read_graph(wire_range message, environment& here, block_id block,
                                     std::span<const value_id> operands) {
  const graph_parts parts = read_graph_parts(message);
  for (const auto* list : {&parts.types, &parts.outputs})
    for (const wire_range& info : *list) {
      stated_value v = read_value_info(info);
      if (list == &parts.outputs) v.type = required_type(v);
      if (v.type && !is_unknown(*v.type)) here.names.state(v.name, std::move(*v.type));
    }
  read_initializers(parts, here);
  read_inputs(parts, here, operands);
  for (const wire_range& n : parts.nodes) read_node(n, here);
  read_outputs(parts, here, block);
}

inline model_reader::node_parts model_reader::read_node_parts(wire_range message) {
  using namespace onnx_fields;
  node_parts out;
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) switch (f.number) {
      case node_input: out.inputs.push_back(reader.text(f)); break;
      case node_output: out.outputs.push_back(reader.text(f)); break;
      case node_name: out.name = reader.text(f); break;
      case node_op_type: out.op = reader.text(f); break;
      case node_domain: out.domain = reader.text(f); break;
      case node_doc_string: out.doc = reader.text(f); break;
      case node_overload: out.overload = reader.text(f); break;
      case node_attribute: out.attributes.push_back(reader.message(f)); break;
      case node_metadata_props: {
        auto [key, text] = read_entry(from_, reader.message(f));
        if (key == "jax2onnx.source") out.source = std::move(text);
        else if (key == "jax2onnx.scope") out.scope = std::move(text);
        break;
      }
      default: break;
    }
  if (out.domain == "ai.onnx") out.domain.clear();
  return out;
}

inline void model_reader::note_origin(const node_parts& n) {
  if (n.source.empty() && n.scope.empty()) {
    if (!graph_.origins().back().annotation.empty()) graph_.set_origin({});
    return;
  }
  const std::string text = n.scope.empty() ? n.source : message("{}\n[{}]", n.source, n.scope);
  const std::string_view annotation = graph_.intern(text);
  if (graph_.origins().back().annotation != annotation) graph_.set_origin({0, 0, annotation});
}

inline void model_reader::read_node(wire_range range, environment& here) {
  if (steps_left_-- == 0)
    throw limit_error("the model with its functions inlined has too many nodes (the limit 'nodes')");
  visit(range.size());
  const node_parts n = read_node_parts(range);
  try {
    if (const function_parts* f = function_of(n)) call(*f, n, here);
    else if (n.op == "Constant" && n.domain.empty()) add_constant(n, here);
    else add_node(n, here);
  } catch (const build_error& e) {
    from_.site().at(n.name.empty() && !n.outputs.empty() ? n.outputs[0] : n.name).fail(e.kind(), e.what());
  }
}

inline std::vector<value_id> model_reader::operands_of(const node_parts& n, const environment& here) const {
  std::vector<value_id> out;
  for (const std::string& name : n.inputs) {
    const auto v = name.empty() ? std::optional(value_id::none) : here.names.find(name);
    if (!v) throw build_error(message("{} uses the value '{}', which no earlier node computes", n.op, shown(name)));
    out.push_back(*v);
  }
  return out;
}

/// The record of a node's operator; null for operators that ONNX does not define. Throws if the operator has another
/// record in the version that the model states than in the graph's version.
inline const op_record* model_reader::record_of(const node_parts& n, const environment& here) const {
  const auto known = records_of(n.domain, n.op);
  const int version = version_in(graph_, n.domain);
  if (known.empty() && version == 0) return nullptr;
  const op_record* const record = find_record(n.domain, n.op, version);
  if (!record) throw_no_operator(n.domain, n.op, graph_.opset());
  const auto import = here.imports->find(n.domain);
  if (import == here.imports->end()) return record;
  const auto stated = static_cast<int>(std::clamp<std::int64_t>(import->second, 0, INT16_MAX));
  if (find_record(n.domain, n.op, stated) == record) return record;
  from_.site().at(n.name).fail(
      failure::unsupported,
      message("{} has another form in version {} of {} than in {}", n.op, import->second,
              n.domain.empty() ? "ai.onnx" : n.domain, version),
      message("onnx.version_converter.convert_version(model, {}) makes a model that can be read", version));
}

inline std::vector<tensor_type> model_reader::result_types(const node_parts& n, const environment& here,
                                                           std::span<const value_id> operands,
                                                           std::span<const attribute> attributes) const {
  const op_record* const record = record_of(n, here);
  if (!record) return std::vector<tensor_type>(n.outputs.size(), unknown_type());
  for (std::size_t i = 0; i < n.outputs.size(); ++i)
    if (const formal* f = op_record::at(record->outputs, i);
        f && f->count == presence::required && n.outputs[i].empty())
      throw build_error(message("the result {} of {} has no name", f->name, n.op));
  dim_table& dims = const_cast<graph&>(graph_).dims();
  return infer_types(graph_, dims, *record, operands, attributes, n.outputs.size());
}

/// The type of a result, completed by the type that the model states. Throws a build_error if these types contradict
/// each other.
inline tensor_type model_reader::as_stated(const node_parts& n, const tensor_type& type,
                                           const tensor_type& stated) const {
  const auto both = merged(type, stated);
  if (!both)
    throw build_error(
        message("{} has the result {}, but the model states {}", n.op, text(graph_, type), text(graph_, stated)));
  return *both;
}

inline value_id model_reader::add_result(const node_parts& n, std::string_view name, tensor_type type,
                                         environment& here) {
  if (name.empty()) return value_id::none;
  if (here.names.defines(name)) throw build_error(message("the value '{}' is computed twice", shown(name)));
  if (const tensor_type* stated = here.names.stated(name)) type = as_stated(n, type, *stated);
  const value_id v = graph_.add_value(std::move(type), graph_.current(), std::string(name));
  here.names.define(name, v);
  return v;
}

inline void model_reader::add_node(const node_parts& n, environment& here) {
  const std::vector<value_id> operands = operands_of(n, here);
  note_origin(n);
  const std::uint32_t origin = graph_.current_origin();
  std::vector<attribute> attributes = read_attributes(n, here, operands);
  const std::vector<tensor_type> types = result_types(n, here, operands, attributes);
  node made{.op = operator_name::unchecked(graph_.intern(n.op)),
            .inputs = operands,
            .attributes = std::move(attributes),
            .origin = origin,
            .domain = n.domain.empty() ? std::string_view() : graph_.intern(n.domain)};
  for (std::size_t i = 0; i < n.outputs.size(); ++i)
    made.outputs.push_back(add_result(n, n.outputs[i], types[i], here));
  const node_id id = graph_.add_node(std::move(made));
  if (!n.name.empty() || !n.doc.empty()) graph_.edit_note(id) = {n.name, n.doc};
  graph_.append(id);
}

namespace detail_constant {

/// The tensor in the attribute of a Constant; nullopt for a graph or a type.
inline std::optional<std::pair<tensor_type, bytes>> tensor_of(const attribute& a) {
  const auto raw = [](const auto* first, std::size_t count) {
    return bytes(std::string(reinterpret_cast<const char*>(first), count * sizeof *first));
  };
  const auto length = [](const auto& list) { return shape{dim(static_cast<std::int64_t>(list.size()))}; };
  if (const auto* t = std::get_if<tensor_constant>(&a.value)) return std::pair(t->type(), t->data());
  if (const auto* n = std::get_if<std::int64_t>(&a.value)) return std::pair(tensor_type{dtype::i64, {}}, raw(n, 1));
  if (const auto* n = std::get_if<float>(&a.value)) return std::pair(tensor_type{dtype::f32, {}}, raw(n, 1));
  if (const auto* s = std::get_if<std::string>(&a.value))
    return std::pair(tensor_type{dtype::string, {}}, bytes(packed_strings(std::span(s, 1))));
  if (const auto* l = std::get_if<ints>(&a.value))
    return std::pair(tensor_type{dtype::i64, length(*l)}, raw(l->data(), l->size()));
  if (const auto* l = std::get_if<std::vector<float>>(&a.value))
    return std::pair(tensor_type{dtype::f32, length(*l)}, raw(l->data(), l->size()));
  if (const auto* l = std::get_if<std::vector<std::string>>(&a.value))
    return std::pair(tensor_type{dtype::string, length(*l)}, bytes(packed_strings(*l)));
  return std::nullopt;
}

}  // namespace detail_constant

/// Turns a Constant into a constant of the graph.
inline void model_reader::add_constant(const node_parts& n, environment& here) {
  const std::vector<attribute> attributes = read_attributes(n, here, {});
  if (attributes.size() != 1 || n.outputs.size() != 1 || n.outputs[0].empty())
    throw build_error("a Constant needs one attribute and one result");
  auto tensor = detail_constant::tensor_of(attributes[0]);
  if (!tensor) throw build_error("the attribute of a Constant must be a tensor, numbers or strings");
  if (here.names.defines(n.outputs[0]))
    throw build_error(message("the value '{}' is computed twice", shown(n.outputs[0])));
  const value v = graph_.constant(std::move(tensor->first), std::move(tensor->second), n.outputs[0]);
  here.names.define(n.outputs[0], v.id());
}

inline void model_reader::attribute_fields::set(std::int64_t kind, attribute::content content) {
  parts.content = std::move(content);
  parts.has_content = true;
  seen = kind;
}

inline model_reader::attribute_parts model_reader::attribute_fields::complete() && {
  using namespace onnx_fields;
  if (parts.kind == 0) parts.kind = seen;
  if (seen != parts.kind && seen != 0)
    throw build_error(message("the attribute '{}' has content of another kind than it states", shown(parts.name)));
  // Empty lists have no content, and some writers leave out zeros.
  if (parts.kind == kind_ints) set(kind_ints, std::move(integers));
  if (parts.kind == kind_floats) set(kind_floats, std::move(numbers));
  if (parts.kind == kind_strings) set(kind_strings, std::move(texts));
  if (parts.kind == kind_int && !parts.has_content) set(kind_int, std::int64_t{0});
  if (parts.kind == kind_float && !parts.has_content) set(kind_float, 0.0f);
  if (parts.kind == kind_string && !parts.has_content) set(kind_string, std::string());
  return std::move(parts);
}

inline void model_reader::read_attribute_field(wire_reader& reader, const wire_field& f, attribute_fields& into) {
  using namespace onnx_fields;
  switch (f.number) {
    case attribute_name: into.parts.name = reader.text(f); break;
    case attribute_type: into.parts.kind = reader.integer(f); break;
    case attribute_reference: into.parts.reference = reader.text(f); break;
    case attribute_f: into.set(kind_float, reader.number(f)); break;
    case attribute_i: into.set(kind_int, reader.integer(f)); break;
    case attribute_s: into.set(kind_string, reader.text(f)); break;
    case attribute_t: {
      read_tensor t = tensors_.read(reader.only_message(f));
      into.set(kind_tensor, tensor_constant(std::move(t.type), std::move(t.data)));
      break;
    }
    case attribute_g:
      into.parts.graph = reader.only_message(f);
      into.seen = kind_graph;
      break;
    case attribute_tp: {
      const auto type = types_.read(reader.only_message(f));
      if (!type) throw build_error(message("the type in the attribute '{}' is not supported", shown(into.parts.name)));
      into.set(kind_type, *type);
      break;
    }
    case attribute_floats:
      reader.each(f, wire_field::fixed32, [&](std::uint64_t n) {
        into.numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(n)));
      });
      into.seen = kind_floats;
      break;
    case attribute_ints:
      reader.each(f, wire_field::varint,
                  [&](std::uint64_t n) { into.integers.push_back(static_cast<std::int64_t>(n)); });
      into.seen = kind_ints;
      break;
    case attribute_strings:
      into.texts.push_back(reader.text(f));
      into.seen = kind_strings;
      break;
    default: break;
  }
}

inline model_reader::attribute_parts model_reader::read_attribute_parts(wire_range range) {
  visit(range.size());
  attribute_fields found;
  wire_reader reader(from_, range);
  for (wire_field f; reader.next(f);) read_attribute_field(reader, f, found);
  return std::move(found).complete();
}

inline std::optional<attribute> model_reader::read_attribute(wire_range range, const environment& here,
                                                             std::span<const value_id> operands) {
  attribute_parts a = read_attribute_parts(range);
  if (!a.reference.empty()) {
    if (!here.call) throw build_error("an attribute refers to a function's attribute outside of functions");
    const auto bound = here.call->find(a.reference);
    if (!bound) return std::nullopt;
    auto found = read_attribute(bound->message, *bound->from, operands);
    if (found) found->name = graph_.intern(a.name);
    return found;
  }
  if (a.graph && a.kind == onnx_fields::kind_graph) {
    block_scope inner(graph_);
    environment body{.names = name_scope(&here.names), .imports = here.imports, .call = here.call};
    read_graph(*a.graph, body, inner.id(), operands);
    a.content = inner.id();
    a.has_content = true;
  }
  if (!a.has_content)
    throw build_error(
        message("the attribute '{}' is a list of graphs or tensors, sparse, or empty, which is not "
                "supported",
                shown(a.name)));
  return attribute{graph_.intern(a.name), std::move(a.content)};
}

inline std::vector<attribute> model_reader::read_attributes(const node_parts& n, const environment& here,
                                                            std::span<const value_id> operands) {
  std::vector<attribute> out;
  for (const wire_range& message : n.attributes)
    if (auto a = read_attribute(message, here, operands)) out.push_back(std::move(*a));
  return out;
}

inline const function_parts* model_reader::function_of(const node_parts& n) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find(function_key(n.domain, n.op, n.overload));
  return found == functions_.end() ? nullptr : &found->second;
}

inline std::optional<model_reader::bound_attribute> model_reader::bindings::find(std::string_view name) const {
  if (const auto own = given.find(name); own != given.end()) return own->second;
  const auto standard = function->defaults.find(name);
  if (standard == function->defaults.end()) return std::nullopt;
  return bound_attribute{standard->second, constants};
}

/// The attributes of a call of f. Graphs in the defaults see the names of `constants`.
inline model_reader::bindings model_reader::bound_attributes(const function_parts& f, const node_parts& n,
                                                             const environment& constants, const environment& here) {
  bindings bound{&f, &constants, {}};
  for (const wire_range& a : n.attributes) {
    const attribute_parts given = read_attribute_parts(a);
    if (given.reference.empty()) bound.given[given.name] = {a, &here};
    else if (const auto outer = here.call ? here.call->find(given.reference) : std::nullopt)
      bound.given[given.name] = *outer;
  }
  return bound;
}

/// Binds the outputs of a call's node to the results of f, with the types that are stated for the outputs.
inline void model_reader::bind_results(const function_parts& f, const node_parts& n, std::span<const value_id> operands,
                                       const environment& inside, environment& here) {
  for (std::size_t i = 0; i < n.outputs.size(); ++i) {
    if (n.outputs[i].empty()) continue;
    const auto v = inside.names.find(f.outputs[i]);
    if (!v) throw build_error(message("the function {} does not compute its output '{}'", f.name, shown(f.outputs[i])));
    if (here.names.defines(n.outputs[i]))
      throw build_error(message("the value '{}' is computed twice", shown(n.outputs[i])));
    here.names.define(n.outputs[i], *v);
    if (*v == value_id::none) continue;
    value_record& r = graph_.at(*v);
    const tensor_type* const stated = here.names.stated(n.outputs[i]);
    if (stated) r.type = as_stated(n, r.type, *stated);
    const bool made_here = r.producer != node_id::none && r.home == graph_.current();
    if (made_here && !item_loops::contains(operands, *v)) r.name = n.outputs[i];
  }
}

/// Inlines a call: adds the function's nodes with the call's operands and attributes.
inline void model_reader::call(const function_parts& f, const node_parts& n, environment& here) {
  constexpr int most_open = 64;
  if (open_calls_ == most_open)
    throw build_error(message("the function {} calls itself, or its calls are nested more than 64 deep", f.name));
  const std::vector<value_id> operands = operands_of(n, here);
  if (operands.size() > f.inputs.size() || n.outputs.size() > f.outputs.size())
    throw build_error(message("a call of the function {} has too many operands or results", f.name));
  ++open_calls_;
  visit(f.header_size);
  const environment constants{.names = name_scope(), .imports = &f.imports};
  const bindings bound = bound_attributes(f, n, constants, here);
  environment inside{.names = name_scope(), .imports = &f.imports, .call = &bound};
  for (std::size_t i = 0; i < f.inputs.size(); ++i)
    inside.names.define(f.inputs[i], i < operands.size() ? operands[i] : value_id::none);
  for (const wire_range& node : f.nodes) read_node(node, inside);
  --open_calls_;
  bind_results(f, n, operands, inside, here);
}

inline graph_limits limits_for(const read_options& options, std::uint64_t size) {
  if (options.limits) return *options.limits;
  const std::uint64_t parts = size / 65536 + 1;
  return {.nodes = 50'000 * parts, .bytes = (std::uint64_t{64} << 20) * parts, .terms = 1'000'000 * parts};
}

inline model read_from(wire_source& from, const std::optional<std::filesystem::path>& directory,
                       const read_options& options) {
  model_parts parts = read_model_parts(from);
  emit_options envelope = parts.envelope;
  model_reader reader(from, std::move(parts), options.directory ? options.directory : directory,
                      limits_for(options, from.all().size()));
  return {reader.read(), std::move(envelope)};
}

}  // namespace detail

JAX2ONNX_INLINE model read_model_file(const std::filesystem::path& file, const read_options& options) {
  detail::wire_source from(std::make_shared<const detail::input_file>(file));
  return detail::read_from(from, file.parent_path(), options);
}

JAX2ONNX_INLINE graph read_model(const std::filesystem::path& file, const read_options& options) {
  return read_model_file(file, options).graph;
}

JAX2ONNX_INLINE model read_model_bytes(std::string encoded, const read_options& options, std::string shown_as) {
  detail::wire_source from(std::move(encoded), std::move(shown_as));
  return detail::read_from(from, std::nullopt, options);
}

}  // namespace jax2onnx
