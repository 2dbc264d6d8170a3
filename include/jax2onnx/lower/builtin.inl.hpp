#pragma once

#include <span>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/complex/complex.hpp>
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
#include <jax2onnx/lower/elementwise/rounding.hpp>
#include <jax2onnx/lower/elementwise/transcendental.hpp>
#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/indexing/gather.hpp>
#include <jax2onnx/lower/indexing/scatter.hpp>
#include <jax2onnx/lower/indexing/sort.hpp>
#include <jax2onnx/lower/libraries/libraries.hpp>
#include <jax2onnx/lower/libraries/lineax.hpp>
#include <jax2onnx/lower/linalg/eig.hpp>
#include <jax2onnx/lower/linalg/eigh.hpp>
#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/schur.hpp>
#include <jax2onnx/lower/linalg/svd.hpp>
#include <jax2onnx/lower/linalg/triangular.hpp>
#include <jax2onnx/lower/linalg/tridiagonal.hpp>
#include <jax2onnx/lower/linear/conv.hpp>
#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/fft.hpp>
#include <jax2onnx/lower/linear/ragged_dot.hpp>
#include <jax2onnx/lower/linear/reduce_window.hpp>
#include <jax2onnx/lower/linear/select_and_scatter.hpp>
#include <jax2onnx/lower/random/gamma.hpp>
#include <jax2onnx/lower/random/generator.hpp>
#include <jax2onnx/lower/random/random.hpp>
#include <jax2onnx/lower/reduction/cumulative.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/reduction/reduce_computation.hpp>
#include <jax2onnx/lower/shape/shape.hpp>
#include <jax2onnx/lower/shape/symbolic.hpp>
#include <jax2onnx/lower/special/bessel.hpp>
#include <jax2onnx/lower/special/erf.hpp>
#include <jax2onnx/lower/special/gamma.hpp>
#include <jax2onnx/lower/special/incomplete.hpp>

namespace jax2onnx {
namespace detail {

/// All primitives that have a lowering.
inline constexpr auto builtin_table = make_table(lower::arithmetic_rows,          //
                                                 lower::bessel_rows,              //
                                                 lower::bitcast_rows,             //
                                                 lower::bitwise_rows,             //
                                                 lower::call_rows,                //
                                                 lower::collective_rows,          //
                                                 lower::compare_rows,             //
                                                 lower::complex_rows,             //
                                                 lower::cond_rows,                //
                                                 lower::conv_rows,                //
                                                 lower::cumulative_rows,          //
                                                 lower::dot_rows,                 //
                                                 lower::dynamic_slice_rows,       //
                                                 lower::eig_rows,                 //
                                                 lower::eigh_rows,                //
                                                 lower::convert_rows,             //
                                                 lower::fft_rows,                 //
                                                 lower::gamma_rows,               //
                                                 lower::gather_rows,              //
                                                 lower::generator_rows,           //
                                                 lower::incomplete_rows,          //
                                                 lower::library_rows,             //
                                                 lower::scan_rows,                //
                                                 lower::while_rows,               //
                                                 lower::lineax_rows,              //
                                                 lower::lu_rows,                  //
                                                 lower::qr_rows,                  //
                                                 lower::ragged_dot_rows,          //
                                                 lower::random_gamma_rows,        //
                                                 lower::random_rows,              //
                                                 lower::reduce_computation_rows,  //
                                                 lower::reduce_rows,              //
                                                 lower::ref_rows,                 //
                                                 lower::rounding_rows,            //
                                                 lower::scatter_rows,             //
                                                 lower::schur_rows,               //
                                                 lower::select_and_scatter_rows,  //
                                                 lower::shape_rows,               //
                                                 lower::sort_rows,                //
                                                 lower::special_rows,             //
                                                 lower::svd_rows,                 //
                                                 lower::symbolic_rows,            //
                                                 lower::transcendental_rows,      //
                                                 lower::triangular_rows,          //
                                                 lower::tridiagonal_rows,         //
                                                 lower::reduce_window_rows);

/// Their twins for complex numbers, which win where operand or result 0 is complex. They ignore what the rows ignore.
inline constexpr auto complex_table = make_table(lower::complex_reduce_twins, lower::complex_twins);

}  // namespace detail

JAX2ONNX_INLINE std::span<const lowering> builtin_lowerings() { return detail::builtin_table; }

}  // namespace jax2onnx
