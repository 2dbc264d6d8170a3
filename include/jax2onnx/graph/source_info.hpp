// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jax2onnx {

/// The origin of an equation, as JAX prints it after the equation.
struct source_info {
  std::string_view source;  ///< `net.py:12:4 (apply)`
  std::string_view scope;   ///< the name stack: `block_0/dense`
};

/// Splits an annotation into its lines. With `source_info=True` JAX prints the position in the Python source, with
/// `name_stack=True` the name stack in brackets. Both may be missing.
constexpr source_info parse_annotation(std::string_view text) {
  source_info info;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (line.starts_with('[') && line.ends_with(']')) info.scope = line.substr(1, line.size() - 2);
    else if (!line.empty()) info.source = line;
  }
  return info;
}

}  // namespace jax2onnx
