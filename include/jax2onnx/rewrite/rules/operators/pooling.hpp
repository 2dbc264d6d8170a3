// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Means over windows, and over blocks of pixels, become AveragePool. A sum over windows was lowered to AveragePool
/// times the number of elements in a window.
namespace jax2onnx::rewrite::detail {

/// Returns whether an AveragePool is known to divide every sum by the size of the window.
inline bool counts_whole_windows(const value& pool) {
  const auto windows = window_of(pool);
  if (!windows || windows->ceil) return false;
  const bool padded = item_loops::any_of(windows->pads, [](std::int64_t pad) { return pad != 0; });
  return !padded || integer_of(pool, "count_include_pad") == 1;
}

/// Matches AveragePool(x) k, where k is the number of elements in a window and padding counts as zeros. Binds the
/// AveragePool and k.
inline auto m_window_sum(value& pool, double& k) {
  return m_composite([&pool, &k](const value& v) {
    if (!match(v, m_commutes("Mul", m_value(pool), m_scalar(k))) || !producer(pool, "AveragePool")) return false;
    if (!counts_whole_windows(pool)) return false;
    double elements = 1;
    for (std::int64_t extent : attribute_of<ints>(pool, "kernel_shape").value_or(ints()))
      elements *= static_cast<double>(extent);
    return elements == k;
  });
}

/// Returns whether two poolings slide the same windows.
inline bool same_windows(const value& a, const value& b) {
  const auto windows = window_of(a);
  return windows && windows == window_of(b);
}

/// Returns whether `v` is a constant whose elements are all 1, or an Expand of such a constant.
inline bool is_all_ones(const value& v) {
  return match(v, m_any_of(m_number(1), m_op("Expand", m_number(1), m_any{})));
}

/// Returns whether two images have the same rank, and the same extents after the channels.
inline bool same_pixels(const value& a, const value& b) {
  return a.rank() == b.rank() && a.dims().tail(2) == b.dims().tail(2);
}

/// Returns whether a Transpose keeps the order of the pixels of [1, 1, pixels...], as a Reshape does.
inline bool keeps_pixels_in_order(const shape& dims, const ints& perm) {
  std::int64_t last = 1;
  for (const std::int64_t axis : perm) {
    if (axis < 2 || dims[static_cast<std::size_t>(axis)].is(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

/// The attributes of the node that makes `v` except `name`.
inline std::vector<attribute> attributes_without(const value& v, std::string_view name) {
  std::vector<attribute> kept;
  for (const attribute& a : producer(v)->attributes)
    if (a.name != name) kept.push_back(a);
  return kept;
}

/// Replaces a quotient by an AveragePool that leaves out padding. The dividend is a sum over windows. The divisor
/// counts, for each window, the elements that are not padding.
inline outcome fuse_unpadded_window_mean(const context& c, const value& root) {
  value pool, counts;
  double k = 0;
  ints perm;
  const auto sum = [&](const value& v) { return match(v, m_window_sum(pool, k)); };
  const auto count = [&](const value& v) { return match(v, m_window_sum(counts, k)); };
  if (!match(root, m_op("Div", m_any_of(m_transpose(perm, sum), sum), m_any_of(count, m_reshape(count))))) return {};
  if (!is_all_ones(input_of(counts, 0)) || !same_windows(pool, counts))
    return decline("the divisor does not count the window's elements");
  shape expected = counts.dims();
  if (expected.size() != pool.dims().size() || !expected[0].is(1) || !expected[1].is(1)) return {};
  for (std::size_t i = 2; i < expected.size(); ++i)
    if (expected[i] != pool.dims()[i]) return decline("the divisor counts other windows than the dividend");
  if (!same_pixels(input_of(pool, 0), input_of(counts, 0)) || !keeps_pixels_in_order(expected, perm))
    return decline("the divisor counts other windows than the dividend");
  if (!perm.empty()) expected = extents_at(expected, perm);
  if (input_of(root, 1).dims() != expected) return decline("the divisor counts other windows than the dividend");
  const value mean =
      c.g.emit("AveragePool", {input_of(pool, 0)}, pool.type(), attributes_without(pool, "count_include_pad"));
  return perm.empty() ? mean : transpose(mean, perm);
}

/// The sizes of the blocks that a reduction of Reshape(image, blocks) over `axes` reduces: one size for each axis of
/// the image, 1 if the axis is not split into blocks. Empty if the reduction is not over blocks of constant sizes.
inline ints block_sizes(const value& image, const shape& blocks, const ints& axes) {
  dim_table& dims = image.owner().dims();
  ints sizes;
  std::size_t at = 0;
  for (const dim extent : image.dims()) {
    const bool pooled = std::ranges::binary_search(axes, static_cast<std::int64_t>(at) + 1);
    if (at + (pooled ? 1 : 0) >= blocks.size()) return {};
    const dim size = pooled ? blocks[at + 1] : dim(1);
    if (!size.is_constant() || size.is(0) || dims.mul(blocks[at], size) != extent) return {};
    sizes.push_back(size.extent());
    at += pooled ? 2 : 1;
  }
  return at == blocks.size() ? sizes : ints();
}

/// Replaces x.reshape(n, h // 2, 2, w // 2, 2, c).mean((2, 4)) by an AveragePool, if the image x was transposed after a
/// convolution, or has its channels first.
inline outcome pool_blocks(const context& c, const value& root) {
  constexpr std::int64_t least_channels = 8;
  const auto r = reduction_of(root);
  const value blocks = input_of(root, 0);
  if (!r || r->keep || !is_reshape(blocks)) return {};
  const value image = input_of(blocks, 0);
  ints perm = iota_axes(image.rank());
  value x = image, moved;
  if (match(image, m_transpose(perm, m_value(moved)))) x = moved;
  const ints sizes = x.rank() == 4 ? block_sizes(image, blocks.dims(), r->axes) : ints();
  if (sizes.empty()) return {};
  ints kernel(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) kernel[static_cast<std::size_t>(perm[i])] = sizes[i];
  if (kernel[0] != 1 || kernel[1] != 1 || kernel[2] == 1 || kernel[3] == 1) return {};
  if (root.dtype() != dtype::f32 && is_onnx_runtime(c.runtime))
    return decline("ONNX Runtime has no kernel for the element type");
  if (!x.extent(1).is_constant() || x.extent(1).extent() < least_channels)
    return decline("the number of channels is symbolic, or so small that ReduceMean is as fast");
  kernel.erase(kernel.begin(), kernel.begin() + 2);
  const shape pooled = extents_at(root.dims(), inverse_permutation(perm));
  return transpose(
      c.g.emit("AveragePool", {x}, {root.dtype(), pooled}, {{"kernel_shape", kernel}, {"strides", kernel}}), perm);
}

inline constexpr rule pooling_rules[] = {
    equation<"AveragePool",
             "(p k) / d -> p where p = AveragePool(x, kernel_shape=w, *) "
             "for number(k, d), window(p, k), same_shape(p, root) if k = d 'the divisor is not the size of the window' "
             "within 2 ulps of ordinary numbers 'rounding differs'">(stage::fuse),
    {"AveragePool-unpadded",
     "(AveragePool(x) k) / (AveragePool(1) k) -> AveragePool(x, count_include_pad=0), also with a Transpose of the "
     "dividend and a Reshape of the divisor",
     "the windows and the extents of the images are the same, padding counts as zeros in both poolings, the Transpose "
     "keeps the order of the axes of windows, and k is the number of a window's elements",
     ops<"Div">, fuse_unpadded_window_mean, stage::fuse},
    {"AveragePool-blocks", "ReduceMean(Reshape(Transpose(x, p), blocks), axes) -> Transpose(AveragePool(x), p)",
     "the axes are the rows and columns of blocks of pixels; x has at least 8 channels, which are before the pixels; "
     "the Transpose may be missing; float32 for ONNX Runtime",
     ops<"ReduceMean">, pool_blocks, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
