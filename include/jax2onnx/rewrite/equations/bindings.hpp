// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>

/// The values that the variables of an equation are bound to.
namespace jax2onnx::rewrite::equations {

/// The content of an attribute of the node that makes `v`, or the attribute's default. Nullopt if the attribute has
/// neither a content nor a default, or if the default is a list.
inline std::optional<attribute::content> content_of(const value& v, const formal_attribute& formal) {
  if (const attribute* given = producer(v)->find(formal.name)) return given->value;
  if (formal.given != formal_attribute::need::defaulted) return std::nullopt;
  if (formal.kind == attribute_kind::integer) return formal.standard.integer;
  if (formal.kind == attribute_kind::real) return static_cast<float>(formal.standard.real);
  if (formal.kind == attribute_kind::text) return std::string(formal.standard.text);
  return std::nullopt;
}

/// The content of an attribute as a number; nullopt for strings, lists and all other contents.
inline std::optional<double> number_of(const attribute::content& c) {
  if (const auto* integer = std::get_if<std::int64_t>(&c)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<float>(&c)) return static_cast<double>(*real);
  return std::nullopt;
}

/// The values that a match has bound. A `bindings` is cheap to copy.
class bindings {
 public:
  bindings(const context& c, const equation& e, const value& root) : c_(&c), e_(&e), root_(root) {
    for (std::size_t i = 0; i < e.variables.size(); ++i) slots_[i] = nothing;
    slots_[0].v = root.id();
  }

  const context& where() const { return *c_; }
  const equation& of() const { return *e_; }
  const value& root() const { return root_; }

  bool is_bound(int i) const { return slot(i).v != value_id::none; }
  /// The value of a variable; for axes and attributes, the result of the node that has them. Absent if the variable is
  /// not bound.
  value at(int i) const { return is_bound(i) ? value(root_.owner(), slot(i).v) : value(); }
  void bind(int i, value_id v, const attribute_term* a = nullptr) { slot(i) = {v, a}; }
  void unbind(int i) { slot(i) = nothing; }

  /// The result of the left side's node whose attributes are `*`.
  /// @{
  void set_starred(value_id v) { starred_ = v; }
  value starred() const { return {root_.owner(), starred_}; }
  /// @}

  /// The number of a scalar or of an attribute; 0 if it is not a number.
  double number(int i) const {
    if (kind(i) != variable_kind::attribute) return single_number(at(i)).value_or(0);
    return number_of(*content(i)).value_or(0);
  }
  reduction axes(int i) const { return *reduction_of(at(i)); }
  std::optional<attribute::content> content(int i) const { return content_of(at(i), *slot(i).formal->formal); }
  variable_kind kind(int i) const { return e_->variables[static_cast<std::size_t>(i)].kind; }

 private:
  struct bound {
    value_id v;
    const attribute_term* formal;
  };
  static constexpr bound nothing{value_id::none, nullptr};
  bound& slot(int i) { return slots_[static_cast<std::size_t>(i)]; }
  const bound& slot(int i) const { return slots_[static_cast<std::size_t>(i)]; }

  const context* c_;
  const equation* e_;
  value root_;
  value_id starred_ = value_id::none;
  std::array<bound, most_variables> slots_;  // only the slots of the equation's variables are set
};

}  // namespace jax2onnx::rewrite::equations
