// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/ops/ops.hpp>

/// At the model's interface, a composite value is one tensor whose trailing axis has the parts. Inside the model, each
/// part is a separate tensor.
namespace jax2onnx::lower {

/// Returns whether the packed tensor of a value of type `t` has an axis of parts. A key of one word also has the axis.
inline bool has_axis_of_parts(const aval& t) { return t.elem.parts > 1 || t.is_key(); }

/// The type of the packed tensor: f32[3,2] for c64[3], uint32[...,2] for a threefry key.
inline tensor_type packed_type(const aval& t) {
  tensor_type packed = t.part();
  if (has_axis_of_parts(t)) packed.dims.push_back(t.elem.parts);
  return packed;
}

/// The parts of a packed tensor as a value of type `t`.
inline jax_value unpack(const value& packed, const aval& t) {
  if (!has_axis_of_parts(t)) return packed;
  jax_value o;
  o.count = t.elem.parts;
  for (std::uint8_t p = 0; p < o.count; ++p) o.parts[p] = pick(packed, p, packed.rank() - 1);
  return o;
}

/// The tensor from which `o` was unpacked, if the parts of `o` are all parts of that tensor in order; otherwise absent.
inline value unpacked_from(const jax_value& o) {
  value whole;
  for (std::size_t p = 0; p < o.count; ++p) {
    graph& g = o.parts[p].owner();
    if (!operators::producer(o.parts[p], "Gather")) return {};
    const value source = operators::input_of(o.parts[p], 0), index = operators::input_of(o.parts[p], 1);
    const bool same = same_value(index, scalar(g, dtype::i64, p)) && (p == 0 || same_value(source, whole));
    if (!same || source.rank() != o.parts[p].rank() + 1 || !source.dims().back().is(o.count)) return {};
    if (operators::axis_of(o.parts[p]) != source.rank() - 1) return {};
    whole = source;
  }
  return whole;
}

/// Packs the parts of `o` into one tensor. `type` is required if `o` may hold keys of one word.
inline value pack(const jax_value& o, const aval& type = {}) {
  if (o.count == 1) return type.is_key() ? unsqueeze(o.re(), {o.re().rank()}) : o.re();
  if (const value whole = unpacked_from(o)) return whole;
  std::vector<value> parts;
  const std::int64_t axis = o.re().rank();
  for (std::size_t p = 0; p < o.count; ++p) parts.push_back(unsqueeze(o.parts[p], {axis}));
  return concat(parts, axis);
}

}  // namespace jax2onnx::lower
