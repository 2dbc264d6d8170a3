// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// alpha a b + beta c; a and b may be transposed.
struct gemm_view {
  value a, b, c;  ///< c may be absent
  bool transposes_a, transposes_b;
  float alpha, beta;
  /// True if alpha and beta are 1.
  bool is_unscaled() const { return alpha == 1 && beta == 1; }
  /// True if the Gemm is a b + c.
  bool is_plain_sum() const { return c && !transposes_a && !transposes_b && is_unscaled(); }
};
/// The Gemm that makes `v`; nullopt for any other value.
inline std::optional<gemm_view> gemm_of(const value& v) {
  if (!producer(v, "Gemm")) return std::nullopt;
  return gemm_view{input_of(v, 0),       input_of(v, 1),      input_of(v, 2),    flag_of(v, "transA"),
                   flag_of(v, "transB"), real_of(v, "alpha"), real_of(v, "beta")};
}

}  // namespace jax2onnx::operators
