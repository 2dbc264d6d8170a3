// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>

/// Functions that join models and cut parts out of them.
namespace jax2onnx {

/// An argument for an input of a model.
struct binding {
  std::string_view input;  ///< the input's name
  value argument;          ///< a value of the graph that the model is added to
};

/// The outputs of a model that was inlined.
class model_outputs {
 public:
  /// Outputs in the model's order, with their names.
  explicit model_outputs(std::vector<std::pair<std::string, value>> outputs) : outputs_(std::move(outputs)) {}
  /// The number of outputs.
  std::size_t size() const { return outputs_.size(); }
  /// Output `i` in the model's order. Throws a build_error if there is none.
  value operator[](std::size_t i) const;
  /// The output called `name`. Throws a build_error that lists the names of the outputs if there is none.
  value operator[](std::string_view name) const;

 private:
  std::vector<std::pair<std::string, value>> outputs_;
};

/// Adds the nodes of a model to the current block of `g`, with one argument for each input of the model. Weights that
/// are views of files are shared. Symbolic extents of the model are replaced by the corresponding extents of the
/// arguments. Operators that have another form in the opset of `g` get that form: for example, axes become operands or
/// attributes. Throws a build_error for an input without an argument, for an argument without an input, for arguments
/// of types that do not fit, and for operators that the opset of `g` lacks or cannot express.
model_outputs inline_model(graph& g, const graph& model, std::span<const binding> arguments);
/// Adds the nodes of a model, for a braced list of arguments.
inline model_outputs inline_model(graph& g, const graph& model, std::initializer_list<binding> arguments) {
  return inline_model(g, model, std::span<const binding>(arguments.begin(), arguments.size()));
}

/// The value of the main graph with this name: an input, a result or a constant; an absent value if there is none.
/// Takes time linear in the number of values.
value find_value(graph& g, std::string_view name);

/// The part of a graph that computes `outputs` from `inputs`, as a graph. The inputs and outputs are names of values of
/// the main graph.
/// Weights are shared. Throws a build_error for a name without a value, and if the outputs need an input that is not
/// listed.
graph cut(const graph& g, std::span<const std::string> inputs, std::span<const std::string> outputs);
/// The part of a graph that computes `outputs` from `inputs`, for braced lists of names.
inline graph cut(const graph& g, std::initializer_list<std::string> inputs,
                 std::initializer_list<std::string> outputs) {
  return cut(g, std::span<const std::string>(inputs.begin(), inputs.size()),
             std::span<const std::string>(outputs.begin(), outputs.size()));
}

/// A value and its name in the interface of a model.
struct named_value {
  std::string_view name;  ///< the name of an input or output of the model
  value v;                ///< a value of the main graph
};

/// The model that computes `outputs` from `inputs`, as a separate graph: `build({{"x", x}}, {{"y", y}})`. The source
/// graph is unchanged, and can be the source of several models; each gets only the nodes that it needs. Weights are
/// shared. Throws a build_error if there are no outputs, for a name or an input value that occurs twice, for values of
/// bodies or of two graphs, and if the outputs need an input that is not listed.
graph build(std::span<const named_value> inputs, std::span<const named_value> outputs);
/// The model that computes `outputs` from `inputs`, for braced lists of values.
inline graph build(std::initializer_list<named_value> inputs, std::initializer_list<named_value> outputs) {
  return build(std::span<const named_value>(inputs.begin(), inputs.size()),
               std::span<const named_value>(outputs.begin(), outputs.size()));
}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/read/join.inl.hpp>
#endif
