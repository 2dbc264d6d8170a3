#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <jaxpr/diagnostic.hpp>
#include <jaxpr/reader/chars.hpp>

namespace jaxpr::reader {

/// A place in the text, with what the layout rule needs to know about it.
struct cursor {
  const char* first = nullptr;  ///< of the text
  const char* at = nullptr;     ///< next character
  const char* last = nullptr;   ///< end of the text
  const char* line = nullptr;   ///< start of the line `at` is on
  const char* done = nullptr;   ///< end of the last token

  bool ended() const { return at == last; }
  char peek() const { return at == last ? '\0' : *at; }
  char peek(std::ptrdiff_t ahead) const { return last - at > ahead ? at[ahead] : '\0'; }
  bool on(char c) const { return at != last && *at == c; }
  bool on(std::string_view word) const {
    return static_cast<std::size_t>(last - at) >= word.size() && std::memcmp(at, word.data(), word.size()) == 0;
  }
  std::ptrdiff_t column() const { return at - line; }
  void advance(std::ptrdiff_t count) { at += count, done = at; }
  std::string_view since(const char* begin) const { return {begin, static_cast<std::size_t>(at - begin)}; }

  /// Passes blanks; true when a line ended among them.
  bool skip_blanks() {
    bool crossed = false;
    for (; at != last && is_blank(*at); ++at)
      if (*at == '\n') line = at + 1, crossed = true;
    return crossed;
  }

  /// Moves on to `end` over text that may hold line breaks.
  void jump(const char* end) {
    for (const char* p = end; p != at; --p) {
      if (p[-1] != '\n') continue;
      line = p;
      break;
    }
    at = end;
  }

  span from(const char* begin, const char* end) const {
    return {static_cast<std::uint32_t>(begin - first), static_cast<std::uint32_t>(end - first)};
  }
};

/// What stands at the cursor, for "expected X, found Y", and how long it is.
inline std::pair<std::string, const char*> found(const cursor& in) {
  if (in.ended()) return {"the end of the text", in.at};
  if (*in.at == '\n' || *in.at == '\r') return {"the end of the line", in.at};
  const char* end = in.at;
  if (is_word(*end)) {
    while (end != in.last && is_word(*end) && end - in.at < 40) ++end;
  } else if (*end >= 0x20 && *end < 0x7f) {
    ++end;
  } else {
    return {fmt::format("byte 0x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(*end))), end + 1};
  }
  return {fmt::format("'{}'", std::string_view(in.at, static_cast<std::size_t>(end - in.at))), end};
}

[[noreturn]] inline void fail(std::string code, span where, std::string message, std::string help = {}) {
  throw error({severity::error, std::move(code), std::move(message), where, std::move(help), {}});
}

/// Throws "expected `what`, found …" at the cursor.
[[noreturn]] inline void fail_expected(const cursor& in, std::string code, std::string_view what,
                                       std::string help = {}) {
  const auto [text, end] = found(in);
  // Nothing stands at the end of the text, so the place behind the last token shows more.
  const span where = in.ended() && in.done ? in.from(in.done, in.done) : in.from(in.at, end);
  fail(std::move(code), where, fmt::format("expected {}, found {}", what, text), std::move(help));
}

/// Passes the punctuation or keyword `word`, or fails.
inline void expect(cursor& in, std::string_view word, std::string_view after, std::string help = {}) {
  if (!in.on(word))
    fail_expected(in, "parse.expected-punctuation", fmt::format("'{}' {}", word, after), std::move(help));
  in.advance(static_cast<std::ptrdiff_t>(word.size()));
}

}  // namespace jaxpr::reader
