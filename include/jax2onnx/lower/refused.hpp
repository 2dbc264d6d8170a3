// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Primitives that cannot have a lowering, since the text does not determine what they compute.
namespace jax2onnx::lower {

/// A primitive, why it is refused, and what to do instead.
struct refusal {
  std::string_view primitive, reason, help;
  bool has_effect = false;  ///< true if an equation without results is left out, since it only has an effect
};

inline constexpr std::string_view python_reason =
    "it calls back into Python; the text does not contain the called function";
inline constexpr std::string_view kernel_reason = "it calls machine code that is not in the text";
inline constexpr std::string_view devices_reason = "it communicates between devices; an ONNX model runs on one";
inline constexpr std::string_view python_help =
    "compute it with jax.numpy or outside the exported function, or map it to an operator of a runtime extension "
    "(option custom-op)";
inline constexpr std::string_view devices_help = "trace the function with the shard_map or pmap around it";

inline constexpr std::string_view class_reason =
    "it applies a Python class; JAX 0.12 prints its parameters, earlier versions print only its name";

inline constexpr refusal refusals[] = {
    {"_RootLinearMap", "it is the derivative of the function whose root is sought; the text lacks this derivative",
     "give jax.lax.custom_root a tangent_solve that computes the derivative itself, or export the function without its "
     "gradient"},
    {"call_hi_primitive", class_reason, "trace the function with JAX 0.12 or newer"},
    {"call_exported", "an exported module is compiled; its jaxpr is not in the text",
     "trace the function that was exported"},
    {"ffi_call", kernel_reason,
     "trace the function with an implementation in jax.numpy, or map it to an operator of a runtime extension "
     "(option custom-op)",
     true},
    {"io_callback", python_reason, python_help, true},
    {"noinline", python_reason, "call the function without equinox.internal.noinline"},
    {"outside_call", python_reason, python_help},
    {"pure_callback", python_reason, python_help},
    {"rng_uniform", "it draws from a generator whose state is not part of the program",
     "use jax.random.uniform with a key"},
};

/// The reason why `primitive` can never have a lowering; null for any other primitive.
constexpr const refusal* find_refusal(std::string_view primitive) {
  for (const refusal& r : refusals)
    if (r.primitive == primitive) return &r;
  return nullptr;
}

}  // namespace jax2onnx::lower
