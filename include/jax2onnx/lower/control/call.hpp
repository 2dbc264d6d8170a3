// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <jax2onnx/lower/batching/rules.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers calls (jit, remat2, custom_jvp_call, custom_vjp_call, custom_linear_solve, CustomRoot, shard_map, …) by
/// inlining their jaxpr. Lowers annotations of values (name, device_put, sharding_constraint, …) to the identity.
/// Effects are dropped.
namespace jax2onnx::lower {

template <char const* Key>
jax_values call(const site& s) {
  return s.inline_body(*s.param<const jaxpr::body*>(Key), s.ins(), s.wanted());
}
inline constexpr char jaxpr_key[] = "jaxpr";
inline constexpr char call_jaxpr_key[] = "call_jaxpr";
inline constexpr char call_key[] = "call";
inline constexpr char callee_key[] = "callee";
inline constexpr char fwd_jaxpr_key[] = "fwd_jaxpr";

/// The results are the operands. The parameters only concern memory, devices, derivatives or the compiler.
inline jax_values same_values(const site& s) { return {s.ins().begin(), s.ins().end()}; }

/// PrimalLeftTangentRight x y returns x. Only the derivative, which a model does not compute, depends on y.
inline jax_values first_value(const site& s) { return {s.in_parts(0)}; }

/// tie x y returns y, which the compiler must not compute before x.
inline jax_values second_value(const site& s) { return {s.in_parts(1)}; }

/// Gives no results, for a primitive that is only a hint for the compiler.
inline jax_values nothing(const site&) { return {}; }

/// Drops a primitive that only has an effect, with a warning.
inline jax_values dropped(const site& s) {
  s.warn("lower.dropped", detail::message("'{}' is dropped: an ONNX model only computes values", s.primitive()));
  return jax_values(s.out_count());
}

/// custom_linear_solve consts… b…: inlines solve. The first operands are the constants of matvec, vecmat, solve and
/// transpose_solve, in this order.
inline jax_values custom_linear_solve(const site& s) {
  const jaxpr::value *jaxprs = s.find("jaxprs"), *lengths = s.find("const_lengths");
  const jaxpr::value* solve = jaxprs ? keyword(*jaxprs, "solve") : nullptr;
  if (!solve || !solve->body || !lengths) s.unsupported("it lacks the jaxpr 'solve' or its const_lengths");
  const auto length = [&](std::string_view key) {
    const auto n = s.argument_or<std::int64_t>(*lengths, key, 0);
    if (n < 0 || n > std::ssize(s.ins())) s.unsupported("its const_lengths do not fit its operands");
    return static_cast<std::size_t>(n);
  };
  const std::size_t before = length("matvec") + length("vecmat"), own = length("solve");
  const std::size_t consts = before + own + length("transpose_solve");
  if (consts > s.arity()) s.unsupported("its const_lengths do not fit its operands");
  const auto ins = s.ins();
  jax_values args(ins.begin() + static_cast<std::ptrdiff_t>(before),
                  ins.begin() + static_cast<std::ptrdiff_t>(before + own));
  args.insert(args.end(), ins.begin() + static_cast<std::ptrdiff_t>(consts), ins.end());
  return s.inline_body(*solve->body, args, s.wanted());
}

/// CustomRoot solve_consts… guess… others…: inlines the solver, which takes the first operands. The remaining operands
/// only concern derivatives. Source: jax/_src/lax/control_flow/solves.py.
inline jax_values custom_root(const site& s) {
  const auto& solve = *s.param<const jaxpr::body*>("solve_jaxpr");
  return s.inline_body(solve, s.ins().first(solve.invars.size()), s.wanted());
}
inline std::vector<aval> custom_root_types(const site& s) {
  const auto& solve = *s.param<const jaxpr::body*>("solve_jaxpr");
  if (solve.invars.size() > s.arity()) require_parameters(s, solve, s.arity());
  return body_result_types(s, solve);
}

/// shard_map and pmap: inlines one program that computes for all devices.
inline jax_values on_devices(const site& s) {
  for (const char* key : {"jaxpr", "mesh", "axis_name", "axis_size", "call_jaxpr", "in_axes", "out_axes"})
    s.ignore(key, "the batching pass reads it");
  return s.inline_body(on_one_device(s), s.ins(), s.wanted());
}

inline constexpr lowering call_rows[] = {
    {"CustomRoot", custom_root, "(inlined)", signature{{}, {}, custom_root_types, {{"solve_jaxpr", param_form::body}}},
     parts_rule::own, ignores{"has_aux"}},
    {"PrimalLeftTangentRight", first_value, "", signature{2, 1, first_type}, parts_rule::own},
    {"accum_grad_in_ref", same_values, "", signature{{}, {}, same_types}, parts_rule::own},
    {"check", dropped, "(dropped)", signature{or_more(1), 0}, parts_rule::own, ignores{"debug"}},
    {"closed_call", call<call_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<call_jaxpr_key>, {{"call_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"name"}},
    {"composite", call<call_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<call_jaxpr_key>, {{"call_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"attributes name version"}},
    {"compute_on", call<jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<jaxpr_key>, {{"jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"compiler_options_json compute_type out_memory_spaces out_spaces"}},
    {"custom_jvp_call", call<call_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<call_jaxpr_key>, {{"call_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"jvp jvp_jaxpr_fun jvp_jaxpr_thunk name num_consts symbolic_zeros"}},
    {"custom_linear_solve", custom_linear_solve, "(inlined)",
     signature{{},
               {},
               nullptr,
               {{"const_lengths", param_form::structure, "matvec, vecmat, solve, transpose_solve"},
                {"jaxprs", param_form::structure, "matvec, vecmat, solve, transpose_solve"}}},
     parts_rule::own},
    {"custom_vjp_call", call<call_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<call_jaxpr_key>, {{"call_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"bwd fwd fwd_jaxpr_thunk name num_consts optimize_remat out_trees symbolic_zeros"}},
    {"custom_vmap_call", call<call_key>, "(inlined)",
     signature{{}, {}, call_types<call_key>, {{"call", param_form::body}}}, parts_rule::own,
     ignores{"in_tree out_tree rule"}},
    {"dce_sink", nothing, "", signature{1, 0}, parts_rule::own, ignores{"prevent_mlir_dce"}},
    {"debug_callback", dropped, "(dropped)", signature{}, parts_rule::own, ignores{"callback effect partitioned"}},
    {"debug_print", dropped, "(dropped)", signature{}, parts_rule::own,
     ignores{"fmt has_placeholders in_tree logging_record np_printoptions ordered partitioned static_args"}},
    {"device_put", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"copy_semantics device devices src srcs"}},
    {"inspect_sharding", dropped, "(dropped)", signature{}, parts_rule::own, ignores{"callback"}},
    {"jit", call<jaxpr_key>, "(inlined)", signature{{}, {}, call_types<jaxpr_key>, {{"jaxpr", param_form::body}}},
     parts_rule::own,
     ignores{"backend=None compiler_options_kvs ctx_mesh device=None donated_invars in_layouts in_shardings inline "
             "keep_unused name out_layouts out_shardings resource_env"}},
    {"layout_constraint", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"layout"}},
    {"linear_call", call<callee_key>, "(inlined)",
     signature{{}, {}, call_types<callee_key>, {{"callee", param_form::body}}}, parts_rule::own,
     ignores{"num_callee_consts num_res transpose transpose_thunk"}},
    {"name", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"name"}},
    {"optimization_barrier", same_values, "", signature{{}, {}, same_types}, parts_rule::own},
    {"pvary", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"axes axis_index_groups=None"}},
    {"remat2", call<jaxpr_key>, "(inlined)", signature{{}, {}, call_types<jaxpr_key>, {{"jaxpr", param_form::body}}},
     parts_rule::own, ignores{"differentiated policy prevent_cse"}},
    {"remat_opt", call<fwd_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<fwd_jaxpr_key>, {{"fwd_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"bwd fun_jaxpr_thunk name num_consts num_res"}},
    {"program_order", call<call_jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<call_jaxpr_key>, {{"call_jaxpr", param_form::body}}}, parts_rule::own,
     ignores{"enforce exclude_mask strict_in strict_out"}},
    {"reshard", same_values, "", signature{{}, {}, same_types}, parts_rule::own, ignores{"concrete_mesh dst_sharding"}},
    {"shard_map", on_devices, "(inlined)",
     signature{{}, {}, nullptr, {{"jaxpr", param_form::body}, {"mesh", param_form::other}}}, parts_rule::own,
     ignores{"auto check_rep check_vma in_names in_specs manual_axes newly_manual_axes out_names out_specs rewrite"}},
    {"shard_alike", same_values, "", signature{2, 2, same_types}, parts_rule::own},
    {"sharding_constraint", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"context_mesh layout resource_env sharding unconstrained_dims"}},
    {"tie", second_value, "", signature{2, 1, second_type}, parts_rule::own},
    {"with_memory_space_constraint", same_values, "", signature{1, 1, same_types}, parts_rule::own,
     ignores{"memory_space"}},
    {"xla_metadata_call", call<jaxpr_key>, "(inlined)",
     signature{{}, {}, call_types<jaxpr_key>, {{"jaxpr", param_form::body}}}, parts_rule::own, ignores{ignores::all}},
    {"xla_metadata_value", same_values, "", signature{{}, {}, same_types}, parts_rule::own,
     ignores{"xla_metadata_kvs"}},
    {"xla_pmap", on_devices, "(inlined)",
     signature{{},
               {},
               nullptr,
               {{"axis_name", param_form::other},
                {"axis_size", param_form::number, 1},
                {"call_jaxpr", param_form::body},
                {"in_axes", param_form::list, "numbers, or None"},
                {"out_axes", param_form::list, "numbers, or None"}}},
     parts_rule::own, ignores{"backend devices donated_invars global_axis_size is_explicit_global_axis_size name"}},
};

}  // namespace jax2onnx::lower
