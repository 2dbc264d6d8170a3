#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/source_info.hpp>
#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/plan.hpp>

#include <onnx/onnx_pb.h>

namespace jax2onnx {

/// Writes parts of a graph as protobuf messages, everything but the bytes of initializers.
class proto_writer {
 public:
  proto_writer(const graph& g, const emission_plan& plan, const emit_options& options)
      : graph_(g), plan_(plan), options_(options) {}

  void write(const node& n, onnx::NodeProto& to) const;
  void write_identity(const emission_plan::output& o, onnx::NodeProto& to) const;
  void write(std::string_view name, const tensor_type& type, onnx::ValueInfoProto& to) const;
  /// Name, type and shape of an initializer.
  void write_header(value_id constant, onnx::TensorProto& to) const;
  /// A whole body: all of a subgraph, or the main graph without its initializers.
  void write(block_id b, onnx::GraphProto& to) const;
  /// Name, inputs and outputs of a block.
  void write_interface(block_id b, onnx::GraphProto& to) const;
  /// The types of a node's results, but for those that are outputs of the block.
  void write_value_info(const node& n, onnx::GraphProto& to) const;
  /// The model around the main graph.
  void write_envelope(onnx::ModelProto& to) const;

 private:
  void write(const attribute& a, onnx::AttributeProto& to) const;
  void write_source(const node& n, onnx::NodeProto& to) const;
  template <typename Proto>
  static void add_metadata(Proto& to, std::string_view key, std::string_view value);

  const graph& graph_;
  const emission_plan& plan_;
  const emit_options& options_;
};

inline void proto_writer::write(const node& n, onnx::NodeProto& to) const {
  to.set_name(std::string(plan_.name(n)));
  to.set_op_type(std::string(n.op));
  if (!n.domain.empty() && n.domain != "ai.onnx") to.set_domain(std::string(n.domain));
  for (value_id v : n.inputs) to.add_input(std::string(plan_.name(v)));
  for (value_id v : n.outputs) to.add_output(std::string(plan_.name(v)));
  for (const attribute& a : n.attributes) write(a, *to.add_attribute());
  if (options_.source_info) write_source(n, to);
}

inline void proto_writer::write_identity(const emission_plan::output& o, onnx::NodeProto& to) const {
  to.set_name(std::string(o.name));
  to.set_op_type("Identity");
  to.add_input(std::string(plan_.name(o.source)));
  to.add_output(std::string(o.name));
}

inline void proto_writer::write(std::string_view name, const tensor_type& type, onnx::ValueInfoProto& to) const {
  to.set_name(std::string(name));
  onnx::TypeProto_Tensor& tensor = *to.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(static_cast<std::int32_t>(type.type));
  onnx::TensorShapeProto& extents = *tensor.mutable_shape();
  for (dim d : type.dims) {
    onnx::TensorShapeProto_Dimension& extent = *extents.add_dim();
    if (d.is_constant()) extent.set_dim_value(d.extent());
    else if (d.is_symbolic()) extent.set_dim_param(graph_.dims().text(d));
  }
}

inline void proto_writer::write_header(value_id constant, onnx::TensorProto& to) const {
  const tensor_type& type = graph_.at(constant).type;
  for (dim d : type.dims) to.add_dims(d.extent());
  to.set_data_type(static_cast<std::int32_t>(type.type));
  to.set_name(std::string(plan_.name(constant)));
}

inline void proto_writer::write(block_id b, onnx::GraphProto& to) const {
  for (node_id n : graph_.at(b).nodes) write(graph_.at(n), *to.add_node());
  for (const emission_plan::output& o : plan_.outputs(b))
    if (o.copied) write_identity(o, *to.add_node());
  write_interface(b, to);
  for (node_id n : graph_.at(b).nodes) write_value_info(graph_.at(n), to);
}

inline void proto_writer::write_interface(block_id b, onnx::GraphProto& to) const {
  to.set_name(std::string(plan_.name(b)));
  for (value_id v : graph_.at(b).inputs) write(plan_.name(v), graph_.at(v).type, *to.add_input());
  for (const emission_plan::output& o : plan_.outputs(b)) write(o.name, graph_.at(o.source).type, *to.add_output());
}

inline void proto_writer::write_value_info(const node& n, onnx::GraphProto& to) const {
  if (!options_.shape_info) return;
  for (value_id v : n.outputs)
    if (v != value_id::none && !plan_.is_output(v) && graph_.at(v).type.type != dtype::undefined)
      write(plan_.name(v), graph_.at(v).type, *to.add_value_info());
}

inline void proto_writer::write_envelope(onnx::ModelProto& to) const {
  to.set_ir_version(options_.ir_version);
  to.set_producer_name(options_.producer_name);
  if (!options_.producer_version.empty()) to.set_producer_version(options_.producer_version);
  if (!options_.doc_string.empty()) to.set_doc_string(options_.doc_string);
  const auto import = [&](std::string_view domain, std::int64_t opset) {
    onnx::OperatorSetIdProto& set = *to.add_opset_import();
    set.set_domain(std::string(domain));
    set.set_version(opset);
  };
  import("", graph_.opset());
  for (std::string_view domain : plan_.domains()) {
    const auto stated = options_.domain_versions.find(domain);
    import(domain, stated == options_.domain_versions.end() ? 1 : stated->second);
  }
  for (const auto& [key, value] : options_.metadata) add_metadata(to, plain_text(key), plain_text(value));
}

inline void proto_writer::write(const attribute& a, onnx::AttributeProto& to) const {
  to.set_name(std::string(a.name));
  const auto set = [&]<typename T>(const T& v) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      to.set_type(onnx::AttributeProto_AttributeType_INT);
      to.set_i(v);
    } else if constexpr (std::is_same_v<T, float>) {
      to.set_type(onnx::AttributeProto_AttributeType_FLOAT);
      to.set_f(v);
    } else if constexpr (std::is_same_v<T, std::string>) {
      to.set_type(onnx::AttributeProto_AttributeType_STRING);
      to.set_s(v);
    } else if constexpr (std::is_same_v<T, ints>) {
      to.set_type(onnx::AttributeProto_AttributeType_INTS);
      to.mutable_ints()->Add(v.begin(), v.end());
    } else if constexpr (std::is_same_v<T, std::vector<float>>) {
      to.set_type(onnx::AttributeProto_AttributeType_FLOATS);
      to.mutable_floats()->Add(v.begin(), v.end());
    } else {
      static_assert(std::is_same_v<T, block_id>);
      to.set_type(onnx::AttributeProto_AttributeType_GRAPH);
      write(v, *to.mutable_g());
    }
  };
  std::visit(set, a.value);
}

inline void proto_writer::write_source(const node& n, onnx::NodeProto& to) const {
  const origin& from = graph_.origins()[n.origin];
  const source_info info = parse_annotation(from.annotation);
  if (!info.source.empty()) add_metadata(to, "jax2onnx.source", plain_text(info.source));
  if (!info.scope.empty()) add_metadata(to, "jax2onnx.scope", plain_text(info.scope));
}

// Nodes have metadata since IR 10. Older headers take the entry for the unknown field that it is to them.
template <typename Proto>
void proto_writer::add_metadata(Proto& to, std::string_view key, std::string_view value) {
  const auto fill = [&](onnx::StringStringEntryProto& entry) {
    entry.set_key(std::string(key));
    entry.set_value(std::string(value));
  };
  if constexpr (requires { to.add_metadata_props(); }) {
    fill(*to.add_metadata_props());
  } else {
    static_assert(std::is_same_v<Proto, onnx::NodeProto>);
    constexpr int metadata_props_field = 9;
    onnx::StringStringEntryProto entry;
    fill(entry);
    to.mutable_unknown_fields()->AddLengthDelimited(metadata_props_field, entry.SerializeAsString());
  }
}

}  // namespace jax2onnx
