#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// The symbolic extents of a graph: polynomials with integer coefficients over atoms, as JAX's shape polymorphism
/// prints them (`2*B + 1`, `floordiv(B + 3, 2)`). A polynomial is interned under the hash of its normal form. Every
/// symbol is at least 1, as in jax.export.
class dim_table {
 public:
  /// The kinds of atoms.
  enum class atom_kind : std::uint8_t { symbol, floordiv, mod, max, min };
  /// What a polynomial is built of: a named symbol, or an operation that is no polynomial.
  struct atom {
    atom_kind kind;    ///< a symbol, or which operation
    std::string text;  ///< in normal form
    dim lhs;           ///< the first operand of an operation
    dim rhs;           ///< the second one
  };
  /// Atom index and power, sorted by index; empty for the constant term.
  using factors = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  /// The coefficients of the monomials; none is 0.
  using polynomial = std::map<factors, std::int64_t>;

  /// The dim of an expression in JAX's syntax; bound symbols are replaced. Throws build_error at what is none.
  dim parse(std::string_view text);
  /// From now on `name` means `value`. Throws limit_error where no extent is as large.
  void bind(std::string_view name, std::int64_t value) {
    if (!dim(value).is_constant()) throw limit_error(fmt::format("the dimension {} is too large", value));
    bound_[std::string(name)] = {value, false};
  }
  /// The names that were bound and that no expression has had since.
  std::vector<std::string> unused_bindings() const;
  /// The symbols of all expressions so far, bound ones included.
  std::vector<std::string> symbols() const;

  /// The dim of a named symbol, which becomes known to the table.
  dim symbol(std::string_view name) { return intern(atom_polynomial({atom_kind::symbol, std::string(name), {}, {}})); }
  /// a + b. Throws limit_error when a coefficient overflows; `dyn` if an operand is.
  dim add(dim a, dim b) { return a.is_dyn() || b.is_dyn() ? dim::dyn() : intern(sum(terms(a), terms(b), 1)); }
  /// a - b, likewise.
  dim sub(dim a, dim b) { return a.is_dyn() || b.is_dyn() ? dim::dyn() : intern(sum(terms(a), terms(b), -1)); }
  /// a * b, likewise; limit_error also for over 256 terms.
  dim mul(dim a, dim b);
  /// Python's floor division.
  dim floordiv(dim a, dim b);
  /// Python's modulo: the sign of the divisor.
  dim mod(dim a, dim b);
  /// The larger one, as an atom where it depends on the symbols.
  dim max(dim a, dim b);
  /// The smaller one, likewise.
  dim min(dim a, dim b);
  /// The number of elements of a shape.
  dim product(const shape& dims) {
    dim p = 1;
    for (dim d : dims) p = mul(p, d);
    return p;
  }

  /// Provably >= 0 for all symbols >= 1. False means "not known".
  bool known_nonnegative(dim d) const;
  /// `784`, `2*B + 1`, `?` for dyn.
  std::string text(dim d) const;
  /// `[B,784]`
  std::string text(const shape& s) const;
  /// The polynomial of a constant or symbolic dim.
  polynomial terms(dim d) const;
  /// The atom of an index that occurs in factors.
  const atom& atom_at(std::uint32_t i) const { return atoms_[i]; }
  /// The dim that is one atom alone.
  static dim atom_dim(const atom& a) { return dim::symbol(a.text); }

 private:
  static constexpr std::size_t term_limit = 256;

  static std::int64_t checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (__builtin_add_overflow(a, b, &r)) throw limit_error("a dimension expression overflows 64 bits");
    return r;
  }
  static std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (__builtin_mul_overflow(a, b, &r)) throw limit_error("a dimension expression overflows 64 bits");
    return r;
  }
  static std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
  }
  static polynomial sum(polynomial a, const polynomial& b, std::int64_t sign);
  /// p = k * quotient + rest with every coefficient of rest in [0, k).
  static std::pair<polynomial, polynomial> divide(const polynomial& p, std::int64_t k);
  polynomial atom_polynomial(atom a);
  dim operation(atom_kind kind, std::string_view name, dim a, dim b);
  dim intern(polynomial p);
  std::string text(const polynomial& p) const;
  std::string text(const factors& f) const;

  class expression_parser;

  std::vector<atom> atoms_;
  std::unordered_map<std::string, std::uint32_t> atom_index_;
  std::unordered_map<std::int64_t, polynomial> polynomials_;
  struct binding {
    dim value;
    bool used;
  };
  std::map<std::string, binding, std::less<>> bound_;
};

inline std::vector<std::string> dim_table::unused_bindings() const {
  std::vector<std::string> names;
  for (const auto& [name, b] : bound_)
    if (!b.used) names.push_back(name);
  return names;
}

inline std::vector<std::string> dim_table::symbols() const {
  std::vector<std::string> names;
  for (const atom& a : atoms_)
    if (a.kind == atom_kind::symbol) names.push_back(a.text);
  for (const auto& [name, b] : bound_)
    if (b.used) names.push_back(name);
  return names;
}

inline dim_table::polynomial dim_table::sum(polynomial a, const polynomial& b, std::int64_t sign) {
  for (const auto& [key, coefficient] : b) {
    std::int64_t& c = a[key];
    c = checked_add(c, checked_mul(sign, coefficient));
    if (c == 0) a.erase(key);
  }
  return a;
}

inline std::pair<dim_table::polynomial, dim_table::polynomial> dim_table::divide(const polynomial& p, std::int64_t k) {
  polynomial quotient, rest;
  for (const auto& [key, c] : p) {
    const std::int64_t q = floor_quotient(c, k);
    if (q != 0) quotient[key] = q;
    if (c != q * k) rest[key] = c - q * k;
  }
  return {quotient, rest};
}

inline dim dim_table::mul(dim a, dim b) {
  if (a.is(0) || b.is(0)) return 0;
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  const polynomial pa = terms(a), pb = terms(b);
  polynomial r;
  for (const auto& [fa, ca] : pa)
    for (const auto& [fb, cb] : pb) {
      std::map<std::uint32_t, std::uint32_t> powers(fa.begin(), fa.end());
      for (const auto& [index, power] : fb) powers[index] += power;
      const factors key(powers.begin(), powers.end());
      std::int64_t& c = r[key];
      c = checked_add(c, checked_mul(ca, cb));
      if (c == 0) r.erase(key);
      if (r.size() > term_limit) throw limit_error("a dimension expression has over 256 terms");
    }
  return intern(std::move(r));
}

inline dim dim_table::floordiv(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (b.is(0)) throw build_error("a dimension expression divides by zero");
  if (b.is(1)) return a;
  if (a == b) return 1;
  if (a.is_constant() && b.is_constant()) return floor_quotient(a.extent(), b.extent());
  if (b.is_constant() && b.extent() > 0) {
    const auto [quotient, rest] = divide(terms(a), b.extent());
    const dim q = intern(quotient), r = intern(rest);
    if (r.is_constant()) return q;
    return add(q, operation(atom_kind::floordiv, "floordiv", r, b));
  }
  return operation(atom_kind::floordiv, "floordiv", a, b);
}

inline dim dim_table::mod(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (b.is(0)) throw build_error("a dimension expression divides by zero");
  if (b.is(1) || a == b) return 0;
  if (a.is_constant() && b.is_constant()) return a.extent() - b.extent() * floor_quotient(a.extent(), b.extent());
  if (b.is_constant() && b.extent() > 0) {
    const dim rest = intern(divide(terms(a), b.extent()).second);
    return rest.is_constant() ? rest : operation(atom_kind::mod, "mod", rest, b);
  }
  return operation(atom_kind::mod, "mod", a, b);
}

inline dim dim_table::max(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (known_nonnegative(sub(a, b))) return a;
  if (known_nonnegative(sub(b, a))) return b;
  return operation(atom_kind::max, "max", a, b);
}

inline dim dim_table::min(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (known_nonnegative(sub(a, b))) return b;
  if (known_nonnegative(sub(b, a))) return a;
  return operation(atom_kind::min, "min", a, b);
}

inline bool dim_table::known_nonnegative(dim d) const {
  if (d.is_constant()) return d.extent() >= 0;
  if (d.is_dyn()) return false;
  // Every monomial is at least 1 where its atoms are symbols; floordiv, mod, max and min are taken as >= 0 only when
  // their coefficient is positive and then bounded below by 0.
  std::int64_t lower = 0;
  for (const auto& [key, c] : terms(d)) {
    const bool symbols = std::ranges::all_of(key, [&](const auto& f) {
      const atom_kind k = atoms_[f.first].kind;
      return k == atom_kind::symbol || (k == atom_kind::max && (known_nonnegative(atoms_[f.first].lhs) ||
                                                                known_nonnegative(atoms_[f.first].rhs)));
    });
    const bool at_least_one =
        std::ranges::all_of(key, [&](const auto& f) { return atoms_[f.first].kind == atom_kind::symbol; });
    if (key.empty()) {
      lower += c;
    } else if (c < 0) {
      return false;
    } else if (at_least_one) {
      if (__builtin_add_overflow(lower, c, &lower)) return true;
    } else if (!symbols) {
      const bool bounded = std::ranges::all_of(key, [&](const auto& f) {
        const atom& a = atoms_[f.first];
        if (a.kind == atom_kind::symbol) return true;
        if (a.kind == atom_kind::mod) return a.rhs.is_constant() && a.rhs.extent() > 0;
        return known_nonnegative(a.lhs) && known_nonnegative(a.rhs);
      });
      if (!bounded) return false;
    }
  }
  return lower >= 0;
}

inline dim_table::polynomial dim_table::atom_polynomial(atom a) {
  const auto [it, fresh] = atom_index_.try_emplace(a.text, static_cast<std::uint32_t>(atoms_.size()));
  if (fresh) atoms_.push_back(std::move(a));
  return {{factors{{it->second, 1u}}, 1}};
}

inline dim dim_table::operation(atom_kind kind, std::string_view name, dim a, dim b) {
  return intern(atom_polynomial({kind, fmt::format("{}({}, {})", name, text(a), text(b)), a, b}));
}

inline dim dim_table::intern(polynomial p) {
  if (p.empty()) return 0;
  if (p.size() == 1 && p.begin()->first.empty()) {
    const std::int64_t c = p.begin()->second;
    if (!dim(c).is_constant()) throw limit_error(fmt::format("the dimension {} is too large", c));
    return c;
  }
  if (p.size() > term_limit) throw limit_error("a dimension expression has over 256 terms");
  const dim d = dim::symbol(text(p));
  const auto [it, fresh] = polynomials_.try_emplace(d.key(), p);
  if (!fresh && it->second != p) throw build_error("two dimension expressions have the same hash: rename a symbol");
  return d;
}

inline dim_table::polynomial dim_table::terms(dim d) const {
  if (d.is(0)) return {};
  if (d.is_constant()) return {{factors{}, d.extent()}};
  const auto it = polynomials_.find(d.key());
  if (it == polynomials_.end()) throw build_error("a dimension belongs to another graph");
  return it->second;
}

inline std::string dim_table::text(const factors& f) const {
  std::vector<std::string> parts;
  for (const auto& [index, power] : f)
    parts.push_back(power == 1 ? atoms_[index].text : fmt::format("{}^{}", atoms_[index].text, power));
  std::ranges::sort(parts);
  return fmt::format("{}", fmt::join(parts, "*"));
}

inline std::string dim_table::text(const polynomial& p) const {
  struct term {
    std::uint32_t degree;
    std::string text;
    std::int64_t coefficient;
  };
  std::vector<term> sorted;
  for (const auto& [key, c] : p) {
    std::uint32_t degree = 0;
    for (const auto& f : key) degree += f.second;
    sorted.push_back({degree, text(key), c});
  }
  std::ranges::sort(sorted, [](const term& a, const term& b) {
    return a.degree != b.degree ? a.degree > b.degree : a.text < b.text;
  });
  std::string out;
  for (const term& t : sorted) {
    const std::uint64_t magnitude =
        t.coefficient < 0 ? 0 - static_cast<std::uint64_t>(t.coefficient) : static_cast<std::uint64_t>(t.coefficient);
    out += out.empty() ? (t.coefficient < 0 ? "-" : "") : (t.coefficient < 0 ? " - " : " + ");
    if (t.text.empty()) out += fmt::to_string(magnitude);
    else if (magnitude == 1) out += t.text;
    else out += fmt::format("{}*{}", magnitude, t.text);
  }
  return out;
}

inline std::string dim_table::text(dim d) const {
  if (d.is_dyn()) return "?";
  return d.is_constant() ? fmt::to_string(d.extent()) : text(terms(d));
}

inline std::string dim_table::text(const shape& s) const {
  std::string out = "[";
  for (std::size_t i = 0; i < s.size(); ++i) out += (i ? "," : "") + text(s[i]);
  return out + "]";
}

/// Recursive descent over
///   expr   = ["-"] term { ("+" | "-") term }
///   term   = ["-"] factor { "*" factor }
///   factor = ( INT | NAME | OP "(" expr ["," expr] ")" ) ["^" INT]
class dim_table::expression_parser {
 public:
  /// A parser of `text` that puts its symbols into `table`.
  expression_parser(dim_table& table, std::string_view text) : table_(table), text_(text) {}
  /// The dim of the whole text.
  dim parse() {
    const dim d = expr(0);
    blanks();
    if (at_ != text_.size()) fail("end of expression");
    return d;
  }

 private:
  static constexpr int depth_limit = 64;
  static bool word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  [[noreturn]] void fail(std::string_view expected) const {
    throw build_error(fmt::format("expected {} at character {} of the dimension '{}'", expected, at_ + 1, text_));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool eat(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!eat(c)) fail(std::string_view(&c, 1));
  }

  dim expr(int depth) {
    if (depth > depth_limit) throw limit_error("a dimension expression is nested over 64 deep");
    dim d = term(depth);
    for (;;) {
      if (eat('+')) d = table_.add(d, term(depth));
      else if (eat('-')) d = table_.sub(d, term(depth));
      else return d;
    }
  }
  dim term(int depth) {
    const bool negative = eat('-');
    dim d = factor(depth);
    while (eat('*')) d = table_.mul(d, factor(depth));
    return negative ? table_.mul(-1, d) : d;
  }
  dim factor(int depth) {
    dim base = primary(depth);
    if (!eat('^')) return base;
    const std::int64_t power = integer();
    if (power > 16) throw limit_error("a dimension has a power over 16");
    dim d = 1;
    for (std::int64_t i = 0; i < power; ++i) d = table_.mul(d, base);
    return d;
  }
  dim primary(int depth) {
    blanks();
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') return integer();
    if (eat('(')) {
      const dim d = expr(depth + 1);
      need(')');
      return d;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && word(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) fail("a number, a name or an operation");
    if (eat('(')) return call(name, depth);
    const auto bound = table_.bound_.find(name);
    if (bound == table_.bound_.end()) return table_.symbol(name);
    bound->second.used = true;
    return bound->second.value;
  }
  dim call(std::string_view name, int depth) {
    const dim a = expr(depth + 1);
    const dim b = eat(',') ? expr(depth + 1) : dim(0);
    need(')');
    if (name == "floordiv") return table_.floordiv(a, b);
    if (name == "mod") return table_.mod(a, b);
    if (name == "max" || name == "non_negative") return table_.max(a, b);
    if (name == "min") return table_.min(a, b);
    throw build_error(fmt::format("unknown operation '{}' in the dimension '{}'", name, text_));
  }
  std::int64_t integer() {
    blanks();
    std::int64_t n = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      n = checked_add(checked_mul(n, 10), text_[at_] - '0');
    if (at_ == begin) fail("a number");
    if (!dim(n).is_constant()) throw limit_error(fmt::format("the dimension {} is too large", text_));
    return n;
  }

  dim_table& table_;
  std::string_view text_;
  std::size_t at_ = 0;
};

inline dim dim_table::parse(std::string_view text) { return expression_parser(*this, text).parse(); }

}  // namespace jax2onnx
