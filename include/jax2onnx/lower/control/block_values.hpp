// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>

/// Functions that convert JAX values at the boundary of a block, where each of their parts is a separate tensor.
namespace jax2onnx::lower {

/// The tensors of the values, one after another.
inline std::vector<value> tensors_of(std::span<const jax_value> values) {
  std::vector<value> out;
  for (const jax_value& o : values) out.insert(out.end(), o.parts.begin(), o.parts.begin() + o.count);
  return out;
}

/// The types of the tensors that represent values of these JAX types.
inline std::vector<tensor_type> tensor_types_of(std::span<const aval> types) {
  std::vector<tensor_type> out;
  for (const aval& t : types) out.insert(out.end(), t.elem.parts, t.part());
  return out;
}

/// The inverse of tensors_of: assembles values that have as many parts as the values of `like`.
inline jax_values values_like(std::span<const jax_value> like, std::span<const value> tensors) {
  jax_values out(like.begin(), like.end());
  std::size_t next = 0;
  for (jax_value& o : out) o = each_part(o, [&](const value&) { return tensors[next++]; });
  return out;
}

/// Assembles JAX values from a list of tensors, in order.
class tensor_reader {
 public:
  /// The tensors have to outlive the reader.
  explicit tensor_reader(std::span<const value> tensors) : rest_(tensors) {}
  jax_values take(std::span<const aval> types) {
    jax_values out;
    for (const aval& t : types) {
      out.push_back(from_parts(t.elem.parts, [&](std::size_t p) { return rest_[p]; }));
      rest_ = rest_.subspan(t.elem.parts);
    }
    return out;
  }

 private:
  std::span<const value> rest_;
};

template <class Item>
void append(std::vector<Item>& to, const std::vector<Item>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace jax2onnx::lower
