// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/ops/ops.hpp>

namespace jax2onnx::lower {

/// The content of memory before it is written: NaN, the least integer or False, as in JAX's interpreter of kernels; 0
/// for keys and semaphores.
inline jax_value unwritten(graph& g, const aval& t) {
  const dtype part = t.elem.part;
  return from_parts(t.elem.parts, [&](std::size_t) {
    if (is_floating(part)) return filled(g, part, t.dims, std::numeric_limits<double>::quiet_NaN());
    if (!is_integer(part) || is_unsigned_integer(part) || t.elem.name != traits(part).name)
      return filled(g, part, t.dims, 0);
    return filled(g, part, t.dims, std::numeric_limits<std::int64_t>::min() >> (64 - bits(part)));
  });
}

}  // namespace jax2onnx::lower
