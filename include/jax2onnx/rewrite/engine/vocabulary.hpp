// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/op_name.hpp>
#include <jax2onnx/operators/traits.hpp>
#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/operators/views/pad.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/operators/views/reduction.hpp>
#include <jax2onnx/operators/views/shape.hpp>
#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/operators/views/split.hpp>
#include <jax2onnx/operators/views/transpose.hpp>
#include <jax2onnx/operators/views/window.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// The vocabulary of rules: operators, and nodes applied to other operands.
namespace jax2onnx::rewrite {

using namespace operators;
using namespace facts;

/// A list of operators: ops<"Mul", "Div">.
template <jax2onnx::detail::op_name... Names>
inline constexpr std::array<operator_name, sizeof...(Names)> ops{operator_name::unchecked(Names.view())...};

/// A new node with the operator and the attributes of the node that makes `v`, on other inputs.
inline value with_inputs(const value& v, std::span<const value> inputs, tensor_type type) {
  const node& n = *producer(v);
  return v.owner().emit(n.op, inputs, std::move(type), n.attributes);
}
inline value with_inputs(const value& v, std::initializer_list<value> inputs, tensor_type type) {
  return with_inputs(v, std::span<const value>(inputs.begin(), inputs.size()), std::move(type));
}
/// A new node with the operator, the attributes and the inputs of the node that makes `v`, except that its first input
/// is `first`.
inline value with_first_input(const value& v, const value& first, tensor_type type) {
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = first;
  return with_inputs(v, inputs, std::move(type));
}

/// The Slice `v`, applied to x along other axes.
inline value with_slice_axes(const value& v, const value& x, const ints& axes, tensor_type type) {
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = x;
  inputs.resize(std::max(inputs.size(), std::size_t{4}));
  inputs[3] = array(v.owner(), inputs[1].dtype(), {std::ssize(axes)}, std::span<const std::int64_t>(axes));
  return with_inputs(v, inputs, std::move(type));
}

}  // namespace jax2onnx::rewrite
