// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <jax2onnx/facts/casts.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>

/// The interpreter of left sides.
namespace jax2onnx::rewrite::equations {

/// The number that every element of `v` has; nullopt if the elements differ or are unknown. Looks through Reshapes and
/// Expands. A boolean value is also known if range analysis shows that it is always true or always false.
inline std::optional<double> known_everywhere(value v) {
  for (const node* n = producer(v); n && (has_trait(*n, trait::reshapes) || n->op == "Expand"); n = producer(v)) {
    if (!has_known_types(v.owner(), *n)) break;
    v = input_of(v, 0);
  }
  const std::optional<double> n = splat_number(v);
  if (n || !v || !is_boolean(v.dtype())) return n;
  const interval truth = range_of(v);
  return truth == only(0) ? std::optional(0.0) : truth == only(1) ? std::optional(1.0) : std::nullopt;
}

/// Binds the variables of a term so that the term matches a value. Terms are matched in the order of the text. If a
/// term can match in several ways, all ways are tried until all terms fit: operands that commute, brackets of products,
/// choices.
class matcher {
 public:
  explicit matcher(bindings& b) : b_(b), e_(b.of()), graph_(b.root().owner()) {}

  /// A quick test: false only if `v` is absent, or if the operator that makes `v` shows that `v` cannot match term `i`.
  bool may_be(std::size_t i, value_id v) const {
    if (v == value_id::none) return false;
    const term& t = at(i);
    switch (t.kind) {
      case term_kind::number: return graph_.at(v).constant >= 0;
      case term_kind::variable: return b_.is_bound(t.id) ? b_.at(t.id).id() == v : may_be(b_.kind(t.id), v);
      case term_kind::define: return b_.is_bound(t.id) ? b_.at(t.id).id() == v : may_be(i + 1, v);
      case term_kind::apply: return is_of(t, operator_of(v));
      case term_kind::product: return operator_of(v) == mul_number;
      case term_kind::choice: {
        const int op = operator_of(v);
        std::size_t c = i + 1;
        for (std::size_t k = 0; k < t.operands; ++k, c = at(c).next)
          if (at(c).kind == term_kind::apply ? is_of(at(c), op) : may_be(c, v)) return true;
        return false;
      }
      case term_kind::casts: return operator_of(v) == cast_number || may_be(i + 1, v);
      case term_kind::ones: return has_trait(operator_of(v), trait::reshapes) || may_be(i + 1, v);
      case term_kind::reshaped: return has_trait(operator_of(v), trait::reshapes);
      default: return true;
    }
  }

  bool run(std::size_t term, const value& v) {
    const goal all{term, v.id(), nullptr};
    return solve(&all);
  }

 private:
  /// A term that must match a value, and the goals after it.
  struct goal {
    std::size_t term = 0;
    value_id v = value_id::none;
    const goal* next = nullptr;
  };
  static constexpr std::size_t most_operands = 8;
  static constexpr int mul_number = operator_name("Mul").number();

  const term& at(std::size_t i) const { return e_.terms[i]; }
  value handle(value_id v) const { return {graph_, v}; }

  bool solve(const goal* g) {
    if (!g) return true;
    if (g->v == value_id::none) return false;
    const term& t = at(g->term);
    switch (t.kind) {
      case term_kind::any: return solve(g->next);
      case term_kind::variable: return is_bound_to(*g, t) && solve_bound(*g, t, g->next);
      case term_kind::define: {
        if (b_.is_bound(t.id)) return b_.at(t.id).id() == g->v && solve(g->next);
        const goal inner{g->term + 1, g->v, g->next};
        return solve_bound(*g, t, &inner);
      }
      case term_kind::number: return is_number(t, splat_number(handle(g->v)), *g) && solve(g->next);
      case term_kind::filled: return is_number(t, known_everywhere(handle(g->v)), *g) && solve(g->next);
      case term_kind::apply: return solve_node(*g, t);
      case term_kind::product: return solve_product(*g);
      case term_kind::choice: {
        const int op = operator_of(g->v);
        std::size_t c = g->term + 1;
        for (std::size_t i = 0; i < t.operands; ++i, c = at(c).next) {
          const goal one{c, g->v, g->next};
          if ((at(c).kind != term_kind::apply || is_of(at(c), op)) && solve(&one)) return true;
        }
        return false;
      }
      default: return solve_view(*g, t);
    }
  }

  // ---- Variables and numbers

  bool is_bound_to(const goal& g, const term& t) const {
    if (b_.is_bound(t.id)) return b_.at(t.id).id() == g.v;
    const variable_kind kind = b_.kind(t.id);
    if (kind == variable_kind::constant) return handle(g.v).is_constant();
    return kind != variable_kind::scalar || single_number(handle(g.v)).has_value();
  }
  /// Binds the variable and solves `next`.
  bool solve_bound(const goal& g, const term& t, const goal* next) {
    if (b_.is_bound(t.id)) return solve(next);
    b_.bind(t.id, g.v);
    if (solve(next)) return true;
    b_.unbind(t.id);
    return false;
  }
  bool is_number(const term& t, std::optional<double> n, const goal& g) const {
    const double expected = e_.numbers[static_cast<std::size_t>(t.id)];
    const dtype type = handle(g.v).dtype();
    if (!n || (*n != expected && (is_exact(expected) || !equal_when_rounded(type, *n, expected)))) return false;
    return !t.flag || !is_floating(type) || std::signbit(*n) == std::signbit(expected);
  }

  /// True if a number has so few bits that it must match exactly, without rounding.
  static bool is_exact(double n) { return decode_float(dtype::bf16, encode_float(dtype::bf16, n)) == n; }

  // ---- Nodes

  /// The number of the operator that makes a value; -1 for none.
  int operator_of(value_id v) const {
    const node_id n = graph_.at(v).producer;
    return n == node_id::none ? -1 : graph_.at(n).op.number();
  }
  static bool is_of(const term& t, int op) { return t.id == op || (t.mirrors && op >= 0 && mirrored(t.id) == op); }
  /// A quick test: false only if a value cannot be bound to a variable of this kind.
  bool may_be(variable_kind kind, value_id v) const {
    return (kind != variable_kind::constant && kind != variable_kind::scalar) || graph_.at(v).constant >= 0;
  }

  const node* node_of(const goal& g) const {
    const node_id id = graph_.at(g.v).producer;
    return id == node_id::none ? nullptr : &graph_.at(id);
  }
  /// The node that makes the value, if the types of the node are known, and its operator is `op` or, with `mirrors`,
  /// the operator that gives the same result for exchanged operands; else null.
  const node* node_of(const goal& g, int op, bool mirrors = false) const {
    const node* const n = node_of(g);
    if (!n || (n->op.number() != op && !(mirrors && n->op.number() == mirrored(op)))) return nullptr;
    // The driver has checked the types of the root's node.
    return g.v == b_.root().id() || has_known_types(graph_, *n) ? n : nullptr;
  }

  bool solve_node(const goal& g, const term& t) {
    const node* const n = node_of(g, t.id, t.mirrors);
    if (!n || !takes(*n, t)) return false;
    const bool exchanged = n->op.number() != t.id;
    const bool straight = !exchanged && may_take(g, *n, t, false);
    const bool crossed = t.operands == 2 && (exchanged || has_trait(t.id, trait::commutes)) && may_take(g, *n, t, true);
    if (!straight && !crossed) return false;
    std::array<int, most_operands> bound{};
    std::size_t count = 0;
    const bool fits = has_attributes(g, *n, t, bound, count) &&
                      ((straight && solve_in_order(g, *n, t, false)) || (crossed && solve_in_order(g, *n, t, true)));
    if (!fits)
      while (count > 0) b_.unbind(bound[--count]);
    return fits;
  }
  static bool takes(const node& n, const term& t) {
    if (t.operands > most_operands) return false;
    if (n.inputs.size() == t.operands) return true;
    return has_trait(n, trait::reduction) && t.operands == 1;  // axes are an input since opset 18
  }
  /// True if each operand may match its term.
  bool may_take(const goal& g, const node& n, const term& t, bool exchanged) const {
    std::size_t c = g.term + 1;
    for (std::size_t i = 0; i < t.operands; ++i, c = at(c).next)
      if (!may_be(c, n.inputs[exchanged ? 1 - i : i])) return false;
    return true;
  }
  bool solve_in_order(const goal& g, const node& n, const term& t, bool exchanged) {
    std::array<goal, most_operands> all;
    std::size_t c = g.term + 1;
    for (std::size_t i = 0; i < t.operands; ++i, c = at(c).next)
      all[i] = {c, n.inputs[exchanged ? 1 - i : i], i + 1 < t.operands ? &all[i + 1] : g.next};
    return solve(all.data());
  }

  // ---- Attributes

  bool has_attributes(const goal& g, const node& n, const term& t, std::array<int, most_operands>& bound,
                      std::size_t& count) {
    const value v = handle(g.v);
    for (std::size_t i = 0; i < t.attribute_count; ++i) {
      const attribute_term& a = e_.attributes[t.attributes + i];
      if (a.kind != attribute_term::content::variable ? !has(v, a) : !has_or_binds(v, a, bound, count)) return false;
    }
    if (t.flag) b_.set_starred(g.v);
    return t.flag || n.op.number() == cast_number || has_trait(n, trait::reduction) || has_no_others(v, n, t);
  }
  bool has(const value& v, const attribute_term& a) const {
    const std::optional<attribute::content> given = content_of(v, *a.formal);
    if (!given) return false;
    if (a.kind == attribute_term::content::text) {
      const auto* text = std::get_if<std::string>(&*given);
      return text && *text == a.text;
    }
    const double expected = e_.numbers[static_cast<std::size_t>(a.id)];
    return number_of(*given) ==
           (a.formal->kind == attribute_kind::real ? double(static_cast<float>(expected)) : expected);
  }
  bool has_or_binds(const value& v, const attribute_term& a, std::array<int, most_operands>& bound,
                    std::size_t& count) {
    if (!a.formal) {
      const std::optional<reduction> r = reduction_of(v);
      if (!r) return false;
      if (b_.is_bound(a.id)) return b_.axes(a.id) == *r;
    } else {
      const std::optional<attribute::content> given = content_of(v, *a.formal);
      if (!given) return false;
      if (b_.is_bound(a.id)) return b_.content(a.id) == given;
    }
    b_.bind(a.id, v.id(), &a);
    bound[count++] = a.id;
    return true;
  }
  /// True if all attributes that the equation does not name have their defaults.
  bool has_no_others(const value& v, const node& n, const term& t) const {
    for (const attribute& given : n.attributes) {
      bool named = false;
      for (std::size_t i = 0; i < t.attribute_count; ++i)
        if (const formal_attribute* f = e_.attributes[t.attributes + i].formal; f && f->name == given.name)
          named = true;
      if (!named && !is_default(v, given)) return false;
    }
    return true;
  }
  static bool is_default(const value& v, const attribute& given) {
    const op_record* const record = record_numbered(producer(v)->op.number());
    const formal_attribute* const formal = record ? record->find(given.name) : nullptr;
    if (!formal || formal->given != formal_attribute::need::defaulted) return false;
    if (const auto* text = std::get_if<std::string>(&given.value)) return *text == formal->standard.text;
    const std::optional<double> n = number_of(given.value);
    const double standard = formal->kind == attribute_kind::integer ? static_cast<double>(formal->standard.integer)
                                                                    : double(static_cast<float>(formal->standard.real));
    return n == standard;
  }

  // ---- Products of three, views

  const node* product_of(value_id v) const {
    if (v == value_id::none) return nullptr;
    const node* const n = node_of({0, v, nullptr}, mul_number);
    return n && n->inputs.size() == 2 ? n : nullptr;
  }
  bool solve_product(const goal& g) {
    const node* const outer = product_of(g.v);
    if (!outer) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      const node* const inner = product_of(outer->inputs[1 - i]);
      if (inner && solve_factors(g, {outer->inputs[i], inner->inputs[0], inner->inputs[1]})) return true;
    }
    return false;
  }
  bool solve_factors(const goal& g, const std::array<value_id, 3>& factors) {
    constexpr std::array<std::size_t, 3> orders[] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
    const std::size_t p = g.term + 1, q = at(p).next, r = at(q).next;
    for (const auto& order : orders) {
      const goal third{r, factors[order[2]], g.next}, second{q, factors[order[1]], &third};
      const goal first{p, factors[order[0]], &second};
      if (solve(&first)) return true;
    }
    return false;
  }
  bool solve_view(const goal& g, const term& t) {
    const goal same{g.term + 1, g.v, g.next};
    if (t.kind != term_kind::reshaped && solve(&same)) return true;
    const value v = handle(g.v);
    if (t.kind == term_kind::casts ? !is_lossless_cast(v) : !is_reshape(v)) return false;
    const value below = input_of(v, 0);
    if (t.kind == term_kind::ones && !moves_only_ones(below.dims(), v.dims())) return false;
    const goal inner{g.term + 1, below.id(), g.next};
    return solve(&inner);
  }
  /// Returns whether `v` is a cast between floating-point types of at least 16 bits that have all numbers of the
  /// root's type.
  bool is_lossless_cast(const value& v) const {
    const dtype least = b_.root().dtype();
    const auto is_wide = [least](dtype t) { return is_half_or_wider(t) && casts_exactly(least, t); };
    return producer(v, "Cast") && is_wide(v.dtype()) && is_wide(input_of(v, 0).dtype());
  }

  bindings& b_;
  const equation& e_;
  graph& graph_;
};

}  // namespace jax2onnx::rewrite::equations
