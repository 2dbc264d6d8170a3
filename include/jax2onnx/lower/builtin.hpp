#pragma once

#include <jax2onnx/lower/arithmetic.hpp>
#include <jax2onnx/lower/bitcast.hpp>
#include <jax2onnx/lower/bitwise.hpp>
#include <jax2onnx/lower/calls.hpp>
#include <jax2onnx/lower/collective.hpp>
#include <jax2onnx/lower/compare.hpp>
#include <jax2onnx/lower/complex.hpp>
#include <jax2onnx/lower/complex_reduce.hpp>
#include <jax2onnx/lower/control.hpp>
#include <jax2onnx/lower/control_scan.hpp>
#include <jax2onnx/lower/conv.hpp>
#include <jax2onnx/lower/cumulative.hpp>
#include <jax2onnx/lower/dot.hpp>
#include <jax2onnx/lower/dynamic_slice.hpp>
#include <jax2onnx/lower/elementwise.hpp>
#include <jax2onnx/lower/fft.hpp>
#include <jax2onnx/lower/gather.hpp>
#include <jax2onnx/lower/libraries.hpp>
#include <jax2onnx/lower/linalg_eig.hpp>
#include <jax2onnx/lower/linalg_eigh.hpp>
#include <jax2onnx/lower/linalg_lineax.hpp>
#include <jax2onnx/lower/linalg_lu.hpp>
#include <jax2onnx/lower/linalg_qr.hpp>
#include <jax2onnx/lower/linalg_schur.hpp>
#include <jax2onnx/lower/linalg_svd.hpp>
#include <jax2onnx/lower/linalg_triangular.hpp>
#include <jax2onnx/lower/linalg_tridiagonal.hpp>
#include <jax2onnx/lower/ragged_dot.hpp>
#include <jax2onnx/lower/random.hpp>
#include <jax2onnx/lower/random_gamma.hpp>
#include <jax2onnx/lower/random_generator.hpp>
#include <jax2onnx/lower/reduce.hpp>
#include <jax2onnx/lower/reduce_computation.hpp>
#include <jax2onnx/lower/refs.hpp>
#include <jax2onnx/lower/rounding.hpp>
#include <jax2onnx/lower/scatter.hpp>
#include <jax2onnx/lower/select_window.hpp>
#include <jax2onnx/lower/shape.hpp>
#include <jax2onnx/lower/sort.hpp>
#include <jax2onnx/lower/special.hpp>
#include <jax2onnx/lower/special_bessel.hpp>
#include <jax2onnx/lower/special_gamma.hpp>
#include <jax2onnx/lower/special_incomplete.hpp>
#include <jax2onnx/lower/symbolic.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/lower/transcendental.hpp>
#include <jax2onnx/lower/window.hpp>

namespace jax2onnx {

/// All primitives that have a lowering.
inline constexpr auto builtin_table = make_table(lower::arithmetic_rows,          //
                                                 lower::bessel_rows,              //
                                                 lower::bitcast_rows,             //
                                                 lower::bitwise_rows,             //
                                                 lower::call_rows,                //
                                                 lower::collective_rows,          //
                                                 lower::compare_rows,             //
                                                 lower::complex_rows,             //
                                                 lower::control_rows,             //
                                                 lower::conv_rows,                //
                                                 lower::cumulative_rows,          //
                                                 lower::dot_rows,                 //
                                                 lower::dynamic_slice_rows,       //
                                                 lower::eig_rows,                 //
                                                 lower::eigh_rows,                //
                                                 lower::elementwise_rows,         //
                                                 lower::fft_rows,                 //
                                                 lower::gamma_rows,               //
                                                 lower::gather_rows,              //
                                                 lower::generator_rows,           //
                                                 lower::incomplete_rows,          //
                                                 lower::library_rows,             //
                                                 lower::loop_rows,                //
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
                                                 lower::select_window_rows,       //
                                                 lower::shape_rows,               //
                                                 lower::sort_rows,                //
                                                 lower::special_rows,             //
                                                 lower::svd_rows,                 //
                                                 lower::symbolic_rows,            //
                                                 lower::transcendental_rows,      //
                                                 lower::triangular_rows,          //
                                                 lower::tridiagonal_rows,         //
                                                 lower::window_rows);

/// Their twins for complex numbers, which win where operand or result 0 is complex.
inline constexpr auto complex_table = make_table(lower::complex_reduce_twins, lower::complex_twins);

}  // namespace jax2onnx
