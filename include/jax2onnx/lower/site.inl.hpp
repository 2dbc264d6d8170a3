#pragma once

#include <utility>

#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/site.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE const jaxpr::param* site::unread() const {
  using kind = jaxpr::value::kind;
  for (std::size_t i = 0; i < eqn_.params.size(); ++i) {
    const jaxpr::param& p = eqn_.params[i];
    if (i < 64 && (read_ >> i & 1)) continue;
    const bool harmless = p.val.tag == kind::none || (p.val.tag == kind::boolean && !p.val.flag) ||
                          (p.val.tag == kind::tuple && p.val.items.empty()) || p.val.text == "UnspecifiedValue";
    if (!harmless && !compat::inert(p.key)) return &p;
  }
  return nullptr;
}

JAX2ONNX_INLINE void site::warn(std::string code, std::string message) const {
  driver_.warn(std::move(code), std::move(message), where());
}

JAX2ONNX_INLINE jax_values site::inline_body(const jaxpr::body& body, std::span<const jax_value> args,
                                             const selection& wanted) const {
  return driver_.inline_body(body, args, wanted);
}

JAX2ONNX_INLINE jax_values site::inline_elementwise(const jaxpr::body& body, std::span<const jax_value> args,
                                                    const shape& dims) const {
  return driver_.inline_elementwise(body, args, dims);
}

JAX2ONNX_INLINE bool site::partitionable_keys() const { return driver_.partitionable_keys(); }

JAX2ONNX_INLINE bool site::since_0_5() const { return driver_.since_0_5(); }

JAX2ONNX_INLINE jax_value site::new_ref(jax_value content) const { return driver_.new_ref(std::move(content)); }

JAX2ONNX_INLINE jax_value& site::content(const jax_value& ref) const { return driver_.content(ref); }

JAX2ONNX_INLINE std::vector<aval> site::input_types(const jaxpr::body& body) const { return driver_.input_types(body); }

JAX2ONNX_INLINE std::vector<aval> site::result_types(const jaxpr::body& body) const {
  return driver_.result_types(body);
}

}  // namespace jax2onnx
