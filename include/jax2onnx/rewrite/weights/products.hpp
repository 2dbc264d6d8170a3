// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

namespace jax2onnx::rewrite {

/// The MatMul or Gemm `product` with another matrix as second operand. If the matrix is a DequantizeLinear, ONNX
/// Runtime has a kernel for the result: the kernel of Gemm adds only a constant vector. An Add adds any other bias of
/// an unscaled Gemm.
inline value product_by(const value& product, const value& matrix) {
  graph& g = product.owner();
  const auto gemm = gemm_of(product);
  if (!gemm) return with_inputs(product, {input_of(product, 0), matrix}, product.type());
  const bool adds_vector = gemm->c && gemm->c.is_constant() && gemm->c.rank() == 1 && !gemm->transposes_a;
  if (!gemm->is_unscaled() || adds_vector) {
    std::vector<attribute> attributes = producer(product)->attributes;
    std::erase_if(attributes, [](const attribute& a) { return a.name == "transB"; });
    std::vector<value> inputs = inputs_of(product);
    inputs[1] = matrix;
    return g.emit("Gemm", inputs, product.type(), std::move(attributes));
  }
  const value rows = gemm->transposes_a ? transpose(gemm->a, {1, 0}) : gemm->a;
  if (!gemm->c) return g.emit("MatMul", {rows, matrix}, product.type());
  // ONNX Runtime would fuse a MatMul and the Add to the original Gemm again.
  const ints zeros(static_cast<std::size_t>(matrix.extent(1).extent()), 0);
  const value zero = array(g, product.dtype(), {std::ssize(zeros)}, std::span<const std::int64_t>(zeros));
  return add(g.emit("Gemm", {rows, matrix, zero}, product.type()), gemm->c);
}

}  // namespace jax2onnx::rewrite
