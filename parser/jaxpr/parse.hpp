#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/diagnostic.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/reader/infer.hpp>
#include <jaxpr/reader/program.hpp>

namespace jaxpr {

namespace reader {

/// What a module owns.
struct storage {
  explicit storage(std::size_t text_bytes) : nodes(std::min(text_bytes * 2, std::size_t{4} << 20)) {}
  arena nodes;
  std::vector<equation_stack> equations;  ///< of large bodies
  std::string text;                       ///< only where colours had to be taken out
};

/// Bytes of the ANSI colour code `ESC [ digits m` that `text` starts with, 0 when there is none.
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
    const std::size_t next = std::min(text.find('\x1b', 1), text.size());
    if (colour_code(text) == 0) {
      plain.append(text.substr(0, next));
      text.remove_prefix(next);
    }
  }
  return plain;
}

/// Where byte `offset` of the text without colours is in the text with them.
inline std::uint32_t coloured_offset(std::string_view text, std::uint32_t offset) {
  std::size_t at = 0;
  for (std::uint32_t plain = 0; at < text.size(); ++at, ++plain) {
    while (const std::size_t code = colour_code(text.substr(at))) at += code;
    if (plain == offset) break;
  }
  return static_cast<std::uint32_t>(std::min(at, text.size()));
}

inline void skip_byte_order_mark(cursor& in) {
  if (in.on("\xef\xbb\xbf")) in.advance(3);
}

inline struct module parse_text(std::string_view text, const parse_options& options,
                                const std::shared_ptr<storage>& owned) {
  state s(text, options, owned->nodes, owned->equations);
  skip_byte_order_mark(s.in);
  skip(s);
  struct module result;
  result.text = text;
  result.main = parse_program(s);
  skip(s);
  settle_comments(s);
  if (!s.in.ended())
    fail_expected(s.in, "parse.trailing-text", "the end of the text",
                  "a file holds one jaxpr, with its shared jaxprs before it");
  check_main_results(s, *result.main);
  if (s.needs_inference) infer_types(s, *result.main);
  result.shared = result.main->shared;
  result.storage = owned;
  return result;
}

}  // namespace reader

/// Parses the text of one jaxpr; throws `error` at the first thing wrong. The text must outlive the module, which views
/// it, except that a text with ANSI colours is copied without them (`module::text`).
inline struct module parse(std::string_view text, const parse_options& options = {}) {
  const std::size_t limit = std::min(options.max_bytes, std::size_t{1} << 31);
  if (text.size() > limit)
    reader::fail("parse.limit-size", {},
                 fmt::format("expected at most {} bytes of text, found {}", limit, text.size()));
  auto owned = std::make_shared<reader::storage>(text.size());
  if (text.empty() || !std::memchr(text.data(), '\x1b', text.size())) return reader::parse_text(text, options, owned);
  owned->text = reader::strip_colours(text);
  try {
    return reader::parse_text(owned->text, options, owned);
  } catch (const error& e) {
    diagnostic d = e.details();
    d.where = {reader::coloured_offset(text, d.where.begin), reader::coloured_offset(text, d.where.end)};
    throw error(std::move(d));
  }
}

/// A module views its text, so a temporary one cannot be parsed.
template <std::same_as<std::string> Text>
struct module parse(Text&& text, const parse_options& options = {}) = delete;

}  // namespace jaxpr
