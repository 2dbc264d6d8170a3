#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/plan.hpp>
#include <jax2onnx/emit/wire.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/source_info.hpp>
#include <jax2onnx/graph/strings.hpp>

namespace jax2onnx::detail {

/// Bytes that readers of protobuf accept in one message.
inline constexpr std::uint64_t protobuf_limit = std::numeric_limits<std::int32_t>::max();

/// Writes parts of a graph as ONNX messages: everything except the bytes of initializers. A function `put_x` appends
/// the fields of a message x, in the order of their numbers, to the string of `to`.
class message_writer {
 public:
  message_writer(const graph& g, const emission_plan& plan, const emit_options& options)
      : graph_(g), plan_(plan), options_(options) {}

  /// Name, type and shape of an initializer: the fields before its data.
  void put_tensor_header(wire_writer& to, value_id constant) const;
  /// A block without its initializers. Throws limit_error where it takes more than protobuf_limit bytes.
  void put_graph(wire_writer& to, block_id b) const;
  /// The fields of the model except its graph.
  void put_envelope(wire_writer& to) const;

 private:
  static void put_metadata(wire_writer& to, std::uint32_t field, std::string_view key, std::string_view value);
  static void put_opset(wire_writer& to, std::string_view domain, std::int64_t version);
  void put_node(wire_writer& to, const node& n) const;
  /// The Identity that gives an output a name of its own.
  void put_identity(wire_writer& to, const emission_plan::output& o) const;
  void put_value_info(wire_writer& to, std::string_view name, const tensor_type& type) const;
  void put_type(wire_writer& to, const tensor_type& type) const;
  void put_tensor_type(wire_writer& to, const tensor_type& type) const;
  void put_attribute(wire_writer& to, const attribute& a) const;
  static void put_tensor(wire_writer& to, const tensor_constant& t);
  /// Extents and dtype, and the elements if they are strings.
  static void put_tensor_fields(wire_writer& to, const tensor_type& type, const bytes& data);
  /// Name, inputs and outputs of a block.
  void put_interface(wire_writer& to, block_id b) const;
  /// The types of a node's results, except those that are outputs of the block.
  void put_result_types(wire_writer& to, const node& n) const;
  void put_source(wire_writer& to, const node& n) const;
  bool has_result_type(value_id v) const {
    return v != value_id::none && !plan_.is_output(v) && graph_.at(v).type.type != dtype::undefined;
  }

  const graph& graph_;
  const emission_plan& plan_;
  const emit_options& options_;
};

inline void message_writer::put_metadata(wire_writer& to, std::uint32_t field, std::string_view key,
                                         std::string_view value) {
  to.message(field, [&] {
    to.text(onnx_fields::entry_key, key);
    to.text(onnx_fields::entry_value, value);
  });
}

inline void message_writer::put_node(wire_writer& to, const jax2onnx::node& n) const {
  using namespace onnx_fields;
  for (value_id v : n.inputs) to.text(node_input, plan_.name(v));
  for (value_id v : n.outputs) to.text(node_output, plan_.name(v));
  to.text(node_name, plan_.name(n));
  to.text(node_op_type, n.op);
  for (const jax2onnx::attribute& a : n.attributes) to.message(node_attribute, [&] { put_attribute(to, a); });
  if (!n.domain.empty() && n.domain != "ai.onnx") to.text(node_domain, n.domain);
  if (options_.source_info) put_source(to, n);
}

inline void message_writer::put_identity(wire_writer& to, const emission_plan::output& o) const {
  using namespace onnx_fields;
  to.text(node_input, plan_.name(o.source));
  to.text(node_output, o.name);
  to.text(node_name, o.name);
  to.text(node_op_type, "Identity");
}

inline void message_writer::put_value_info(wire_writer& to, std::string_view name, const tensor_type& type) const {
  using namespace onnx_fields;
  to.text(value_name, name);
  to.message(value_type, [&] { put_type(to, type); });
}

inline void message_writer::put_type(wire_writer& to, const tensor_type& type) const {
  using namespace onnx_fields;
  const auto tensor = [&] { to.message(type_tensor, [&] { put_tensor_type(to, type); }); };
  const auto holder = [&](std::uint32_t field, const auto& fill) {
    to.message(field, [&] { to.message(element_type, fill); });
  };
  const auto sequence = [&] { holder(type_sequence, tensor); };
  switch (type.kind) {
    case value_kind::tensor: return tensor();
    case value_kind::sequence: return sequence();
    case value_kind::optional: return holder(type_optional, tensor);
    case value_kind::optional_sequence: return holder(type_optional, sequence);
  }
}

inline void message_writer::put_tensor_type(wire_writer& to, const tensor_type& type) const {
  using namespace onnx_fields;
  to.integer(tensor_type_elem, static_cast<std::int64_t>(type.type));
  if (!type.ranked) return;
  to.message(tensor_type_shape, [&] {
    for (const dim d : type.dims)
      to.message(shape_dim, [&] {
        if (d.is_constant()) to.integer(dim_value, d.extent());
        else if (d.is_symbolic()) to.text(dim_param, graph_.dims().text(d));
      });
  });
}

inline void message_writer::put_tensor_header(wire_writer& to, value_id constant) const {
  const jax2onnx::tensor_type& type = graph_.at(constant).type;
  put_tensor_fields(to, type, graph_.data(graph_.at(constant)));
  to.text(onnx_fields::tensor_name, plan_.name(constant));
}

inline void message_writer::put_tensor_fields(wire_writer& to, const tensor_type& type, const bytes& data) {
  using namespace onnx_fields;
  for (const dim d : type.dims) to.integer(tensor_dims, d.extent());
  to.integer(tensor_data_type, static_cast<std::int64_t>(type.type));
  if (type.type == dtype::string)
    for_each_string(data.view(), [&](std::string_view s) { to.text(tensor_string_data, s); });
}

inline void message_writer::put_tensor(wire_writer& to, const tensor_constant& t) {
  put_tensor_fields(to, t.type(), t.data());
  if (t.type().type == dtype::string) return;
  std::string raw;
  t.data().stream([&](std::span<const std::byte> piece) {
    raw.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  to.text(onnx_fields::tensor_raw_data, raw);
}

inline void message_writer::put_interface(wire_writer& to, block_id b) const {
  using namespace onnx_fields;
  to.text(graph_name, plan_.name(b));
  for (value_id v : graph_.at(b).inputs)
    to.message(graph_input, [&] { put_value_info(to, plan_.name(v), graph_.at(v).type); });
  for (const emission_plan::output& o : plan_.outputs(b))
    to.message(graph_output, [&] { put_value_info(to, o.name, graph_.at(o.source).type); });
}

inline void message_writer::put_result_types(wire_writer& to, const node& n) const {
  if (!options_.shape_info) return;
  for (value_id v : n.outputs)
    if (has_result_type(v))
      to.message(onnx_fields::graph_value_info, [&] { put_value_info(to, plan_.name(v), graph_.at(v).type); });
}

inline void message_writer::put_graph(wire_writer& to, block_id b) const {
  using namespace onnx_fields;
  for (node_id n : graph_.at(b).nodes) {
    to.message(graph_node, [&] { put_node(to, graph_.at(n)); });
    if (to.size() > protobuf_limit) throw limit_error("the graph without its weights is over 2 GiB");
  }
  for (const emission_plan::output& o : plan_.outputs(b))
    if (o.copied) to.message(graph_node, [&] { put_identity(to, o); });
  put_interface(to, b);
  for (node_id n : graph_.at(b).nodes) put_result_types(to, graph_.at(n));
}

inline void message_writer::put_opset(wire_writer& to, std::string_view domain, std::int64_t version) {
  to.message(onnx_fields::model_opset_import, [&] {
    to.text(onnx_fields::opset_domain, domain);
    to.integer(onnx_fields::opset_version, version);
  });
}

inline void message_writer::put_envelope(wire_writer& to) const {
  using namespace onnx_fields;
  to.integer(model_ir_version, options_.ir_version);
  to.text(model_producer_name, plain_text(options_.producer_name));
  if (!options_.producer_version.empty()) to.text(model_producer_version, plain_text(options_.producer_version));
  if (!options_.doc_string.empty()) to.text(model_doc_string, plain_lines(options_.doc_string));
  put_opset(to, "", graph_.opset());
  for (std::string_view domain : plan_.domains()) {
    const auto version = options_.domain_versions.find(domain);
    put_opset(to, domain, version == options_.domain_versions.end() ? 1 : version->second);
  }
  for (const auto& [key, value] : options_.metadata)
    put_metadata(to, model_metadata_props, plain_text(key), plain_text(value));
}

inline void message_writer::put_attribute(wire_writer& to, const attribute& a) const {
  using namespace onnx_fields;
  to.text(attribute_name, a.name);
  attribute_kind kind = kind_int;
  if (const auto* n = std::get_if<std::int64_t>(&a.value)) {
    to.integer(attribute_i, *n);
  } else if (const auto* f = std::get_if<float>(&a.value)) {
    to.number(attribute_f, *f);
    kind = kind_float;
  } else if (const auto* s = std::get_if<std::string>(&a.value)) {
    to.text(attribute_s, *s);
    kind = kind_string;
  } else if (const auto* list = std::get_if<ints>(&a.value)) {
    for (const std::int64_t item : *list) to.integer(attribute_ints, item);
    kind = kind_ints;
  } else if (const auto* numbers = std::get_if<std::vector<float>>(&a.value)) {
    for (const float item : *numbers) to.number(attribute_floats, item);
    kind = kind_floats;
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&a.value)) {
    for (const std::string& item : *texts) to.text(attribute_strings, item);
    kind = kind_strings;
  } else if (const auto* tensor = std::get_if<tensor_constant>(&a.value)) {
    to.message(attribute_t, [&] { put_tensor(to, *tensor); });
    kind = kind_tensor;
  } else if (const auto* type = std::get_if<jax2onnx::tensor_type>(&a.value)) {
    to.message(attribute_tp, [&] { put_type(to, *type); });
    kind = kind_type;
  } else {
    to.message(attribute_g, [&] { put_graph(to, std::get<block_id>(a.value)); });
    kind = kind_graph;
  }
  to.integer(attribute_type, kind);
}

inline void message_writer::put_source(wire_writer& to, const node& n) const {
  const origin& from = graph_.origins()[n.origin];
  const source_info info = parse_annotation(from.annotation);
  if (!info.source.empty())
    put_metadata(to, onnx_fields::node_metadata_props, "jax2onnx.source", plain_text(info.source));
  if (!info.scope.empty()) put_metadata(to, onnx_fields::node_metadata_props, "jax2onnx.scope", plain_text(info.scope));
}

}  // namespace jax2onnx::detail
