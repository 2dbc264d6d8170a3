#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/constants.hpp>

/// A value's node, its inputs and attributes.
namespace jax2onnx::rewrite {

/// The node that makes `v`; null for inputs, constants and absent values.
inline const node* producer(const value& v) {
  if (!v) return nullptr;
  const graph& g = v.owner();
  const node_id n = g.at(v.id()).producer;
  return n == node_id::none ? nullptr : &g.at(n);
}
/// Whether a value is a tensor of known rank whose elements are numbers or truth values.
constexpr bool is_numeric(const tensor_type& t) {
  return t.is_plain() && t.type != dtype::undefined && t.type != dtype::string && !is_complex(t.type);
}
/// Whether it is one whose extents are constants or symbols: two unknown ones may differ.
constexpr bool is_known(const tensor_type& t) {
  for (dim d : t.dims)
    if (d.is_dyn()) return false;
  return is_numeric(t);
}

/// Whether a node is of ai.onnx, and all of its operands and results are `such`. Models that were read have others,
/// which no rule may match.
inline bool has_only(const graph& g, const node& n, bool (*such)(const tensor_type&)) {
  const auto all = [&](const std::vector<value_id>& values) {
    for (value_id v : values)
      if (v != value_id::none && !such(g.at(v).type)) return false;
    return true;
  };
  return n.domain.empty() && all(n.inputs) && all(n.outputs);
}

/// The node that makes `v` if it is an `op` of ai.onnx on operands of known types, else null.
inline const node* producer(const value& v, std::string_view op) {
  const node* n = producer(v);
  return n && n->op == op && has_only(v.owner(), *n, is_known) ? n : nullptr;
}

/// Input `i` of the node that makes `v`; absent where the node has no such input. `v` must have a producer.
inline value input_of(const value& v, std::size_t i) {
  const node* n = producer(v);
  return i < n->inputs.size() && n->inputs[i] != value_id::none ? value(v.owner(), n->inputs[i]) : value();
}
/// All inputs of the node that makes `v`.
inline std::vector<value> inputs_of(const value& v) {
  const std::size_t count = producer(v)->inputs.size();
  std::vector<value> inputs;
  inputs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(input_of(v, i));
  return inputs;
}

/// The attribute `name` of the node that makes `v`; nullopt where it is missing or of another type.
template <class T>
std::optional<T> attribute_of(const value& v, std::string_view name) {
  const attribute* a = producer(v)->find(name);
  const T* content = a ? std::get_if<T>(&a->value) : nullptr;
  return content ? std::optional<T>(*content) : std::nullopt;
}

/// A new node with the operator and the attributes of the node that makes `v`, on other inputs.
inline value with_inputs(const value& v, std::span<const value> inputs, tensor_type type) {
  const node& n = *producer(v);
  return v.owner().emit(n.op, inputs, std::move(type), n.attributes);
}
inline value with_inputs(const value& v, std::initializer_list<value> inputs, tensor_type type) {
  return with_inputs(v, std::span<const value>(inputs.begin(), inputs.size()), std::move(type));
}
/// The same with another first input.
inline value with_first_input(const value& v, const value& first, tensor_type type) {
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = first;
  return with_inputs(v, inputs, std::move(type));
}

/// Reshape, Squeeze, Unsqueeze, Flatten: the same elements in the same order in another shape.
inline bool is_reshape(const value& v) {
  const node* n = producer(v);
  return n && (n->op == "Reshape" || n->op == "Unsqueeze" || n->op == "Squeeze" || n->op == "Flatten") &&
         has_only(v.owner(), *n, is_known);
}

/// Axes, ascending and nonnegative, and keepdims of a Reduce operator.
struct reduction {
  ints axes;
  bool keep = true;
  friend bool operator==(const reduction&, const reduction&) = default;
};
/// nullopt where `v` is no reduction over constant axes. Axes are an input since opset 18 (13 for ReduceSum), before an
/// attribute.
inline std::optional<reduction> reduction_of(const value& v) {
  const node* n = producer(v);
  if (!n || !n->op.text().starts_with("Reduce") || n->inputs.empty()) return std::nullopt;
  std::optional<ints> axes = n->inputs.size() > 1 ? constant_int64s(input_of(v, 1)) : attribute_of<ints>(v, "axes");
  if (!axes || axes->empty()) return std::nullopt;  // none may stand for all
  const std::int64_t rank = input_of(v, 0).rank();
  for (std::int64_t& a : *axes) a += a < 0 ? rank : 0;
  std::sort(axes->begin(), axes->end());
  return reduction{std::move(*axes), attribute_of<std::int64_t>(v, "keepdims").value_or(1) != 0};
}

}  // namespace jax2onnx::rewrite
