// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <jaxpr/detail/order.hpp>
#include <jaxpr/detail/unicode.hpp>
#include <jaxpr/parse.hpp>
#include <jaxpr/reader/lexer/colours.hpp>
#include <jaxpr/reader/text.hpp>

namespace jaxpr {

namespace reader {

/// The memory that a program owns.
struct storage {
  explicit storage(std::size_t text_bytes) : nodes(detail::least(text_bytes * 2, std::size_t{4} << 20)) {}
  arena nodes;
  std::string source;  ///< the caller's text, if it was moved in
  std::string plain;   ///< the text without its colours; empty if the text has none
};

inline void check_size(std::string_view text, const parse_options& options) {
  const std::size_t limit = detail::least(options.max_bytes, std::size_t{1} << 31);
  if (text.size() > limit)
    fail("parse.limit-size", {},
         detail::concat(
             {"expected at most ", std::to_string(limit), " bytes of text, found ", std::to_string(text.size())}));
}

inline void check_utf8(std::string_view text) {
  const std::size_t bad = detail::find_invalid_utf8(text);
  if (bad == detail::no_offset) return;
  const auto at = static_cast<std::uint32_t>(bad);
  fail("parse.encoding", {at, at + 1},
       detail::concat({"expected UTF-8, found byte 0x", detail::hex(static_cast<unsigned char>(text[bad]), 2)}),
       "write the text with encoding=\"utf-8\"");
}

inline bool has_escape(std::string_view text) {
  return !text.empty() && std::memchr(text.data(), '\x1b', text.size()) != nullptr;
}

/// Parses `text` without its colour codes. Spans of errors are mapped back to the coloured text.
inline program parse_coloured(std::string_view text, const parse_options& options, storage& owned) {
  owned.plain = strip_colours(text);
  try {
    return parse_text(owned.plain, options, owned.nodes);
  } catch (const error& e) {
    diagnostic d = e.details();
    d.where = {coloured_offset(text, d.where.begin), coloured_offset(text, d.where.end)};
    throw error(std::move(d));
  }
}

inline program parse_into(std::string_view text, const parse_options& options, const std::shared_ptr<storage>& owned) {
  check_size(text, options);
  check_utf8(text);
  program p = has_escape(text) ? parse_coloured(text, options, *owned) : parse_text(text, options, owned->nodes);
  p.storage = owned;
  return p;
}

}  // namespace reader

JAX2ONNX_INLINE program parse(std::string_view text, const parse_options& options) {
  return reader::parse_into(text, options, std::make_shared<reader::storage>(text.size()));
}

JAX2ONNX_INLINE program detail::parse_owned(std::string text, const parse_options& options) {
  const auto owned = std::make_shared<reader::storage>(text.size());
  owned->source = std::move(text);
  try {
    return reader::parse_into(owned->source, options, owned);
  } catch (const error& e) {
    throw error(e.details(), std::move(owned->source));
  }
}

}  // namespace jaxpr
