// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/walk.hpp>

/// Maps old names of JAX to the newest ones, so that texts of all versions read like texts of the newest version. Other
/// code distinguishes versions only by since_0_5() and since_0_11_2().
namespace jax2onnx::compat {

/// The newest version of JAX whose texts are supported.
inline constexpr std::string_view newest = "0.12";

struct rename {
  std::string_view old_name, new_name;
};

inline constexpr rename primitives[] = {
    {"pjit", "jit"},
    {"xla_call", "jit"},
    {"custom_vjp_call_jaxpr", "custom_vjp_call"},
    {"checkpoint", "remat2"},
    {"remat", "remat2"},
    {"mutable_array", "new_ref"},
    {"scaled_matmul", "scaled_matmul_wrapper"},
    {"ragged_dot", "ragged_dot_general"},
    {"call", "closed_call"},
    {"core_call", "closed_call"},
    {"core_closed_call", "closed_call"},
    {"eval_jaxpr", "closed_call"},
    {"fused_call", "compute_on"},
    {"RematTraced", "remat2"},
    {"OptRemat", "remat_opt"},
    {"CustomJVPTraced", "custom_jvp_call"},
    {"CustomVJPTraced", "custom_vjp_call"},
    {"CheckpointName", "name"},
    {"CheckpointNameFwd", "name"},
    {"copy_p", "copy"},
    {"mesh_cast", "reshard"},
    {"pbroadcast", "pvary"},
    {"preduced", "pvary"},
    {"reduced_vary_cast", "pvary"},
    {"vary_unreduced_cast", "pvary"},
    {"unreduced_psum", "psum"},
    {"unreduced_pmax", "pmax"},
    {"unreduced_pmin", "pmin"},
    {"all_gather_reduced", "all_gather"},
    {"unreduced_reduce_scatter", "reduce_scatter"},
    {"psum2", "psum"},
    {"psum_invariant", "psum"},
    {"all_gather_invariant", "all_gather"},
    {"scatter_add", "scatter-add"},
    {"scatter_max", "scatter-max"},
    {"scatter_min", "scatter-min"},
    {"scatter_mul", "scatter-mul"},
    {"scatter_sub", "scatter-sub"},
};

struct key_rename {
  std::string_view primitive, old_key, new_key;
};

inline constexpr key_rename keys[] = {
    {"custom_vjp_call", "fun_jaxpr", "call_jaxpr"},
    {"composite", "jaxpr", "call_jaxpr"},
    {"random_split", "count", "shape"},
    {"conj", "_input_dtype", "input_dtype"},
};

/// The newest name of a primitive.
constexpr std::string_view primitive(std::string_view printed) {
  for (const rename& r : primitives)
    if (r.old_name == printed) return r.new_name;
  return printed;
}

/// Returns whether parameters of a primitive had other keys in older versions.
constexpr bool has_old_keys(std::string_view primitive) {
  for (const key_rename& r : keys)
    if (r.primitive == primitive) return true;
  return false;
}

/// The newest key of a parameter.
constexpr std::string_view key(std::string_view primitive, std::string_view printed) {
  for (const key_rename& r : keys)
    if (r.primitive == primitive && r.old_key == printed) return r.new_key;
  return printed;
}

/// Returns whether JAX 0.5 or newer printed an equation; nullopt if the equation does not show this.
inline std::optional<bool> since_0_5(const jaxpr::equation& eqn) {
  const std::string_view p = eqn.primitive;
  if (p == "jit" || p == "split" || p == "square" || p == "stack" || p == "tile") return true;
  for (const jaxpr::atom& a : eqn.ins)  // literals have types since 0.6
    if (a.is_literal() && a.text.data() && *(a.text.data() + a.text.size()) == ':') return true;
  if (p == "broadcast_in_dim") return eqn.find("sharding") || !eqn.find("shape");
  if (p == "reshape") return eqn.find("sharding") != nullptr;
  if (p == "custom_jvp_call") return !eqn.find("jvp_jaxpr_thunk");
  if (p == "pjit" && eqn.find("ctx_mesh")) return true;
  if ((p == "cond" && eqn.find("linear")) || (p == "iota" && !eqn.find("sharding"))) return false;
  return std::nullopt;
}

/// A primitive or parameter that shows whether an equation is of JAX 0.11.2 or newer. If `key` is empty, the primitive
/// alone decides; otherwise the presence of the parameter decides.
struct evidence {
  std::string_view primitive, key;
  /// Tells if an equation with (without) the parameter is of 0.11.2 or newer; nullopt if all versions may print it.
  std::optional<bool> with, without;
};
inline constexpr evidence of_0_11_2[] = {
    {"closed_call", {}, false, {}},
    {"composite", "call_jaxpr", true, false},
    {"core_call", {}, false, {}},
    {"eval_jaxpr", {}, true, {}},
    {"log2", {}, true, {}},
    {"new_ref", "pin", true, false},
    {"one_minus_square", {}, true, {}},
    {"pjit", {}, false, {}},
    {"polynomial", {}, true, {}},
    {"reduce_max", "out_sharding", true, false},
    {"reduce_min", "out_sharding", true, false},
    {"scan", "num_carry", false, {}},
    {"top_k", "is_stable", {}, false},
};

/// Returns whether JAX 0.11.2 or newer printed an equation; nullopt if the equation does not show this.
inline std::optional<bool> since_0_11_2(const jaxpr::equation& eqn) {
  // JAX prints capitalized names since 0.12.
  if (!eqn.primitive.empty() && eqn.primitive[0] >= 'A' && eqn.primitive[0] <= 'Z') return true;
  for (const evidence& e : of_0_11_2)
    if (e.primitive == eqn.primitive)
      if (const auto told = e.key.empty() || eqn.find(e.key) ? e.with : e.without) return told;
  return since_0_5(eqn) == false ? std::optional(false) : std::nullopt;
}

/// Asks `told_by` about each equation in turn. Returns the first answer of `told_by`; true if `told_by` answers for no
/// equation.
inline bool since(std::optional<bool> (*told_by)(const jaxpr::equation&), const jaxpr::program& m) {
  std::optional<bool> found;
  jaxpr::for_each_equation(m, [&](const jaxpr::equation& eqn, const jaxpr::body&) {
    if (!found) found = told_by(eqn);
  });
  return found.value_or(true);
}
/// @{
inline bool since_0_5(const jaxpr::program& m) { return since(since_0_5, m); }
inline bool since_0_11_2(const jaxpr::program& m) { return since(since_0_11_2, m); }
/// @}

}  // namespace jax2onnx::compat
