// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/lower/liveness.hpp>
#include <jax2onnx/lower/lowering_options.hpp>
#include <jax2onnx/lower/params.hpp>
#include <jax2onnx/lower/selection.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/text_index.hpp>
#include <jaxpr/ast.hpp>
#include <jaxpr/diagnostic.hpp>

namespace jax2onnx::lower {

/// Throws for types that no array can have: limit_error for over 256 dimensions, or if the size overflows 64 bits (at 8
/// bytes for each part of an element), and build_error for a negative extent. Symbolic extents and extents of 0 do not
/// count.
void require_possible(const aval& t, std::string_view printed);

/// One axis of a grid of programs, as one of the programs sees it. The values are int32 scalars.
struct grid_axis {
  std::string_view name;  ///< the name without quotes; empty if the axis has none
  value position, size;
};

/// The driver: lowers jaxprs into a graph, equation by equation. Problems are collected, not thrown, so that one run
/// finds all of them; limit_error and jaxpr::error are thrown.
///
/// The driver knows no primitive: if the user has no lowerer for a primitive, `builtin` lowers the equation. This
/// library passes lower_builtin; tests may pass any function. The arguments of the constructor must outlive the
/// lowerer. A lowerer may be used by one thread only.
class lowerer {
 public:
  lowerer(graph& g, const jaxpr::program& source, const user_lowerers& user, lower_fn builtin,
          const lowering_options& options)
      : graph_(g),
        source_(source),
        decoder_(g, source.text),
        user_(user),
        builtin_(builtin),
        limits_(options.limits.of_text(source.text.size())),
        partitionable_(options.partitionable_keys),
        assume_finite_(options.assume_finite),
        progress_(options.progress) {}

  /// Sets the arrays that an inner jaxpr closes over. Without these arrays, the jaxpr cannot be inlined.
  void set_inner_constants(const jaxpr::body* body, jax_values constants) {
    constants_of_.set(address(body), static_cast<std::uint32_t>(inner_constants_.size()));
    inner_constants_.push_back(std::move(constants));
  }
  /// Gives a copy of a jaxpr the constants of the original. If the original lacks its constants, so does the copy.
  void share_inner_constants(const jaxpr::body* copy, const jaxpr::body* original) {
    constants_of_.set(address(copy), constants_of_.find(address(original)));
  }

  /// The JAX type that the text prints; an unsupported type if `printed` is null.
  aval type_of(const jaxpr::type* printed);
  /// The constant of a printed literal.
  jax_value literal(const jaxpr::atom& a);

  /// Lowers the equations of `body` that have effects or that the wanted results need, into the current block. All
  /// other results are empty.
  jax_values inline_body(const jaxpr::body& body, std::span<const jax_value> args, const selection& wanted = {});
  /// Lowers a computation on scalars in the same way, but element by element on arrays of extents `dims`. The first
  /// half of `args` are accumulators; the results are the new values of the accumulators.
  jax_values inline_elementwise(const jaxpr::body& body, std::span<const jax_value> args, const shape& dims);
  /// The JAX types of the body's parameters and results; empty for a result whose type is not printed. If the body is
  /// applied element by element, its scalar results have the shape of the arrays.
  std::vector<aval> input_types(const jaxpr::body& body);
  std::vector<aval> result_types(const jaxpr::body& body);
  /// A new mutable reference that holds `content`.
  jax_value new_ref(jax_value content);
  /// The current content of a mutable reference. Throws build_error for any other value.
  jax_value& content(const jax_value& ref) {
    if (!ref.is_ref()) throw build_error("a value is used as a mutable reference");
    return cells_[static_cast<std::size_t>(ref.cell)];
  }
  /// Returns whether random keys were used with jax_threefry_partitionable.
  bool partitionable_keys() { return partitionable_ ? *partitionable_ : since_0_5(); }
  /// Returns whether values may be assumed to be finite, except constants of the program.
  bool assume_finite() const { return assume_finite_; }
  /// Returns whether JAX of the version in the name, or newer, printed the text. True if the text does not show the
  /// version.
  bool since_0_5();
  bool since_0_11_2();
  /// The results of the equation that `s` shows, with the printed types. Throws if the equation cannot be lowered.
  jax_values results_of(const site& s);
  /// The results of `lower`, which lowers `eqn`. If `lower` throws, reports a problem and returns empty results;
  /// exceptions such as limit_error, jaxpr::error and std::bad_alloc are not caught.
  jax_values results_or_problem(const jaxpr::equation& eqn, function_ref<jax_values()> lower);
  /// Defines the meaning of a printed type, so that it is not parsed. Throws for a type that no array can have.
  void define_type(const jaxpr::type& printed, const aval& meaning);
  /// Counts a jaxpr at this depth of calls against the limits. Throws limit_error if a limit is exceeded.
  void enter(const jaxpr::body& body, std::ptrdiff_t depth);
  /// Keeps an owner of nodes of jaxprs alive as long as the lowerer.
  void keep(std::shared_ptr<const void> nodes) { kept_.push_back(std::move(nodes)); }
  /// Decodes the parameters of equations.
  const param_decoder& decoder() const { return decoder_; }
  /// Adds a warning at `where`.
  void warn(std::string code, std::string message, jaxpr::span where);

  std::vector<jaxpr::diagnostic> problems;  ///< the problems in the order of lowering, each problem once
  std::vector<std::uint64_t> repeats;       ///< how often each problem occurred
  std::vector<jaxpr::diagnostic> warnings;
  /// True if a problem is in the text or in a lowerer of the user, and not a missing lowering.
  bool is_malformed = false;
  std::uint64_t lowered = 0;    ///< number of equations, with calls inlined
  std::vector<grid_axis> grid;  ///< the grid of the kernel that is being lowered

  /// The span of the equation that is being lowered; after an exception, the span of the equation that threw it.
  jaxpr::span where() const { return calls_.empty() ? jaxpr::span{} : calls_.back()->where; }

 private:
  using environment = jax_values;

  std::vector<std::shared_ptr<const void>> kept_;

  void visit_variables(std::uint64_t n);
  void lift(const jaxpr::equation& eqn, std::vector<aval>& types) const;
  jax_values attempt(const jaxpr::equation& eqn, function_ref<jax_values()> lower);
  void lower_equation(const jaxpr::equation& eqn, environment& env, const liveness& live);
  jax_values lowered_results(const jaxpr::equation& eqn, const environment& env, const selection& wanted,
                             std::vector<aval>& out_types);
  jax_values user_results(const site& s, const user_lowerer& lower);
  jaxpr::span place() const;
  void check_argument(std::size_t number, const jax_value& argument, const jaxpr::binder& parameter);
  bool fits(const tensor_type& made, const tensor_type& printed);
  void check_results(const site& s, jax_values& produced);
  void check_result(const site& s, std::size_t i, jax_value& result);
  jax_value placeholder(const aval& type);
  void report(std::string code, std::string message, jaxpr::span where, std::string help);
  void report_malformed(const diagnostic& d);
  void report_inconsistent(const jaxpr::equation& eqn, const std::string& message);

  graph& graph_;
  const jaxpr::program& source_;
  param_decoder decoder_;
  const user_lowerers& user_;
  lower_fn builtin_;
  lowering_limits limits_;
  std::optional<bool> partitionable_, since_0_5_, since_0_11_2_;
  bool assume_finite_ = false;
  const progress_sink& progress_;
  std::uint64_t variables_ = 0;  // number of variables visited
  static std::int64_t address(const void* node) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(node));
  }

  // Keys are addresses: of printed types in type_numbers_, of jaxprs in constants_of_.
  detail::key_map type_numbers_, constants_of_;
  std::vector<aval> types_;
  std::vector<jax_values> inner_constants_;
  jax_values cells_;                           // contents of mutable references
  std::optional<shape> lifted_;                // the shape that replaces scalars in a body that is inlined elementwise
  detail::text_index reported_;                // messages of the problems
  std::vector<const jaxpr::equation*> calls_;  // equations that are being lowered, each inside of the previous one
  std::uint32_t caller_ = 0;                   // the origin of the innermost call
};

}  // namespace jax2onnx::lower

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/lowerer.inl.hpp>
#endif
