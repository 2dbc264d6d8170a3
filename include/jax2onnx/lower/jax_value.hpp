// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// The maximum number of tensors that represent one JAX value.
inline constexpr std::size_t max_parts = 4;

/// A JAX value in the graph: one tensor, or one for each part of a composite element type. A mutable reference has no
/// tensors: it refers to a cell of the driver, which holds the current value. Valid as long as the graph.
struct jax_value {
  std::array<value, max_parts> parts;  ///< the first `count` are set
  std::uint8_t count = 0;              ///< 0 for an unwanted value and for a reference
  std::int32_t cell = -1;              ///< the cell of a reference, else -1

  jax_value() = default;
  /// A plain value.
  jax_value(const value& v) : parts{v}, count(1) {}
  /// A complex value, or a threefry key of two words.
  jax_value(const value& re, const value& im) : parts{re, im}, count(2) {}
  /// Part p. Throws build_error if there is none.
  const value& part(std::size_t p) const {
    if (p >= count) throw build_error(is_ref() ? "a mutable reference is used as a value" : "a value is absent");
    return parts[p];
  }
  /// The first part: the real part of a complex value, or the only tensor of a plain value. Throws build_error if there
  /// is none.
  const value& re() const { return part(0); }
  /// The imaginary part. Throws build_error if there is none.
  const value& im() const { return part(1); }
  /// Returns whether the value is a mutable reference.
  bool is_ref() const { return cell >= 0; }
};

/// The values of an equation's operands or results, in order.
using jax_values = std::vector<jax_value>;

/// A value with `count` parts, whose part p is make(p). The parts are made in order.
template <class Make>
jax_value from_parts(std::size_t count, Make&& make) {
  jax_value o;
  for (; o.count < count; ++o.count) o.parts[o.count] = make(std::size_t{o.count});
  return o;
}

/// `o` with `change` applied to each of its parts, in order.
template <class Change>
jax_value each_part(jax_value o, Change&& change) {
  for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = change(o.parts[p]);
  return o;
}

/// The value with parts change(part of a, part of b), in order. Throws build_error if b lacks a part that a has.
template <class Change>
jax_value each_part(jax_value a, const jax_value& b, Change&& change) {
  for (std::size_t p = 0; p < a.count; ++p) a.parts[p] = change(a.parts[p], b.part(p));
  return a;
}

}  // namespace jax2onnx
