// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <jaxpr/detail/dropped.hpp>
#include <jaxpr/detail/numbering.hpp>
#include <jaxpr/detail/stack.hpp>
#include <jaxpr/reader/atom.hpp>
#include <jaxpr/reader/conventions.hpp>
#include <jaxpr/reader/lexer/literal.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

using detail::dropped_binders;
using detail::no_slot;

/// The short name of a dtype that an old text spells as NumPy does: float32 -> f32. Other names are not changed.
inline std::string short_dtype(std::string_view dtype) {
  constexpr struct {
    std::string_view long_name, short_name;
  } prefixes[] = {{"bfloat", "bf"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}, {"complex", "c"}};
  if (dtype == "float0") return std::string(dtype);
  for (const auto& [long_name, short_name] : prefixes)
    if (dtype.starts_with(long_name) && dtype.size() > long_name.size() && is_digit(dtype[long_name.size()]))
      return std::string(short_name).append(dtype.substr(long_name.size()));
  return std::string(dtype);
}

/// Returns whether a scalar printed as this kind may have the dtype. Up to JAX 0.4.30, bfloat16 and the 8-bit floats
/// are printed by ml_dtypes, which prints 2.0 as `2`.
inline bool fits(literal_kind kind, std::string_view dtype) {
  switch (kind) {
    case literal_kind::boolean: return dtype == "bool";
    case literal_kind::integer:
      return dtype.starts_with("i") || dtype.starts_with("u") || dtype.starts_with("bf") || dtype.starts_with("f8_");
    case literal_kind::floating: return dtype.starts_with("f") || dtype.starts_with("bf");
    case literal_kind::complex: return dtype.starts_with("c");
    case literal_kind::other: return dtype == "float0" || dtype == "void";
    case literal_kind::none: break;
  }
  return false;
}

/// Gives each untyped literal a scalar type: the dtype of a related operand or result, or the dtype that the primitive
/// prescribes, or else the dtype that JAX gives to a Python scalar. Finds the variable of each operand `_`, and of each
/// result `_` that the caller uses.
class type_inference {
 public:
  explicit type_inference(state& s) : s_(s) {}

  void run(const body& main) {
    enter(main, {});
    drain();
    for (const shared_body& unused : main.shared) enter(*unused.body, {});
    drain();
  }

 private:
  /// The use of a body as a parameter.
  struct use {
    const equation* user = nullptr;
    std::string_view key;  ///< the key of the parameter
  };
  struct pending {
    const jaxpr::body* body;
    use from;
  };

  const type* scalar(std::string_view dtype) {
    const std::string text = short_dtype(dtype) + "[]";
    if (const type* known = s_.types.find(text)) return known;
    type t;
    t.kind = type_kind::array;
    t.text = s_.memory.copy(std::string_view(text));
    t.dtype = t.text.substr(0, t.text.size() - 2);
    const type* made = s_.memory.make(t);
    s_.types.insert(made);
    return made;
  }

  /// Gives the literal the dtype of `from` and returns true; returns false if the literal cannot have this dtype.
  bool take_from(atom& a, literal_kind kind, const type* from) {
    if (!from || from->dtype.empty()) return false;
    if (!fits(kind, short_dtype(from->dtype))) return false;
    a.annotation = scalar(from->dtype);
    return true;
  }

  /// Gives the literal the type that JAX gives to a Python scalar.
  void take_python(atom& a, literal_kind kind) {
    const bool wide = s_.types.wide();
    switch (kind) {
      case literal_kind::boolean: a.annotation = scalar("bool"); break;
      case literal_kind::integer: a.annotation = scalar(wide ? "i64" : "i32"); break;
      case literal_kind::complex: a.annotation = scalar(wide ? "c128" : "c64"); break;
      case literal_kind::other: a.annotation = scalar("float0"); break;
      default: a.annotation = scalar(wide ? "f64" : "f32");
    }
  }

  /// The variable of an inner body to which operand `i` is passed; null if there is none.
  static const binder* inner_operand(const equation& e, std::size_t i) {
    const auto count = [&e](std::string_view key) {
      const value* v = e.find(key);
      return v && v->tag == value::kind::integer && v->integer > 0 ? static_cast<std::size_t>(v->integer) : 0;
    };
    const auto of = [](const value* v, std::size_t at) -> const binder* {
      return v && v->body && at < v->body->invars.size() ? &v->body->invars[at] : nullptr;
    };
    if (const value* condition = e.find("cond_jaxpr")) {
      const std::size_t consts = count("cond_nconsts");
      return i < consts ? of(condition, i) : of(e.find("body_jaxpr"), i - consts);
    }
    if (const value* branches = e.find("branches"); branches && !branches->items.empty())
      return i == 0 ? nullptr : of(&branches->items.front(), i - 1);
    for (const param& p : e.params)
      if (p.val.body && p.val.body->invars.size() == e.ins.size()) return of(&p.val, i);
    return nullptr;
  }

  bool infer_from_others(atom& a, literal_kind kind, const equation& e, std::size_t i) {
    for (const atom& other : e.ins)
      if (&other != &e.ins[i] && !other.is_literal() && take_from(a, kind, other.annotation)) return true;
    return false;
  }

  bool infer_from_results(atom& a, literal_kind kind, const equation& e, std::size_t i) {
    if (e.outs.empty()) return false;
    const std::size_t out = e.outs.size() == e.ins.size() ? i : i % e.outs.size();
    return take_from(a, kind, e.outs[out].annotation);
  }

  void infer_operand(atom& a, const equation& e, std::size_t i) {
    const literal_kind kind = scan_literal(a.text).kind;
    if (const binder* inner = inner_operand(e, i); inner && take_from(a, kind, inner->annotation)) return;
    const operand_rule rule = rule_of(e.primitive, i);
    if (rule == operand_rule::result && (infer_from_results(a, kind, e, i) || infer_from_others(a, kind, e, i))) return;
    if (rule == operand_rule::operand && infer_from_others(a, kind, e, i)) return;
    if (rule == operand_rule::index && fits(kind, "i32")) {
      a.annotation = scalar("i32");
    } else if (rule == operand_rule::bits && fits(kind, "u32")) {
      a.annotation = scalar("u32");
    } else if (rule == operand_rule::boolean) {
      a.annotation = scalar(kind == literal_kind::boolean ? "bool" : "i32");
    } else {
      take_python(a, kind);
    }
  }

  /// The binder in the using equation that receives result `i`. Null if no equation uses the body, or if the equation
  /// and the body differ in their numbers of results.
  static const binder* outer_result(const pending& p, std::size_t i) {
    const bool mapped = p.from.user && p.body->results.size() == p.from.user->outs.size();
    return mapped ? &p.from.user->outs[i] : nullptr;
  }

  /// Returns whether result `i` may be read. The answer depends on the enclosing body, which was visited before.
  bool is_needed(const pending& p, std::size_t i) const {
    const binder* outer = outer_result(p, i);
    return !outer || outer->name != "_" || read_.contains(outer);
  }

  /// Finds the variable of a result `_`: the only variable `_` with the type that the using equation prints for this
  /// result. If there is not exactly one, fails if the result is needed. If outer_result() is null, changes nothing.
  void resolve_result(atom& a, const pending& p, std::size_t i, const dropped_binders& dropped) {
    const binder* outer = outer_result(p, i);
    if (!outer) return;
    a.annotation = outer->annotation;
    if (const binder* b = dropped.of_type(a.annotation)) a.slot = b->slot;
    else if (is_needed(p, i)) fail_ambiguous(s_, a.text, "several");
  }

  /// Finds the variable of an operand `_` of an equation with results. If the operand is passed to an inner body, the
  /// variable is the only earlier `_` with the type of the body's variable. Otherwise, if the primitive keeps the
  /// dtype, the variable is the only earlier `_` with the dtype of the result. If no variable is found, or the equation
  /// has no results, fails unless `keep_ambiguous` is set.
  void resolve_operand(atom& a, const equation& e, std::size_t i, const dropped_binders& dropped) {
    const std::uint32_t end = e.outs.empty() ? no_slot : e.outs.front().slot;
    const binder *inner = inner_operand(e, i), *found = nullptr;
    if (end != no_slot && inner) found = dropped.of_type(inner->annotation, end);
    else if (end != no_slot && keeps_dtype(e.primitive) && e.outs.front().annotation)
      found = dropped.of_dtype(e.outs.front().annotation->dtype, end);
    if (found) a.slot = found->slot, a.annotation = found->annotation;
    else if (!s_.options.keep_ambiguous) fail_ambiguous(s_, a.text, std::to_string(dropped.count(end)));
  }

  /// Finds the variables of all `_` that the body reads, and records them.
  void resolve_dropped_reads(const pending& p) {
    const dropped_binders dropped(*p.body);
    stack<char> is_read;
    is_read.fill(p.body->slots, 0);
    for (const equation& e : p.body->equations)
      for (std::size_t i = 0; i < e.ins.size(); ++i) {
        atom& a = const_cast<atom&>(e.ins[i]);
        if (a.is_dropped()) resolve_operand(a, e, i, dropped);
        if (a.text == "_" && !a.is_dropped()) is_read[a.slot] = 1;
      }
    for (std::size_t i = 0; i < p.body->results.size(); ++i) {
      atom& a = const_cast<atom&>(p.body->results[i]);
      if (a.is_dropped()) resolve_result(a, p, i, dropped);
      if (a.text == "_" && !a.is_dropped() && is_needed(p, i)) is_read[a.slot] = 1;
    }
    for (const binder* b : dropped.all())
      if (is_read[b->slot]) read_.insert(b);
  }

  /// Gives literal result `i` of a body the dtype of result `i` of the using equation, modulo the count of its results.
  /// If there is no such result, if the literal cannot have this dtype, or if the body is a loop's condition, gives the
  /// literal the type that JAX gives to a Python scalar.
  void infer_result(atom& a, const use& from, std::size_t i) {
    const literal_kind kind = scan_literal(a.text).kind;
    const bool mapped = from.user && !from.user->outs.empty() && from.key != "cond_jaxpr";
    if (mapped && take_from(a, kind, from.user->outs[i % from.user->outs.size()].annotation)) return;
    take_python(a, kind);
  }

  void drain() {
    while (!later_.empty()) {
      const pending next = later_.back();
      later_.pop();
      visit(next);
    }
  }

  /// Queues a body once: the first equation that mentions a shared body gives the body's results their types.
  void enter(const body& inner, const use& from) {
    if (visited_.insert(&inner).is_new) later_.push({&inner, from});
  }

  void enter_values(const value& v, const use& from) {
    if (v.body) {
      enter(*v.body, from);
      for (const shared_body& shared : v.body->shared) enter(*shared.body, {});
    }
    for (const value& item : v.items) enter_values(item, from);
    for (const keyword_value& item : v.keywords) enter_values(item.val, {from.user, item.key});
  }

  void visit(const pending& p) {
    bool reads_dropped = false;
    for (std::size_t i = 0; i < p.body->results.size(); ++i) {
      atom& a = const_cast<atom&>(p.body->results[i]);
      reads_dropped = reads_dropped || a.text == "_";
      if (!a.annotation && a.is_literal()) infer_result(a, p.from, i);
    }
    for (const equation& e : p.body->equations)
      for (std::size_t i = 0; i < e.ins.size(); ++i) {
        reads_dropped = reads_dropped || e.ins[i].text == "_";
        if (!e.ins[i].annotation && e.ins[i].is_literal()) infer_operand(const_cast<atom&>(e.ins[i]), e, i);
      }
    if (reads_dropped) resolve_dropped_reads(p);
    for (const equation& e : p.body->equations)
      for (const param& q : e.params) enter_values(q.val, {&e, q.key});
  }

  state& s_;
  stack<pending> later_;
  numbering<const void*> visited_;
  numbering<const void*> read_;  ///< the binders `_` that are read
};

inline void infer_types(state& s, const body& main) { type_inference(s).run(main); }

}  // namespace jaxpr::reader
