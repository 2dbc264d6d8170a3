// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace jax2onnx::detail {

using ordered_json = nlohmann::ordered_json;

/// JSON of only ASCII characters: nothing that a terminal acts on. Names of files need not be UTF-8.
inline std::string text_of(const ordered_json& value) {
  constexpr bool ascii = true;
  return value.dump(2, ' ', ascii, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace jax2onnx::detail
