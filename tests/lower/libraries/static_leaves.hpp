// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jax2onnx::test {

/// The parameter `static` of linear_solve, with leaves printed as `texts`.
struct static_leaves {
  std::vector<jaxpr::value> items;
  jaxpr::value all;

  explicit static_leaves(std::initializer_list<std::string_view> texts) : items(texts.size()) {
    std::size_t i = 0;
    for (std::string_view text : texts) items[i++].text = text;
    all.items = items;
  }
  static_leaves(const static_leaves&) = delete;
  static_leaves& operator=(const static_leaves&) = delete;
};
inline constexpr std::string_view operand_leaf = "<object object at 0x7f>";  // an operand

}  // namespace jax2onnx::test
