// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/site.hpp>

namespace jax2onnx::lower {

/// A jaxpr that computes on one device what the program of a shard_map or pmap `s` computes on many. It lives as long
/// as the driver. Throws unsupported_error for operations that have no meaning on one device.
const jaxpr::body& on_one_device(const site& s);

}  // namespace jax2onnx::lower
