// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/ops/call/operand.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE operand::operand() = default;
JAX2ONNX_INLINE operand::operand(const value& v) {
  if (v) content_ = v;
}
JAX2ONNX_INLINE operand::operand(bool truth) : content_(truth) {}
JAX2ONNX_INLINE operand::operand(std::int64_t number) : content_(number) {}
JAX2ONNX_INLINE operand::operand(double number) : content_(number) {}
JAX2ONNX_INLINE operand::operand(std::initializer_list<std::int64_t> numbers) : content_(ints(numbers)) {}
JAX2ONNX_INLINE operand::operand(ints numbers) : content_(std::move(numbers)) {}

JAX2ONNX_INLINE operand::operand(const operand&) = default;
JAX2ONNX_INLINE operand::operand(operand&&) noexcept = default;
JAX2ONNX_INLINE operand& operand::operator=(const operand&) = default;
JAX2ONNX_INLINE operand& operand::operator=(operand&&) noexcept = default;
JAX2ONNX_INLINE operand::~operand() = default;

JAX2ONNX_INLINE value operand::as_value() const {
  const value* v = std::get_if<value>(&content_);
  return v ? *v : value();
}

}  // namespace jax2onnx
