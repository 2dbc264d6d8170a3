// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <jaxpr/detail/order.hpp>

/// JAX prints ANSI colour codes to terminals, and texts copied from there contain them.
namespace jaxpr::reader {

/// The size in bytes of the colour code at the start of `text`: `ESC [`, then digits and `;`, then `m`. 0 if there is
/// none.
inline std::size_t colour_code(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

inline std::string strip_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    text.remove_prefix(colour_code(text));
    const std::size_t next = detail::least(text.find('\x1b', 1), text.size());
    if (colour_code(text) == 0) {
      plain.append(text.substr(0, next));
      text.remove_prefix(next);
    }
  }
  return plain;
}

/// The offset in `text` of byte `offset` of strip_colours(text).
inline std::uint32_t coloured_offset(std::string_view text, std::uint32_t offset) {
  std::size_t at = 0;
  for (std::uint32_t plain = 0; at < text.size(); ++at, ++plain) {
    while (const std::size_t code = colour_code(text.substr(at))) at += code;
    if (plain == offset) break;
  }
  return static_cast<std::uint32_t>(detail::least(at, text.size()));
}

}  // namespace jaxpr::reader
