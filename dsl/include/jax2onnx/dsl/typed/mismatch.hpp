// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <jax2onnx/dsl/typed/extent.hpp>

/// Compile-time error messages about calls.
namespace jax2onnx {

/// A string as a template argument.
template <std::size_t N>
struct message_line {
  char text[N + 1] = {};  ///< the characters and a null
  /// Copies a string of N characters.
  constexpr explicit message_line(std::string_view t) {
    for (std::size_t i = 0; i < N; ++i) text[i] = t[i];
    text[N] = '\0';  // Clang prints the text as numbers unless it ends with a zero
  }
};

/// Always false. The name is chosen to read well in messages.
template <message_line... Text>
inline constexpr bool fits = false;

class value;

/// The result of a call that did not compile. A failed call converts to a handle everywhere, so that one error gives
/// one message.
struct failed_call {
  /// This function is never called.
  operator const value&() const;
};

namespace detail {

/// Clang prints up to 36 characters of a string.
inline constexpr std::size_t longest_line = 36;

/// The description of a problem with a call, under construction.
struct problem_text {
  static constexpr std::size_t longest = 600;
  char data[longest] = {};
  std::size_t size = 0;

  constexpr void add(std::string_view text) {
    for (char c : text)
      if (size < longest) data[size++] = c;
  }
  constexpr void add(std::int64_t n) {
    if (n < 0) add("-");
    char digits[20] = {};
    std::size_t count = 0;
    auto magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    do digits[count++] = static_cast<char>('0' + magnitude % 10);
    while ((magnitude /= 10) != 0);
    while (count > 0) add(std::string_view(&digits[--count], 1));
  }
  constexpr void add(const extent& e) {
    if (e.is_symbolic()) add(e.name());
    else if (e.is_dyn()) add("?");
    else add(e.size);
  }
  /// Adds a type, such as `f32[B,784]`.
  template <class Extents>
  constexpr void add_type(std::string_view element, const Extents& extents) {
    add(element);
    add("[");
    bool first = true;
    for (const extent& e : extents) {
      if (!first) add(",");
      first = false;
      add(e);
    }
    add("]");
  }
  constexpr std::string_view view() const { return {data, size}; }

  /// The number of characters from `from` on that fit on a line: whole words, if there is a blank.
  constexpr std::size_t line_at(std::size_t from) const {
    if (size - from <= longest_line) return size - from;
    std::size_t n = longest_line;
    while (n > 0 && data[from + n - 1] != ' ') --n;
    return n > 0 ? n : longest_line;
  }
};

/// The number of lines of a message.
constexpr std::size_t line_count(const problem_text& text) {
  std::size_t lines = 0;
  for (std::size_t from = 0; from < text.size; from += text.line_at(from)) ++lines;
  return lines;
}

/// The position of the first character of line n.
constexpr std::size_t line_begin(const problem_text& text, std::size_t n) {
  std::size_t from = 0;
  while (n-- > 0) from += text.line_at(from);
  return from;
}

/// Line n of the problem that Call::problem() returns.
template <class Call, std::size_t N>
constexpr auto problem_line() {
  constexpr problem_text text = Call::problem();
  constexpr std::size_t from = line_begin(text, N), length = text.line_at(from);
  return message_line<length>(text.view().substr(from, length));
}

}  // namespace detail

/// A call that does not fit instantiates this template. The first line of the compiler's message contains the text,
/// which names the operator, the operands' types and the problem.
/// @{
template <message_line... Text>
struct does_not_fit {
  static_assert(fits<Text...>, "see the quoted text");
  /// The result of the verb.
  using result = failed_call;
};
/// A call whose operands have already failed.
template <>
struct does_not_fit<> {
  /// The result of the verb.
  using result = failed_call;
};
/// @}

namespace detail {

template <class Call, class Lines>
struct refusal_of;
template <class Call, std::size_t... Line>
struct refusal_of<Call, std::index_sequence<Line...>> {
  using type = does_not_fit<problem_line<Call, Line>()...>;
};

}  // namespace detail

/// The class that refuses a call: does_not_fit with the lines of Call::problem(). If an operand has already failed,
/// Call::problem() is empty, and the class gives no second error.
template <class Call>
using refusal = typename detail::refusal_of<Call, std::make_index_sequence<detail::line_count(Call::problem())>>::type;

}  // namespace jax2onnx
