// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/dsl/typed/argument.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>
#include <jax2onnx/support/message.hpp>

/// The shape rule of an operator, run at compile time.
namespace jax2onnx {

/// An attribute that is known at compile time. Only the member of its kind is used.
struct known_attribute {
  std::string_view name;                        ///< the name, spelled as in the specification
  bool given = false;                           ///< false if the attribute is absent or has its default
  std::int64_t integer = 0;                     ///< the value of an integer, a flag or a dtype
  std::string_view text = {};                   ///< the value of a string or an enumeration
  std::span<const std::int64_t> integers = {};  ///< the value of a list of integers
};

/// All attributes of a call.
struct known_attributes {
  std::span<const known_attribute> list = {};  ///< the attributes that are template arguments
  bool all = true;                             ///< true if attributes that are not listed have their defaults
};

namespace detail {

/// The extent in `list` that has this dim, if any.
constexpr found<extent> find(const extent_view& list, dim d) {
  for (std::size_t i = 0; i < list.size; ++i)
    if (list.dims[i] == d) return list.extents[i];
  return {};
}

/// The extent with this dim among the extents and the listed integers of the operands, if any.
constexpr found<extent> find(std::span<const known_operand> operands, dim d) {
  for (const known_operand& o : operands) {
    if (const auto e = find(o.shape, d)) return e;
    if (const auto e = find(o.numbers, d)) return e;
  }
  return {};
}

/// Maps dims to extents: the extents of the operands, and the extents that a rule computes.
class extent_names {
 public:
  constexpr explicit extent_names(std::span<const known_operand> operands) : operands_(operands) {}
  constexpr dim add(const extent& e) {
    const dim d = e;
    if (e.is_symbolic() && !find(operands_, d) && !computed(d)) computed_.push_back(e);
    return d;
  }
  constexpr extent operator[](dim d) const {
    if (d.is_constant()) return d.extent();
    if (d.is_dyn()) return dyn;
    if (const auto e = find(operands_, d)) return *e;
    const auto e = computed(d);
    return e ? *e : dyn;
  }
  /// The extent with this dim that a rule has computed, if any.
  constexpr found<extent> computed(dim d) const {
    for (const extent& e : computed_)
      if (dim(e) == d) return e;
    return {};
  }

 private:
  std::span<const known_operand> operands_;
  std::vector<extent> computed_;
};

/// One application of an operator at compile time.
class typed_inference final : public inference {
 public:
  constexpr typed_inference(const op_record& record, std::span<const known_operand> operands,
                            const known_attributes& attributes, std::size_t results, extent_names& names)
      : inference(record, infer::may_differ),
        operands_(operands),
        attributes_(attributes),
        results_(results),
        names_(names) {
    while (!operands_.empty() && operands_.back().is == known_operand::form::absent)
      operands_ = operands_.first(operands_.size() - 1);
    types_.reserve(operands_.size());
    for (std::size_t i = 0; i < operands_.size(); ++i) types_.push_back(type_of_operand(i));
  }

  constexpr ~typed_inference() override {}  // NOLINT(modernize-use-equals-default): GCC 12 wants a body

  /// Checks the operands and runs the rule.
  constexpr void run() {
    check_count();
    if (!failed()) check_operands();
    if (!failed()) record().rule.apply(*this);
    for (std::size_t i = 0; i < results().size() && !failed(); ++i) check_result(i);
  }

  /// The message of a run that failed, such as `MatMul(A: f32[B,784], B: f32[783,10]): the inner dimensions differ`.
  constexpr problem_text text() const {
    problem_text out;
    out.add(op());
    out.add("(");
    bool first = true;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i].is == known_operand::form::absent) continue;
      if (!first) out.add(", ");
      first = false;
      if (const auto f = op_record::at(record().inputs, i)) out.add(f->name), out.add(": ");
      add_operand(out, operands_[i]);
    }
    out.add("): ");
    out.add(subject_);
    const dim* next = std::begin(details());
    fill_pattern(
        problem(), [&](std::string_view piece) { out.add(piece); },
        [&] {
          out.add(names_[*next]);
          return next++->is(1);
        });
    if (listed_ != 0) {
      const char* before = "";
      for (const dtype_traits& t : dtype_table) {
        if (t.type == dtype::undefined || !(listed_ >> static_cast<unsigned>(t.type) & 1)) continue;
        out.add(before), out.add(t.name);
        before = ", ";
      }
    }
    return out;
  }

  constexpr std::size_t arity() const override { return operands_.size(); }
  constexpr std::optional<shape> numbers(std::size_t i) const override {
    const known_operand& o = operands_[i];
    if (o.is == known_operand::form::integer) return shape{dim::dyn()};
    if (o.count < 0) return std::nullopt;
    if (o.numbers.size == 0) return unknown(o.count);
    return shape(o.numbers.dims, o.numbers.dims + o.count);
  }
  constexpr bool defaults_apply() const override { return attributes_.all; }
  constexpr bool given(std::string_view name) const override { return static_cast<bool>(find(name)); }
  constexpr dim add(dim a, dim b) const override {
    if (a.is_dyn() || b.is_dyn()) return dim::dyn();
    if (a.is(0) || b.is(0)) return a.is(0) ? b : a;
    if (a.is_constant() && b.is_constant()) return a.extent() + b.extent();
    return names_.add(names_[a] + names_[b]);
  }
  constexpr dim sub(dim a, dim b) const override {
    if (a.is_dyn() || b.is_dyn()) return dim::dyn();
    if (b.is(0)) return a;
    if (a.is_constant() && b.is_constant()) return a.extent() - b.extent();
    return a == b ? dim(0) : names_.add(names_[a] - names_[b]);
  }
  constexpr dim mul(dim a, dim b) const override {
    if (a.is(0) || b.is(0)) return 0;
    if (a.is_dyn() || b.is_dyn()) return dim::dyn();
    if (a.is(1) || b.is(1)) return a.is(1) ? b : a;
    if (a.is_constant() && b.is_constant()) return checked_mul(a.extent(), b.extent());
    return names_.add(names_[a] * names_[b]);
  }
  constexpr dim floordiv(dim a, dim b) const override {
    if (b.is(1)) return a;
    if (a.is_dyn() || !b.is_constant() || b.is(0)) return a == b && a.is_symbolic() ? dim(1) : dim::dyn();
    return a.is_constant() ? dim(a.extent() / b.extent()) : names_.add(names_[a] / b.extent());
  }
  /// Returns whether the coefficients of a - b show that a >= b, given that every symbol is at least 1.
  constexpr bool at_least(dim a, dim b) const override {
    const extent over = names_[sub(a, b)];
    if (over.is_dyn()) return false;
    std::int64_t least = 0;
    const extent_polynomial terms = polynomial_of(over);
    for (const monomial& m : terms.terms) {
      if (m.coefficient < 0 && !m.factors.empty()) return false;
      least = checked_add(least, m.coefficient);
    }
    return least >= 0;
  }
  constexpr std::size_t result_count() const override { return results_; }

 private:
  constexpr const tensor_type* operand(std::size_t i) const override {
    return operands_[i].is == known_operand::form::absent ? nullptr : &types_[i];
  }
  constexpr std::optional<std::int64_t> given_integer(std::string_view name) const override {
    const auto a = find(name);
    return a ? std::optional(a->integer) : std::nullopt;
  }
  constexpr std::optional<std::string_view> given_text(std::string_view name) const override {
    const auto a = find(name);
    return a ? std::optional(a->text) : std::nullopt;
  }
  constexpr std::optional<std::span<const std::int64_t>> given_integers(std::string_view name) const override {
    const auto a = find(name);
    return a ? std::optional(a->integers) : std::nullopt;
  }
  constexpr found<known_attribute> find(std::string_view name) const {
    for (const known_attribute& a : attributes_.list)
      if (a.given && a.name == name) return a;
    return {};
  }

  constexpr found<formal> formal_of(std::size_t i) const { return op_record::at(record().inputs, i); }
  constexpr std::uint32_t allowed(const formal& f) const { return record().constraints[f.type].allowed.tensors; }
  static constexpr bool takes(std::uint32_t set, dtype t) { return set >> static_cast<unsigned>(t) & 1; }

  /// The dtype of a number: the dtype of a tensor with the same type variable, otherwise a default for its kind of
  /// number.
  constexpr dtype number_type(std::size_t i) const {
    const auto f = formal_of(i);
    if (!f) return dtype::i64;
    for (std::size_t j = 0; j < operands_.size(); ++j)
      if (const auto other = formal_of(j); other && other->type == f->type && operands_[j].type != dtype::undefined)
        return operands_[j].type;
    if (operands_[i].is == known_operand::form::truth) return dtype::boolean;
    if (operands_[i].is == known_operand::form::real) return takes(allowed(*f), dtype::f32) ? dtype::f32 : dtype::f64;
    return takes(allowed(*f), dtype::i64) ? dtype::i64 : dtype::f32;
  }
  constexpr tensor_type type_of_operand(std::size_t i) const {
    using enum known_operand::form;
    const known_operand& o = operands_[i];
    if (o.is == absent) return {};
    if (o.is == integers) return {number_type(i), {o.count < 0 ? dim::dyn() : dim(o.count)}};
    if (o.is != tensor) return {number_type(i), {}};
    return {o.type, shape(o.shape.dims, o.shape.dims + o.shape.size)};
  }
  static constexpr void add_operand(problem_text& out, const known_operand& o) {
    using enum known_operand::form;
    if (o.is == tensor) return out.add_type(name(o.type), std::span(o.shape.extents, o.shape.size));
    out.add(o.is == truth ? "a bool" : o.is == integer ? "an integer" : o.is == real ? "a number" : "integers");
  }

  constexpr void check_count() {
    const bool endless = !record().inputs.empty() && record().inputs.back().count == presence::variadic;
    const auto count = static_cast<std::int64_t>(operands_.size());
    if (operands_.size() < record().least_inputs)
      fail("it has {} operand{|s}; it needs at least {}", count, dim(record().least_inputs));
    if (operands_.size() > record().inputs.size() && !endless)
      fail("it has {} operand{|s}; it takes at most {}", count, std::ssize(record().inputs));
  }
  constexpr void check_operands() {
    for (std::size_t i = 0; i < operands_.size() && !failed(); ++i) {
      const formal& f = *formal_of(i);
      if (operands_[i].is == known_operand::form::absent) {
        if (f.count == presence::required) fail("operand {} is absent", static_cast<std::int64_t>(i));
        continue;
      }
      check_kind(i);
      if (!failed() && !takes(allowed(f), types_[i].type)) {
        fail(" is none of ");
        subject_ = f.name;
        listed_ = allowed(f);
      }
      for (std::size_t j = 0; j < i && f.homogeneous && !failed(); ++j)
        if (operand(j) && formal_of(j)->type == f.type && types_[j].type != types_[i].type)
          fail("operands {} and {} must have the same element type", static_cast<std::int64_t>(j),
               static_cast<std::int64_t>(i));
    }
  }
  /// Fails if operand i is a number that its dtype does not accept, such as a fraction for integers.
  constexpr void check_kind(std::size_t i) {
    using enum known_operand::form;
    const dtype t = types_[i].type;
    const auto is = operands_[i].is;
    if (is == real && !is_floating(t)) fail("a number with a fraction can only be combined with floats");
    if (is == truth && !is_boolean(t)) fail("a bool cannot be combined with numbers");
    if ((is == integer || is == integers) && !is_integer(t) && !is_floating(t))
      fail("an integer cannot be combined with bools");
  }
  constexpr void check_result(std::size_t i) {
    const tensor_type& t = results()[i];
    if (t.kind == value_kind::tensor && t.type != dtype::undefined && i < results_ && !allows(i, t.type)) {
      fail(" is not an allowed element type of result {}", static_cast<std::int64_t>(i));
      subject_ = name(t.type);
    }
  }

  std::span<const known_operand> operands_;
  const known_attributes& attributes_;
  std::size_t results_;
  extent_names& names_;
  std::vector<tensor_type> types_;
  std::string_view subject_ = {};  // the operand or element type at the beginning of the message
  std::uint32_t listed_ = 0;       // the dtypes that the message lists at its end, as a mask
};

}  // namespace detail

/// The type of a result, without heap memory, so that it can be a compile-time constant.
struct known_result {
  /// The highest rank of a typed handle.
  static constexpr std::size_t highest_rank = 12;
  bool is_tensor = false;                ///< true if dtype and rank are known and a handle can have the rank
  dtype type = dtype::undefined;         ///< the element type
  std::size_t rank = 0;                  ///< the number of axes
  std::array<dim, highest_rank> dims{};  ///< the first `rank` are used
};

/// The types of N results.
template <std::size_t N>
struct known_results {
  bool ok = false;                     ///< true if the operands fit
  std::array<known_result, N> list{};  ///< the results
};

/// Returns whether an operand is the result of a call that did not compile.
constexpr bool any_failed(std::span<const known_operand> operands) {
  for (const known_operand& o : operands)
    if (o.is == known_operand::form::failed) return true;
  return false;
}

/// Infers the types of an operator's results.
template <std::size_t N>
constexpr known_results<N> infer_known(const op_record& record, std::span<const known_operand> operands,
                                       const known_attributes& attributes) {
  known_results<N> out;
  if (any_failed(operands)) return out;
  detail::extent_names names(operands);
  detail::typed_inference call(record, operands, attributes, N, names);
  call.run();
  if (call.failed()) return out;
  out.ok = true;
  for (std::size_t i = 0; i < N && i < call.results().size(); ++i) {
    const tensor_type& t = call.results()[i];
    known_result& r = out.list[i];
    r.is_tensor = t.is_plain() && t.type != dtype::undefined && t.dims.size() <= known_result::highest_rank;
    if (!r.is_tensor) continue;
    r.type = t.type;
    r.rank = t.dims.size();
    for (std::size_t axis = 0; axis < r.rank; ++axis) r.dims[axis] = t.dims[axis];
  }
  return out;
}

/// The symbolic extent with dim d, which infer_known() computed for a result and which no operand has.
constexpr extent computed_extent(const op_record& record, std::span<const known_operand> operands,
                                 const known_attributes& attributes, std::size_t results, dim d) {
  detail::extent_names names(operands);
  detail::typed_inference call(record, operands, attributes, results, names);
  call.run();
  return names[d];
}

/// The message that says why a call is invalid. The call must be invalid.
constexpr detail::problem_text problem_of(const op_record& record, std::span<const known_operand> operands,
                                          const known_attributes& attributes, std::size_t results) {
  detail::extent_names names(operands);
  detail::typed_inference call(record, operands, attributes, results, names);
  call.run();
  return call.text();
}

}  // namespace jax2onnx
