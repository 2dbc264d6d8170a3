// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/shape/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers dim_as_value and dimension_size, which give symbolic dimensions as values, to arithmetic on the Shape of the
/// inputs. Source: jax.export.
namespace jax2onnx::lower {

inline jax_values dim_as_value(const site& s) { return {dim_scalar(s.g, s.param<dim>("dim"), s.out_dtype())}; }

inline jax_values dimension_size(const site& s) {
  return {dim_scalar(s.g, extent_of(s.in_type(0), s.param<std::int64_t>("dimension")), s.out_dtype())};
}

inline constexpr lowering symbolic_rows[] = {
    {"dim_as_value", dim_as_value, "Shape, Add, Mul, Cast",
     signature{0, 1, dim_as_value_types, {{"dim", param_form::extent}}}},
    {"dimension_size", dimension_size, "Shape, Add, Mul, Cast",
     signature{1, 1, dim_as_value_types, {{"dimension", param_form::axis}}}, parts_rule::own},
};

}  // namespace jax2onnx::lower
