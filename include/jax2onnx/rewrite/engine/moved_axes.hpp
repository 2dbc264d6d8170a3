#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>

/// Transposes that may have become reshapes.
namespace jax2onnx::rewrite {

/// The value x of which `v` is Transpose(x, order), up to a Reshape: axes of extent 1 may have moved with no Transpose.
/// Absent where x would take a Transpose, or extents that are computed at run time.
inline value moved_from(const value& v, const ints& order) {
  if (static_cast<std::size_t>(v.rank()) != order.size()) return {};
  const bool reshaped = is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims());
  const value inner = reshaped ? input_of(v, 0) : v;
  ints perm = iota_axes(inner.rank());
  value source = inner;
  match(inner, m_transpose(perm, m_value(source)));
  constexpr std::int64_t none = -1;
  shape dims(order.size());
  ints origins(order.size(), none);  // the axis of `source` of every axis of x
  std::size_t next = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto to = static_cast<std::size_t>(order[i]);
    dims[to] = v.dims()[i];
    if (dims[to].is(1)) continue;
    while (inner.dims()[next].is(1)) ++next;
    origins[to] = perm[next++];
  }
  std::erase(origins, none);
  return std::is_sorted(origins.begin(), origins.end()) && is_static_reshape(source, dims) ? reshape(source, dims)
                                                                                           : value();
}

}  // namespace jax2onnx::rewrite
