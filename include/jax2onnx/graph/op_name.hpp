// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jax2onnx/graph/operator_name.hpp>

namespace jax2onnx::detail {

/// The name of an operator as a template argument.
template <std::size_t N>
struct op_name {
  char text[N] = {};
  constexpr op_name(const char (&name)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
  }
  constexpr operator_name view() const { return operator_name::unchecked({text, N - 1}); }
};

}  // namespace jax2onnx::detail
