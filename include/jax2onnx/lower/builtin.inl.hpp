// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/batching/rules.inl.hpp>  // the lowerings of shard_map and pmap call its functions
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/complex/complex.hpp>
#include <jax2onnx/lower/complex/elementwise.hpp>
#include <jax2onnx/lower/complex/reduce.hpp>
#include <jax2onnx/lower/control/call.hpp>
#include <jax2onnx/lower/control/collective.hpp>
#include <jax2onnx/lower/control/cond.hpp>
#include <jax2onnx/lower/control/ref.hpp>
#include <jax2onnx/lower/control/scan.hpp>
#include <jax2onnx/lower/control/while.hpp>
#include <jax2onnx/lower/elementwise/arithmetic.hpp>
#include <jax2onnx/lower/elementwise/bitcast.hpp>
#include <jax2onnx/lower/elementwise/bitwise.hpp>
#include <jax2onnx/lower/elementwise/compare.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/elementwise/float_parts.hpp>
#include <jax2onnx/lower/elementwise/polynomial.hpp>
#include <jax2onnx/lower/elementwise/rounding.hpp>
#include <jax2onnx/lower/elementwise/transcendental.hpp>
#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/indexing/gather.hpp>
#include <jax2onnx/lower/indexing/scatter.hpp>
#include <jax2onnx/lower/indexing/search.hpp>
#include <jax2onnx/lower/indexing/sort.hpp>
#include <jax2onnx/lower/libraries/equinox.hpp>
#include <jax2onnx/lower/libraries/linear_solve.hpp>
#include <jax2onnx/lower/libraries/maybe_set.hpp>
#include <jax2onnx/lower/libraries/vprim.hpp>
#include <jax2onnx/lower/linalg/cholesky.hpp>
#include <jax2onnx/lower/linalg/eig.hpp>
#include <jax2onnx/lower/linalg/eigh.hpp>
#include <jax2onnx/lower/linalg/hessenberg.hpp>
#include <jax2onnx/lower/linalg/householder.hpp>
#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/schur.hpp>
#include <jax2onnx/lower/linalg/svd.hpp>
#include <jax2onnx/lower/linalg/symmetric_product.hpp>
#include <jax2onnx/lower/linalg/triangular_solve.hpp>
#include <jax2onnx/lower/linalg/tridiagonal.hpp>
#include <jax2onnx/lower/linalg/tridiagonal_solve.hpp>
#include <jax2onnx/lower/linear/conv.hpp>
#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/einsum.hpp>
#include <jax2onnx/lower/linear/fft.hpp>
#include <jax2onnx/lower/linear/ragged_dot.hpp>
#include <jax2onnx/lower/linear/reduce_window.hpp>
#include <jax2onnx/lower/linear/scaled_dot.hpp>
#include <jax2onnx/lower/linear/select_and_scatter.hpp>
#include <jax2onnx/lower/pallas/atomic.hpp>
#include <jax2onnx/lower/pallas/core_map.hpp>
#include <jax2onnx/lower/pallas/memory.hpp>
#include <jax2onnx/lower/pallas/pallas_call.hpp>
#include <jax2onnx/lower/pallas/vector.hpp>
#include <jax2onnx/lower/random/prng.hpp>
#include <jax2onnx/lower/random/random_gamma.hpp>
#include <jax2onnx/lower/random/rng_bit_generator.hpp>
#include <jax2onnx/lower/reduction/cumulative.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/reduction/reduce_computation.hpp>
#include <jax2onnx/lower/shape/shape.hpp>
#include <jax2onnx/lower/shape/symbolic.hpp>
#include <jax2onnx/lower/sparse/bcoo.hpp>
#include <jax2onnx/lower/sparse/matrix_formats.hpp>
#include <jax2onnx/lower/sparse/product.hpp>
#include <jax2onnx/lower/special/bessel.hpp>
#include <jax2onnx/lower/special/erf.hpp>
#include <jax2onnx/lower/special/gamma.hpp>
#include <jax2onnx/lower/special/incomplete_beta.hpp>
#include <jax2onnx/lower/special/incomplete_gamma.hpp>
#include <jax2onnx/lower/special/zeta.hpp>
#include <jax2onnx/support/edit_distance.hpp>

namespace jax2onnx {
namespace detail {

using table = std::span<const lowering>;
inline constexpr table elementwise_family[] = {
    lower::arithmetic_rows, lower::bitcast_rows,  lower::bitwise_rows,
    lower::compare_rows,    lower::convert_rows,  lower::float_parts_rows,
    lower::polynomial_rows, lower::rounding_rows, lower::transcendental_rows};
inline constexpr table shape_family[] = {lower::shape_rows, lower::symbolic_rows};
inline constexpr table indexing_family[] = {lower::dynamic_slice_rows, lower::gather_rows, lower::scatter_rows,
                                            lower::search_rows, lower::sort_rows};
inline constexpr table reduction_family[] = {lower::cumulative_rows, lower::reduce_rows,
                                             lower::reduce_computation_rows};
inline constexpr table linear_family[] = {
    lower::conv_rows,       lower::dot_rows,           lower::einsum_rows,     lower::fft_rows,
    lower::ragged_dot_rows, lower::reduce_window_rows, lower::scaled_dot_rows, lower::select_and_scatter_rows};
inline constexpr table control_family[] = {lower::call_rows, lower::collective_rows, lower::cond_rows,
                                           lower::ref_rows,  lower::scan_rows,       lower::while_rows};
inline constexpr table linalg_family[] = {lower::cholesky_rows,
                                          lower::eig_rows,
                                          lower::eigh_rows,
                                          lower::hessenberg_rows,
                                          lower::householder_rows,
                                          lower::lu_rows,
                                          lower::qr_rows,
                                          lower::schur_rows,
                                          lower::svd_rows,
                                          lower::symmetric_product_rows,
                                          lower::triangular_solve_rows,
                                          lower::tridiagonal_rows,
                                          lower::tridiagonal_solve_rows};
inline constexpr table pallas_family[] = {lower::atomic_rows, lower::core_map_rows, lower::memory_rows,
                                          lower::pallas_call_rows, lower::vector_rows};
inline constexpr table random_family[] = {lower::prng_rows, lower::random_gamma_rows, lower::rng_bit_generator_rows};
inline constexpr table complex_family[] = {lower::complex_rows};
inline constexpr table special_family[] = {
    lower::bessel_rows,           lower::erf_rows, lower::gamma_rows, lower::incomplete_beta_rows,
    lower::incomplete_gamma_rows, lower::zeta_rows};
inline constexpr table sparse_family[] = {lower::bcoo_rows, lower::matrix_formats_rows, lower::product_rows};
inline constexpr table libraries_family[] = {lower::equinox_rows, lower::linear_solve_rows, lower::maybe_set_rows,
                                             lower::vprim_rows};

inline constexpr family families[] = {
    {"elementwise", elementwise_family}, {"shape", shape_family},   {"indexing", indexing_family},
    {"reduction", reduction_family},     {"linear", linear_family}, {"control", control_family},
    {"linalg", linalg_family},           {"random", random_family}, {"complex", complex_family},
    {"special", special_family},         {"sparse", sparse_family}, {"libraries", libraries_family},
    {"pallas", pallas_family},
};

/// The rows of all families.
inline constexpr auto builtin_table = make_table(
    lower::arithmetic_rows, lower::bitcast_rows, lower::bitwise_rows, lower::compare_rows, lower::convert_rows,
    lower::float_parts_rows, lower::polynomial_rows, lower::rounding_rows, lower::transcendental_rows,
    lower::shape_rows, lower::symbolic_rows, lower::dynamic_slice_rows, lower::gather_rows, lower::scatter_rows,
    lower::search_rows, lower::sort_rows, lower::cumulative_rows, lower::reduce_rows, lower::reduce_computation_rows,
    lower::conv_rows, lower::dot_rows, lower::einsum_rows, lower::fft_rows, lower::ragged_dot_rows,
    lower::reduce_window_rows, lower::scaled_dot_rows, lower::select_and_scatter_rows, lower::call_rows,
    lower::collective_rows, lower::cond_rows, lower::ref_rows, lower::scan_rows, lower::while_rows,
    lower::cholesky_rows, lower::eig_rows, lower::eigh_rows, lower::hessenberg_rows, lower::householder_rows,
    lower::lu_rows, lower::qr_rows, lower::schur_rows, lower::svd_rows, lower::symmetric_product_rows,
    lower::triangular_solve_rows, lower::tridiagonal_rows, lower::tridiagonal_solve_rows, lower::atomic_rows,
    lower::core_map_rows, lower::memory_rows, lower::pallas_call_rows, lower::vector_rows, lower::prng_rows,
    lower::random_gamma_rows, lower::rng_bit_generator_rows, lower::complex_rows, lower::bessel_rows, lower::erf_rows,
    lower::gamma_rows, lower::incomplete_beta_rows, lower::incomplete_gamma_rows, lower::zeta_rows, lower::bcoo_rows,
    lower::matrix_formats_rows, lower::product_rows, lower::equinox_rows, lower::linear_solve_rows,
    lower::maybe_set_rows, lower::vprim_rows);

/// The lowerings of complex numbers, used if operand 0 or result 0 is complex. A lowering ignores the same parameters
/// as the lowering of the same primitive in builtin_table.
inline constexpr auto complex_table = make_table(lower::complex_elementwise_twins, lower::complex_reduce_twins);

}  // namespace detail

JAX2ONNX_INLINE std::span<const family> builtin_families() { return detail::families; }

JAX2ONNX_INLINE std::span<const lowering> builtin_lowerings() { return detail::builtin_table; }

JAX2ONNX_INLINE std::string detail::closest_primitive(std::string_view name) {
  std::vector<std::string> names;
  for (const lowering& row : detail::builtin_table) names.emplace_back(row.primitive);
  return detail::closest(name, names);
}

JAX2ONNX_INLINE std::span<const lowering> complex_lowerings() { return detail::complex_table; }

}  // namespace jax2onnx
