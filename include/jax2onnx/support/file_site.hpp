#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/support/file_error.hpp>

namespace jax2onnx::detail {

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

/// The file, and the array in it, that a reader is at. Makes the reader's errors.
struct file_site {
  std::string file;
  std::string member;  ///< empty: the file as a whole

  file_site at(std::string_view name) const { return {file, std::string(name)}; }
  [[noreturn]] void fail(failure kind, std::string_view what, std::string help = {}) const {
    std::string message = file + ": ";
    if (!member.empty()) message.append("'").append(shown(member)).append("': ");
    throw file_error(kind, message.append(what), std::move(help));
  }
  [[noreturn]] void malformed(std::string_view what, std::string help = {}) const {
    fail(failure::malformed, what, std::move(help));
  }
  [[noreturn]] void unsafe(std::string_view what, std::string help = {}) const {
    fail(failure::unsafe, what, std::move(help));
  }
};

}  // namespace jax2onnx::detail
