// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <jax2onnx/support/checked_vector.hpp>

namespace jax2onnx {

/// One extent of a shape: an integer, a symbolic expression, or unknown (`dyn`). Eight bytes, comparable at compile
/// time. Differences and padding amounts are also dims, so the integer may be negative.
///
/// A symbolic extent is the hash of its expression's normal form, so that the `"B"_d` of a typed handle and the `B` of
/// a jaxpr are one value without a table; `dim_table` keeps the expressions and notices a collision.
class dim {
 public:
  constexpr dim() = default;  ///< an extent of 0
  /// A constant in [-limit, limit). Throws a limit_error for any other number.
  constexpr dim(std::int64_t extent) : bits_(extent) {
    if (!is_constant()) throw limit_error("a dimension does not fit into 62 bits");
  }

  /// The constant dim that is nearest to n.
  static constexpr dim nearest(std::int64_t n) { return n < -limit ? -limit : n >= limit ? limit - 1 : n; }
  /// The unknown extent.
  static constexpr dim dyn() { return of_bits(dyn_bits); }
  /// The extent whose expression in normal form is `text`. A lone name is in normal form.
  static constexpr dim symbol(std::string_view text) {
    std::uint64_t h = 14695981039346656037ull;  // FNV-1a
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    const auto bits = static_cast<std::int64_t>((h & ~(3ull << 62)) | (1ull << 63));
    return of_bits(bits == dyn_bits ? bits + 1 : bits);
  }

  /// True if the extent is an integer. Exactly one of is_constant(), is_dyn() and is_symbolic() holds.
  constexpr bool is_constant() const { return bits_ >= -limit && bits_ < limit; }
  /// True if the extent is unknown.
  constexpr bool is_dyn() const { return bits_ == dyn_bits; }
  /// True if the extent is a symbolic expression, which a dim_table knows.
  constexpr bool is_symbolic() const { return !is_constant() && !is_dyn(); }
  /// The constant; meaningful when is_constant().
  constexpr std::int64_t extent() const { return bits_; }
  /// A number that identifies the extent, for hash tables.
  constexpr std::int64_t key() const { return bits_; }
  /// True if the extent is the constant n.
  constexpr bool is(std::int64_t n) const { return bits_ == n; }

  /// True if the expressions are the same. Two `dyn` compare equal, although nothing is known of their extents.
  friend constexpr bool operator==(dim, dim) = default;

  /// Constants lie in [-limit, limit).
  static constexpr std::int64_t limit = std::int64_t{1} << 62;

 private:
  static constexpr std::int64_t dyn_bits = INT64_MIN;
  static constexpr dim of_bits(std::int64_t bits) {
    dim d;
    d.bits_ = bits;
    return d;
  }
  std::int64_t bits_ = 0;
};

/// The extents of a tensor, outermost first; empty for a scalar.
using shape = checked_vector<dim>;

/// True if an extent is known to be 0, so that an array of this shape has no elements.
constexpr bool is_empty(const shape& dims) {
  for (dim d : dims)
    if (d.is(0)) return true;
  return false;
}
/// True if all extents are constants.
constexpr bool is_static(const shape& dims) {
  for (dim d : dims)
    if (!d.is_constant()) return false;
  return true;
}

/// True if both extents are constants that differ.
constexpr bool definitely_differ(dim a, dim b) { return a.is_constant() && b.is_constant() && a != b; }

}  // namespace jax2onnx
