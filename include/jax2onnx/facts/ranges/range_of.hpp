// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/interval.hpp>
#include <jax2onnx/support/config.hpp>

/// Range analysis: the numbers that a tensor of integers or bools can hold, derived from the nodes that compute it.
namespace jax2onnx {

/// An interval that holds all elements of v, whatever the inputs of the model are; unbounded if v is of floating-point
/// type. Ranges are cached: the ranges of all values of a graph take time linear in its nodes and in the bytes of its
/// integer constants. Constants of over 1 MiB count as unknown. Symbolic extents count as at least 1.
///
/// A range stays true when the graph is rewritten, since a value keeps its meaning. An input of a block can have any
/// value of its type, unless `loop` or `scan` has set its range.
interval range_of(const value& v);

/// An interval that holds the elements at index `component` of the last axis of v, such as a column of index vectors.
/// If v is neither a constant nor a Concat along that axis, or if an extent along it is unknown, returns range_of(v).
interval range_of_component(const value& v, std::int64_t component);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/ranges/range_of.inl.hpp>
#endif
