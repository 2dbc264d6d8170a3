// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/plain_text.hpp>
#include <jaxpr/escape.hpp>

namespace jax2onnx::detail {

/// The file, and the array in it, that a reader is processing. Creates the reader's errors.
struct file_site {
  std::string file;
  std::string member;  ///< the member of an archive; empty for the file as a whole

  file_site at(std::string_view name) const { return {file, std::string(name)}; }
  [[noreturn]] void fail(failure kind, std::string_view what, std::string help = {}) const {
    std::string message = file + ": ";
    if (!member.empty()) message.append("'").append(shown(member)).append("': ");
    throw file_error(kind, message.append(jaxpr::escape(what)), std::move(help));
  }
  [[noreturn]] void malformed(std::string_view what, std::string help = {}) const {
    fail(failure::malformed, what, std::move(help));
  }
  [[noreturn]] void unsafe(std::string_view what, std::string help = {}) const {
    fail(failure::unsafe, what, std::move(help));
  }
};

}  // namespace jax2onnx::detail
