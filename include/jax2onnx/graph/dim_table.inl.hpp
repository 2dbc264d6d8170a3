// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/plain_text.hpp>

namespace jax2onnx {
namespace detail {

/// Compares in lexicographic order.
inline bool before(const dim_table::factors& a, const dim_table::factors& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].atom != b[i].atom) return a[i].atom < b[i].atom;
    if (a[i].exponent != b[i].exponent) return a[i].exponent < b[i].exponent;
  }
  return a.size() < b.size();
}

}  // namespace detail

JAX2ONNX_INLINE dim_table::binding* dim_table::bound(std::string_view name) {
  for (binding& b : bound_)
    if (b.name == name) return &b;
  return nullptr;
}

JAX2ONNX_INLINE void dim_table::bind(std::string_view name, std::int64_t value) {
  if (binding* known = bound(name)) {
    *known = {std::string(name), value, false};
    return;
  }
  auto place = bound_.begin();
  while (place != bound_.end() && place->name < name) ++place;
  bound_.insert(place, {std::string(name), value, false});
}

JAX2ONNX_INLINE std::vector<std::string> dim_table::unused_bindings() const {
  std::vector<std::string> names;
  for (const binding& b : bound_)
    if (!b.used) names.push_back(b.name);
  return names;
}

JAX2ONNX_INLINE std::vector<std::string> dim_table::symbols() const {
  std::vector<std::string> names;
  for (const atom& a : atoms_)
    if (a.kind == atom_kind::symbol) names.push_back(a.text);
  for (const binding& b : bound_)
    if (b.used) names.push_back(b.name);
  return names;
}

JAX2ONNX_INLINE dim dim_table::foreign_symbol(std::string_view name) {
  if (detail::plain_text(name) != name)
    throw build_error(detail::message("the dimension '{}' has a control or invisible character, or is not UTF-8",
                                      detail::plain_text(name)));
  return intern(atom_polynomial({atom_kind::symbol, std::string(name), {}, {}}));
}

JAX2ONNX_INLINE dim dim_table::add(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (a.is_constant() && b.is_constant()) return a.extent() + b.extent();  // cannot overflow: both have 62 bits
  return intern(sum(terms(a), terms(b), 1));
}

JAX2ONNX_INLINE dim dim_table::sub(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (a.is_constant() && b.is_constant()) return a.extent() - b.extent();
  return intern(sum(terms(a), terms(b), -1));
}

JAX2ONNX_INLINE dim dim_table::product(const shape& dims) {
  dim p = 1;
  for (dim d : dims) p = mul(p, d);
  return p;
}

JAX2ONNX_INLINE void dim_table::work(std::uint64_t terms) {
  if (terms > work_left_)
    throw limit_error("there are too many dimension expressions, or they are too long (the limit 'terms')");
  work_left_ -= terms;
}

/// Throws for a polynomial whose text would be too long to handle, before the text is made.
JAX2ONNX_INLINE void dim_table::require_limits(const polynomial& p) {
  if (p.size() > term_limit) throw limit_error("a dimension expression has over 256 terms");
  std::size_t length = 0;
  for (const term& t : p) {
    std::uint32_t degree = 0;
    for (const power& f : t.key) {
      degree += f.exponent;
      length += atoms_[f.atom].text.size();
    }
    if (degree > degree_limit) throw limit_error("a dimension expression has a degree over 64");
  }
  if (length > text_limit) throw limit_error("a dimension expression has over 4096 bytes in normal form");
  work(p.size() + length / 16);
}

JAX2ONNX_INLINE std::int64_t dim_table::floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

JAX2ONNX_INLINE void dim_table::accumulate(polynomial& p, const factors& key, std::int64_t coefficient) {
  std::size_t low = 0, high = p.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (detail::before(p[middle].key, key)) low = middle + 1;
    else high = middle;
  }
  const auto place = p.begin() + static_cast<std::ptrdiff_t>(low);
  if (place == p.end() || place->key != key) {
    if (coefficient != 0) p.insert(place, {key, coefficient});
    return;
  }
  place->coefficient = detail::checked_add(place->coefficient, coefficient);
  if (place->coefficient == 0) p.erase(place);
}

JAX2ONNX_INLINE dim_table::polynomial dim_table::sum(polynomial a, const polynomial& b, std::int64_t sign) {
  for (const term& t : b) accumulate(a, t.key, detail::checked_mul(sign, t.coefficient));
  return a;
}

JAX2ONNX_INLINE dim_table::factors dim_table::product_of(const factors& a, const factors& b) {
  factors out;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (j == b.size() || (i < a.size() && a[i].atom < b[j].atom)) out.push_back(a[i++]);
    else if (i == a.size() || b[j].atom < a[i].atom) out.push_back(b[j++]);
    else out.push_back({a[i].atom, a[i++].exponent + b[j++].exponent});
  }
  return out;
}

JAX2ONNX_INLINE std::pair<dim_table::polynomial, dim_table::polynomial> dim_table::divide(const polynomial& p,
                                                                                          std::int64_t k) {
  polynomial quotient, rest;
  for (const term& t : p) {
    const std::int64_t q = floor_quotient(t.coefficient, k);
    if (q != 0) quotient.push_back({t.key, q});
    if (t.coefficient != q * k) rest.push_back({t.key, t.coefficient - q * k});
  }
  return {quotient, rest};
}

JAX2ONNX_INLINE std::optional<dim_table::polynomial> dim_table::exact_quotient(polynomial p, const term& t) {
  for (term& each : p) {
    if (each.coefficient % t.coefficient != 0) return std::nullopt;
    each.coefficient /= t.coefficient;
    for (const power& divisor : t.key) {
      const auto found = std::ranges::find(each.key, divisor.atom, &power::atom);
      if (found == each.key.end() || found->exponent < divisor.exponent) return std::nullopt;
      found->exponent -= divisor.exponent;
      if (found->exponent == 0) each.key.erase(found);
    }
  }
  std::ranges::sort(p, detail::before, &term::key);
  return p;
}

JAX2ONNX_INLINE std::optional<dim> dim_table::exact_quotient(dim a, dim b) {
  if (a.is_constant() || b.is_constant()) return std::nullopt;
  const polynomial divisor = terms(b);
  if (divisor.size() != 1) return std::nullopt;
  polynomial p = terms(a);
  work(p.size());
  const auto quotient = exact_quotient(std::move(p), divisor[0]);
  return quotient ? std::optional(intern(*quotient)) : std::nullopt;
}

JAX2ONNX_INLINE dim dim_table::mul(dim a, dim b) {
  if (a.is(0) || b.is(0)) return 0;
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (a.is_constant() && b.is_constant()) {
    work(1);
    return detail::checked_mul(a.extent(), b.extent());
  }
  const polynomial pa = terms(a), pb = terms(b);
  polynomial r;
  work(pa.size() * pb.size());
  for (const term& s : pa)
    for (const term& t : pb) {
      accumulate(r, product_of(s.key, t.key), detail::checked_mul(s.coefficient, t.coefficient));
      if (r.size() > term_limit) throw limit_error("a dimension expression has over 256 terms");
    }
  return intern(std::move(r));
}

JAX2ONNX_INLINE dim dim_table::floordiv(dim a, dim b) {
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
  if (const auto quotient = exact_quotient(a, b)) return *quotient;
  return operation(atom_kind::floordiv, "floordiv", a, b);
}

JAX2ONNX_INLINE dim dim_table::mod(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (b.is(0)) throw build_error("a dimension expression divides by zero");
  if (b.is(1) || a == b) return 0;
  if (a.is_constant() && b.is_constant()) return a.extent() - b.extent() * floor_quotient(a.extent(), b.extent());
  if (b.is_constant() && b.extent() > 0) {
    const dim rest = intern(divide(terms(a), b.extent()).second);
    return rest.is_constant() ? rest : operation(atom_kind::mod, "mod", rest, b);
  }
  if (exact_quotient(a, b)) return 0;
  return operation(atom_kind::mod, "mod", a, b);
}

JAX2ONNX_INLINE dim dim_table::max(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (known_nonnegative(sub(a, b))) return a;
  if (known_nonnegative(sub(b, a))) return b;
  return operation(atom_kind::max, "max", a, b);
}

JAX2ONNX_INLINE dim dim_table::min(dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (known_nonnegative(sub(a, b))) return b;
  if (known_nonnegative(sub(b, a))) return a;
  return operation(atom_kind::min, "min", a, b);
}

/// True if the atom is known to be nonnegative. Computed once for each atom, when it is made: the answer for the atoms
/// in its operands is known by then.
JAX2ONNX_INLINE bool dim_table::is_nonnegative(const atom& a) const {
  if (a.kind == atom_kind::symbol) return true;
  if (a.kind == atom_kind::mod) return known_positive(terms(a.rhs));
  if (a.kind == atom_kind::max) return known_nonnegative(a.lhs) || known_nonnegative(a.rhs);
  return known_nonnegative(a.lhs) && known_nonnegative(a.rhs);
}

/// The number n if the factors are a single atom min(x, n) or min(n, x), which cannot exceed n; nullopt otherwise.
JAX2ONNX_INLINE std::optional<std::int64_t> dim_table::upper_bound(const factors& f) const {
  if (f.size() != 1 || f[0].exponent != 1) return std::nullopt;
  const atom& a = atoms_[f[0].atom];
  if (a.kind != atom_kind::min) return std::nullopt;
  if (a.rhs.is_constant()) return a.rhs.extent();
  return a.lhs.is_constant() ? std::optional(a.lhs.extent()) : std::nullopt;
}

/// p, in which b - 1 takes the place of each nonnegative mod(a, b) with a negative coefficient: b - 1 is the largest
/// value of the remainder.
JAX2ONNX_INLINE dim_table::polynomial dim_table::with_largest_remainders(polynomial p) const {
  for (std::size_t i = p.size(); i-- > 0;) {
    const term t = p[i];
    if (t.coefficient > 0 || t.key.size() != 1 || t.key[0].exponent != 1) continue;
    const atom& a = atoms_[t.key[0].atom];
    if (a.kind != atom_kind::mod || !nonnegative_[t.key[0].atom]) continue;
    accumulate(p, t.key, -t.coefficient);
    p = sum(std::move(p), sum(terms(a.rhs), {{factors{}, 1}}, -1), t.coefficient);
    i = p.size();  // starts again, since the divisor may have added remainders to p
  }
  return p;
}

/// A lower bound of p: the sum of lower bounds of its terms, or nullopt if a term has none. A monomial of symbols is at
/// least 1, a monomial of nonnegative atoms at least 0. A term with a negative coefficient needs an upper bound of its
/// atom.
JAX2ONNX_INLINE std::optional<std::int64_t> dim_table::lower_bound(const polynomial& p) const {
  std::int64_t lower = 0;
  for (const term& t : with_largest_remainders(p)) {
    bool symbols = true, bounded = true;
    for (const power& f : t.key) {
      symbols = symbols && is_symbol(f);
      bounded = bounded && nonnegative_[f.atom];
    }
    const auto most = t.coefficient < 0 && !t.key.empty() ? upper_bound(t.key) : std::nullopt;
    std::int64_t least = 0;
    if (t.key.empty() || (t.coefficient > 0 && symbols)) least = t.coefficient;
    else if (most ? detail::mul_overflows(*most, t.coefficient, least) : t.coefficient < 0 || !bounded)
      return std::nullopt;
    if (detail::add_overflows(lower, least, lower)) return std::nullopt;
  }
  return lower;
}

JAX2ONNX_INLINE bool dim_table::known_positive(const polynomial& p) const {
  const auto lower = lower_bound(p);
  return lower && *lower > 0;
}

JAX2ONNX_INLINE bool dim_table::known_nonnegative(dim d) const {
  if (d.is_constant()) return d.extent() >= 0;
  if (d.is_dyn()) return false;
  const auto lower = lower_bound(terms(d));
  return lower && *lower >= 0;
}

JAX2ONNX_INLINE dim_table::polynomial dim_table::atom_polynomial(atom a) {
  const std::int64_t key = atom_dim(a).key();
  std::uint32_t number = atom_numbers_.find(key);
  if (number == detail::key_map::none) {
    number = static_cast<std::uint32_t>(atoms_.size());
    atom_numbers_.set(key, number);
    nonnegative_.push_back(is_nonnegative(a));
    atoms_.push_back(std::move(a));
  } else if (atoms_[number].text != a.text) {
    throw build_error("two dimension expressions have the same hash: rename a symbol");
  }
  return {{{{number, 1}}, 1}};
}

JAX2ONNX_INLINE dim dim_table::operation(atom_kind kind, std::string_view name, dim a, dim b) {
  return intern(atom_polynomial({kind, detail::message("{}({}, {})", name, text(a), text(b)), a, b}));
}

JAX2ONNX_INLINE dim dim_table::intern(polynomial p) {
  if (p.empty()) return 0;
  if (p.size() == 1 && p[0].key.empty()) return p[0].coefficient;
  require_limits(p);
  const std::string normal = text(p);
  const dim d = dim::symbol(normal);
  const std::uint32_t known = polynomial_numbers_.find(d.key());
  if (known == detail::key_map::none) {
    polynomial_numbers_.set(d.key(), static_cast<std::uint32_t>(polynomials_.size()));
    polynomials_.push_back(std::move(p));
    text_sizes_.push_back(static_cast<std::uint32_t>(normal.size()));
  } else if (polynomials_[known] != p) {
    throw build_error("two dimension expressions have the same hash: rename a symbol");
  }
  return d;
}

JAX2ONNX_INLINE dim_table::polynomial dim_table::terms(dim d) const {
  if (d.is(0)) return {};
  if (d.is_constant()) return {{factors{}, d.extent()}};
  const std::uint32_t known = polynomial_numbers_.find(d.key());
  if (known == detail::key_map::none) throw build_error("a dimension belongs to another graph");
  return polynomials_[known];
}

/// The text of factors, which are sorted by their own texts: `N*a^2`.
JAX2ONNX_INLINE std::string dim_table::text(const factors& f) const {
  std::vector<std::string> parts;
  for (const power& p : f) {
    std::string part = atoms_[p.atom].text;
    if (p.exponent != 1) part.append("^").append(std::to_string(p.exponent));
    auto place = parts.begin();
    while (place != parts.end() && *place < part) ++place;
    parts.insert(place, std::move(part));
  }
  return detail::joined_text(parts, "*");
}

/// The text of a polynomial: its terms by descending degree, then by their texts.
JAX2ONNX_INLINE std::string dim_table::text(const polynomial& p) const {
  struct printed_term {
    std::uint32_t degree;
    std::string text;
    std::int64_t coefficient;
  };
  std::vector<printed_term> sorted;
  for (const term& t : p) {
    std::uint32_t degree = 0;
    for (const power& f : t.key) degree += f.exponent;
    printed_term printed{degree, text(t.key), t.coefficient};
    auto place = sorted.begin();
    while (place != sorted.end() && (place->degree != degree ? place->degree > degree : place->text < printed.text))
      ++place;
    sorted.insert(place, std::move(printed));
  }
  std::string out;
  for (const printed_term& t : sorted) {
    const bool negative = t.coefficient < 0;
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(t.coefficient) : static_cast<std::uint64_t>(t.coefficient);
    if (out.empty()) out.append(negative ? "-" : "");
    else out.append(negative ? " - " : " + ");
    if (t.text.empty() || magnitude != 1) out.append(std::to_string(magnitude));
    if (!t.text.empty()) out.append(magnitude == 1 ? "" : "*").append(t.text);
  }
  return out;
}

JAX2ONNX_INLINE std::string dim_table::text(dim d) const {
  if (d.is_dyn()) return "?";
  return d.is_constant() ? std::to_string(d.extent()) : text(terms(d));
}

JAX2ONNX_INLINE std::string dim_table::text(const shape& s) const {
  std::string out = "[";
  for (std::size_t i = 0; i < s.size(); ++i) out.append(i ? "," : "").append(text(s[i]));
  return out + "]";
}

/// Recursive descent over
///   expr   = ["-"] term { ("+" | "-") term }
///   term   = ["-"] factor { "*" factor }
///   factor = ( INT | NAME | OP "(" expr ["," expr] ")" ) ["^" INT]
class dim_table::expression_parser {
 public:
  expression_parser(dim_table& table, std::string_view text) : table_(table), text_(text) {}
  dim parse() {
    const dim d = expr(0);
    blanks();
    if (at_ != text_.size()) fail("end of expression");
    return d;
  }
  /// True for the characters of names.
  static bool word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

 private:
  static constexpr int depth_limit = 64;

  [[noreturn]] void fail(std::string_view expected) const {
    throw build_error(detail::message("expected {} at character {} of the dimension '{}'", expected, at_ + 1, text_));
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
    if (depth > depth_limit) throw limit_error("a dimension expression is nested more than 64 deep");
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
    if (power > 16) throw limit_error("a dimension expression has an exponent over 16");
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
    if (name.empty() || name == "None" || name == "True" || name == "False") fail("a number, a name or an operation");
    if (eat('(')) return call(name, depth);
    binding* bound = table_.bound(name);
    if (!bound) return table_.symbol(name);
    bound->used = true;
    return bound->value;
  }
  dim call(std::string_view name, int depth) {
    const dim a = expr(depth + 1);
    const dim b = eat(',') ? expr(depth + 1) : dim(0);
    need(')');
    if (name == "floordiv") return table_.floordiv(a, b);
    if (name == "mod") return table_.mod(a, b);
    if (name == "max" || name == "non_negative") return table_.max(a, b);
    if (name == "min") return table_.min(a, b);
    throw build_error(detail::message("unknown operation '{}' in the dimension '{}'", name, text_));
  }
  std::int64_t integer() {
    blanks();
    std::int64_t n = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      n = detail::checked_add(detail::checked_mul(n, 10), text_[at_] - '0');
    if (at_ == begin) fail("a number");
    return n;
  }

  dim_table& table_;
  std::string_view text_;
  std::size_t at_ = 0;
};

JAX2ONNX_INLINE dim dim_table::parse(std::string_view text) { return expression_parser(*this, text).parse(); }

JAX2ONNX_INLINE dim dim_table::symbol(std::string_view name) {
  bool plain = !name.empty() && (name[0] < '0' || name[0] > '9');
  for (const char c : name) plain = plain && expression_parser::word(c);
  if (!plain && detail::plain_text(name) == name)
    throw build_error(
        detail::message("'{}' is not a valid name of a dimension: use letters, digits and _, no digit first",
                        detail::plain_text(name)));
  return foreign_symbol(name);
}

}  // namespace jax2onnx
