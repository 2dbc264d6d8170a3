// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/operators/views/producer.hpp>

/// ScatterND.
namespace jax2onnx::operators {

/// True if `v` is ScatterND(x, indices, updates) that sets rows of x: each index is a position along the first axis,
/// and the updates replace the rows.
inline bool sets_rows(const value& v) {
  if (!producer(v, "ScatterND") || text_of(v, "reduction") != "none") return false;
  const value indices = input_of(v, 1);
  return indices.rank() == 2 && indices.extent(1).is(1);
}

}  // namespace jax2onnx::operators
