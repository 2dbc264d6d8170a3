#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Text of strangers that is safe to print: names from files and texts can hold control sequences of terminals and
/// characters that reorder or hide others. (The parser, which stands alone, escapes its excerpts itself.)
namespace jax2onnx::detail {

/// The first code point of `s` and its length in bytes; a length of 0 if `s` does not start with valid UTF-8 (RFC
/// 3629).
struct utf8_char {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

constexpr utf8_char front_char(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])); };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 1) return {lead, 1};
  if (length == 0 || length > s.size()) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < smallest[length] || code > 0x10ffff || surrogate ? utf8_char{} : utf8_char{code, length};
}

/// Whether `c` is a control character, or hides or reorders text on a terminal: what the parser escapes.
constexpr bool is_deceptive(std::uint32_t c) {
  constexpr std::uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                                         {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                                         {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  if (c >= 0x20 && c < 0x7f) return false;
  for (const auto& [first, last] : ranges)
    if (c >= first && c <= last) return true;
  return false;
}

/// `text` with `_` in place of every byte that is not UTF-8 and every character that is_deceptive.
inline std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const utf8_char c = front_char(text);
    if (c.length == 0 || is_deceptive(c.code)) out += '_';
    else out += text.substr(0, c.length);
    text.remove_prefix(c.length == 0 ? 1 : c.length);
  }
  return out;
}

/// plain_text() of each line of `text`.
inline std::string plain_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += plain_text(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return out + plain_text(text);
}

/// A name from a file, safe to show: control and non-ASCII bytes are escaped, long names are cut.
inline std::string shown(std::string_view name) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : name.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) out += c;
    else out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return name.size() > longest ? out + "..." : out;
}

}  // namespace jax2onnx::detail
