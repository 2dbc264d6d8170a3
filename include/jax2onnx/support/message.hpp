// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

/// Messages of exceptions. The checked format strings and writers of fmt::format would burden every program that
/// includes these headers; messages need only text and numbers.
namespace jax2onnx::detail {

/// A text, or a number in decimal.
class message_part {
 public:
  message_part(std::string_view text) : text_(text) {}
  message_part(const std::string& text) : text_(text) {}
  message_part(const char* text) : text_(text) {}
  message_part(char letter) : digits_{letter}, text_(digits_, 1) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) message_part(Integer number)
      : text_(digits_,
              static_cast<std::size_t>(std::to_chars(digits_, digits_ + sizeof digits_, number).ptr - digits_)) {}
  /// The shortest decimal that reads back as the same number.
  message_part(double number)
      : text_(digits_,
              static_cast<std::size_t>(std::to_chars(digits_, digits_ + sizeof digits_, number).ptr - digits_)) {}
  message_part(const message_part&) = delete;
  message_part& operator=(const message_part&) = delete;
  std::string_view text() const { return text_; }

 private:
  char digits_[24] = {};
  std::string_view text_;
};

/// Passes `pattern` to `text` piece by piece. part() writes the part that replaces the next `{}`, and returns true if
/// the part is 1. `{one|other}` becomes `one` if the part before it is 1, else `other`.
template <class Text, class Part>
constexpr void fill_pattern(std::string_view pattern, Text text, Part part) {
  bool one = false;
  for (std::size_t open; (open = pattern.find('{')) != std::string_view::npos;) {
    text(pattern.substr(0, open));
    pattern.remove_prefix(open + 1);
    const bool is_part = pattern.starts_with('}');
    const std::size_t bar = is_part ? 0 : pattern.find('|'), close = is_part ? 0 : pattern.find('}');
    if (is_part) one = part();
    else text(one ? pattern.substr(0, bar) : pattern.substr(bar, close - bar).substr(1));
    pattern.remove_prefix(close + 1);
  }
  text(pattern);
}

/// A pattern with one `{}` for each of `Count` parts; otherwise it does not compile.
template <std::size_t Count>
struct message_pattern {
  const char* text;
  consteval message_pattern(const char* pattern) : text(pattern) {
    std::size_t places = 0;
    fill_pattern(
        pattern, [](std::string_view) {}, [&] { return ++places == 0; });
    if (places != Count) throw "a message has one {} for each of its parts";
  }
};

inline std::string filled_message(std::string_view pattern, std::initializer_list<message_part> parts) {
  std::string out;
  const message_part* next = parts.begin();
  fill_pattern(
      pattern, [&](std::string_view piece) { out.append(piece); },
      [&] {
        const std::string_view part = next++->text();
        out.append(part);
        return part.size() == 1 && part.front() == '1';
      });
  return out;
}

/// The pattern, filled: message("{} has {} ax{is|es}", "x", 1) is "x has 1 axis".
template <class... Parts>
std::string message(message_pattern<sizeof...(Parts)> pattern, const Parts&... parts) {
  return filled_message(pattern.text, {message_part(parts)...});
}

/// `items` with `separator` between them, for message().
template <class Items>
std::string joined_text(const Items& items, std::string_view separator) {
  std::string out;
  std::string_view before;
  for (const auto& item : items) {
    out.append(before).append(message_part(item).text());
    before = separator;
  }
  return out;
}

}  // namespace jax2onnx::detail
