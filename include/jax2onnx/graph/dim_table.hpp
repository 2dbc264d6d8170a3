// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx {

/// The symbolic extents of a graph: polynomials with integer coefficients over atoms, as JAX's shape polymorphism
/// prints them (`2*B + 1`, `floordiv(B + 3, 2)`). A polynomial is interned under the hash of its normal form. Every
/// symbol is at least 1, as in jax.export. Operations on an unknown extent give an unknown extent, except that a
/// product with 0 is 0. Operations throw a limit_error if a result does not fit into 62 bits, has more than 256 terms,
/// a degree over 64, or atoms with more than 4096 bytes of text. They throw a build_error if a symbolic extent comes
/// from another graph.
class dim_table {
 public:
  /// The kinds of atoms.
  enum class atom_kind : std::uint8_t { symbol, floordiv, mod, max, min };
  /// A variable of polynomials: a named symbol, or an operation that is not a polynomial.
  struct atom {
    atom_kind kind;    ///< a symbol, or the kind of operation
    std::string text;  ///< the normal form of the expression
    dim lhs;           ///< the first operand of an operation
    dim rhs;           ///< the second operand of an operation
  };
  /// A power of an atom, which is given by its index.
  struct power {
    std::uint32_t atom;      ///< index of the atom
    std::uint32_t exponent;  ///< at least 1
    friend bool operator==(const power&, const power&) = default;
  };
  using factors = std::vector<power>;  ///< powers sorted by index; empty for the constant term
  /// A monomial with its coefficient.
  struct term {
    factors key;               ///< the powers that the term multiplies
    std::int64_t coefficient;  ///< not 0
    friend bool operator==(const term&, const term&) = default;
  };
  using polynomial = std::vector<term>;  ///< terms in lexicographic order of their factors

  /// Limits the number of terms that all operations from now on may compute. An operation that exceeds the limit throws
  /// a limit_error.
  void limit_work(std::uint64_t terms) { work_left_ = terms; }

  /// The dim of an expression in JAX's syntax. A symbol that bind() has bound is replaced by its value. Throws a
  /// build_error for malformed text.
  dim parse(std::string_view text);
  /// Makes parse() replace `name` by `value`. Throws a limit_error for a value that does not fit into 62 bits.
  void bind(std::string_view name, std::int64_t value);
  /// The names that bind() has bound and that no expression has used since, sorted.
  std::vector<std::string> unused_bindings() const;
  /// The symbols of all expressions so far, then the bound names that were used.
  std::vector<std::string> symbols() const;

  /// The dim of a named symbol, which becomes known to the table. Throws a build_error for a name that is not a word of
  /// letters, digits and underscores, or that begins with a digit, since parse() would not read it as a name.
  dim symbol(std::string_view name);
  /// The dim of a symbol in a model of another exporter. Its name may be any UTF-8 text without control or invisible
  /// characters; throws a build_error for other names.
  dim foreign_symbol(std::string_view name);
  /// a + b; `dyn` if a or b is `dyn`. Throws a limit_error if the result exceeds the limits of the class.
  dim add(dim a, dim b);
  /// a - b, with the errors of add().
  dim sub(dim a, dim b);
  /// a * b, with the errors of add(); 0 if a or b is 0, or else `dyn` if a or b is `dyn`.
  dim mul(dim a, dim b);
  /// Python's floor division; `dyn` if a or b is `dyn`. Otherwise throws a build_error for a divisor of 0.
  dim floordiv(dim a, dim b);
  /// Python's modulo, which has the sign of the divisor; `dyn` if a or b is `dyn`. Otherwise throws a build_error for a
  /// divisor of 0.
  dim mod(dim a, dim b);
  /// The larger of a and b: an atom if it is not known which of them is larger, and `dyn` if a or b is `dyn`.
  dim max(dim a, dim b);
  /// The smaller of a and b: an atom if it is not known which of them is smaller, and `dyn` if a or b is `dyn`.
  dim min(dim a, dim b);
  /// The number of elements of a shape.
  dim product(const shape& dims);

  /// True if d is provably at least 0 for all symbols of at least 1. False means "not known".
  bool known_nonnegative(dim d) const;
  /// The text of a dim: `784`, `2*B + 1`, or `?` for an unknown extent.
  std::string text(dim d) const;
  /// The text of a shape: `[784,2*B + 1]`.
  std::string text(const shape& s) const;
  /// The approximate length of the text of a constant or symbolic dim.
  std::uint64_t text_size(dim d) const {
    const std::uint32_t known = d.is_constant() ? detail::key_map::none : polynomial_numbers_.find(d.key());
    return known == detail::key_map::none ? sizeof(dim) : text_sizes_[known];
  }
  /// The polynomial of a constant or symbolic dim.
  polynomial terms(dim d) const;
  /// The atom with this index; `power` refers to atoms by index.
  const atom& atom_at(std::uint32_t i) const { return atoms_[i]; }
  /// The dim that consists of this atom alone.
  static dim atom_dim(const atom& a) { return dim::symbol(a.text); }

 private:
  class expression_parser;
  struct binding {
    std::string name;
    dim value;
    bool used;
  };

  static constexpr std::size_t term_limit = 256, text_limit = 4096;
  static constexpr std::uint32_t degree_limit = 64;

  static std::int64_t floor_quotient(std::int64_t a, std::int64_t b);
  void work(std::uint64_t terms);
  void require_limits(const polynomial& p);
  bool is_nonnegative(const atom& a) const;
  std::optional<std::int64_t> upper_bound(const factors& f) const;
  std::optional<std::int64_t> lower_bound(const polynomial& p) const;
  bool known_positive(const polynomial& p) const;
  polynomial with_largest_remainders(polynomial p) const;
  /// Adds a term to p. Drops a term whose coefficient becomes 0.
  static void accumulate(polynomial& p, const factors& key, std::int64_t coefficient);
  static polynomial sum(polynomial a, const polynomial& b, std::int64_t sign);
  static factors product_of(const factors& a, const factors& b);
  /// The quotient and the rest of p = k * quotient + rest, with every coefficient of rest in [0, k).
  static std::pair<polynomial, polynomial> divide(const polynomial& p, std::int64_t k);
  /// p / t if t divides every term of p, as JAX simplifies divisions by symbols; nullopt otherwise.
  static std::optional<polynomial> exact_quotient(polynomial p, const term& t);
  /// a / b if b is a single term that divides a; nullopt otherwise.
  std::optional<dim> exact_quotient(dim a, dim b);
  polynomial atom_polynomial(atom a);
  dim operation(atom_kind kind, std::string_view name, dim a, dim b);
  dim intern(polynomial p);
  bool is_symbol(const power& p) const { return atoms_[p.atom].kind == atom_kind::symbol; }
  std::string text(const polynomial& p) const;
  std::string text(const factors& f) const;
  binding* bound(std::string_view name);

  std::vector<atom> atoms_;
  std::vector<bool> nonnegative_;  // for each atom, true if it is known to be nonnegative
  std::vector<polynomial> polynomials_;
  std::vector<std::uint32_t> text_sizes_;              // the sizes of the texts of the polynomials
  std::vector<binding> bound_;                         // sorted by name
  detail::key_map atom_numbers_, polynomial_numbers_;  // the keys are hashes of the text
  std::uint64_t work_left_ = UINT64_MAX;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/dim_table.inl.hpp>
#endif
