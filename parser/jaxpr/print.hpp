#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jaxpr {

namespace writer {

/// Whether a group was printed on one line, where that is known.
enum class known_layout { unknown, one_line, broken };

/// What the tree does not say, read off the text it was parsed from. Trees built by hand have no such text.
class source {
 public:
  explicit source(std::string_view text) : text_(text) {}

  bool has(std::string_view part) const {
    const std::less<const char*> before;
    return !part.empty() && !before(part.data(), text_.data()) && !before(text_.data() + text_.size(), part.data() + part.size());
  }

  known_layout between(std::string_view a, std::string_view b) const {
    if (!has(a) || !has(b) || std::less<const char*>{}(b.data(), a.data())) return known_layout::unknown;
    return layout_of({a.data(), static_cast<std::size_t>(b.data() - a.data())});
  }

  known_layout of(span where) const {
    if (where.begin >= where.end || where.end > text_.size()) return known_layout::unknown;
    return layout_of(text_.substr(where.begin, where.end - where.begin));
  }

  /// Literals of JAX up to 0.5 are printed without their type.
  bool untyped(const atom& a) const {
    if (!has(a.text)) return a.annotation == nullptr;
    const std::size_t end = static_cast<std::size_t>(a.text.data() - text_.data()) + a.text.size();
    return end >= text_.size() || text_[end] != ':' || a.annotation == nullptr;
  }

  /// `= primitive` without results, as JAX up to 0.4.20 prints it.
  bool bare_equals(const equation& e) const {
    return e.outs.empty() && has(e.primitive) && e.where.begin < text_.size() && text_[e.where.begin] == '=';
  }

 private:
  static known_layout layout_of(std::string_view part) {
    return part.find('\n') == std::string_view::npos ? known_layout::one_line : known_layout::broken;
  }

  std::string_view text_;
};

inline bool holds_body(const value& v) {
  return v.tag == value::kind::body || std::ranges::any_of(v.items, holds_body) ||
         std::ranges::any_of(v.keywords, [](const keyword_value& k) { return holds_body(k.val); });
}

/// A body referred to by name rather than printed in place.
inline bool is_reference(const value& v) {
  if (v.tag != value::kind::body || v.text.empty() || v.text.front() == '{') return false;
  return !v.text.starts_with("let ") || !v.body || v.body->shared.empty();
}

/// Prints as JAX does: a group that fits into 80 columns stays on one line, else all of its breaks become line breaks.
class printer {
 public:
  explicit printer(const struct module& m) : source_(m.text) {}

  std::string run(const struct jaxpr& main) {
    program(main);
    flush_comments(0);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t width = 80;
  struct place {
    std::size_t size, line, comments;
  };

  place here() const { return {out_.size(), line_, comments_.size()}; }
  void rewind(const place& p) {
    out_.resize(p.size);
    line_ = p.line;
    comments_.resize(p.comments);
  }

  void put(std::string_view text) {
    out_ += text;
    if (const std::size_t last = text.rfind('\n'); last != std::string_view::npos) line_ = out_.size() - (text.size() - last - 1);
  }

  void flush_comments(std::size_t indent) {
    for (std::size_t i = 0; i < comments_.size(); ++i) {
      if (i != 0) put("\n"), out_.append(indent, ' ');
      put(" # ");
      put(comments_[i]);
    }
    comments_.clear();
  }

  void newline(std::size_t indent) {
    flush_comments(indent + 2);
    put("\n");
    out_.append(indent, ' ');
  }

  bool gave_up() const { return flat_ && out_.size() > flat_end_; }

  /// Prints with `print(true)` on one line if it was so or fits from here, else with `print(false)`.
  template <class Print>
  void group(known_layout layout, const Print& print) {
    if (flat_) {
      if (layout == known_layout::broken) flat_end_ = 0;
      return print(true);
    }
    if (layout == known_layout::broken) return print(false);
    const place start = here();
    flat_ = true;
    flat_end_ = layout == known_layout::one_line ? out_.max_size() : line_ + width;
    print(true);
    const bool fits = !gave_up();
    flat_ = false;
    if (fits) return;
    rewind(start);
    print(false);
  }

  /// The blank or the line break between two binders or operands.
  void separate(std::string_view last, std::string_view next, std::size_t size, std::size_t indent) {
    const known_layout layout = source_.between(last, next);
    const bool wraps = layout == known_layout::unknown ? out_.size() - line_ + 1 + size > width && out_.size() - line_ > indent + 2
                                                       : layout == known_layout::broken;
    if (wraps && flat_) flat_end_ = 0;
    if (wraps && !flat_)
      newline(indent + 2);
    else
      put(" ");
  }

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
      if (i != 0) separate(names[i - 1].name, names[i].name, size, indent);
      put_binder(names[i]);
    }
  }

  void program(const struct jaxpr& main) {
    for (const shared_jaxpr& shared : main.shared) {
      put("let ");
      put(shared.name);
      put(" = ");
      body(*shared.body, 0);
      put(" in");
      newline(0);
    }
    body(main, 0);
  }

  void body(const struct jaxpr& j, std::size_t indent) {
    group(source_.of(j.where), [&](bool flat) {
      put("{ lambda ");
      binders(j.constvars, indent);
      put("; ");
      binders(j.invars, indent);
      put(". let");
      if (flat)
        flat_equations(j);
      else
        block_equations(j, indent);
      put("in (");
      results(j, indent);
      put(")");
      effects(j);
    });
    put(" }");
  }

  void flat_equations(const struct jaxpr& j) {
    put(" ");
    for (std::size_t i = 0; i < j.equations.size() && !gave_up(); ++i) {
      if (i != 0) put("; ");
      put_equation(j.equations[i], 0);
    }
    put(" ");
  }

  void block_equations(const struct jaxpr& j, std::size_t indent) {
    for (const equation& e : j.equations) {
      newline(indent + 4);
      put_equation(e, indent + 4);
    }
    if (j.equations.empty()) newline(indent + 4);
    newline(indent + 2);
  }

  void results(const struct jaxpr& j, std::size_t indent) {
    for (std::size_t i = 0; i < j.results.size() && !gave_up(); ++i) {
      if (i != 0) put(","), separate(j.results[i - 1].text, j.results[i].text, j.results[i].text.size(), indent + 2);
      put_atom(j.results[i]);
    }
    if (j.results.size() == 1) put(",");
  }

  void effects(const struct jaxpr& j) {
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
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      comments_.push_back(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }

  void put_ref(const equation& e) {
    put(e.ins.front().text);
    put(e.index);
  }

  void put_equation(const equation& e, std::size_t indent) {
    annotate(e.annotation);
    binders(e.outs, indent);
    switch (e.form) {
      case equation_form::plain: return application(e, indent);
      case equation_form::get: put(" <- "); return put_ref(e);
      case equation_form::swap:
        if (!e.outs.empty()) put(", "), put_ref(e), put(" <- "), put_ref(e), put(", ");
        else put_ref(e), put(" <- ");
        break;
      case equation_form::addupdate: put_ref(e); put(" += ");
    }
    put_atom(e.ins.back());
  }

  void application(const equation& e, std::size_t indent) {
    if (!e.outs.empty() || source_.bare_equals(e)) put(" = ");
    put(e.primitive);
    if (!e.params.empty()) params(e, indent);
    put(" ");
    for (std::size_t i = 0; i < e.ins.size() && !gave_up(); ++i) {
      if (i != 0) separate(e.ins[i - 1].text, e.ins[i].text, e.ins[i].text.size(), indent);
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

  /// `own`: printed by JAX's printer, not inside of a Python repr, where columns and names start anew.
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
    if (own && v.body->shared.empty()) return body(*v.body, indent);
    program(*v.body);
  }

  /// JAX prints a tuple of jaxprs without commas; a tuple inside of something else is printed by Python.
  static bool blank_separated(const value& v) {
    return std::ranges::all_of(v.items, [](const value& item) { return item.tag == value::kind::body; }) &&
           (v.items.size() < 2 || v.text.empty() || !between(v.items[0].text, v.items[1].text).contains_comma);
  }

  struct gap {
    bool contains_comma = false;
  };
  static gap between(std::string_view a, std::string_view b) {
    const char* begin = a.data() + a.size();
    return {std::less<const char*>{}(begin, b.data()) && std::find(begin, b.data(), ',') != b.data()};
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
  std::string out_;
  std::vector<std::string_view> comments_;
  std::size_t line_ = 0;  ///< where the current line of `out_` begins
  std::size_t flat_end_ = 0;
  bool flat_ = false;
};

}  // namespace writer

/// The text of a module in the layout of JAX's printer. Parsing it gives the same module again.
inline std::string print(const struct module& m) {
  return m.main ? writer::printer(m).run(*m.main) : std::string{};
}

}  // namespace jaxpr
