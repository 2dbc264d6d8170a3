#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// How many tensors stand for one JAX value at most.
inline constexpr std::size_t max_parts = 4;

/// What stands for a JAX value in the graph: one tensor, or the parts of a composite element type. A mutable reference
/// has no tensors: it names a cell of the driver, which holds the value of the moment.
struct jax_value {
  std::array<value, max_parts> parts;
  std::uint8_t count = 0;
  std::int32_t cell = -1;

  jax_value() = default;
  jax_value(const value& v) : parts{v}, count(1) {}
  jax_value(const value& re, const value& im) : parts{re, im}, count(2) {}
  const value& re() const { return parts[0]; }
  const value& im() const { return parts[1]; }
  bool is_ref() const { return cell >= 0; }
};

/// The values of an equation's results, in order.
using jax_values = std::vector<jax_value>;

/// The operand of `count` parts whose part p is make(p), made in order.
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

/// The value of parts change(part of a, part of b), in order; a and b have the same number of parts.
template <class Change>
jax_value each_part(jax_value a, const jax_value& b, Change&& change) {
  for (std::size_t p = 0; p < a.count; ++p) a.parts[p] = change(a.parts[p], b.parts[p]);
  return a;
}

}  // namespace jax2onnx
