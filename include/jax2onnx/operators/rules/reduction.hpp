// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of reductions.
namespace jax2onnx::rules {

/// Reductions over axes that are an attribute or operand 1. Without axes, they reduce all axes, or none if
/// noop_with_empty_axes is set.
constexpr void reduce(inference& c) {
  if (c.has(1) && c.rank(1) > 1) return c.fail("the axes have {} dimension{|s}; they must be a list", c.rank(1));
  const std::int64_t rank = c.rank(0);
  if (!c.known("keepdims")) return c.unranked_result(0);
  const bool keep = c.flag("keepdims");
  std::optional<std::vector<std::int64_t>> axes;
  if (c.has(1)) axes = c.axes_in(1, rank);
  else if (c.known("axes")) axes = c.axes(c.integers("axes"), rank);
  if (c.failed()) return;
  if (axes && !axes->empty()) return c.result(0, infer::reduce(c.dims(0), *axes, keep));
  if (axes && !c.known("noop_with_empty_axes")) return c.unranked_result(0);
  if (axes && c.flag("noop_with_empty_axes")) return c.result(0, c.dims(0));
  // An `if`, since GCC 12 frees the temporaries of ?: twice while compiling.
  if (axes && !keep) return c.result(0, shape());
  if (axes) return c.result(0, shape(c.dims(0).size(), 1));
  std::optional<shape> list;
  if (c.has(1)) list = c.numbers(1);
  const auto count = list ? std::ssize(*list) : -1;
  if (count > rank) return c.fail("it has {} ax{is|es} for {} dimension{|s}", count, rank);
  if (keep) return c.result(0, c.unknown(rank));
  count < 0 ? c.unranked_result(0) : c.result(0, c.unknown(rank - count));
}

/// ArgMax and ArgMin along one axis.
constexpr void arg_extreme(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  if (!c.known("keepdims")) return c.unranked_result(0);
  const bool keep = c.flag("keepdims");
  if (!c.known("axis")) return c.result(0, c.unknown(c.rank(0) - !keep));
  c.result(0, infer::reduce(c.dims(0), {&axis, 1}, keep));
}

/// CumSum and CumProd along the axis in operand 1.
constexpr void cumulative(inference& c) {
  const dim axis = c.number(1);
  if (axis.is_constant()) c.axis(axis.extent(), c.rank(0));
  c.result(0, c.dims(0));
}

}  // namespace jax2onnx::rules
