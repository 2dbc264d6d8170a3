// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <jax2onnx/lower/site.hpp>

/// Mutable references in control flow: their contents are passed into and out of a body like loop-carried values.
namespace jax2onnx::lower {

/// The mutable references among the operands of an equation, and the JAX types of their contents. The bodies of the
/// equation may write to any of these references.
struct ref_state {
  jax_values refs;
  std::vector<aval> types;

  explicit ref_state(const site& s) : refs(s.refs()) {
    for (const jax_value& r : refs)
      for (std::size_t i = 0; i < s.arity(); ++i)
        if (s.in_parts(i).cell == r.cell) {
          types.push_back(s.in_type(i));
          types.back().ref = false;
          break;
        }
  }
  jax_values contents(const site& s) const {
    jax_values out;
    for (const jax_value& r : refs) out.push_back(s.content(r));
    return out;
  }
  void assign(const site& s, std::span<const jax_value> contents) const {
    for (std::size_t i = 0; i < refs.size(); ++i) s.content(refs[i]) = contents[i];
  }
};

}  // namespace jax2onnx::lower
