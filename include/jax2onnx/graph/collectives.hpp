// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// The domain of the operators by which the models of several devices exchange values (docs/devices.md).
inline constexpr std::string_view collective_domain = "jax.collectives";

/// True if a node exchanges values with other devices. Rewrites keep this node even if nothing reads its results, since
/// the other devices wait for it.
inline bool is_collective(const node& n) { return n.domain == collective_domain; }

}  // namespace jax2onnx
