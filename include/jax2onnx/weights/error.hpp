#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <jax2onnx/support/file_error.hpp>

namespace jax2onnx {

/// A weights file is damaged, cannot be read, or asks for what is unsafe. The message names the file, the member and
/// the rule.
class weights_error : public file_error {
 public:
  using file_error::file_error;
};

/// A name from a file, safe to show: control and non-ASCII bytes are escaped, long ones cut.
inline std::string shown(std::string_view name) {
  constexpr std::size_t longest = 200;
  std::string out;
  for (const char c : name.substr(0, longest)) {
    if (c >= 0x20 && c < 0x7f) out += c;
    else out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return name.size() > longest ? out + "..." : out;
}

/// Which file, and which array of it, a reader is at; makes its errors.
struct weights_site {
  std::string file;
  std::string member;

  weights_site at(std::string_view name) const { return {file, std::string(name)}; }
  [[noreturn]] void fail(failure why, std::string_view rule, std::string help = {}) const {
    const std::string where = member.empty() ? std::string() : fmt::format("'{}': ", shown(member));
    throw weights_error(why, fmt::format("{}: {}{}", file, where, rule), std::move(help));
  }
  [[noreturn]] void malformed(std::string_view rule, std::string help = {}) const {
    fail(failure::malformed, rule, std::move(help));
  }
  [[noreturn]] void unsafe(std::string_view rule, std::string help = {}) const {
    fail(failure::unsafe, rule, std::move(help));
  }
};

}  // namespace jax2onnx
