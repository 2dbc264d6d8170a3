// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx::detail {

/// The largest message that readers of protobuf accept, in bytes.
inline constexpr std::uint64_t protobuf_limit = std::numeric_limits<std::int32_t>::max();

/// The first version of the file format that states how tensors are divided among devices.
inline constexpr std::int64_t ir_version_of_devices = 11;
/// The name of the model's only device configuration.
inline constexpr std::string_view devices_name = "devices";

/// The version of a domain that a model imports.
inline std::int64_t version_of(const graph& g, const emit_options& options, std::string_view domain) {
  const auto here = options.domain_versions.find(domain);
  if (here != options.domain_versions.end()) return here->second;
  return imported_version(g, domain);
}

/// Streams all bytes of a constant to `out`. Throws error if the source yields more or fewer than size() bytes.
inline void stream_exactly(const bytes& data, const byte_source::sink& out) {
  std::uint64_t count = 0;
  const auto fail = [] {
    throw error(failure::internal, "emit.weight", "a weight does not have the stated number of bytes");
  };
  data.stream([&](std::span<const std::byte> piece) {
    count += piece.size();
    if (count > data.size()) fail();
    out(piece);
  });
  if (count != data.size()) fail();
}

/// Writes parts of a graph as ONNX messages: everything except the raw data of initializers. A function `put_x` appends
/// the fields of a message x, in order of their field numbers, to the string of `to`.
class message_writer {
 public:
  message_writer(const graph& g, const emission_plan& plan, const emit_options& options)
      : graph_(g), plan_(plan), options_(options) {
    const auto& stated = g.shardings();
    for (std::size_t i = stated.size(); i-- > 0;)
      shardings_.set(static_cast<std::int64_t>(stated[i].node), static_cast<std::uint32_t>(i));
  }

  /// Writes the name, type and shape of an initializer, and its elements if they are strings: the fields before its
  /// data.
  void put_tensor_header(wire_writer& to, value_id constant) const;
  /// Writes a block without its initializers. Throws limit_error if it takes more than protobuf_limit bytes.
  void put_graph(wire_writer& to, block_id b) const;
  /// Writes the fields of the model except its graph.
  void put_envelope(wire_writer& to) const;

 private:
  static void put_metadata(wire_writer& to, std::uint32_t field, std::string_view key, std::string_view value);
  static void put_opset(wire_writer& to, std::uint32_t field, std::string_view domain, std::int64_t version);
  void put_opsets(wire_writer& to, std::uint32_t field, const std::vector<std::string_view>& domains) const;
  void put_function(wire_writer& to, const emission_plan::function& f) const;
  /// Writes the Constant that replaces an initializer in a function.
  void put_constant(wire_writer& to, value_id constant) const;
  void put_node(wire_writer& to, node_id id) const;
  /// Writes the Identity that gives an output a separate name.
  void put_identity(wire_writer& to, const emission_plan::output& o) const;
  void put_value_info(wire_writer& to, std::string_view name, const tensor_type& type) const;
  void put_type(wire_writer& to, const tensor_type& type) const;
  void put_tensor_type(wire_writer& to, const tensor_type& type) const;
  void put_attribute(wire_writer& to, const attribute& a) const;
  /// Writes the value and returns its kind.
  onnx_fields::attribute_kind put_content(wire_writer& to, const attribute::content& value) const;
  static void put_tensor(wire_writer& to, const tensor_type& type, const bytes& data);
  /// Writes the extents and the dtype, and the elements if they are strings.
  static void put_tensor_fields(wire_writer& to, const tensor_type& type, const bytes& data);
  /// Writes the name, inputs and outputs of a block.
  void put_interface(wire_writer& to, block_id b) const;
  /// Writes the known types of a node's results, except results that are outputs of the block. Writes nothing if
  /// emit_options::shape_info is not set.
  void put_result_types(wire_writer& to, const node& n) const;
  void put_source(wire_writer& to, const node& n) const;
  static void put_sharding(wire_writer& to, std::string_view tensor, const tensor_sharding& s);
  bool has_result_type(value_id v) const {
    return v != value_id::none && !plan_.is_output(v) && graph_.at(v).type.type != dtype::undefined;
  }

  const graph& graph_;
  const emission_plan& plan_;
  const emit_options& options_;
  key_map shardings_;  // the index of the first statement at a node, by node_id
};

inline void message_writer::put_metadata(wire_writer& to, std::uint32_t field, std::string_view key,
                                         std::string_view value) {
  to.message(field, [&] {
    to.text(onnx_fields::entry_key, key);
    to.text(onnx_fields::entry_value, value);
  });
}

inline void message_writer::put_node(wire_writer& to, node_id id) const {
  using namespace onnx_fields;
  const jax2onnx::node& n = graph_.at(id);
  const node_note* const note = graph_.note(id);
  for (value_id v : n.inputs) to.text(node_input, plan_.name(v));
  for (value_id v : plan_.results(n)) to.text(node_output, plan_.name(v));
  to.text(node_name, plan_.name(id));
  to.text(node_op_type, n.op);
  for (const jax2onnx::attribute& a : n.attributes) to.message(node_attribute, [&] { put_attribute(to, a); });
  if (note && !note->doc.empty()) to.text(node_doc_string, plain_lines(note->doc));
  if (!n.domain.empty() && n.domain != "ai.onnx") to.text(node_domain, n.domain);
  if (options_.source_info) put_source(to, n);
  if (const std::uint32_t first = shardings_.find(static_cast<std::int64_t>(id)); first != key_map::none)
    to.message(node_device_configurations, [&] {
      to.text(node_configuration_id, devices_name);
      const auto& stated = graph_.shardings();
      for (std::size_t i = first; i < stated.size() && stated[i].node == id; ++i)
        to.message(node_sharding_spec, [&] { put_sharding(to, plan_.name(stated[i].tensor), stated[i].sharding); });
    });
}

inline void message_writer::put_sharding(wire_writer& to, std::string_view tensor, const tensor_sharding& s) {
  using namespace onnx_fields;
  to.text(sharding_tensor_name, tensor);
  if (s.axes.empty() || s.copies == 1) {
    for (const std::int64_t device : s.devices) to.integer(sharding_device, device);
  } else {  // a part names a group of devices by a negative number
    const std::int64_t parts = std::ssize(s.devices) / s.copies;
    for (std::int64_t part = 0; part < parts; ++part) to.integer(sharding_device, -1 - part);
    for (std::int64_t part = 0; part < parts; ++part)
      to.message(sharding_device_groups, [&] {
        to.integer(group_key, -1 - part);
        for (std::int64_t k = 0; k < s.copies; ++k)
          to.integer(group_value, s.devices[static_cast<std::size_t>(part * s.copies + k)]);
      });
  }
  for (std::size_t i = 0; i < s.axes.size(); ++i)
    to.message(sharding_sharded_dim, [&] {
      to.integer(sharded_axis, s.axes[i]);
      to.message(sharded_simple, [&] { to.integer(sharded_num_shards, s.parts[i]); });
    });
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

inline void message_writer::put_tensor_type(wire_writer& to, const jax2onnx::tensor_type& type) const {
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

inline void message_writer::put_tensor(wire_writer& to, const jax2onnx::tensor_type& type, const bytes& data) {
  put_tensor_fields(to, type, data);
  if (type.type == dtype::string) return;
  to.length(onnx_fields::tensor_raw_data, data.size());
  stream_exactly(data, [&](std::span<const std::byte> piece) { to.raw(piece); });
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
  for (value_id v : plan_.results(n))
    if (has_result_type(v))
      to.message(onnx_fields::graph_value_info, [&] { put_value_info(to, plan_.name(v), graph_.at(v).type); });
}

inline void message_writer::put_graph(wire_writer& to, block_id b) const {
  using namespace onnx_fields;
  for (node_id n : graph_.at(b).nodes) {
    to.message(graph_node, [&] { put_node(to, n); });
    if (to.size() > protobuf_limit) throw limit_error("the graph without its weights is over 2 GiB");
  }
  for (const emission_plan::output& o : plan_.outputs(b))
    if (o.copied) to.message(graph_node, [&] { put_identity(to, o); });
  put_interface(to, b);
  for (node_id n : graph_.at(b).nodes) put_result_types(to, graph_.at(n));
}

inline void message_writer::put_opset(wire_writer& to, std::uint32_t field, std::string_view domain,
                                      std::int64_t version) {
  to.message(field, [&] {
    to.text(onnx_fields::opset_domain, domain);
    to.integer(onnx_fields::opset_version, version);
  });
}

inline void message_writer::put_opsets(wire_writer& to, std::uint32_t field,
                                       const std::vector<std::string_view>& domains) const {
  put_opset(to, field, "", graph_.opset());
  for (std::string_view domain : domains) put_opset(to, field, domain, version_of(graph_, options_, domain));
}

inline void message_writer::put_constant(wire_writer& to, value_id constant) const {
  using namespace onnx_fields;
  to.text(node_output, plan_.name(constant));
  to.text(node_name, plan_.name(constant));
  to.text(node_op_type, "Constant");
  const value_record& r = graph_.at(constant);
  to.message(node_attribute, [&] {
    to.text(attribute_name, "value");
    to.message(attribute_t, [&] { put_tensor(to, r.type, graph_.data(r)); });
    to.integer(attribute_type, kind_tensor);
  });
}

inline void message_writer::put_function(wire_writer& to, const emission_plan::function& f) const {
  using namespace onnx_fields;
  const block& body = graph_.at(f.of->body);
  to.text(function_name, f.of->name);
  for (value_id v : body.inputs) to.text(function_input, plan_.name(v));
  for (const emission_plan::output& o : plan_.outputs(f.of->body)) to.text(function_output, o.name);
  for (value_id v : f.constants) to.message(function_node, [&] { put_constant(to, v); });
  for (node_id n : body.nodes) to.message(function_node, [&] { put_node(to, n); });
  for (const emission_plan::output& o : plan_.outputs(f.of->body))
    if (o.copied) to.message(function_node, [&] { put_identity(to, o); });
  if (!f.of->doc.empty()) to.text(function_doc_string, plain_lines(f.of->doc));
  put_opsets(to, function_opset_import, f.domains);
  to.text(function_domain, f.of->domain);
  for (const jax2onnx::attribute& a : f.of->attributes)
    to.message(function_attribute_default, [&] { put_attribute(to, a); });
  if (to.size() > protobuf_limit) throw limit_error("a function and its constants are over 2 GiB");
}

inline void message_writer::put_envelope(wire_writer& to) const {
  using namespace onnx_fields;
  to.integer(model_ir_version, std::max(options_.ir_version, graph_.device_count() > 0 ? ir_version_of_devices : 0));
  to.text(model_producer_name, plain_text(options_.producer_name));
  if (!options_.producer_version.empty()) to.text(model_producer_version, plain_text(options_.producer_version));
  const std::string& doc = options_.doc_string.empty() ? graph_.options().doc : options_.doc_string;
  if (!doc.empty()) to.text(model_doc_string, plain_lines(doc));
  put_opsets(to, model_opset_import, plan_.domains());
  for (const auto* entries : {&graph_.metadata(), &options_.metadata})
    for (const auto& [key, value] : *entries)
      put_metadata(to, model_metadata_props, plain_text(key), plain_text(value));
  for (const emission_plan::function& f : plan_.functions()) to.message(model_functions, [&] { put_function(to, f); });
  if (graph_.device_count() > 0)
    to.message(model_configuration, [&] {
      to.text(configuration_name, devices_name);
      to.integer(configuration_num_devices, graph_.device_count());
    });
}

inline void message_writer::put_attribute(wire_writer& to, const attribute& a) const {
  using namespace onnx_fields;
  to.text(attribute_name, a.name);
  std::string unused;  // takes the value of a reference, which is not written
  wire_writer elsewhere(unused);
  const attribute_kind kind = put_content(a.reference.empty() ? to : elsewhere, a.value);
  to.integer(attribute_type, kind);
  if (!a.reference.empty()) to.text(attribute_reference, a.reference);
}

inline onnx_fields::attribute_kind message_writer::put_content(wire_writer& to, const attribute::content& value) const {
  using namespace onnx_fields;
  if (const auto* n = std::get_if<std::int64_t>(&value)) {
    to.integer(attribute_i, *n);
    return kind_int;
  }
  if (const auto* f = std::get_if<float>(&value)) {
    to.number(attribute_f, *f);
    return kind_float;
  }
  if (const auto* s = std::get_if<std::string>(&value)) {
    to.text(attribute_s, *s);
    return kind_string;
  }
  if (const auto* list = std::get_if<ints>(&value)) {
    for (const std::int64_t item : *list) to.integer(attribute_ints, item);
    return kind_ints;
  }
  if (const auto* numbers = std::get_if<std::vector<float>>(&value)) {
    for (const float item : *numbers) to.number(attribute_floats, item);
    return kind_floats;
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& item : *texts) to.text(attribute_strings, item);
    return kind_strings;
  }
  if (const auto* tensor = std::get_if<tensor_constant>(&value)) {
    to.message(attribute_t, [&] { put_tensor(to, tensor->type(), tensor->data()); });
    return kind_tensor;
  }
  if (const auto* type = std::get_if<jax2onnx::tensor_type>(&value)) {
    to.message(attribute_tp, [&] { put_type(to, *type); });
    return kind_type;
  }
  to.message(attribute_g, [&] { put_graph(to, std::get<block_id>(value)); });
  return kind_graph;
}

inline void message_writer::put_source(wire_writer& to, const node& n) const {
  const origin& from = graph_.origins()[n.origin];
  const source_info info = parse_annotation(from.annotation);
  if (!info.source.empty())
    put_metadata(to, onnx_fields::node_metadata_props, "jax2onnx.source", plain_text(info.source));
  if (!info.scope.empty()) put_metadata(to, onnx_fields::node_metadata_props, "jax2onnx.scope", plain_text(info.scope));
}

}  // namespace jax2onnx::detail
