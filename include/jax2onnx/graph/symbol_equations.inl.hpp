// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include <jax2onnx/graph/symbol_equations.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE scaled_dim scaled(dim_table& dims, dim d) {
  scaled_dim out{1};
  const dim_table::polynomial terms = dims.terms(d);
  for (const dim_table::term& t : terms)
    if (t.key.empty()) out.constant = t.coefficient;
    else out.factor = std::gcd(out.factor, t.coefficient);
  if (out.factor == 0) return out;
  out.part = 0;
  for (const dim_table::term& t : terms)
    if (!t.key.empty()) out.part = dims.add(out.part, detail::term_dim(dims, t, out.factor));
  return out;
}

/// True if all symbols in d are determined.
JAX2ONNX_INLINE bool symbol_equations::determines(const dim_table& dims, dim d) const {
  if (d.is_constant()) return true;
  for (const dim_table::term& t : dims.terms(d))
    for (const dim_table::power& p : t.key) {
      const dim_table::atom& a = dims.atom_at(p.atom);
      const bool known = a.kind == dim_table::atom_kind::symbol ? numbers_.find(p.atom) != detail::key_map::none
                                                                : determines(dims, a.lhs) && determines(dims, a.rhs);
      if (!known) return false;
    }
  return true;
}

/// The undetermined symbol of an extent with exactly one of them. nullopt for any other extent, and if an operation
/// such as floordiv contains an undetermined symbol.
JAX2ONNX_INLINE std::optional<std::uint32_t> symbol_equations::open_symbol(const dim_table& dims, dim extent) const {
  std::optional<std::uint32_t> open;
  for (const dim_table::term& t : dims.terms(extent))
    for (const dim_table::power& p : t.key) {
      const dim_table::atom& a = dims.atom_at(p.atom);
      if (a.kind != dim_table::atom_kind::symbol) {
        if (!determines(dims, a.lhs) || !determines(dims, a.rhs)) return std::nullopt;
      } else if (numbers_.find(p.atom) == detail::key_map::none && open != p.atom) {
        if (open) return std::nullopt;
        open = p.atom;
      }
    }
  return open;
}

/// Solves the extent for the symbol. Returns nullopt if the symbol has an exponent other than 1, or if its factor is
/// neither a constant nor known to be positive.
JAX2ONNX_INLINE std::optional<symbol_equation> symbol_equations::solved(dim_table& dims, dim extent,
                                                                        std::uint32_t symbol) {
  symbol_equation e{extent, 0, 0};
  for (dim_table::term t : dims.terms(extent)) {
    const auto place = std::ranges::find(t.key, symbol, &dim_table::power::atom);
    const bool has_symbol = place != t.key.end();
    if (has_symbol && place->exponent != 1) return std::nullopt;
    if (has_symbol) t.key.erase(place);
    dim& sum = has_symbol ? e.factor : e.rest;
    sum = dims.add(sum, detail::term_dim(dims, t));
  }
  const bool is_nonzero = e.factor.is_constant() || dims.known_nonnegative(dims.sub(e.factor, 1));
  return is_nonzero ? std::optional(e) : std::nullopt;
}

/// Finds the equations of the symbols. Runs in rounds, since a symbol that is determined may determine other symbols.
JAX2ONNX_INLINE void symbol_equations::solve(dim_table& dims) {
  constexpr int most_rounds = 8;  // a product listed before its other factors needs another round
  seen_ = extents_.size();
  for (int round = 0; round < most_rounds; ++round) {
    const std::size_t before = equations_.size();
    for (const dim extent : extents_) {
      const std::optional<std::uint32_t> symbol = open_symbol(dims, extent);
      const std::optional<symbol_equation> equation = symbol ? solved(dims, extent, *symbol) : std::nullopt;
      if (!equation) continue;
      numbers_.set(static_cast<std::int64_t>(*symbol), static_cast<std::uint32_t>(equations_.size()));
      equations_.push_back(*equation);
    }
    if (equations_.size() == before) return;
  }
}

JAX2ONNX_INLINE const symbol_equation* symbol_equations::find(dim_table& dims, std::uint32_t symbol) {
  if (seen_ < extents_.size()) solve(dims);
  const std::uint32_t number = numbers_.find(static_cast<std::int64_t>(symbol));
  return number == detail::key_map::none ? nullptr : &equations_[number];
}

}  // namespace jax2onnx
