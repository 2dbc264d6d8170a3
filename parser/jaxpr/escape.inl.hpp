// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/detail/unicode.hpp>
#include <jaxpr/escape.hpp>

namespace jaxpr {

JAX2ONNX_INLINE std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const detail::code_point c = detail::decode(text, i);
    out += detail::shown(c, text.substr(i, c.size));
    i += c.size;
  }
  return out;
}

JAX2ONNX_INLINE std::string escape_lines(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find('\n', begin);
    out += escape(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return out;
    out += '\n';
    begin = end + 1;
  }
}

}  // namespace jaxpr
