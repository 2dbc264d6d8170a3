// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <jax2onnx/lower/batching/batcher.hpp>
#include <jax2onnx/lower/batching/collective_rules.hpp>
#include <jax2onnx/lower/batching/control_rules.hpp>
#include <jax2onnx/lower/batching/index_rules.hpp>
#include <jax2onnx/lower/batching/local_rules.hpp>
#include <jax2onnx/lower/batching/partition.hpp>
#include <jax2onnx/lower/batching/ref_rules.hpp>
#include <jax2onnx/lower/batching/rules.hpp>
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx::lower {
namespace batching {

inline constexpr batch_row rows[] = {
    // calls, loops, branches
    {"closed_call", call<call_jaxpr_name>, true},
    {"composite", call<call_jaxpr_name>, true},
    {"compute_on", call<jaxpr_name>, true},
    {"cond", cond, true},
    {"custom_jvp_call", call<call_jaxpr_name>, true},
    {"custom_linear_solve", custom_linear_solve, true},
    {"custom_vjp_call", call<call_jaxpr_name>, true},
    {"custom_vmap_call", call<call_name>, true},
    {"jit", call<jaxpr_name>, true},
    {"linear_call", call<callee_name>, true},
    {"program_order", call<call_jaxpr_name>, true},
    {"remat2", call<jaxpr_name>, true},
    {"remat_opt", call<fwd_jaxpr_name>, true},
    {"scan", scan, true},
    {"shard_map", shard_map, true},
    {"while", while_loop, true},
    {"xla_metadata_call", call<jaxpr_name>, true},
    {"xla_pmap", pmap, true},
    // collectives
    {"all_gather", among_devices<all_gather>, true},
    {"all_to_all", among_devices<all_to_all>, true},
    {"axis_index", axis_index, true},
    {"pmax", among_devices<extreme<reduce_max_name>>, true},
    {"pmin", among_devices<extreme<reduce_min_name>>, true},
    {"ppermute", ppermute, true},
    {"psum", among_devices<psum>, true},
    {"pvary", pvary, true},
    {"reduce_scatter", among_devices<reduce_scatter>, true},
    // kernels and mutable references
    {"addupdate", addupdate},
    {"get", get},
    {"masked_load", masked_load},
    {"masked_swap", masked_swap},
    {"program_id", program_id, true},
    {"run_scoped", run_scoped, true},
    {"swap", swap},
    // values that do not change
    {"device_put", same},
    {"layout_constraint", same},
    {"name", same},
    {"optimization_barrier", same},
    {"reshard", same},
    {"sharding_constraint", same},
    {"shard_alike", same},
    {"stop_gradient", same},
    // indices
    {"dynamic_slice", dynamic_slice},
    {"dynamic_update_slice", dynamic_update_slice},
    {"gather", gather},
    {"scatter", scatter},
    {"scatter-add", scatter},
    {"scatter-max", scatter},
    {"scatter-min", scatter},
    {"scatter-mul", scatter},
    {"scatter-sub", scatter},
    // products
    {"conv_general_dilated", convolution},
    {"dot_general", dot_general},
    // parameters that name axes
    {"argmax", axes_move<axes_param>},
    {"argmin", axes_move<axes_param>},
    {"broadcast_in_dim", axes_move<broadcast_params>},
    {"concatenate", axes_move<dimension_param>},
    {"cumlogsumexp", axes_move<axis_param>},
    {"cummax", axes_move<axis_param>},
    {"cummin", axes_move<axis_param>},
    {"cumprod", axes_move<axis_param>},
    {"cumsum", axes_move<axis_param>},
    {"pad", axes_move<pad_params>},
    {"reduce", axes_move<dimensions_param>},
    {"reduce_and", axes_move<axes_param>},
    {"reduce_max", axes_move<axes_param>},
    {"reduce_min", axes_move<axes_param>},
    {"reduce_or", axes_move<axes_param>},
    {"reduce_prod", axes_move<axes_param>},
    {"reduce_sum", axes_move<axes_param>},
    {"reduce_window", axes_move<window_params>},
    {"reduce_window_max", axes_move<window_params>},
    {"reduce_window_min", axes_move<window_params>},
    {"reduce_window_sum", axes_move<window_params>},
    {"reduce_xor", axes_move<axes_param>},
    {"reshape", axes_move<reshape_params>},
    {"rev", axes_move<dimensions_param>},
    {"select_and_gather_add", axes_move<window_params>},
    {"select_and_scatter_add", axes_move<window_params>},
    {"slice", axes_move<slice_params>},
    {"roll", axes_move<roll_params>},
    {"sort", axes_move<dimension_param>},
    {"split", axes_move<axis_param>},
    {"squeeze", axes_move<dimensions_param>},
    {"stack", axes_move<axis_param>},
    {"tile", axes_move<tile_params>},
    {"top_k", axes_move<axis_param>},
    {"transpose", axes_move<permutation_param>},
    {"unstack", axes_move<axis_param>},
    // leading axes are already batch axes
    {"bitcast", axes_move<leading_only>},
    {"bitcast_convert_type", axes_move<leading_only>},
    {"cholesky", axes_move<leading_only>},
    {"eigh", axes_move<leading_only>},
    {"fft", axes_move<leading_only>},
    {"geqrf", axes_move<leading_only>},
    {"householder_product", axes_move<leading_only>},
    {"lu", axes_move<leading_only>},
    {"qr", axes_move<leading_only>},
    {"random_bits", axes_move<leading_only>},
    {"random_clone", axes_move<leading_only>},
    {"random_seed", axes_move<leading_only>},
    {"random_split", axes_move<leading_only>},
    {"random_unwrap", axes_move<leading_only>},
    {"random_wrap", axes_move<leading_only>},
    {"svd", axes_move<leading_only>},
    {"triangular_solve", axes_move<leading_only>},
    // elementwise; with <false>, operands may keep axes of extent 1
    {"add", elementwise<false>},
    {"add_any", elementwise<false>},
    {"and", elementwise<false>},
    {"div", elementwise<false>},
    {"eq", elementwise<false>},
    {"ge", elementwise<false>},
    {"gt", elementwise<false>},
    {"le", elementwise<false>},
    {"lt", elementwise<false>},
    {"max", elementwise<false>},
    {"min", elementwise<false>},
    {"mul", elementwise<false>},
    {"ne", elementwise<false>},
    {"or", elementwise<false>},
    {"random_fold_in", elementwise<true>},
    {"sub", elementwise<false>},
    {"threefry2x32", elementwise<true>},
    {"xor", elementwise<false>},
};

JAX2ONNX_INLINE std::span<const batch_row> batch_rows() { return rows; }

/// The families whose primitives are elementwise.
inline constexpr std::string_view elementwise_families[] = {"complex", "elementwise", "special"};
inline bool is_elementwise(std::string_view primitive) {
  for (const family& f : builtin_families())
    if (item_loops::contains(elementwise_families, f.name))
      for (const std::span<const lowering> table : f.tables)
        if (std::ranges::find(table, primitive, &lowering::primitive) != table.end()) return true;
  return false;
}

JAX2ONNX_INLINE const batch_row* find_rule(std::string_view primitive) {
  static constexpr batch_row of_elements{{}, elementwise<true>};
  const auto row = std::ranges::find(rows, primitive, &batch_row::primitive);
  if (row != std::end(rows)) return row;
  return is_elementwise(primitive) ? &of_elements : nullptr;
}

}  // namespace batching

JAX2ONNX_INLINE const jaxpr::body& on_one_device(const site& s) {
  using namespace batching;
  const bool mapped = s.primitive() == "xla_pmap";
  const auto& body = *s.param<const jaxpr::body*>(mapped ? "call_jaxpr" : "jaxpr");
  if (!body.equations.empty() && is_function_call(body.equations[0])) {  // a call of a function cannot be rewritten
    const mesh_axes axes = mapped ? mesh_axes() : axes_of_mesh(s.param<std::string_view>("mesh"));
    if (axes.empty() || devices_of(axes) != 1) s.unsupported("the computation that each device runs must be a jaxpr");
    return body;
  }
  batcher all(s.g, s.driver());
  body_writer out(all.store());
  varyings operands;
  for (std::size_t i = 0; i < s.arity(); ++i) operands.push_back({out.argument(all.store().type(s.in_type(i)), {}), 0});
  equation_view view(all, out, s.equation(), std::move(operands));
  const varyings results = find_rule(s.primitive())->apply(view);
  std::vector<jaxpr::atom> atoms;
  for (const varying& v : results) atoms.push_back(v.atom);
  return out.finish(std::move(atoms), s.where());
}

}  // namespace jax2onnx::lower
