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
}

/// What one equation shows its lowerer: operands, types, parameters, and the graph to build in. Reading a parameter is
/// recorded, so that one that nobody read is an error.
///
/// For a row with parts_rule::each the site shows one part of composite values at a time.
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
        driver_(driver) {}

  graph& g;

  std::string_view primitive() const { return primitive_; }
  const jaxpr::equation& equation() const { return eqn_; }

  std::size_t arity() const { return operands_.size(); }
  std::size_t out_count() const { return out_types_.size(); }
  /// Operand i as one tensor: the shown part of a composite value.
  value in(std::size_t i) const {
    const jax_value& o = in_parts(i);
    return o.parts[o.count > 1 ? part_ : 0];
  }
  /// Operand i with all of its parts.
  const jax_value& in_parts(std::size_t i) const {
    if (is_ambiguous(i)) refuse_ambiguous(i);
    return at(operands_, i, "operand");
  }
  /// Whether the text does not tell which value operand i is.
  bool is_ambiguous(std::size_t i) const { return i < eqn_.ins.size() && eqn_.ins[i].is_dropped(); }
  /// Every operand must be told.
  void require_operands() const {
    for (std::size_t i = 0; i < arity(); ++i)
      if (is_ambiguous(i)) refuse_ambiguous(i);
  }
  std::span<const jax_value> ins() const { return operands_; }
  /// All operands as tensors.
  std::vector<value> in_values() const {
    std::vector<value> out;
    for (std::size_t i = 0; i < arity(); ++i) out.push_back(in(i));
    return out;
  }
  /// JAX's type of operand i (complex, key), of whose parts in() shows one.
  const aval& in_type(std::size_t i) const { return at(in_types_, i, "operand"); }
  const aval& out_type(std::size_t i = 0) const { return at(out_types_, i, "result"); }
  std::span<const aval> in_types() const { return in_types_; }
  std::span<const aval> out_types() const { return out_types_; }
  dtype in_dtype(std::size_t i = 0) const { return in_type(i).elem.part; }
  dtype out_dtype(std::size_t i = 0) const { return out_type(i).elem.part; }
  const shape& out_dims(std::size_t i = 0) const { return out_type(i).dims; }
  /// Which results something depends on; the others may be left empty.
  const selection& wanted() const { return wanted_; }
  /// Operand or result 0 is complex.
  bool is_complex() const {
    return (arity() > 0 && in_types_[0].is_complex()) || (out_count() > 0 && out_types_[0].is_complex());
  }

  /// Parameter `key` (its newest name) as a T: bool, int64_t, double, dim, element, string_view, const jaxpr*, or a
  /// vector of these. An error when the text lacks it.
  template <class T>
  T param(std::string_view key) const {
    return decoder_.decode<T>(tree(key));
  }
  /// The parameter's tree. An error when the text lacks it.
  const jaxpr::value& tree(std::string_view key) const {
    const jaxpr::value* v = find(key);
    if (!v) throw unsupported_error(detail::message("'{}' lacks its parameter '{}'", primitive_, key), where());
    return *v;
  }
  /// The same, or `otherwise` where the text lacks it or says None.
  template <class T>
  T param_or(std::string_view key, T otherwise) const {
    const jaxpr::value* v = find(key);
    return v && v->tag != jaxpr::value::kind::none ? decoder_.decode<T>(*v) : otherwise;
  }
  /// The parameter's tree, null where the text lacks it.
  const jaxpr::value* find(std::string_view key) const {
    for (std::size_t i = 0; i < eqn_.params.size(); ++i)
      if (compat::key(primitive_, eqn_.params[i].key) == key) {
        read_ |= i < 64 ? std::uint64_t{1} << i : 0;
        return &eqn_.params[i].val;
      }
    return nullptr;
  }
  /// Parameter `key`, which names axes of an array of `rank` dimensions; none where the text lacks it.
  ints axes(std::string_view key, std::int64_t rank) const {
    ints found = param_or<ints>(key, {});
    for (std::int64_t axis : found)
      if (axis < 0 || axis >= rank)
        unsupported(detail::message("its {} name axis {} of an array of {} dimensions", key, axis, rank));
    return found;
  }
  /// Counts parameter `key` as read: here it changes no value. `why` is for who reads the lowering.
  void ignore(std::string_view key, [[maybe_unused]] std::string_view why) const { find(key); }
  /// Counts all parameters as read: none of them changes a value.
  void ignore_all([[maybe_unused]] std::string_view why) const { read_ = ~std::uint64_t{0}; }
  /// Argument `key` of the call that parameter `of` is; `otherwise` where it is not there.
  template <class T>
  T argument_or(const jaxpr::value& call, std::string_view key, T otherwise) const {
    const jaxpr::value* v = lower::keyword(call, key);
    return v ? decoder_.decode<T>(*v) : otherwise;
  }
  const lower::param_decoder& decoder() const { return decoder_; }
  /// Every parameter has been read, or is `ignored`; then all count as read. Throws unsupported_error that names the first
  /// other one.
  void require_read(const ignores& ignored) const;
  /// The same for a lowerer that declares nothing: a parameter may stay unread where it says None, False or ().
  void require_read() const;

  jaxpr::span where() const { return eqn_.where; }
  /// What the text asks for has no lowering. Found problems are reported together at the end.
  [[noreturn]] void unsupported(const std::string& message, std::string help = {}) const {
    throw unsupported_error(detail::message("primitive '{}': {}", primitive_, message), where(), std::move(help));
  }
  void warn(std::string code, std::string message) const;

  /// Lowers the equations of a nested jaxpr that the wanted results need into the current block (the one of a call, or
  /// a block_scope's); other results are empty.
  jax_values inline_body(const jaxpr::body& body, std::span<const jax_value> args, const selection& wanted = {}) const;
  /// The same for a body of scalars, on arrays of extents `dims` instead: element by element.
  jax_values inline_elementwise(const jaxpr::body& body, std::span<const jax_value> args, const shape& dims) const;
  /// Whether random keys were used with jax_threefry_partitionable.
  bool partitionable_keys() const;
  /// Whether JAX 0.5 or newer printed the text.
  bool since_0_5() const;
  /// Mutable references are slots of the program's state: control flow passes their contents in and out of its bodies.
  jax_value new_ref(jax_value content) const;
  jax_value& content(const jax_value& ref) const;
  /// The references among the operands, each once.
  jax_values refs() const {
    jax_values out;
    for (const jax_value& o : operands_)
      if (o.is_ref() && std::ranges::find(out, o.cell, &jax_value::cell) == out.end()) out.push_back(o);
    return out;
  }
  /// The JAX types of a nested jaxpr's parameters and results.
  std::vector<aval> input_types(const jaxpr::body& body) const;
  std::vector<aval> result_types(const jaxpr::body& body) const;

  /// The same site showing part `part` of composite values.
  site showing(std::size_t part) const {
    site s = *this;
    s.part_ = part;
    return s;
  }
  /// What a copy of this site read counts as read here.
  void merge_reads(const site& other) const { read_ |= other.read_; }

 private:
  bool is_read(std::size_t i) const { return i < 64 && (read_ >> i & 1); }
  [[noreturn]] void refuse_parameter(const jaxpr::param& p) const;
  [[noreturn]] void refuse_ambiguous(std::size_t i) const {
    throw jaxpr::error(jaxpr::ambiguous_dropped(decoder_.span_of(eqn_.ins[i].text)));
  }
  template <class T>
  const T& at(std::span<const T> all, std::size_t i, std::string_view what) const {
    if (i >= all.size()) unsupported(detail::message("it lacks {} {}", what, i));
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
  std::size_t part_ = 0;
  mutable std::uint64_t read_ = 0;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/site.inl.hpp>
#endif
