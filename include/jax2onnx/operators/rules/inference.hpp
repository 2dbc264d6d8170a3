// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/tensor_type.hpp>
#include <jax2onnx/operators/infer.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx {

/// One application of an operator, as its shape rule sees it: the types of the operands, the attributes, and what is
/// known of the numbers in the operands. Typed handles run rules at compile time; verbs and verify() run them at run
/// time.
///
/// A rule states the shape of every result, or what is wrong. The driver has checked the number of operands, their
/// dtypes against the constraints, and the attributes' names and kinds; it knows the dtypes of results that share a
/// type variable with an operand.
class inference {
 public:
  /// An application of the operator of a record. `rule` decides which extents do not fit.
  constexpr explicit inference(const op_record& record, infer::differ_test rule = definitely_differ)
      : differs(rule), record_(&record) {}
  inference(const inference&) = delete;
  inference& operator=(const inference&) = delete;
  /// Applications are not destroyed through this class.
  constexpr virtual ~inference() = default;

  /// The number of operands, absent ones included.
  virtual constexpr std::size_t arity() const = 0;
  /// True if operand i is given.
  constexpr bool has(std::size_t i) const { return i < arity() && operand(i); }
  /// The type of an operand that is given.
  constexpr const tensor_type& in(std::size_t i) const { return *operand(i); }
  /// The extents of an operand that is given.
  constexpr const shape& dims(std::size_t i) const { return in(i).dims; }
  /// The number of dimensions of an operand that is given.
  constexpr std::int64_t rank(std::size_t i) const { return static_cast<std::int64_t>(dims(i).size()); }
  /// The integers in an operand of rank 0 or 1, each as an extent (dim::nearest); an unknown integer is `dyn`. nullopt
  /// if the number of integers is not known.
  virtual constexpr std::optional<shape> numbers(std::size_t i) const = 0;
  /// The integers in a constant operand of any rank, row by row; nullopt if they are not known.
  virtual constexpr std::optional<shape> elements(std::size_t i) const { return numbers(i); }
  /// The numbers in an operand of floats of rank 0 or 1; nullopt if they are not known, or the operand is absent.
  virtual constexpr std::optional<std::vector<double>> reals(std::size_t) const { return std::nullopt; }

  /// The value of an attribute, else the attribute's default; 0 or empty if there is neither.
  /// @{
  constexpr std::int64_t integer(std::string_view name) const;
  constexpr std::string_view text(std::string_view name) const;
  constexpr std::span<const std::int64_t> integers(std::string_view name) const;
  constexpr bool flag(std::string_view name) const { return integer(name) != 0; }
  /// @}
  /// An integer attribute, or else its default, as an element type; `undefined` if there is neither. The rule fails for
  /// a number that is not an element type. The number 0 is allowed for an attribute with a default, or if none is
  /// given.
  constexpr dtype type(std::string_view name) {
    const std::int64_t number = integer(name);
    const auto a = record().find(name);
    const bool may_be_none = !given(name) || (a && a->given == formal_attribute::need::defaulted);
    if (number >= (may_be_none ? 0 : 1) && number < static_cast<std::int64_t>(std::size(dtype_table)))
      return static_cast<dtype>(number);
    fail("the element type {} is not known", dim::nearest(number));
    return dtype::undefined;
  }
  /// True if attributes that look absent are absent; false if some of them may be given at run time.
  virtual constexpr bool defaults_apply() const { return true; }
  /// True if the value of an attribute, given or default, is known.
  constexpr bool known(std::string_view attribute) const;
  /// An integer attribute as an extent; `dyn` if only the running program knows it.
  constexpr dim number(std::string_view name) const { return known(name) ? dim(integer(name)) : dim::dyn(); }
  /// True if an attribute is given.
  virtual constexpr bool given(std::string_view attribute) const = 0;
  /// The type of an attribute that is a tensor or a type; nullopt if it is not given.
  virtual constexpr std::optional<tensor_type> attribute_type(std::string_view) const { return std::nullopt; }
  /// The number of entries of a list of numbers or strings.
  virtual constexpr std::size_t attribute_size(std::string_view name) const { return integers(name).size(); }
  /// Entry i of a list of strings; empty if it is not known.
  virtual constexpr std::string_view text_at(std::string_view, std::size_t) const { return {}; }
  /// The number of inputs of a body; nullopt if it is not known.
  virtual constexpr std::optional<std::size_t> body_arity(std::string_view) const { return std::nullopt; }
  /// Fails unless a body, if it is known, has this many inputs.
  constexpr bool expect_body_arity(std::string_view body, std::size_t inputs) {
    const std::size_t found = body_arity(body).value_or(inputs);
    return expect(found == inputs, "the body has {} input{|s}, not {}", index(found), index(inputs));
  }
  /// The types of the results of a body.
  virtual constexpr std::vector<tensor_type> body_results(std::string_view) const { return {}; }

  /// Arithmetic of extents.
  /// @{
  virtual constexpr dim add(dim a, dim b) const = 0;
  virtual constexpr dim sub(dim a, dim b) const = 0;
  virtual constexpr dim mul(dim a, dim b) const = 0;
  virtual constexpr dim floordiv(dim a, dim b) const = 0;  ///< a >= 0, b > 0
  /// @}
  /// a / b, rounded up.
  constexpr dim ceildiv(dim a, std::int64_t b) const { return b == 1 ? a : floordiv(add(a, b - 1), b); }
  /// The number of elements in these extents.
  constexpr dim product(std::span<const dim> extents) const {
    dim n = 1;
    for (dim d : extents) n = mul(n, d);
    return n;
  }
  /// True if a >= b is known.
  virtual constexpr bool at_least(dim a, dim b) const {
    const dim over = sub(a, b);
    return over.is_constant() && over.extent() >= 0;
  }
  /// The one of two equal extents about which more is known.
  static constexpr dim either(dim a, dim b) {
    return a.is_constant() || b.is_dyn() || (a.is_symbolic() && b.is_symbolic()) ? a : b;
  }
  /// A shape of `rank` unknown extents.
  static constexpr shape unknown(std::int64_t rank) { return shape(static_cast<std::size_t>(rank), dim::dyn()); }
  /// True if the extents do not fit.
  constexpr bool differ(dim a, dim b) const { return differs(a, b); }
  /// The test that differ() applies, to be passed to the functions of infer.
  const infer::differ_test differs;

  /// An axis counted from the front; the rule fails unless -rank <= axis < rank.
  constexpr std::int64_t axis(std::int64_t axis, std::int64_t rank) {
    if (axis < -rank || axis >= rank) fail("the axis {} is out of range for {} dimension{|s}", axis, rank);
    return failed() ? 0 : axis < 0 ? axis + rank : axis;
  }

  /// The axes of a list, counted from the front; the rule fails if an axis is out of range or named twice.
  constexpr std::vector<std::int64_t> axes(std::span<const std::int64_t> list, std::int64_t rank) {
    std::vector<std::int64_t> out;
    for (std::int64_t a : list) {
      const std::int64_t place = axis(a, rank);
      if (item_loops::contains(out, place)) fail("the axis {} is named twice", a);
      out.push_back(place);
    }
    return out;
  }
  /// The axes in operand i, of rank 0 or 1, counted from the front, with the checks of axes(); nullopt if one of them
  /// is not known.
  constexpr std::optional<std::vector<std::int64_t>> axes_in(std::size_t i, std::int64_t rank) {
    const std::optional<shape> list = numbers(i);
    if (!list || !is_static(*list)) return std::nullopt;
    std::vector<std::int64_t> out;
    for (dim a : *list) out.push_back(a.extent());
    return axes(out, rank);
  }
  /// The number in an operand with one element; `dyn` if it is not known. The rule fails for another number of
  /// elements.
  constexpr dim number(std::size_t i) {
    if (!in(i).is_plain()) return dim::dyn();
    if (rank(i) > 1 || (rank(i) == 1 && differ(dims(i)[0], 1))) fail("operand {} must have one element", index(i));
    if (failed()) return dim::dyn();
    const std::optional<shape> list = numbers(i);
    return list && list->size() == 1 ? list->front() : dim::dyn();
  }
  /// Fails if a real number in operand i is known and does not pass the test.
  constexpr bool expect_reals(std::size_t i, bool (*test)(double), std::string_view problem) {
    for (const double number : reals(i).value_or(std::vector<double>())) expect(test(number), problem);
    return !failed();
  }
  /// Fails if an integer in operand i is known and is not from `least` to `most`. Numbers and limits that only the
  /// running program knows are not compared.
  constexpr bool expect_elements(std::size_t i, dim least, dim most, std::string_view problem) {
    const std::optional<shape> found = has(i) ? elements(i) : std::nullopt;
    if (!found || !least.is_constant() || !most.is_constant()) return !failed();
    for (const dim k : *found)
      expect(!k.is_constant() || (k.extent() >= least.extent() && k.extent() <= most.extent()), problem, k, most);
    return !failed();
  }
  /// Fails unless operand i has n dimensions.
  constexpr bool has_rank(std::size_t i, std::int64_t n) {
    if (rank(i) != n) fail("operand {} must have {} dimension{|s}", index(i), n);
    return !failed();
  }

  /// The number of requested results.
  virtual constexpr std::size_t result_count() const = 0;
  /// States the shape of a result whose dtype follows from the operands.
  constexpr void result(std::size_t i, shape dims) { set(i, {result_dtype(i), std::move(dims)}); }
  /// States dtype and shape of a result.
  constexpr void result(std::size_t i, dtype t, shape dims) { set(i, {t, std::move(dims)}); }
  /// States the shape of a result; fails if `r` states a problem.
  constexpr void result(std::size_t i, infer::result r) {
    r.ok() ? result(i, std::move(r.dims)) : fail(r.problem, r.detail);
  }
  /// States that not even the rank of a result is known.
  constexpr void unranked_result(std::size_t i) { set(i, unranked(result_dtype(i))); }
  /// States the type of a result.
  constexpr void set(std::size_t i, tensor_type type) {
    if (i == results_.size()) return results_.push_back(std::move(type));
    if (i > results_.size()) results_.resize(i + 1);
    results_[i] = std::move(type);
  }
  /// States what is wrong; each {} is replaced by one of the numbers. Only the first failure counts.
  constexpr void fail(std::string_view problem, dim a = 0, dim b = 0) {
    if (failed()) return;
    problem_ = problem;
    details_[0] = a;
    details_[1] = b;
  }
  /// Fails unless `holds`. Returns true if nothing is wrong so far, as the functions below do.
  constexpr bool expect(bool holds, std::string_view problem, dim a = 0, dim b = 0) {
    if (!holds) fail(problem, a, b);
    return !failed();
  }
  /// Fails if a number, which replaces {}, is known not to be positive.
  constexpr bool expect_positive(dim n, std::string_view problem) {
    return expect(!n.is_constant() || n.extent() > 0, problem, n);
  }
  /// Fails if the extents, which replace each {}, are known to differ.
  constexpr bool expect_equal(dim a, dim b, std::string_view problem) { return expect(!differ(a, b), problem, a, b); }
  /// Fails if operand i is given and has another number of dimensions, which replaces {}.
  constexpr bool expect_rank(std::size_t i, std::int64_t expected, std::string_view problem) {
    return expect(!has(i) || rank(i) == expected, problem, has(i) ? rank(i) : 0);
  }
  /// Fails if a string attribute is neither empty nor one of `choices`.
  constexpr bool expect_choice(std::string_view name, std::initializer_list<std::string_view> choices,
                               std::string_view problem) {
    const std::string_view choice = text(name);
    return expect(choice.empty() || item_loops::contains(choices, choice), problem);
  }
  /// Fails unless an attribute that is a flag is 0 or 1.
  constexpr bool expect_flag(std::string_view name) {
    const std::int64_t flag = integer(name);
    return expect(flag == 0 || flag == 1, "a flag is {}; it must be 0 or 1", flag);
  }
  /// True if something is wrong.
  constexpr bool failed() const { return !problem_.empty(); }
  /// The first failure; empty if there is none.
  constexpr std::string_view problem() const { return problem_; }
  /// The numbers that replace the {} of the problem.
  constexpr const dim (&details() const)[2] { return details_; }
  /// The types of the results so far.
  constexpr const std::vector<tensor_type>& results() const { return results_; }
  /// The record of the operator.
  constexpr const op_record& record() const { return *record_; }
  /// The operator's name.
  constexpr std::string_view op() const { return record().name; }
  /// The version of the operator's domain that introduced its form.
  constexpr int since() const { return record().since; }
  /// The dtype of result i that the type constraints determine; undefined if they do not determine it.
  constexpr dtype result_dtype(std::size_t i) const;
  /// True if the type constraints allow result i to have a dtype.
  constexpr bool allows(std::size_t i, dtype t) const;

 protected:
  /// The type of an operand; null for an absent one.
  virtual constexpr const tensor_type* operand(std::size_t i) const = 0;
  /// The value that the node gives to an attribute; nullopt if it gives none.
  /// @{
  virtual constexpr std::optional<std::int64_t> given_integer(std::string_view name) const = 0;
  virtual constexpr std::optional<std::string_view> given_text(std::string_view name) const = 0;
  virtual constexpr std::optional<std::span<const std::int64_t>> given_integers(std::string_view name) const = 0;
  /// @}

 private:
  static constexpr dim index(std::size_t i) { return static_cast<std::int64_t>(i); }

  const op_record* record_;
  std::vector<tensor_type> results_;
  std::string_view problem_;
  dim details_[2] = {};
};

constexpr bool inference::known(std::string_view attribute) const {
  return defaults_apply() || given(attribute) || !record().find(attribute);
}

constexpr std::int64_t inference::integer(std::string_view name) const {
  if (const auto n = given_integer(name)) return *n;
  const auto a = record().find(name);
  return a ? a->standard.integer : 0;
}

constexpr std::string_view inference::text(std::string_view name) const {
  if (const auto s = given_text(name)) return *s;
  const auto a = record().find(name);
  return a ? a->standard.text : std::string_view();
}

constexpr std::span<const std::int64_t> inference::integers(std::string_view name) const {
  if (const auto list = given_integers(name)) return *list;
  const auto a = record().find(name);
  return a ? a->standard.integers : std::span<const std::int64_t>();
}

constexpr dtype inference::result_dtype(std::size_t i) const {
  const auto f = op_record::at(record().outputs, i);
  if (!f) return dtype::undefined;
  for (std::size_t j = 0; j < arity(); ++j) {
    const auto from = op_record::at(record().inputs, j);
    if (from && from->type == f->type && from->homogeneous && has(j)) return in(j).type;
  }
  const std::uint32_t allowed = record().constraints[f->type].allowed.tensors;
  dtype only = dtype::undefined;
  for (const dtype_traits& t : dtype_table) {
    if (!(allowed >> static_cast<unsigned>(t.type) & 1)) continue;
    if (only != dtype::undefined) return dtype::undefined;
    only = t.type;
  }
  return only;
}

constexpr bool inference::allows(std::size_t i, dtype t) const {
  const auto f = op_record::at(record().outputs, i);
  if (!f || static_cast<unsigned>(t) >= std::size(dtype_table)) return false;
  return record().constraints[f->type].allowed.tensors >> static_cast<unsigned>(t) & 1;
}

/// The common part of two types of one dtype and kind. Extents that differ become unknown; the rank becomes unknown if
/// the ranks differ, or if one of them is unknown.
constexpr tensor_type common_type(tensor_type a, const tensor_type& b) {
  if (!a.ranked || !b.ranked || a.dims.size() != b.dims.size()) return unranked(a.type, a.kind);
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (a.dims[i] != b.dims[i]) a.dims[i] = dim::dyn();
  return a;
}

}  // namespace jax2onnx
