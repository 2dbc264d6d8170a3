// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/checked_math.hpp>

/// Verbs on small constants, computed while building.
namespace jax2onnx::detail {

/// Returns whether x is a small constant stored inline, of a type of whole bytes.
inline bool is_foldable(const value& x) {
  return x.is_constant() && x.data().in_place() && x.data().size() <= folding_limit && bits(x.dtype()) >= 8;
}

/// The distance in elements between neighbours along every axis, in row-major order. The extents must be constant.
inline ints row_major_steps(const shape& dims) {
  ints steps(dims.size());
  std::int64_t step = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    steps[i] = step;
    step = checked_mul(step, dims[i].extent());
  }
  return steps;
}

/// The steps for reading an array of extents `from` as if it were broadcast to `to`.
inline ints broadcast_steps(const shape& from, const shape& to) {
  const ints own = row_major_steps(from);
  ints steps(to.size());
  const std::size_t shift = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) steps[i + shift] = from[i].is(1) ? 0 : own[i];
  return steps;
}

/// The constant of extents `dims` whose element (i, j, …) is element offset + i * steps[0] + j * steps[1] + … of x.
inline value strided_constant(const value& x, const shape& dims, std::int64_t offset, const ints& steps) {
  const auto width = static_cast<std::size_t>(bits(x.dtype()) / 8);
  const auto* source = reinterpret_cast<const char*>(x.data().view().data());
  std::string data;
  ints index(dims.size());
  std::int64_t count = is_empty(dims) ? 0 : 1;
  for (dim d : dims) count = checked_mul(count, d.extent());
  if (count > 0 && x.data().size() == 0) throw build_error("an element of an empty array is read");
  for (std::int64_t n = 0; n < count; ++n) {
    data.append(source + static_cast<std::size_t>(offset) * width, width);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      offset += steps[axis];
      if (++index[axis] < dims[axis].extent()) break;
      offset -= steps[axis] * std::exchange(index[axis], 0);
    }
  }
  return x.owner().constant({x.dtype(), dims}, bytes(std::move(data)));
}

/// x[start : … : stride] along `axes`, with the extents `out`; nullopt if x is not a small constant, or if
/// a start or extent is symbolic.
inline std::optional<value> folded_slice(const value& x, const ints& axes, const shape& starts, const ints& strides,
                                         const shape& out) {
  if (!is_foldable(x)) return std::nullopt;
  ints steps = row_major_steps(x.dims());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    if (!starts[i].is_constant() || !out[axis].is_constant()) return std::nullopt;
    offset = checked_add(offset, checked_mul(starts[i].extent(), steps[axis]));
    steps[axis] = checked_mul(steps[axis], strides[i]);
  }
  return strided_constant(x, out, offset, steps);
}

/// The concatenation of small constants along `axis`, with the extents `out`; nullopt if a part is not a small
/// constant, or if the result would be too large.
inline std::optional<value> folded_concat(std::span<const value> parts, std::int64_t axis, const shape& out) {
  std::uint64_t size = 0;
  for (const value& p : parts) {
    if (!is_foldable(p)) return std::nullopt;
    size += p.data().size();
  }
  if (size > folding_limit) return std::nullopt;
  if (size == 0) return parts[0].owner().constant({parts[0].dtype(), out}, bytes());
  std::size_t outer = 1;
  for (std::int64_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(out[static_cast<std::size_t>(i)].extent());
  std::string data;
  for (std::size_t block = 0; block < outer; ++block)
    for (const value& p : parts) {
      const auto raw = p.data().view();
      const std::size_t piece = raw.size() / outer;
      data.append(reinterpret_cast<const char*>(raw.data()) + block * piece, piece);
    }
  return parts[0].owner().constant({parts[0].dtype(), out}, bytes(std::move(data)));
}

}  // namespace jax2onnx::detail
