// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace jax2onnx::detail {

using ordered_json = nlohmann::ordered_json;

/// `value` as JSON in ASCII, so that a terminal acts on none of its characters. Bytes that are not UTF-8, such as in
/// names of files, are replaced.
inline std::string text_of(const ordered_json& value) {
  constexpr bool ascii = true;
  return value.dump(2, ' ', ascii, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace jax2onnx::detail
