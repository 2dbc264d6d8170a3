// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>

/// The reductions of complex numbers that do not act on each part alone: reduce_max, reduce_min and reduce_prod.
namespace jax2onnx::lower {

/// The extreme real part, and the extreme imaginary part among the numbers that have this real part. Without any
/// number, the identity element with the imaginary part 0.
template <reducer Kind>
jax_values complex_extreme(const site& s) {
  const jax_value& z = s.in_parts(0);
  const ints axes = s.param<ints>("axes");
  if (axes.empty()) return {z};
  const value start = identity_element(s.g, Kind, s.out_dtype());
  if (reduces_nothing(z.re(), axes))
    return {jax_value(broadcast_to(start, s.out_dims()), filled(s.g, s.out_dtype(), s.out_dims(), 0))};
  const operator_name op = names_of(Kind).reduction;
  const value re = reduce(op, z.re(), axes, true);
  const value im = reduce(op, where(equal(z.re(), re), z.im(), start), axes);
  return {jax_value(squeeze(re, axes), im)};
}

/// Computes the product along one axis after another.
inline jax_values complex_product(const site& s) {
  jax_value z = s.in_parts(0);
  ints axes = s.param<ints>("axes");
  const jax_value one(scalar(s.g, s.out_dtype(), 1), scalar(s.g, s.out_dtype(), 0));
  if (reduces_nothing(z.re(), axes)) return {broadcast_parts(one, s.out_dims())};
  std::ranges::sort(axes, std::greater());
  for (std::int64_t axis : axes) {
    shape rest = z.re().dims();
    rest.drop(axis);
    const jax_value first = broadcast_parts(one, rest);
    z = scan_axis(s.g, {first}, {z}, axis, false, false, [](const jax_values& product, const jax_values& element) {
          return jax_values{cx::mul(product[0], element[0])};
        }).last[0];
  }
  return {z};
}

inline constexpr lowering complex_reduce_twins[] = {
    {"reduce_max", complex_extreme<reducer::maximum>, "ReduceMax, Equal, Where", parts_rule::own},
    {"reduce_min", complex_extreme<reducer::minimum>, "ReduceMin, Equal, Where", parts_rule::own},
    {"reduce_prod", complex_product, "Scan", parts_rule::own},
};

}  // namespace jax2onnx::lower
