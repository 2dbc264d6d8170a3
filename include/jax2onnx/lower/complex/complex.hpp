// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/table.hpp>

/// The primitives that construct complex numbers and extract their parts: complex, conj, real, imag.
namespace jax2onnx::lower {

inline jax_values real_part(const site& s) { return {s.in_parts(0).re()}; }
inline jax_values imaginary_part(const site& s) { return {s.in_parts(0).im()}; }

/// The conjugate. For a real array, it is a complex array with imaginary part zero.
inline jax_values conj(const site& s) {
  const jax_value& z = s.in_parts(0);
  return {cx::is_real(z) ? cx::as_complex(z) : cx::conj(z)};
}
inline jax_values complex_from_parts(const site& s) {
  return {jax_value(broadcast_to(s.in(0), s.out_dims()), broadcast_to(s.in(1), s.out_dims()))};
}

inline constexpr lowering complex_rows[] = {
    {"complex", complex_from_parts, "", signature{2, 1, complex_types<kinds::floating>}, parts_rule::own},
    {"conj", conj, "Neg", signature{1, 1, complex_types<kinds::inexact>}, parts_rule::own, ignores{"input_dtype"}},
    {"imag", imaginary_part, "", signature{1, 1, real_part_types<kinds::complex>}, parts_rule::own},
    {"real", real_part, "", signature{1, 1, real_part_types<kinds::complex>}, parts_rule::own},
};

}  // namespace jax2onnx::lower
