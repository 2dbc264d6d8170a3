// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/detail/order.hpp>
#include <jaxpr/detail/text.hpp>
#include <jaxpr/detail/unicode.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/render.hpp>

namespace jaxpr {

namespace detail {

/// One source line, and the line of carets below it.
struct excerpt {
  std::string line;
  std::string carets;
};

/// The line in which `where` begins, cut to about 100 columns, and its carets.
inline excerpt make_excerpt(std::string_view text, span where) {
  constexpr std::size_t before = 60, after = 40;
  const std::size_t at = least<std::size_t>(where.begin, text.size());
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  const std::size_t end = least(text.find('\n', at), text.size());
  std::size_t first = begin, last = end;
  const auto inside_code_point = [&](std::size_t i) { return i < end && is_continuation(text[i]); };
  if (at - begin > before + 10) first = at - before;
  while (inside_code_point(first)) ++first;
  const std::size_t stop = greatest(at, least<std::size_t>(where.end, end));
  if (end > stop && end - stop > after) last = stop + after;
  if (last - at > before + after) last = at + before + after;
  while (inside_code_point(last)) ++last;
  excerpt e;
  if (first != begin) e.line += "...";
  e.carets.assign(e.line.size(), ' ');
  for (std::size_t i = first; i < last;) {
    const code_point c = decode(text.substr(0, last), i);
    const std::string piece = shown(c, text.substr(i, c.size));
    const std::size_t width = c.valid && !is_unsafe(c.value) ? 1 : piece.size();
    e.line += piece;
    if (i < greatest(stop, at + 1)) e.carets.append(width, i < at ? ' ' : '^');
    i += c.size;
  }
  if (e.carets.find('^') == std::string::npos) e.carets += '^';
  if (last != end) e.line += "...";
  while (!e.line.empty() && (e.line.back() == ' ' || e.line.back() == '\r')) e.line.pop_back();
  return e;
}

/// The source line with its number, and the line of carets.
inline std::string numbered(const excerpt& e, std::size_t line) {
  std::string number = std::to_string(line);
  if (number.size() < 5) number.insert(0, 5 - number.size(), ' ');
  return concat({number, " | ", e.line, "\n", std::string(number.size(), ' '), " | ", e.carets, "\n"});
}

inline std::string_view severity_name(severity level) {
  return level == severity::error ? "error" : level == severity::warning ? "warning" : "note";
}

}  // namespace detail

JAX2ONNX_INLINE line_column locate(std::string_view text, std::size_t offset) {
  line_column place;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') ++place.line, place.column = 1;
    else if (!detail::is_continuation(c)) ++place.column;
  }
  return place;
}

JAX2ONNX_INLINE std::string render(const diagnostic& d, std::string_view text, std::string_view file_name) {
  const line_column place = locate(text, d.where.begin);
  std::string out = detail::concat({escape(file_name), ":", std::to_string(place.line), ":",
                                    std::to_string(place.column), ": ", detail::severity_name(d.level)});
  if (!d.code.empty()) out += detail::concat({"[", d.code, "]"});
  out += detail::concat({": ", escape_lines(d.message), "\n"});
  if (!text.empty()) out += detail::numbered(detail::make_excerpt(text, d.where), place.line);
  if (!d.help.empty()) out += detail::concat({"      = help: ", escape(d.help), "\n"});
  for (const diagnostic& note : d.notes) out += render(note, text, file_name);
  return out;
}

}  // namespace jaxpr
