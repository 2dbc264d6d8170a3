// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/ops/call/flag.hpp>
#include <jax2onnx/ops/call/operand.hpp>

namespace jax2onnx {

/// One node of an operator of the specification, in the form of the graph's opset. Verbs use this class. So does op(),
/// for operators whose names are known only at run time.
/// build() checks the whole call: see infer_types(). If an operand of the newest form is an attribute in the graph's
/// opset, a constant operand becomes that attribute.
class node_builder {
 public:
  /// An operator of `domain`, which is empty for ai.onnx. At least one operand is a value; the node is added to the
  /// graph of that value.
  explicit node_builder(std::string_view op, std::initializer_list<operand> inputs = {}, std::string_view domain = {});
  /// An operator whose operands are not counted at compile time.
  node_builder(std::string_view op, std::span<const operand> inputs, std::string_view domain = {});
  /// An operator without operands.
  node_builder(graph& g, std::string_view op, std::string_view domain = {});
  node_builder(const node_builder&) = delete;
  node_builder& operator=(const node_builder&) = delete;
  ~node_builder();

  /// Adds operands. If the operator already has a graph, none of them needs to be a value.
  void add_all(std::initializer_list<operand> more) { take({more.begin(), more.size()}); }
  /// Adds operands of a variadic parameter.
  void add(const operands& more);

  /// Sets a required attribute.
  template <class T, class Need>
  void set(std::string_view name, const required<T, Need>& v) {
    put_one(name, v.value);
  }
  /// Sets an attribute unless its value is the default.
  template <class T>
  void set(std::string_view name, const T& v, const std::type_identity_t<T>& standard) {
    if (!(v == standard)) put_one(name, v);
  }
  /// Sets an attribute unless its value is empty, undefined or nullopt.
  /// @{
  void set(std::string_view name, const ints& v) {
    if (!v.empty()) put_one(name, v);
  }
  void set(std::string_view name, const std::string& v) {
    if (!v.empty()) put_one(name, v);
  }
  void set(std::string_view name, dtype v) {
    if (v != dtype::undefined) put_one(name, v);
  }
  template <class T>
  void set(std::string_view name, const std::vector<T>& v) {
    if (!v.empty()) put_one(name, v);
  }
  template <class T>
  void set(std::string_view name, const std::optional<T>& v) {
    if (v) put_one(name, *v);
  }
  /// @}
  /// Sets an attribute of any type.
  void put(std::string_view name, attribute::content v);
  /// Sets an attribute whose value is an attribute of the enclosing function: see attribute_of().
  void put(attribute a);

  /// Adds the node and returns its only result. Throws a build_error, or an opset_error, if the call does not fit.
  value build();
  /// Adds the node with this number of results, and returns the results. Throws as build() does.
  std::vector<value> build(std::size_t results);

 private:
  // Overloads for the types that attribute::content holds, and for types that are converted to them. They are separate
  // functions, since each use of a variant's members costs compile time.
  void put_one(std::string_view name, std::int64_t v);
  void put_one(std::string_view name, float v);
  void put_one(std::string_view name, const std::string& v);
  void put_one(std::string_view name, const ints& v);
  void put_one(std::string_view name, const std::vector<float>& v);
  void put_one(std::string_view name, const std::vector<std::string>& v);
  void put_one(std::string_view name, const tensor_constant& v);
  void put_one(std::string_view name, const tensor_type& v);
  void put_one(std::string_view name, block_id v);
  void put_one(std::string_view name, bool v) { put_one(name, std::int64_t{v}); }
  void put_one(std::string_view name, flag v) { put_one(name, v.value); }
  void put_one(std::string_view name, dtype v) { put_one(name, static_cast<std::int64_t>(v)); }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void put_one(std::string_view attribute, Choice v) { put_one(attribute, std::string(name(v))); }

  void take(std::span<const operand> inputs);
  /// Replaces numbers by constants.
  void place_numbers(const op_record& newest);
  dtype dtype_for(const op_record& newest, std::size_t i, const operand::content& number) const;
  void check_number(std::size_t i, const operand::content& number, dtype t) const;
  std::vector<tensor_type> types_of(const op_record& form, std::span<const value_id> ids, std::size_t results) const;
  void check_extents(const std::vector<tensor_type>& results) const;
  void fit(const op_record& form, const op_record& newest);
  void move_operand(const op_record& form, const op_record& newest);
  void fit_attribute(const op_record& form, attribute& a) const;

  std::string_view op_, domain_;
  graph* graph_ = nullptr;
  std::vector<value> inputs_;
  std::vector<std::pair<std::size_t, operand>> numbers_;  // operands that are numbers, by index
  std::vector<attribute> attributes_;
};

/// Adds a node of an operator whose name is known at run time only, and checks it as verbs do. For custom domains, see
/// dsl/structure/own_operators.hpp.
std::vector<value> op(graph& g, std::string_view name, const operands& inputs, std::vector<attribute> attributes = {},
                      std::size_t results = 1);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/ops/call/node_builder.inl.hpp>
#endif
