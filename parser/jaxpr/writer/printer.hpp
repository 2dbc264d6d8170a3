// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/order.hpp>
#include <jaxpr/writer/output.hpp>
#include <jaxpr/writer/source.hpp>

namespace jaxpr::writer {

/// Returns whether the value is a body or contains one.
inline bool holds_body(const value& v) {
  if (v.tag == value::kind::body) return true;
  for (const value& item : v.items)
    if (holds_body(item)) return true;
  for (const keyword_value& item : v.keywords)
    if (holds_body(item.val)) return true;
  return false;
}

/// Returns whether the value refers to a body by name instead of printing it.
inline bool is_reference(const value& v) {
  if (v.tag != value::kind::body || v.text.empty() || v.text.front() == '{') return false;
  return !v.text.starts_with("let ") || !v.body || v.body->shared.empty();
}

/// Prints a tree in the layout of JAX's printer. `run` may be called once.
class printer : private output {
 public:
  explicit printer(const program& p) : source_(p.text) {}

  std::string run(const body& main) {
    put_program(main);
    return finish();
  }

 private:
  void put_binder(const binder& b) {
    put(b.name);
    if (b.annotation) put(":"), put(b.annotation->text);
  }

  void put_atom(const atom& a) {
    put(a.text);
    if (a.is_literal() && !source_.untyped(a)) put(":"), put(a.annotation->text);
  }

  void binders(list<binder> names, std::size_t indent) {
    for (std::size_t i = 0; i < names.size() && !gave_up(); ++i) {
      const std::size_t size = names[i].name.size() + 1 + (names[i].annotation ? names[i].annotation->text.size() : 0);
      if (i != 0) separate(source_.between(names[i - 1].name, names[i].name), size, indent);
      put_binder(names[i]);
    }
  }

  void put_program(const body& main) {
    for (const shared_body& shared : main.shared) {
      put("let ");
      put(shared.name);
      put(" = ");
      put_body(*shared.body, 0);
      put(" in");
      newline(0);
    }
    put_body(main, 0);
  }

  void put_body(const body& j, std::size_t indent) {
    group(source_.of(j.where), [&](bool flat) {
      put("{ lambda ");
      binders(j.constvars, indent);
      put("; ");
      binders(j.invars, indent);
      put(". let");
      if (flat) flat_equations(j);
      else block_equations(j, indent);
      put("in (");
      results(j, indent);
      put(")");
      effects(j);
    });
    put(" }");
  }

  void flat_equations(const body& j) {
    put(" ");
    for (std::size_t i = 0; i < j.equations.size() && !gave_up(); ++i) {
      if (i != 0) put("; ");
      put_equation(j.equations[i], 0);
    }
    put(" ");
  }

  void block_equations(const body& j, std::size_t indent) {
    for (const equation& e : j.equations) {
      newline(indent + 4);
      put_equation(e, indent + 4);
    }
    if (j.equations.empty()) newline(indent + 4);
    newline(indent + 2);
  }

  void results(const body& j, std::size_t indent) {
    for (std::size_t i = 0; i < j.results.size() && !gave_up(); ++i) {
      const std::string_view text = j.results[i].text;
      if (i != 0) put(","), separate(source_.between(j.results[i - 1].text, text), text.size(), indent + 2);
      put_atom(j.results[i]);
    }
    if (j.results.size() == 1) put(",");
  }

  void effects(const body& j) {
    if (j.effects.data() == nullptr) return;
    put(" : { ");
    for (std::size_t i = 0; i < j.effects.size(); ++i) {
      if (i != 0) put(", ");
      put(j.effects[i]);
    }
    put(" }");
  }

  void annotate(std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = detail::least(lines.find('\n'), lines.size());
      comment(lines.substr(0, end));
      lines.remove_prefix(detail::least(end + 1, lines.size()));
    }
  }

  void put_ref(const equation& e) {
    put(e.ins.front().text);
    put(e.index);
  }

  void put_equation(const equation& e, std::size_t indent) {
    binders(e.outs, indent);
    annotate(e.annotation);
    switch (e.form) {
      case equation_form::plain: return application(e, indent);
      case equation_form::access: return access(e, indent);
      case equation_form::get: put(" <- "), put_ref(e); return masks(e);
      case equation_form::swap:
        if (!e.outs.empty()) put(", "), put_ref(e), put(" <- "), put_ref(e), put(", ");
        else put_ref(e), put(" <- ");
        break;
      case equation_form::addupdate: put_ref(e); put(" += ");
    }
    put_atom(e.ins[1]);  // the new value; the variables of the index and the masks follow
    masks(e);
  }

  void masks(const equation& e) {
    for (const param& p : e.params) put(" "), put(p.key), put("="), put(p.val.text);
  }

  void access(const equation& e, std::size_t indent) {
    if (!e.outs.empty()) put(" = ");
    put(e.primitive);
    if (!e.params.empty()) params(e, indent);
    put(e.index);
  }

  void application(const equation& e, std::size_t indent) {
    if (!e.outs.empty() || source_.bare_equals(e)) put(" = ");
    put(e.primitive);
    if (!e.params.empty()) params(e, indent);
    put(" ");
    for (std::size_t i = 0; i < e.ins.size() && !gave_up(); ++i) {
      if (i != 0) separate(source_.between(e.ins[i - 1].text, e.ins[i].text), e.ins[i].text.size(), indent);
      put_atom(e.ins[i]);
    }
  }

  void params(const equation& e, std::size_t indent) {
    const list<param> all = e.params;
    group(source_.between(e.primitive, all.front().key), [&](bool flat) {
      put("[");
      for (std::size_t i = 0; i < all.size() && !gave_up(); ++i) {
        if (!flat) newline(indent + 2);
        else if (i != 0) put(" ");
        put(all[i].key);
        put("=");
        put_value(all[i].val, indent + 2, true);
      }
      if (!flat) newline(indent);
      put("]");
    });
  }

  /// `own` is true if JAX's printer printed the value. `own` is false in a Python repr, where columns and shared names
  /// start over.
  void put_value(const value& v, std::size_t indent, bool own) {
    if (!holds_body(v) && !v.text.empty()) return put(v.text);
    switch (v.tag) {
      case value::kind::body:
        if (is_reference(v)) return put(v.text);
        return v.body ? body_value(v, indent, own) : put("None");
      case value::kind::tuple:
        if (own && blank_separated(v)) return bodies(v, indent);
        return items(v, "(", v.items.size() == 1 ? ",)" : ")");
      case value::kind::sequence: return items(v, "[", "]");
      case value::kind::call: put(v.callee); return items(v, "(", ")");
      default: put(v.text);
    }
  }

  void body_value(const value& v, std::size_t indent, bool own) {
    if (own && v.body->shared.empty()) return put_body(*v.body, indent);
    put_program(*v.body);
  }

  /// Returns whether the items are separated by blanks. JAX prints tuples of jaxprs without commas, but Python's reprs
  /// have commas.
  static bool blank_separated(const value& v) {
    for (const value& item : v.items)
      if (item.tag != value::kind::body) return false;
    return v.items.size() < 2 || v.text.empty() || !comma_between(v.items[0].text, v.items[1].text, v.text);
  }

  /// Returns whether a comma lies between two parts of `whole`; false if they are not parts of it.
  static bool comma_between(std::string_view a, std::string_view b, std::string_view whole) {
    if (!is_part_of(a, whole) || !is_part_of(b, whole)) return false;
    const char* begin = a.data() + a.size();
    if (b.data() < begin) return false;
    return std::string_view(begin, static_cast<std::size_t>(b.data() - begin)).find(',') != std::string_view::npos;
  }

  void bodies(const value& v, std::size_t indent) {
    const std::string_view first = v.items.empty() ? std::string_view{} : v.items.front().text;
    group(source_.between(v.text.substr(0, 1), first), [&](bool flat) {
      put("(");
      for (std::size_t i = 0; i < v.items.size() && !gave_up(); ++i) {
        if (!flat) newline(indent + 2);
        else if (i != 0) put(" ");
        put_value(v.items[i], indent + 2, true);
      }
      if (!flat) newline(indent);
      put(")");
    });
  }

  void items(const value& v, std::string_view open, std::string_view close) {
    put(open);
    bool first = true;
    const auto comma = [&] { put(std::exchange(first, false) ? "" : ", "); };
    for (const value& item : v.items) comma(), put_value(item, 0, false);
    for (const keyword_value& item : v.keywords) {
      comma();
      put(item.key);
      put("=");
      put_value(item.val, 0, false);
    }
    put(close);
  }

  source source_;
};

}  // namespace jaxpr::writer
