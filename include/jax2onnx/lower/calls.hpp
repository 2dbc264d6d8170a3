#pragma once

#include <jax2onnx/lower/table.hpp>

/// Primitives that carry a jaxpr and compute what it computes: inlined.
namespace jax2onnx::lower {

template <char const* Key>
results call(const site& s) {
  return s.inline_body(*s.param<const jaxpr::jaxpr*>(Key), s.ins(), s.wanted());
}
inline constexpr char jaxpr_key[] = "jaxpr";
inline constexpr char call_jaxpr_key[] = "call_jaxpr";

inline constexpr lowering call_rows[] = {
    {"closed_call", call<call_jaxpr_key>, "(inlined)", parts_rule::own},
    {"core_call", call<call_jaxpr_key>, "(inlined)", parts_rule::own},
    {"core_closed_call", call<call_jaxpr_key>, "(inlined)", parts_rule::own},
    {"custom_jvp_call", call<call_jaxpr_key>, "(inlined)", parts_rule::own},
    {"custom_vjp_call", call<call_jaxpr_key>, "(inlined)", parts_rule::own},
    {"jit", call<jaxpr_key>, "(inlined)", parts_rule::own},
    {"remat2", call<jaxpr_key>, "(inlined)", parts_rule::own},
};

}  // namespace jax2onnx::lower
