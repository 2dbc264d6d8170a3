// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/tensor.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

JAX2ONNX_INLINE std::string declared_text(dtype element, std::span<const extent> extents) {
  problem_text out;
  out.add_type(name(element), extents);
  return std::string(out.view());
}

JAX2ONNX_INLINE void require_type(const value& v, dtype element, std::span<const extent> extents, bool strict) {
  v.require_graph();
  const tensor_type& type = v.type();
  bool fits = v.dtype() == element && type.kind == value_kind::tensor;
  const bool unknown = !type.ranked;
  if (!unknown) {
    fits = fits && type.dims.size() == extents.size();
    for (std::size_t i = 0; fits && i < extents.size(); ++i) {
      const dim actual = type.dims[i], declared = extents[i];
      fits = strict ? extent_fits(actual, declared) : !definitely_differ(actual, declared);
    }
  }
  if (!fits) throw build_error(message("tensor: {} is declared as {}", text(v), declared_text(element, extents)));
}

JAX2ONNX_INLINE value input_of(graph& g, dtype type, std::span<const extent> extents, std::string_view name) {
  return g.input({type, in_table(g.dims(), extents)}, std::string(name));
}

}  // namespace jax2onnx::detail
