// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/pallas/parallel_programs.hpp>
#include <jax2onnx/lower/pallas/sequential_programs.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers pallas_call: independent programs are computed at once, all other programs one after another.
namespace jax2onnx::lower {
namespace pallas {

/// program_id and num_programs: the position of a program in the grid, and the grid's size, along an axis.
template <value grid_axis::*Member>
jax_values of_grid(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  const std::vector<grid_axis>& grid = s.driver().grid;
  if (axis < 0 || axis >= std::ssize(grid)) s.malformed(detail::message("the grid has no axis {}", axis));
  return {cast(grid[static_cast<std::size_t>(axis)].*Member, s.out_dtype())};
}

/// The parallel axes of a kernel; nullopt if there are none.
inline std::optional<parallel_plan> plan_of(const kernel& k) {
  std::vector<shape> dims;
  for (const aval& t : k.padded_arrays) dims.push_back(t.dims);
  return parallel_planner(k.m, std::move(dims), k.body, k.s.out_count()).plan();
}

}  // namespace pallas

inline jax_values pallas_call(const site& s) {
  const pallas::kernel k(s);
  if (auto plan = pallas::plan_of(k))
    if (const auto done = pallas::parallel_programs(k, std::move(*plan)).run()) return *done;
  return pallas::sequential_programs(k).run();
}

inline constexpr lowering pallas_call_rows[] = {
    {"num_programs", pallas::of_grid<&grid_axis::size>, "(a constant)",
     signature{0, 1, nullptr, {{"axis", param_form::number, 0}}}},
    {"pallas_call", pallas_call, "Slice, Concat, Loop",
     signature{{},
               {},
               nullptr,
               {{"jaxpr", param_form::body},
                {"grid_mapping", param_form::structure, "grid, block_mappings"},
                {"input_output_aliases", param_form::other}}},
     parts_rule::own,
     ignores{"backend compiler_params cost_estimate debug interpret mesh metadata name name_and_src_info out_avals "
             "out_shapes"}},
    {"program_id", pallas::of_grid<&grid_axis::position>, "(a constant, or a part of a loop's counter)",
     signature{0, 1, nullptr, {{"axis", param_form::number, 0}}}},
};

}  // namespace jax2onnx::lower
