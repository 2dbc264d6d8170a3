// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace jax2onnx {

/// Selects items of a list; an empty selection selects all.
using selection = std::vector<bool>;

/// Returns whether item i is wanted.
inline bool wants(const selection& s, std::size_t i) { return s.empty() || s[i]; }

}  // namespace jax2onnx
