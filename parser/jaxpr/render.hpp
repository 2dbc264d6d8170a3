#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <jaxpr/diagnostic.hpp>

namespace jaxpr {

namespace reader {

/// The code point at `at`, its length in bytes; a byte that is not UTF-8 stands for itself with `valid` false.
struct code_point {
  char32_t value = 0;
  std::size_t size = 1;
  bool valid = true;
};

inline code_point decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned head = byte(at);
  if (head < 0x80) return {head, 1, true};
  const std::size_t size = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || at + size > text.size()) return {head, 1, false};
  char32_t value = head & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {head, 1, false};
    value = value << 6 | (byte(at + i) & 0x3f);
  }
  return {value, size, true};
}

/// Control characters and the marks that reorder text could make a terminal show something else than the file holds.
constexpr bool is_unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0x200e || c == 0x200f || c == 0x061c || c == 0x2028 || c == 0x2029 || c == 0xfeff;
}

inline std::string shown(const code_point& c, std::string_view bytes) {
  if (!c.valid) return fmt::format("\\x{:02x}", static_cast<unsigned>(c.value));
  if (c.value == '\t') return " ";
  if (is_unsafe(c.value)) return fmt::format("\\u{{{:x}}}", static_cast<unsigned>(c.value));
  return std::string(bytes);
}

/// `text` with everything escaped that could disturb a terminal.
inline std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const code_point c = decode(text, i);
    out += shown(c, text.substr(i, c.size));
    i += c.size;
  }
  return out;
}

/// One source line with the caret run below it.
struct excerpt {
  std::string line;
  std::string carets;
};

/// The line around `where`, at most about 100 columns of it.
inline excerpt make_excerpt(std::string_view text, span where) {
  constexpr std::size_t before = 60, after = 40;
  const std::size_t at = std::min<std::size_t>(where.begin, text.size());
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::size_t first = begin, last = end;
  const auto inside_code_point = [&](std::size_t i) {
    return i < end && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  if (at - begin > before + 10) first = at - before;
  while (inside_code_point(first)) ++first;
  const std::size_t stop = std::clamp<std::size_t>(where.end, at, end);
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
    if (i < std::max(stop, at + 1)) e.carets.append(width, i < at ? ' ' : '^');
    i += c.size;
  }
  if (e.carets.find('^') == std::string::npos) e.carets += '^';
  if (last != end) e.line += "...";
  while (!e.line.empty() && (e.line.back() == ' ' || e.line.back() == '\r')) e.line.pop_back();
  return e;
}

inline std::string_view severity_name(severity level) {
  return level == severity::error ? "error" : level == severity::warning ? "warning" : "note";
}

}  // namespace reader

/// `message` with everything escaped that could disturb a terminal, but for its line breaks.
inline std::string escape_lines(std::string_view message) {
  std::string out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = message.find('\n', begin);
    out += reader::escape(message.substr(begin, end - begin));
    if (end == std::string_view::npos) return out;
    out += '\n';
    begin = end + 1;
  }
}

inline line_column locate(std::string_view text, std::size_t offset) {
  line_column place;
  offset = std::min(offset, text.size());
  const std::string_view head = text.substr(0, offset);
  place.line += static_cast<std::size_t>(std::ranges::count(head, '\n'));
  const std::size_t line_begin = head.rfind('\n') == std::string_view::npos ? 0 : head.rfind('\n') + 1;
  for (const char c : head.substr(line_begin))
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++place.column;
  return place;
}

inline std::string render(const diagnostic& d, std::string_view text, std::string_view file_name) {
  const line_column place = locate(text, d.where.begin);
  std::string out =
      fmt::format("{}:{}:{}: {}", reader::escape(file_name), place.line, place.column, reader::severity_name(d.level));
  if (!d.code.empty()) out += fmt::format("[{}]", d.code);
  out += fmt::format(": {}\n", escape_lines(d.message));
  if (!text.empty()) {
    const reader::excerpt e = reader::make_excerpt(text, d.where);
    const std::string number = fmt::format("{:>5}", place.line);
    out += fmt::format("{} | {}\n{:{}} | {}\n", number, e.line, "", number.size(), e.carets);
  }
  if (!d.help.empty()) out += fmt::format("      = help: {}\n", reader::escape(d.help));
  for (const diagnostic& note : d.notes) out += render(note, text, file_name);
  return out;
}

}  // namespace jaxpr
