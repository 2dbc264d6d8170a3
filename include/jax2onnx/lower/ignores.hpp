// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jax2onnx {

/// The parameters of a primitive that its lowering does not read because they do not affect values: their newest names,
/// separated by spaces. `key` is ignored with any value, `key=VALUE` only if JAX printed exactly VALUE, which has no
/// spaces. A key may be listed with several values. `*` ignores all unread parameters.
struct ignores {
  static constexpr std::string_view all = "*";
  std::string_view keys;

  /// Returns whether parameter `key` is ignored for at least one value.
  constexpr bool mentions(std::string_view key) const {
    if (keys == all) return true;
    for (std::string_view rest = keys; !rest.empty();) {
      const std::string_view entry = rest.substr(0, rest.find(' '));
      rest.remove_prefix(entry.size() == rest.size() ? rest.size() : entry.size() + 1);
      if (entry.substr(0, entry.find('=')) == key) return true;
    }
    return false;
  }
  /// Returns whether parameter `key`, printed with `value`, is ignored.
  constexpr bool covers(std::string_view key, std::string_view value) const {
    if (keys == all) return true;
    for (std::string_view rest = keys; !rest.empty();) {
      const std::size_t end = rest.find(' ');
      const std::string_view entry = rest.substr(0, end);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      const std::size_t equals = entry.find('=');
      if (entry.substr(0, equals) == key && (equals == entry.npos || entry.substr(equals + 1) == value)) return true;
    }
    return false;
  }
};

}  // namespace jax2onnx
