// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/read/merge_types.hpp>
#include <jax2onnx/read/name_scope.hpp>
#include <jax2onnx/read/tensor_reader.hpp>
#include <jax2onnx/read/type_reader.hpp>
#include <jax2onnx/read/wire_reader.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Versions of operator domains, ai.onnx as "".
using domain_imports = std::map<std::string, std::int64_t, std::less<>>;

/// A ModelProto without its graph.
struct model_parts {
  std::string name, doc;  // the name of the graph; free text about the model
  std::vector<std::pair<std::string, std::string>> metadata;
  std::optional<wire_range> graph;
  std::vector<wire_range> functions;
  domain_imports imports;
  emit_options envelope;
};

/// A FunctionProto.
struct function_parts {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<wire_range> nodes;
  std::map<std::string, wire_range, std::less<>> defaults;  // defaults of attributes, by name
  domain_imports imports;
  std::uint64_t header_size = 0;  // approximate size of the names of inputs
};

/// Reads the fields of a ModelProto or a FunctionProto. Graphs, nodes and attributes stay encoded.
/// @{
model_parts read_model_parts(wire_source& from);
function_parts read_function_parts(wire_source& from, wire_range message);
/// @}

/// Builds the graph of a model. Messages are decoded in place; limits bound their nesting and names.
class model_reader {
 public:
  model_reader(wire_source& from, model_parts parts, const std::optional<std::filesystem::path>& directory,
               graph_limits limits);

  /// Reads the model. Call this function only once.
  graph read();

 private:
  /// The attributes of a call, by the names with which the function's nodes refer to them.
  struct bindings;
  /// The context in which names are resolved.
  struct environment {
    name_scope names;
    const domain_imports* imports;
    const bindings* call = nullptr;  // the call whose function contains the nodes; null outside of functions
  };
  struct bound_attribute {
    wire_range message;
    const environment* from;  // the context of names in its graphs
  };
  struct bindings {
    const function_parts* function;
    const environment* constants;                               // the context of graphs in the function's defaults
    std::map<std::string, bound_attribute, std::less<>> given;  // the attributes that the call gives

    /// The attribute given by the call, else the function's default.
    std::optional<bound_attribute> find(std::string_view name) const;
  };
  /// A NodeProto.
  struct node_parts {
    std::string op, domain, overload, name, doc, source, scope;
    std::vector<std::string> inputs, outputs;
    std::vector<wire_range> attributes;
  };
  /// An AttributeProto.
  struct attribute_parts {
    std::string name, reference;
    std::int64_t kind = 0;
    attribute::content content;
    std::optional<wire_range> graph;
    bool has_content = false;
  };
  /// An AttributeProto while it is read: the elements of a list can be spread over several fields.
  struct attribute_fields {
    attribute_parts parts;
    ints integers;
    std::vector<float> numbers;
    std::vector<std::string> texts;
    std::int64_t seen = 0;  // the kind of the content that was read

    void set(std::int64_t kind, attribute::content content);
    attribute_parts complete() &&;
  };
  /// The fields of a GraphProto.
  struct graph_parts {
    std::vector<wire_range> nodes, initializers, inputs, outputs, types;
  };
  /// A ValueInfoProto.
  struct stated_value {
    std::string name;
    std::optional<tensor_type> type;
  };

  /// Counts bytes that calls of functions decode, since each call decodes its function again. Throws limit_error for
  /// too many bytes.
  void visit(std::uint64_t bytes);
  [[noreturn]] void malformed(std::string_view what) const { from_.site().malformed(what); }
  graph_parts read_graph_parts(wire_range message);
  stated_value read_value_info(wire_range message);
  tensor_type required_type(const stated_value& v) const;
  void read_initializers(const graph_parts& parts, environment& here);
  void read_inputs(const graph_parts& parts, environment& here, std::span<const value_id> operands);
  void read_outputs(const graph_parts& parts, environment& here, block_id block);
  void read_graph(wire_range message, environment& here, block_id block, std::span<const value_id> operands);

  node_parts read_node_parts(wire_range message);
  void read_node(wire_range message, environment& here);
  std::vector<value_id> operands_of(const node_parts& n, const environment& here) const;
  void add_node(const node_parts& n, environment& here);
  void add_constant(const node_parts& n, environment& here);
  void note_origin(const node_parts& n);
  std::vector<tensor_type> result_types(const node_parts& n, const environment& here,
                                        std::span<const value_id> operands,
                                        std::span<const attribute> attributes) const;
  const op_record* record_of(const node_parts& n, const environment& here) const;
  tensor_type as_stated(const node_parts& n, const tensor_type& type, const tensor_type& stated) const;
  value_id add_result(const node_parts& n, std::string_view name, tensor_type type, environment& here);

  attribute_parts read_attribute_parts(wire_range message);
  void read_attribute_field(wire_reader& reader, const wire_field& f, attribute_fields& into);
  std::optional<attribute> read_attribute(wire_range message, const environment& here,
                                          std::span<const value_id> operands);
  std::vector<attribute> read_attributes(const node_parts& n, const environment& here,
                                         std::span<const value_id> operands);

  const function_parts* function_of(const node_parts& n) const;
  void call(const function_parts& f, const node_parts& n, environment& here);
  bindings bound_attributes(const function_parts& f, const node_parts& n, const environment& constants,
                            const environment& here);
  void bind_results(const function_parts& f, const node_parts& n, std::span<const value_id> operands,
                    const environment& inside, environment& here);

  wire_source& from_;
  model_parts parts_;
  std::map<std::string, function_parts, std::less<>> functions_;
  graph graph_;
  tensor_reader tensors_;
  type_reader types_;
  std::uint64_t steps_left_;  // nodes that may be visited
  std::uint64_t bytes_left_;  // bytes that calls may decode
  int open_calls_ = 0;
};

}  // namespace jax2onnx::detail
