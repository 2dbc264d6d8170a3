// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/ignores.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/lower/params.hpp>
#include <jax2onnx/lower/selection.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/message.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx {

namespace lower {
class lowerer;
}  // namespace lower

/// The view of one equation for a lowering: operands, types, parameters, and the graph to build in.
///
/// Reading a parameter is recorded: it is an error if a lowering neither reads nor ignores a parameter. Indices of
/// operands and results are checked. A parameter that is missing or of another type throws unsupported_error, and a
/// missing operand or result throws lower::malformed_error; the driver reports both at the equation. For a row with
/// parts_rule::each the site shows one part of composite values at a time.
///
/// A site and the references that it returns are valid during the call of the lowering, in the thread of that call.
class site {
 public:
  site(graph& owner, const jaxpr::equation& eqn, std::string_view primitive, std::span<const jax_value> operands,
       std::span<const aval> in_types, std::span<const aval> out_types, const selection& wanted,
       const lower::param_decoder& decoder, lower::lowerer& driver)
      : g(owner),
        eqn_(eqn),
        primitive_(primitive),
        operands_(operands),
        in_types_(in_types),
        out_types_(out_types),
        wanted_(wanted),
        decoder_(decoder),
        driver_(driver),
        has_old_keys_(compat::has_old_keys(primitive)) {}

  graph& g;  ///< the graph; verbs add nodes to its current block

  /// The newest name of the primitive.
  std::string_view primitive() const { return primitive_; }
  /// The equation as printed, with the names of its JAX version.
  const jaxpr::equation& equation() const { return eqn_; }

  /// The number of operands.
  std::size_t arity() const { return operands_.size(); }
  /// The number of results.
  std::size_t out_count() const { return out_types().size(); }
  /// Returns whether the equation has n results. True for every n if the text states no results, since the type rule
  /// then determines their number.
  bool has_results(std::size_t n) const { return open_results_ || out_types_.size() == n; }
  /// Returns whether the site is for a type rule, and the text states no results.
  bool has_open_results() const { return open_results_; }
  /// A copy of the site for a type rule, as if the text stated no results.
  site with_open_results() const {
    site s = *this;
    s.open_results_ = true;
    return s;
  }
  /// Operand i as one tensor; for a composite value, the part that is shown.
  value in(std::size_t i) const {
    const jax_value& o = in_parts(i);
    return o.part(o.count > 1 ? part_ : 0);
  }
  /// Operand i with all of its parts.
  const jax_value& in_parts(std::size_t i) const {
    if (is_ambiguous(i)) refuse_ambiguous(i);
    return at(operands_, i, "operand");
  }
  /// Returns whether operand i is ambiguous: it is `_`, and the text has several variables of that name.
  bool is_ambiguous(std::size_t i) const { return i < eqn_.ins.size() && eqn_.ins[i].is_dropped(); }
  /// Throws jaxpr::error if an operand is ambiguous.
  void require_operands() const {
    for (std::size_t i = 0; i < arity(); ++i)
      if (is_ambiguous(i)) refuse_ambiguous(i);
  }
  /// All operands. Ambiguous operands have no parts.
  std::span<const jax_value> ins() const { return operands_; }
  /// All operands as tensors.
  std::vector<value> in_values() const {
    std::vector<value> out;
    for (std::size_t i = 0; i < arity(); ++i) out.push_back(in(i));
    return out;
  }
  /// The JAX type of operand i.
  const aval& in_type(std::size_t i) const { return at(in_types_, i, "operand"); }
  /// The JAX type that the text prints for result i. The value that the lowering returns for result i must have this
  /// type.
  const aval& out_type(std::size_t i = 0) const { return at(out_types(), i, "result"); }
  /// The JAX types of all operands, and of all results.
  /// @{
  std::span<const aval> in_types() const { return in_types_; }
  std::span<const aval> out_types() const {
    if (open_results_) refuse_open_results();
    return out_types_;
  }
  /// @}
  /// The dtype of operand i or result i; for composite values, of each part.
  /// @{
  dtype in_dtype(std::size_t i = 0) const { return in_type(i).elem.part; }
  dtype out_dtype(std::size_t i = 0) const { return out_type(i).elem.part; }
  /// @}
  /// The shape of result i.
  const shape& out_dims(std::size_t i = 0) const { return out_type(i).dims; }
  /// The results that are read; all other results may be left empty.
  const selection& wanted() const { return wanted_; }
  /// Returns whether operand 0 or result 0 is complex.
  bool is_complex() const {
    return (arity() > 0 && in_types_[0].is_complex()) || (!out_types_.empty() && out_types_[0].is_complex());
  }

  /// Parameter `key` (its newest name) as a T: bool, std::int64_t, double, dim, element, std::string_view, const
  /// jaxpr::body*, or a vector or shape of these. Throws unsupported_error if the parameter is missing or of another
  /// type.
  template <class T>
  T param(std::string_view key) const {
    return decoder_.decode<T>(tree(key));
  }
  /// Parameter `key` as parsed from the text. Throws unsupported_error if the parameter is missing.
  const jaxpr::value& tree(std::string_view key) const {
    const jaxpr::value* v = find(key);
    if (!v) throw unsupported_error(detail::message("'{}' lacks its parameter '{}'", primitive_, key), where());
    return *v;
  }
  /// Parameter `key` as a T, or `otherwise` if the parameter is missing or None. Throws unsupported_error for another
  /// type.
  template <class T>
  T param_or(std::string_view key, T otherwise) const {
    const jaxpr::value* v = find(key);
    return v && v->tag != jaxpr::value::kind::none ? decoder_.decode<T>(*v) : otherwise;
  }
  /// The newest key of a parameter of the equation.
  std::string_view key_of(const jaxpr::param& p) const {
    return has_old_keys_ ? compat::key(primitive_, p.key) : p.key;
  }
  /// Parameter `key` as parsed from the text; null if it is missing.
  const jaxpr::value* find(std::string_view key) const {
    for (std::size_t i = 0; i < eqn_.params.size(); ++i)
      if (key_of(eqn_.params[i]) == key) {
        read_ |= i < 64 ? std::uint64_t{1} << i : 0;
        return &eqn_.params[i].val;
      }
    return nullptr;
  }
  /// Parameter `key`, which names axes of an array of `rank` dimensions; no axes if it is missing. Throws
  /// unsupported_error if the array lacks one of the axes.
  ints axes(std::string_view key, std::int64_t rank) const {
    ints found = param_or<ints>(key, {});
    for (std::int64_t axis : found)
      if (axis < 0 || axis >= rank)
        unsupported(detail::message("its {} names axis {}, but the array has {} dimension{|s}", key, axis, rank));
    return found;
  }
  /// Counts parameter `key` as read although it is unused, since it does not affect values in this situation. `why` is
  /// for readers of the lowering.
  void ignore(std::string_view key, [[maybe_unused]] std::string_view why) const { find(key); }
  /// Counts all parameters as read, since they do not affect values in this situation.
  void ignore_all([[maybe_unused]] std::string_view why) const { read_ = ~std::uint64_t{0}; }
  /// Argument `key` of a parameter that is a call, `Name(key=value)`, as a T; `otherwise` if it is missing.
  template <class T>
  T argument_or(const jaxpr::value& call, std::string_view key, T otherwise) const {
    const jaxpr::value* v = lower::keyword(call, key);
    return v ? decoder_.decode<T>(*v) : otherwise;
  }
  /// The driver, which lowers nested jaxprs, including jaxprs that are not in the text.
  lower::lowerer& driver() const { return driver_; }
  /// The decoder, which converts parts of a parameter to C++ values.
  const lower::param_decoder& decoder() const { return decoder_; }
  /// Throws an unsupported_error that names the first parameter that is neither read nor `ignored`. If there is none,
  /// all parameters count as read.
  void require_read(const ignores& ignored) const;
  /// Throws an unsupported_error for the first parameter that is neither read nor None, False, () or UnspecifiedValue.
  void require_read() const;

  /// The equation's span in the text.
  jaxpr::span where() const { return eqn_.where; }
  /// Refuses the equation. The driver goes on with the next equation and reports all problems together.
  [[noreturn]] void unsupported(const std::string& message, std::string help = {}) const {
    throw unsupported_error(detail::message("primitive '{}': {}", primitive_, message), where(), std::move(help));
  }
  /// Refuses an equation that JAX cannot have printed. The driver goes on as for unsupported().
  [[noreturn]] void malformed(const std::string& message) const {
    throw lower::malformed_error(detail::message("primitive '{}': {}", primitive_, message), where());
  }
  /// Throws malformed_error, for results whose types cannot be determined.
  [[noreturn]] void refuse_open_results() const {
    malformed("the types of its results do not follow from its operands: state them");
  }
  /// Refuses the equation because of a parameter.
  [[noreturn]] void refuse_parameter(const jaxpr::param& p, std::string help = {}) const;
  /// Adds a warning at the equation.
  void warn(std::string code, std::string message) const;

  /// Lowers the equations of a nested jaxpr that have effects or that the wanted results need, into the current block.
  /// All other results are empty.
  jax_values inline_body(const jaxpr::body& body, std::span<const jax_value> args, const selection& wanted = {}) const;
  /// Lowers a computation on scalars in the same way, but element by element on arrays of extents `dims`. The first
  /// half of `args` are accumulators; the results are the new values of the accumulators.
  jax_values inline_elementwise(const jaxpr::body& body, std::span<const jax_value> args, const shape& dims) const;
  /// Returns whether random keys were used with jax_threefry_partitionable.
  bool partitionable_keys() const;
  /// Returns whether values may be assumed to be finite, except constants of the program.
  bool assume_finite() const;
  /// Returns whether JAX of the version in the name, or newer, printed the text. True if the text does not show the
  /// version.
  /// @{
  bool since_0_5() const;
  bool since_0_11_2() const;
  /// @}
  /// A new mutable reference that holds `content`. References are slots of the program's state: control flow passes
  /// their contents into and out of its bodies.
  jax_value new_ref(jax_value content) const;
  /// The current content of a mutable reference.
  jax_value& content(const jax_value& ref) const;
  /// The references among the operands, each reference once.
  jax_values refs() const {
    jax_values out;
    for (const jax_value& o : operands_)
      if (o.is_ref() && std::ranges::find(out, o.cell, &jax_value::cell) == out.end()) out.push_back(o);
    return out;
  }
  /// The JAX types of a nested jaxpr's parameters or results; empty for a result whose type is not printed.
  std::vector<aval> input_types(const jaxpr::body& body) const;
  std::vector<aval> result_types(const jaxpr::body& body) const;

  /// A copy of the site that shows part `part` of composite values.
  site showing(std::size_t part) const {
    site s = *this;
    s.part_ = part;
    return s;
  }
  /// Counts the parameters that were read through `other`, a copy of this site, as read.
  void merge_reads(const site& other) const { read_ |= other.read_; }

 private:
  bool is_read(std::size_t i) const { return i < 64 && (read_ >> i & 1); }
  [[noreturn]] void refuse_ambiguous(std::size_t i) const {
    throw jaxpr::error(jaxpr::ambiguous_dropped(decoder_.span_of(eqn_.ins[i].text)));
  }
  template <class T>
  const T& at(std::span<const T> all, std::size_t i, std::string_view what) const {
    if (i >= all.size()) malformed(detail::message("it lacks {} {}", what, i));
    return all[i];
  }

  const jaxpr::equation& eqn_;
  std::string_view primitive_;
  std::span<const jax_value> operands_;
  std::span<const aval> in_types_;
  std::span<const aval> out_types_;
  const selection& wanted_;
  const lower::param_decoder& decoder_;
  lower::lowerer& driver_;
  bool has_old_keys_;
  std::size_t part_ = 0;
  bool open_results_ = false;
  mutable std::uint64_t read_ = 0;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/site.inl.hpp>
#endif
