// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <jax2onnx/graph/tensor_type.hpp>
#include <jax2onnx/read/type_reader.hpp>

namespace jax2onnx::detail {

/// Merges two statements about one extent; nullopt if they contradict each other. Of two symbols, the first one is
/// returned.
inline std::optional<dim> merged(dim a, dim b) {
  if (definitely_differ(a, b)) return std::nullopt;
  return a.is_dyn() || b.is_constant() ? b : a;
}

/// Merges two statements about the type of one value: `inferred`, completed by `stated`. nullopt if they contradict
/// each other.
inline std::optional<tensor_type> merged(tensor_type inferred, const tensor_type& stated) {
  if (is_unknown(stated)) return inferred;
  if (is_unknown(inferred)) return stated;
  if (inferred.kind != stated.kind) return std::nullopt;
  if (inferred.type == dtype::undefined) inferred.type = stated.type;
  if (stated.type != dtype::undefined && stated.type != inferred.type) return std::nullopt;
  if (!stated.ranked) return inferred;
  if (!inferred.ranked) {
    inferred.ranked = true;
    inferred.dims = stated.dims;
    return inferred;
  }
  if (inferred.dims.size() != stated.dims.size()) return std::nullopt;
  for (std::size_t i = 0; i < stated.dims.size(); ++i) {
    const std::optional<dim> both = merged(inferred.dims[i], stated.dims[i]);
    if (!both) return std::nullopt;
    inferred.dims[i] = *both;
  }
  return inferred;
}

}  // namespace jax2onnx::detail
