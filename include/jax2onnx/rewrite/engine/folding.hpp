// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/operators/views/reduction.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/permuted_source.hpp>

/// Constants that are computed from constants.
namespace jax2onnx::rewrite {

/// The number of elements of a tensor of a decodable type and at most `folding_limit` bytes; nullopt for any other
/// tensor.
inline std::optional<std::size_t> small_count(const tensor_type& t) {
  if (!is_decodable(t.type)) return std::nullopt;
  std::uint64_t n = 1;
  for (dim d : t.dims) {
    if (!d.is_constant() || d.extent() < 0 || d.extent() > static_cast<std::int64_t>(folding_limit))
      return std::nullopt;
    n *= static_cast<std::uint64_t>(d.extent());
    if (n > folding_limit) return std::nullopt;
  }
  return byte_size(t.type, n) <= folding_limit ? std::optional<std::size_t>(n) : std::nullopt;
}

/// The result of elements_of() for constants of at most `folding_limit` bytes; nullopt for any other value.
inline std::optional<elements> read_elements(const value& v) { return elements_of(v, folding_limit); }

/// The constant with these elements.
inline value constant_of_elements(graph& g, const tensor_type& type, const std::vector<std::uint64_t>& bits) {
  return g.constant(type, bytes(pattern_bytes(type.type, bits)));
}

/// The bytes of a constant with its axes permuted.
inline std::shared_ptr<const byte_source> permuted(const value& x, const ints& perm, std::uint64_t width) {
  std::vector<std::uint64_t> strides(x.dims().size(), 1), extents, permuted_strides;
  for (std::size_t a = strides.size(); a-- > 1;)
    strides[a - 1] = strides[a] * static_cast<std::uint64_t>(x.dims()[a].extent());
  for (const std::int64_t axis : perm) {
    extents.push_back(static_cast<std::uint64_t>(x.dims()[static_cast<std::size_t>(axis)].extent()));
    permuted_strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  return std::make_shared<const jax2onnx::detail::permuted_source>(x.data(), extents, permuted_strides, width);
}

/// The index of the element of a reduction's result to which element `i` of the operand contributes. The operand has
/// the shape `from`, and `axes` are sorted.
inline std::size_t reduced_index(std::size_t i, const shape& from, const ints& axes) {
  std::size_t index = 0, stride = 1;
  for (std::size_t axis = from.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(from[axis].extent());
    if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(axis))) {
      index += i % extent * stride;
      stride *= extent;
    }
    i /= extent;
  }
  return index;
}

/// The sums of a small constant's elements along axes, as a constant of type `type`; absent for a bool constant, and
/// for any other value. Floats are added in double.
inline value sum_of_elements(const value& x, const ints& axes, const tensor_type& type) {
  const auto in = read_elements(x);
  const auto count = small_count(type);
  if (!in || !count || is_boolean(in->type)) return {};
  std::vector<double> numbers(*count);
  std::vector<std::uint64_t> sums(*count);
  for (std::size_t i = 0; i < in->bits.size(); ++i) {
    const std::size_t to = reduced_index(i, x.dims(), axes);
    if (is_floating(in->type)) numbers[to] += (*in)[i].number();
    else sums[to] += static_cast<std::uint64_t>((*in)[i].integer());
  }
  for (std::size_t i = 0; i < *count; ++i)
    sums[i] = is_floating(in->type) ? of_elements::encode(type.type, numbers[i])
                                    : of_elements::encode(type.type, static_cast<std::int64_t>(sums[i]));
  return constant_of_elements(x.owner(), type, sums);
}

/// n times the number that all elements of the constant x have. Absent if the elements differ, or if they are bools.
/// Also absent for a floating-point number, unless it is a whole number of type f32 or f64 and the magnitude of the
/// product is at most 2^24, so that the sum is exact.
inline value sum_of_equal(const value& x, std::int64_t n) {
  graph& g = x.owner();
  if (const auto k = uniform_integer(x); k && !is_boolean(x.dtype()))
    return scalar(g, x.dtype(),
                  static_cast<std::int64_t>(static_cast<std::uint64_t>(*k) * static_cast<std::uint64_t>(n)));
  const auto k = uniform_number(x);
  const double sum = k ? *k * static_cast<double>(n) : 0;
  const bool exact = is_computed_in_double(x.dtype()) && k && std::trunc(*k) == *k && std::abs(sum) <= 0x1p24;
  return exact ? scalar(g, x.dtype(), sum) : value();
}

/// A constant with its axes permuted; a large one is permuted when its bytes are written.
inline value permuted_constant(const value& x, const ints& perm, const tensor_type& type) {
  graph& g = x.owner();
  const auto source = permuted(x, perm, static_cast<std::uint64_t>(bits(x.dtype())) / 8);
  if (source->size() > folding_limit) return computed_constant(g, type, source, g.at(x.id()).name);
  return g.constant(type, bytes(in_memory(*source)), g.at(x.id()).name);
}

}  // namespace jax2onnx::rewrite
