// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <jaxpr/detail/unicode.hpp>

/// Makes untrusted text safe to print: names from files and texts can hold terminal control sequences and characters
/// that reorder or hide other characters.
namespace jax2onnx::detail {

/// Replaces every byte that is not UTF-8, every control character, and every character that hides or reorders text on a
/// terminal by `_`.
inline std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const jaxpr::detail::code_point c = jaxpr::detail::decode(text, 0);
    if (!c.valid || jaxpr::detail::is_unsafe(c.value)) out += '_';
    else out += text.substr(0, c.size);
    text.remove_prefix(c.size);
  }
  return out;
}

/// Applies plain_text() to each line of `text`.
inline std::string plain_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += plain_text(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return out + plain_text(text);
}

/// A name from a file, safe to show: control and non-ASCII bytes are escaped, long names are cut.
inline std::string shown(std::string_view name) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : name.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) out += c;
    else out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return name.size() > longest ? out + "..." : out;
}

}  // namespace jax2onnx::detail
