// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Running sums and products along an axis.
namespace jax2onnx::detail {

/// The type in which CumSum and CumProd compute: int32 for integers of fewer bits, which the operators do not accept,
/// and otherwise t. The results of n-bit integers are the same modulo 2^n.
inline dtype at_least_32_bits(dtype t) { return is_integer(t) && bits(t) < 32 ? dtype::i32 : t; }

/// ONNX's CumSum or CumProd (`op`).
inline value cumulative(operator_name op, const value& x, std::int64_t axis, bool reverse) {
  std::vector<attribute> attributes;
  if (reverse) attributes.push_back({"reverse", std::int64_t{1}});
  return x.owner().emit(op, {x, scalar(x.owner(), dtype::i64, axis)}, x.type(), std::move(attributes));
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// Running sums along `axis` (CumSum), from the end if `reverse` is set. Integers wrap.
inline value cumsum(const value& x, std::int64_t axis, bool reverse = false) {
  if (is_empty(x.dims())) return x;
  return cast(detail::cumulative("CumSum", cast(x, detail::at_least_32_bits(x.dtype())), axis, reverse), x.dtype());
}

/// Running products, by CumProd from opset 26 on and by a Scan before.
inline value cumprod(const value& x, std::int64_t axis, bool reverse = false) {
  if (is_empty(x.dims())) return x;
  graph& g = x.owner();
  if (detail::has(g, detail::feature::cumulative_product))
    return cast(detail::cumulative("CumProd", cast(x, detail::at_least_32_bits(x.dtype())), axis, reverse), x.dtype());
  if (x.extent(axis).is(1)) return x;
  shape rest = x.dims();
  rest.drop(axis);
  const auto body = [](const std::vector<value>& carried, const std::vector<value>& elements) {
    const value product = mul(carried[0], elements[0]);
    return loop_step{{}, {product}, {product}};
  };
  return scan(g, {filled(g, x.dtype(), rest, 1)}, {x}, body,
              {.carried_names = {"acc"}, .axis = axis, .reverse = reverse})
      .collected[0];
}

}  // namespace jax2onnx::ops
