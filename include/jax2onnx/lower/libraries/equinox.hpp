// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/control/call.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>

/// Equinox's primitives for transformations: unvmap_* reduce over all elements, and all other primitives return
/// operands unchanged. Source: equinox/internal/.
namespace jax2onnx::lower {

/// unvmap_any, unvmap_all and unvmap_max: a reduction over all elements to a scalar. Source:
/// equinox/internal/_unvmap.py.
template <reducer Kind>
jax_values over_all(const site& s) {
  return {reduce_or_identity(Kind, s.in(0), iota_axes(s.in(0).rank()))};
}

/// Most of these primitives, such as nonbatchable and nondifferentiable, only forbid a transformation of a value.
inline constexpr lowering equinox_rows[] = {
    {"announce_jaxpr", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"announce intermediates name stack"}},
    {"nonbatchable", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"allow_constant_across_batch msg"}},
    {"nondifferentiable", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"msg"}},
    {"nondifferentiable_backward", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"msg symbolic"}},
    {"nontraceable", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"name"}},
    {"select_if_vmap", second_value, "", signature{3, 1, second_type}, parts_rule::own},
    {"unvmap_all", over_all<reducer::minimum>, "ReduceMin", signature{1, 1}},
    {"unvmap_any", over_all<reducer::maximum>, "ReduceMax", signature{1, 1}},
    {"unvmap_max", over_all<reducer::maximum>, "ReduceMax", signature{1, 1}},
};

}  // namespace jax2onnx::lower
