// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx {

/// An extent as factor * part + constant, where the terms of `part` have no common factor.
struct scaled_dim {
  dim part;                   ///< 1 for a constant extent
  std::int64_t factor = 0;    ///< the factor of `part`, at least 1; 0 for a constant extent
  std::int64_t constant = 0;  ///< the constant term
};
/// Decomposes a symbolic or constant extent.
scaled_dim scaled(dim_table& dims, dim d);

namespace detail {

/// The dim of a term: its coefficient divided by `divisor`, times its powers.
inline dim term_dim(dim_table& dims, const dim_table::term& t, std::int64_t divisor = 1) {
  dim product = t.coefficient / divisor;
  for (const dim_table::power& p : t.key)
    for (std::uint32_t i = 0; i < p.exponent; ++i)
      product = dims.mul(product, dim_table::atom_dim(dims.atom_at(p.atom)));
  return product;
}

}  // namespace detail

/// Computes a symbol from an extent that is known at run time: symbol = (extent - rest) / factor. The division is exact
/// and `factor` is not 0. Other extents determine all symbols in `factor` and `rest`.
struct symbol_equation {
  dim extent;  ///< an extent of an input
  dim factor;  ///< the factor of the symbol
  dim rest;    ///< the terms without the symbol
};

/// The symbols that a list of extents determines. `B` alone or `2*B + 1` alone determines B. `B*T` determines B if T is
/// determined.
class symbol_equations {
 public:
  /// Adds an extent that is known at run time.
  void add(dim extent) { extents_.push_back(extent); }
  /// The equation that computes a symbol, by the index of its atom; null if the extents do not determine it. Valid
  /// until the next extent is added.
  const symbol_equation* find(dim_table& dims, std::uint32_t symbol);

 private:
  bool determines(const dim_table& dims, dim d) const;
  std::optional<std::uint32_t> open_symbol(const dim_table& dims, dim extent) const;
  static std::optional<symbol_equation> solved(dim_table& dims, dim extent, std::uint32_t symbol);
  void solve(dim_table& dims);

  std::vector<dim> extents_;
  std::size_t seen_ = 0;  // extents that `solve` has seen
  std::vector<symbol_equation> equations_;
  detail::key_map numbers_;  // index into `equations_` by symbol
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/symbol_equations.inl.hpp>
#endif
