// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/operators/infer.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Applies operators directly, to test their shape rules.
namespace jax2onnx::testing {

inline constexpr formal any_values[] = {{"values", 0, presence::variadic}};
inline constexpr type_constraint any_types[] = {{"T", {~0u, ~0u, ~0u, ~0u}}};

/// A record of an operator with these attributes and any number of operands and results, all of the same type.
constexpr op_record record_of(std::span<const formal_attribute> attributes = {}) {
  return {"Op", "", 1, any_values, any_values, any_types, attributes, 0, 0, {}, ""};
}
/// A record without operands, with results of one fixed dtype: pass an array of one constraint.
constexpr op_record record_to(std::span<const type_constraint> result,
                              std::span<const formal_attribute> attributes = {}) {
  return {"Op", "", 1, {}, any_values, result, attributes, 0, 0, {}, ""};
}

/// An attribute with an integer, real, text or list of integers as its default.
constexpr formal_attribute standard(std::string_view name, std::int64_t value) {
  return {name, attribute_kind::integer, formal_attribute::need::defaulted, {.integer = value}};
}
constexpr formal_attribute standard(std::string_view name, std::string_view value) {
  return {name, attribute_kind::text, formal_attribute::need::defaulted, {.text = value}};
}

/// The type of a tensor.
constexpr tensor_type of(dtype t, std::initializer_list<dim> dims) { return {t, shape(dims)}; }
/// A tensor of f32.
constexpr tensor_type f32(std::initializer_list<dim> dims) { return of(dtype::f32, dims); }
/// A tensor of i64.
constexpr tensor_type i64(std::initializer_list<dim> dims) { return of(dtype::i64, dims); }

/// The outcome of a rule.
struct outcome {
  std::vector<tensor_type> results;  ///< meaningful if ok()
  std::string_view problem;          ///< the error; empty: none
  dim details[2];                    ///< the numbers in the message

  /// Returns whether there is no error.
  constexpr bool ok() const { return problem.empty(); }
  /// The extents of a result.
  constexpr const shape& dims(std::size_t i = 0) const { return results.at(i).dims; }
  /// Returns whether the only result is a tensor of these extents.
  constexpr bool is(std::initializer_list<dim> extents) const {
    return ok() && results.size() == 1 && results[0].is_plain() && results[0].dims == shape(extents);
  }
  /// Returns whether all results have these types.
  constexpr bool are(const auto&... types) const {
    std::size_t i = 0;
    return ok() && results.size() == sizeof...(types) && (... && (results[i++] == types));
  }
  /// Returns whether the only result is a tensor of unknown rank.
  constexpr bool is_unranked() const {
    return ok() && results.size() == 1 && !results[0].ranked && results[0].kind == value_kind::tensor;
  }
};

/// An application of an operator. Usable at compile time:
///
///     applied(record, f32({2, 3}), i64({1})).known(1, {6}).with("allowzero", 1).run(rules::reshape).is({6})
class applied final : public inference {
  // This is defined before its uses, since Clang does not instantiate it for calls from virtual functions.
  template <class Key, class T>
  using entries = std::vector<std::pair<Key, T>>;
  template <class Key, class T>
  static constexpr const T* find(const entries<Key, T>& of, Key key) {
    for (const auto& [k, value] : of)
      if (k == key) return &value;
    return nullptr;
  }

 public:
  /// Operands are types, or nullopt for absent ones.
  constexpr explicit applied(const op_record& record, auto... operands) : inference(record) {
    (operands_.push_back(std::move(operands)), ...);
  }
  constexpr ~applied() override {}  // GCC 12 cannot evaluate a defaulted one at compile time

  /// States the numbers in operand i.
  constexpr applied& known(std::size_t i, std::initializer_list<dim> numbers) {
    numbers_.push_back({i, shape(numbers)});
    return *this;
  }
  /// States the reals in operand i.
  constexpr applied& known_reals(std::size_t i, std::initializer_list<double> numbers) {
    reals_.push_back({i, numbers});
    return *this;
  }
  /// States that attributes may be given whose values are known at run time only.
  constexpr applied& attributes_at_run_time() {
    defaults_apply_ = false;
    return *this;
  }
  /// Gives an attribute.
  /// @{
  constexpr applied& with(std::string_view name, std::int64_t value) {
    integers_.push_back({name, value});
    return *this;
  }
  constexpr applied& with(std::string_view name, dtype value) { return with(name, static_cast<std::int64_t>(value)); }
  constexpr applied& with(std::string_view name, std::string_view value) {
    texts_.push_back({name, value});
    return *this;
  }
  constexpr applied& with(std::string_view name, std::initializer_list<std::int64_t> values) {
    lists_.push_back({name, values});
    return *this;
  }
  /// A tensor or a type.
  constexpr applied& with(std::string_view name, tensor_type type) {
    types_.push_back({name, std::move(type)});
    return *this;
  }
  /// A body, given by the types of its results.
  constexpr applied& body(std::string_view name, auto... results) {
    bodies_.push_back({name, {}});
    (bodies_.back().second.push_back(std::move(results)), ...);
    return *this;
  }
  /// A list of n reals or texts.
  constexpr applied& list(std::string_view name, std::size_t n) {
    sizes_.push_back({name, n});
    return *this;
  }
  constexpr applied& list(std::string_view name, std::initializer_list<std::string_view> texts) {
    listed_texts_.push_back({name, texts});
    return list(name, texts.size());
  }
  /// @}
  /// States the number of requested results; the default is one.
  constexpr applied& wants(std::size_t results) {
    wanted_ = results;
    return *this;
  }
  /// Runs the rule.
  constexpr outcome run(void (*rule)(inference&)) {
    rule(*this);
    return {results(), problem(), {details()[0], details()[1]}};
  }

  constexpr std::size_t arity() const override { return operands_.size(); }
  constexpr std::optional<shape> numbers(std::size_t i) const override {
    if (!has(i)) return std::nullopt;
    if (const shape* const given = find(numbers_, i)) return *given;
    if (!in(i).is_plain() || rank(i) > 1) return std::nullopt;
    if (rank(i) == 0) return shape{dim::dyn()};
    if (!dims(i)[0].is_constant()) return std::nullopt;
    return shape(static_cast<std::size_t>(dims(i)[0].extent()), dim::dyn());
  }
  constexpr std::optional<std::vector<double>> reals(std::size_t i) const override {
    if (const std::vector<double>* const list = find(reals_, i)) return *list;
    return std::nullopt;
  }
  constexpr bool defaults_apply() const override { return defaults_apply_; }
  constexpr bool given(std::string_view name) const override {
    return find(integers_, name) || find(texts_, name) || find(lists_, name) || find(types_, name) ||
           find(bodies_, name) || find(sizes_, name);
  }
  constexpr std::optional<tensor_type> attribute_type(std::string_view name) const override {
    if (const tensor_type* const type = find(types_, name)) return *type;
    return std::nullopt;
  }
  constexpr std::size_t attribute_size(std::string_view name) const override {
    const std::size_t* const n = find(sizes_, name);
    return n ? *n : integers(name).size();
  }
  constexpr std::string_view text_at(std::string_view name, std::size_t i) const override {
    const std::vector<std::string_view>* const list = find(listed_texts_, name);
    return list ? list->at(i) : std::string_view();
  }
  constexpr std::vector<tensor_type> body_results(std::string_view name) const override {
    const std::vector<tensor_type>* const types = find(bodies_, name);
    if (types) return *types;
    return {};
  }
  constexpr dim add(dim a, dim b) const override { return infer::constant_dims::add(a, b); }
  constexpr dim sub(dim a, dim b) const override { return infer::constant_dims::sub(a, b); }
  constexpr dim mul(dim a, dim b) const override {
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.is(0) || b.is(0)) return 0;
    return a.is_constant() && b.is_constant() ? dim(detail::checked_mul(a.extent(), b.extent())) : dim::dyn();
  }
  constexpr dim floordiv(dim a, dim b) const override { return infer::constant_dims::floordiv(a, b); }
  constexpr std::size_t result_count() const override { return wanted_; }

 protected:
  constexpr const tensor_type* operand(std::size_t i) const override { return operands_[i] ? &*operands_[i] : nullptr; }
  constexpr std::optional<std::int64_t> given_integer(std::string_view name) const override {
    const std::int64_t* const n = find(integers_, name);
    return n ? std::optional(*n) : std::nullopt;
  }
  constexpr std::optional<std::string_view> given_text(std::string_view name) const override {
    const std::string_view* const s = find(texts_, name);
    return s ? std::optional(*s) : std::nullopt;
  }
  constexpr std::optional<std::span<const std::int64_t>> given_integers(std::string_view name) const override {
    const std::vector<std::int64_t>* const list = find(lists_, name);
    return list ? std::optional(std::span<const std::int64_t>(*list)) : std::nullopt;
  }

 private:
  std::vector<std::optional<tensor_type>> operands_;
  entries<std::size_t, shape> numbers_;
  entries<std::size_t, std::vector<double>> reals_;
  entries<std::string_view, std::int64_t> integers_;
  entries<std::string_view, std::string_view> texts_;
  entries<std::string_view, std::vector<std::int64_t>> lists_;
  entries<std::string_view, tensor_type> types_;
  entries<std::string_view, std::vector<tensor_type>> bodies_;
  entries<std::string_view, std::size_t> sizes_;
  entries<std::string_view, std::vector<std::string_view>> listed_texts_;
  std::size_t wanted_ = 1;
  bool defaults_apply_ = true;
};

}  // namespace jax2onnx::testing
