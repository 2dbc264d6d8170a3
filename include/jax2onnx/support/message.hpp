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

/// A pattern with one `{}` for each of `Count` parts; otherwise it does not compile.
template <std::size_t Count>
struct message_pattern {
  const char* text;
  consteval message_pattern(const char* pattern) : text(pattern) {
    std::size_t places = 0;
    for (; *pattern; ++pattern) places += pattern[0] == '{' && pattern[1] == '}';
    if (places != Count) throw "a message has one {} for each of its parts";
  }
};

inline std::string filled_message(std::string_view pattern, std::initializer_list<message_part> parts) {
  std::string out;
  for (const message_part& part : parts) {
    const std::size_t place = pattern.find("{}");
    out.append(pattern.substr(0, place)).append(part.text());
    pattern.remove_prefix(place + 2);
  }
  return out.append(pattern);
}

/// `pattern` with every `{}` replaced by the next part: message("result {} is {}", i, name).
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
