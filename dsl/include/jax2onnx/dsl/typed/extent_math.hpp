// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/dsl/typed/extent.hpp>
#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/support/checked_math.hpp>

/// Arithmetic of extents at compile time: polynomials with integer coefficients, in the normal form of dim_table. A
/// result whose text is too long for an extent is `dyn`. A number that overflows 64 bits is an error.
namespace jax2onnx {

namespace detail {

/// The text of a polynomial under construction.
struct extent_text {
  char data[extent::longest_text + 1] = {};
  std::size_t size = 0;
  bool fits = true;

  constexpr void add(std::string_view text) {
    for (char c : text) {
      if (size == extent::longest_text) return void(fits = false);
      data[size++] = c;
    }
  }
  constexpr void add(std::uint64_t n) {
    char digits[20] = {};
    std::size_t count = 0;
    do digits[count++] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    while (count > 0) add(std::string_view(&digits[--count], 1));
  }
  constexpr std::string_view view() const { return {data, size}; }
};

/// A coefficient and its symbols, sorted; a symbol that occurs twice is squared.
struct monomial {
  std::int64_t coefficient = 1;
  std::vector<std::string_view> factors = {};

  /// The text of the factors, such as `B^2*T`.
  constexpr extent_text text() const {
    std::vector<extent_text> parts;
    for (std::size_t i = 0; i < factors.size();) {
      std::size_t power = 1;
      while (i + power < factors.size() && factors[i + power] == factors[i]) ++power;
      extent_text part;
      part.add(factors[i]);
      if (power > 1) part.add("^"), part.add(power);
      i += power;
      auto place = parts.begin();
      while (place != parts.end() && place->view() < part.view()) ++place;
      parts.insert(place, part);
    }
    extent_text out;
    for (const extent_text& part : parts) {
      if (out.size > 0) out.add("*");
      out.add(part.view());
    }
    return out;
  }
};

/// A sum of monomials, no two of which have the same factors.
struct extent_polynomial {
  std::vector<monomial> terms = {};

  constexpr void add(const monomial& m) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].factors != m.factors) continue;
      terms[i].coefficient = checked_add(terms[i].coefficient, m.coefficient);
      if (terms[i].coefficient == 0) terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    if (m.coefficient != 0) terms.push_back(m);
  }
};

/// Removes the next factor of a normal form, and a `*` after the factor, from `text`. Returns the factor: a number, a
/// name, or a name with an exponent.
constexpr std::string_view next_factor(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] != '*' && text[n] != ' ') ++n;
  const std::string_view out = text.substr(0, n);
  text.remove_prefix(n);
  if (!text.empty() && text[0] == '*') text.remove_prefix(1);
  return out;
}

constexpr std::int64_t number_of(std::string_view digits) {
  std::int64_t n = 0;
  for (char c : digits) n = n * 10 + (c - '0');
  return n;
}

constexpr void add_factor(monomial& m, std::string_view factor) {
  if (factor[0] >= '0' && factor[0] <= '9') return void(m.coefficient *= number_of(factor));
  std::size_t caret = 0;
  while (caret < factor.size() && factor[caret] != '^') ++caret;
  const std::string_view name = factor.substr(0, caret);
  const std::int64_t power = caret == factor.size() ? 1 : number_of(factor.substr(caret + 1));
  auto place = m.factors.begin();
  while (place != m.factors.end() && *place < name) ++place;
  m.factors.insert(place, static_cast<std::size_t>(power), name);
}

/// The polynomial of a known extent. The polynomial refers to the extent's text.
constexpr extent_polynomial polynomial_of(const extent& e) {
  extent_polynomial out;
  if (!e.is_symbolic()) return out.add({e.size, {}}), out;
  std::string_view text = e.name();
  while (!text.empty()) {
    monomial m;
    const bool first = text[0] != ' ';
    if (text[first ? 0 : 1] == '-') m.coefficient = -1;
    text.remove_prefix(first ? m.coefficient < 0 : 3);
    do add_factor(m, next_factor(text));
    while (!text.empty() && text[0] != ' ');
    out.add(m);
  }
  return out;
}

/// The normal form: terms by descending degree, then alphabetically; `dyn` if its text is too long.
constexpr extent normal_form(const extent_polynomial& p) {
  if (p.terms.empty()) return 0;
  if (p.terms.size() == 1 && p.terms[0].factors.empty()) return p.terms[0].coefficient;
  struct printed {
    std::size_t degree;
    extent_text text;
    std::int64_t coefficient;
  };
  std::vector<printed> sorted;
  for (const monomial& m : p.terms) {
    const printed next{m.factors.size(), m.text(), m.coefficient};
    auto place = sorted.begin();
    while (place != sorted.end() &&
           (place->degree != next.degree ? place->degree > next.degree : place->text.view() < next.text.view()))
      ++place;
    sorted.insert(place, next);
  }
  extent_text out;
  for (const printed& t : sorted) {
    const bool negative = t.coefficient < 0, bare = t.text.size == 0;
    const auto bits = static_cast<std::uint64_t>(t.coefficient), magnitude = negative ? 0 - bits : bits;
    out.add(out.size == 0 ? (negative ? "-" : "") : negative ? " - " : " + ");
    if (bare || magnitude != 1) out.add(magnitude);
    if (!bare && magnitude != 1) out.add("*");
    out.add(t.text.view());
    if (!t.text.fits) out.fits = false;
  }
  return out.fits ? extent(out.view()) : dyn;
}

}  // namespace detail

/// Sums, differences and products of extents; `dyn` if an operand is `dyn`.
/// @{
constexpr extent operator+(const extent& a, const extent& b) {
  if (a.is_dyn() || b.is_dyn()) return dyn;
  if (a.is_constant() && b.is_constant()) return detail::checked_add(a.size, b.size);
  detail::extent_polynomial sum = detail::polynomial_of(a);
  const detail::extent_polynomial other = detail::polynomial_of(b);
  for (const detail::monomial& m : other.terms) sum.add(m);
  return detail::normal_form(sum);
}
constexpr extent operator*(const extent& a, const extent& b) {
  if (a.is_dyn() || b.is_dyn()) return dyn;
  if (a.is_constant() && b.is_constant()) return detail::checked_mul(a.size, b.size);
  const detail::extent_polynomial x = detail::polynomial_of(a), y = detail::polynomial_of(b);
  detail::extent_polynomial out;
  for (const detail::monomial& m : x.terms)
    for (const detail::monomial& n : y.terms) {
      detail::monomial product{detail::checked_mul(m.coefficient, n.coefficient), m.factors};
      for (std::string_view factor : n.factors) detail::add_factor(product, factor);
      out.add(product);
    }
  return detail::normal_form(out);
}
constexpr extent operator-(const extent& a, const extent& b) { return a + b * extent(-1); }
/// @}
/// The quotient. For a constant, the quotient is truncated; for an expression, the result is `dyn` unless n divides
/// every coefficient. The result is also `dyn` if n is not positive or a is `dyn`.
constexpr extent operator/(const extent& a, std::int64_t n) {
  if (a.is_dyn() || n <= 0) return dyn;
  if (a.is_constant()) return a.size / n;
  detail::extent_polynomial p = detail::polynomial_of(a);
  for (detail::monomial& m : p.terms) {
    if (m.coefficient % n != 0) return dyn;
    m.coefficient /= n;
  }
  return detail::normal_form(p);
}

/// The extent as a dim of a graph's table. Adds the symbols of the extent to the table.
dim in_table(dim_table& table, const extent& e);
/// The extents as a shape of dims of a graph's table. Adds the symbols of the extents to the table.
shape in_table(dim_table& table, std::span<const extent> extents);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/typed/extent_math.inl.hpp>
#endif
