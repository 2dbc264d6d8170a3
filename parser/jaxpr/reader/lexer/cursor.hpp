// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <jaxpr/detail/text.hpp>
#include <jaxpr/diagnostic.hpp>
#include <jaxpr/reader/lexer/chars.hpp>

namespace jaxpr::reader {

using detail::concat;

/// A position in the text, with the start of its line, because columns show where an equation ends.
struct cursor {
  const char* first = nullptr;  ///< start of the text
  const char* at = nullptr;     ///< next character
  const char* last = nullptr;   ///< end of the text
  const char* line = nullptr;   ///< start of the line that `at` is on
  const char* done = nullptr;   ///< end of the last token

  explicit cursor(std::string_view text)
      : first(text.data()), at(first), last(first + text.size()), line(first), done(first) {}

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
  std::string_view rest() const { return {at, static_cast<std::size_t>(last - at)}; }

  /// Skips blanks. Returns whether a line break was among the blanks.
  bool skip_blanks() {
    bool crossed = false;
    for (; at != last && is_blank(*at); ++at)
      if (*at == '\n') line = at + 1, crossed = true;
    return crossed;
  }

  /// Moves to `end` over text that may contain line breaks.
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
  span from(std::string_view part) const { return from(part.data(), part.data() + part.size()); }
};

/// The token at the cursor: its name in messages, and its end.
struct found_token {
  std::string name;
  const char* end = nullptr;
};

inline found_token found(const cursor& in) {
  if (in.ended()) return {"the end of the text", in.at};
  if (*in.at == '\n' || *in.at == '\r') return {"the end of the line", in.at};
  const char* end = in.at;
  if (is_word(*end)) {
    while (end != in.last && is_word(*end) && end - in.at < 40) ++end;
  } else if (*end >= 0x20 && *end < 0x7f) {
    ++end;
  } else {
    return {"byte 0x" + detail::hex(static_cast<unsigned char>(*end), 2), end + 1};
  }
  return {concat({"'", {in.at, static_cast<std::size_t>(end - in.at)}, "'"}), end};
}

[[noreturn]] inline void fail(std::string_view code, span where, std::string message, std::string_view help = {}) {
  throw error({severity::error, std::string(code), std::move(message), where, std::string(help), {}});
}

/// The help if a text ends inside a jaxpr: the text was probably cut off.
constexpr std::string_view cut_off_help = "the text stops too early: was it cut off?";

/// Throws "expected `what`, found …" at the cursor.
[[noreturn]] inline void fail_expected(const cursor& in, std::string_view code, std::string_view what,
                                       std::string_view help = {}) {
  const found_token token = found(in);
  // The end of the text may be far below the last token, so the error points to the end of that token.
  const span where = in.ended() && in.done ? in.from(in.done, in.done) : in.from(in.at, token.end);
  const bool cut_off = in.ended() && in.done != in.first;
  fail(code, where, concat({"expected ", what, ", found ", token.name}), cut_off ? cut_off_help : help);
}

/// Skips the punctuation or keyword `word`, or fails.
inline void expect(cursor& in, std::string_view word, std::string_view after, std::string_view help = {}) {
  if (!in.on(word)) fail_expected(in, "parse.expected-punctuation", concat({"'", word, "' ", after}), help);
  in.advance(static_cast<std::ptrdiff_t>(word.size()));
}

/// Fails if an identifier is longer than the limit. `what` is "name", "key" or "type".
inline void check_identifier(const cursor& in, std::string_view text, std::size_t limit, std::string_view what) {
  if (text.size() <= limit) return;
  fail("parse.limit-identifier", in.from(text),
       concat({"expected a ", what, " of at most ", std::to_string(limit), " bytes, found ",
               std::to_string(text.size())}));
}

}  // namespace jaxpr::reader
