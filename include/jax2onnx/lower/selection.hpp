#pragma once

#include <cstddef>
#include <vector>

namespace jax2onnx {

/// Which items of a list are wanted; an empty selection wants all.
using selection = std::vector<bool>;

/// Whether item i is wanted.
inline bool wants(const selection& s, std::size_t i) { return s.empty() || s[i]; }

}  // namespace jax2onnx
