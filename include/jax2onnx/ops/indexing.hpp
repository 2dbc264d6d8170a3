// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/ops/constant_folding.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/ops/slice.hpp>

/// Verbs that address elements by computed indices.
namespace jax2onnx::ops {

/// x[..., indices, ...] along `axis`: numpy's take (Gather). Indices are int32 or int64 and in range.
inline value gather(const value& x, const value& indices, std::int64_t axis) {
  return x.owner().emit(
      "Gather", {x, indices},
      {x.dtype(), detail::checked("Gather", infer::gather(x.dims(), indices.dims(), axis), {x, indices})},
      {{"axis", axis}});
}

/// Element `index` along `axis`, without that axis; negative indices count from the end. Throws a build_error if x is
/// known to lack the axis or the index.
inline value pick(const value& x, std::int64_t index, std::int64_t axis) {
  if (axis < 0 || axis >= x.rank())
    throw build_error(detail::message("pick: the axis {} is out of range for {}", axis, text(x)));
  const dim extent = x.extent(axis);
  if (extent.is_constant() && (index < -extent.extent() || index >= extent.extent()))
    throw build_error(detail::message("pick: the index {} is out of range for axis {} of {}", index, axis, text(x)));
  if (detail::is_foldable(x)) {
    if (index < 0) index += extent.extent();
    ints steps = detail::row_major_steps(x.dims());
    shape out = x.dims();
    const std::int64_t offset = index * steps[static_cast<std::size_t>(axis)];
    steps.drop(axis);
    out.drop(axis);
    return detail::strided_constant(x, out, offset, steps);
  }
  return gather(x, scalar(x.owner(), dtype::i64, index), axis);
}

/// Gathers by indices[..., k], which address the k dimensions of x after `batch_dims` leading dimensions that x and
/// indices share (GatherND).
inline value gather_nd(const value& x, const value& indices, std::int64_t batch_dims = 0) {
  const std::int64_t k = indices.dims().back().extent();
  shape out = indices.dims().head(indices.rank() - 1);
  out.append(x.dims().tail(batch_dims + k));
  std::vector<attribute> attributes;
  if (batch_dims > 0) attributes.push_back({"batch_dims", batch_dims});
  return x.owner().emit("GatherND", {x, cast(indices, dtype::i64)}, {x.dtype(), std::move(out)}, std::move(attributes));
}

/// out[.., i, ..] = x[.., indices[.., i, ..], ..]: numpy's take_along_axis.
inline value gather_elements(const value& x, const value& indices, std::int64_t axis) {
  return x.owner().emit("GatherElements", {x, indices}, {x.dtype(), indices.dims()}, {{"axis", axis}});
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// Adds the reduction attribute of a scatter: none, add or mul, min or max (opset 18).
inline void add_reduction(std::vector<attribute>& attributes, const graph& g, const std::string& op,
                          const std::string& reduction) {
  if (reduction == "none") return;
  if (reduction == "min" || reduction == "max")
    require(g, feature::scatter_extremes, op + " with reduction " + reduction);
  attributes.push_back({"reduction", reduction});
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// x with updates[...] written to, or combined with, x[indices[...]] (ScatterND). Throws an opset_error for reductions
/// min and max before opset 18.
inline value scatter_nd(const value& x, const value& indices, const value& updates,
                        const std::string& reduction = "none") {
  detail::require_same_dtype("ScatterND", x, updates);
  std::vector<attribute> attributes;
  detail::add_reduction(attributes, x.owner(), "ScatterND", reduction);
  return x.owner().emit("ScatterND", {x, cast(indices, dtype::i64), updates}, x.type(), std::move(attributes));
}

/// x with updates[.., i, ..] written to, or combined with, x[.., indices[.., i, ..], ..] (ScatterElements). Throws an
/// opset_error for reductions min and max before opset 18.
inline value scatter_elements(const value& x, const value& indices, const value& updates, std::int64_t axis,
                              const std::string& reduction = "none") {
  detail::require_same_dtype("ScatterElements", x, updates);
  std::vector<attribute> attributes{{"axis", axis}};
  detail::add_reduction(attributes, x.owner(), "ScatterElements", reduction);
  return x.owner().emit("ScatterElements", {x, indices, updates}, x.type(), std::move(attributes));
}

/// The slices of x along its first axis where the bool vector `keep` is true.
inline value compress(const value& x, const value& keep) {
  shape out = x.dims();
  out[0] = dim::dyn();
  return x.owner().emit("Compress", {x, keep}, {x.dtype(), std::move(out)}, {{"axis", std::int64_t{0}}});
}

/// The k largest or smallest elements along an axis, sorted, and their int64 indices; ties keep their order.
inline std::pair<value, value> top_k(const value& x, dim k, std::int64_t axis, bool largest) {
  shape out = x.dims();
  out[static_cast<std::size_t>(axis)] = k;
  const std::vector<tensor_type> types{{x.dtype(), out}, {dtype::i64, out}};
  graph& g = x.owner();
  const auto both =
      g.emit_many("TopK", std::vector{x, dim_value(g, k)}, types, {{"axis", axis}, {"largest", std::int64_t{largest}}});
  return {both[0], both[1]};
}

}  // namespace jax2onnx::ops
