// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/site.hpp>

namespace jax2onnx::lower {

/// A jaxpr for one device that computes the results of the program of `s`, a shard_map or pmap, on all devices. The
/// jaxpr lives as long as the driver. Throws unsupported_error for operations that have no meaning on one device.
const jaxpr::body& on_one_device(const site& s);

}  // namespace jax2onnx::lower
