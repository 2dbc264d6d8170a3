// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/site.hpp>

namespace jax2onnx {

namespace detail {

inline bool is_unset(const jaxpr::value& v) {
  using kind = jaxpr::value::kind;
  return v.tag == kind::none || (v.tag == kind::boolean && !v.flag) || (v.tag == kind::tuple && v.items.empty()) ||
         v.text == "UnspecifiedValue";
}

}  // namespace detail

JAX2ONNX_INLINE void site::refuse_parameter(const jaxpr::param& p, std::string help) const {
  throw unsupported_error(
      detail::message("primitive '{}': parameter {}={} is not supported", primitive_, p.key, p.val.text.substr(0, 40)),
      decoder_.span_of(p.key), std::move(help));
}

JAX2ONNX_INLINE void site::require_read(const ignores& ignored) const {
  for (std::size_t i = 0; i < eqn_.params.size(); ++i) {
    const jaxpr::param& p = eqn_.params[i];
    if (!is_read(i) && !ignored.covers(key_of(p), p.val.text)) refuse_parameter(p);
  }
  read_ = ~std::uint64_t{0};
}

JAX2ONNX_INLINE void site::require_read() const {
  for (std::size_t i = 0; i < eqn_.params.size(); ++i)
    if (!is_read(i) && !detail::is_unset(eqn_.params[i].val)) refuse_parameter(eqn_.params[i]);
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

JAX2ONNX_INLINE bool site::assume_finite() const { return driver_.assume_finite(); }

JAX2ONNX_INLINE bool site::since_0_5() const { return driver_.since_0_5(); }
JAX2ONNX_INLINE bool site::since_0_11_2() const { return driver_.since_0_11_2(); }

JAX2ONNX_INLINE jax_value site::new_ref(jax_value content) const { return driver_.new_ref(std::move(content)); }

JAX2ONNX_INLINE jax_value& site::content(const jax_value& ref) const { return driver_.content(ref); }

JAX2ONNX_INLINE std::vector<aval> site::input_types(const jaxpr::body& body) const { return driver_.input_types(body); }

JAX2ONNX_INLINE std::vector<aval> site::result_types(const jaxpr::body& body) const {
  return driver_.result_types(body);
}

}  // namespace jax2onnx
