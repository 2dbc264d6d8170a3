// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Field numbers and enumerators of onnx.proto (onnx/onnx.proto3, IR version 13). Repeated integers are not packed.
namespace jax2onnx::detail::onnx_fields {

enum model : std::uint32_t {
  model_ir_version = 1,
  model_producer_name = 2,
  model_producer_version = 3,
  model_doc_string = 6,
  model_graph = 7,
  model_opset_import = 8,
  model_metadata_props = 14,
  model_training_info = 20,
  model_functions = 25,
  model_configuration = 26
};
enum opset : std::uint32_t { opset_domain = 1, opset_version = 2 };
enum entry : std::uint32_t { entry_key = 1, entry_value = 2 };
enum graph : std::uint32_t {
  graph_node = 1,
  graph_name = 2,
  graph_initializer = 5,
  graph_input = 11,
  graph_output = 12,
  graph_value_info = 13,
  graph_sparse_initializer = 15
};
enum function : std::uint32_t {
  function_name = 1,
  function_input = 4,
  function_output = 5,
  function_attribute = 6,
  function_node = 7,
  function_doc_string = 8,
  function_opset_import = 9,
  function_domain = 10,
  function_attribute_default = 11,
  function_overload = 13
};
enum node : std::uint32_t {
  node_input = 1,
  node_output = 2,
  node_name = 3,
  node_op_type = 4,
  node_attribute = 5,
  node_doc_string = 6,
  node_domain = 7,
  node_overload = 8,
  node_metadata_props = 9,
  node_device_configurations = 10
};
enum device_configuration : std::uint32_t { configuration_name = 1, configuration_num_devices = 2 };
enum node_device_configuration : std::uint32_t { node_configuration_id = 1, node_sharding_spec = 2 };
enum sharding_spec : std::uint32_t {
  sharding_tensor_name = 1,
  sharding_device = 2,
  sharding_device_groups = 3,
  sharding_sharded_dim = 4
};
enum device_group : std::uint32_t { group_key = 1, group_value = 2 };
enum sharded_dim : std::uint32_t { sharded_axis = 1, sharded_simple = 2 };
enum simple_sharded_dim : std::uint32_t { sharded_num_shards = 3 };
enum attribute : std::uint32_t {
  attribute_name = 1,
  attribute_f = 2,
  attribute_i = 3,
  attribute_s = 4,
  attribute_t = 5,
  attribute_g = 6,
  attribute_floats = 7,
  attribute_ints = 8,
  attribute_strings = 9,
  attribute_tp = 14,
  attribute_type = 20,
  attribute_reference = 21
};
enum attribute_kind : std::int64_t {
  kind_float = 1,
  kind_int = 2,
  kind_string = 3,
  kind_tensor = 4,
  kind_graph = 5,
  kind_floats = 6,
  kind_ints = 7,
  kind_strings = 8,
  kind_type = 13
};
enum value_info : std::uint32_t { value_name = 1, value_type = 2 };
enum type : std::uint32_t { type_tensor = 1, type_sequence = 4, type_optional = 9 };
enum element : std::uint32_t { element_type = 1 };  // the element types of sequences and optionals
enum tensor_type : std::uint32_t { tensor_type_elem = 1, tensor_type_shape = 2 };
enum shape : std::uint32_t { shape_dim = 1 };
enum dimension : std::uint32_t { dim_value = 1, dim_param = 2 };
enum tensor : std::uint32_t {
  tensor_dims = 1,
  tensor_data_type = 2,
  tensor_float_data = 4,
  tensor_int32_data = 5,
  tensor_string_data = 6,
  tensor_int64_data = 7,
  tensor_name = 8,
  tensor_raw_data = 9,
  tensor_double_data = 10,
  tensor_uint64_data = 11,
  tensor_external_data = 13,
  tensor_data_location = 14
};
inline constexpr std::int64_t data_location_external = 1;

}  // namespace jax2onnx::detail::onnx_fields
