// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/evaluate/ndarray.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>

/// Evaluates a graph operator by operator, for debugging and tests. Evaluation is slow. Each result is rounded to its
/// element type, although an operator may compute in a wider type.
namespace jax2onnx {

/// An array for an input of a model.
struct named_array {
  std::string_view input;  ///< the input's name
  ndarray data;            ///< an array of the input's type
};

/// The outputs of a model.
class evaluated {
 public:
  /// Outputs in the model's order, with their names.
  explicit evaluated(std::vector<std::pair<std::string, ndarray>> outputs) : outputs_(std::move(outputs)) {}
  /// The number of outputs.
  std::size_t size() const { return outputs_.size(); }
  /// Output i, in the model's order. Throws a build_error if there is no output i.
  const ndarray& operator[](std::size_t i) const;
  /// The output named `name`. Throws a build_error if no output has this name.
  const ndarray& operator[](std::string_view name) const;

 private:
  std::vector<std::pair<std::string, ndarray>> outputs_;
};

/// The outputs of a model for arrays of its inputs: `evaluate(g, {{"x", array_of<float>({2}, {1, 2})}})["y"]`. Inputs
/// that the outputs do not need may be omitted. Supports most of ONNX's elementwise operators, matrix products,
/// reductions, softmax, layer norms, operators on shapes and indices, bodies and functions. Throws a build_error for an
/// array that does not fit, and for an unsupported operator, which the message names. Results of functions like Exp may
/// differ from a runtime's results in the last bit, and sums may differ because a runtime adds in another order. A Loop
/// of over a million iterations is refused.
/// @{
evaluated evaluate(const graph& g, std::span<const named_array> inputs);
inline evaluated evaluate(const graph& g, std::initializer_list<named_array> inputs = {}) {
  return evaluate(g, std::span<const named_array>(inputs.begin(), inputs.size()));
}
/// @}
/// Evaluates one value outside of bodies. The value need not be an output: `evaluate(hidden, {{"x", x}})`.
/// @{
ndarray evaluate(const value& v, std::span<const named_array> inputs);
inline ndarray evaluate(const value& v, std::initializer_list<named_array> inputs = {}) {
  return evaluate(v, std::span<const named_array>(inputs.begin(), inputs.size()));
}
/// @}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/evaluate/evaluate.inl.hpp>
#endif
