// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/site.hpp>

namespace jax2onnx::lower {

/// A jaxpr for one device with the results that `s`, a shard_map or pmap, computes on all devices. The jaxpr lives as
/// long as the driver. Throws unsupported_error if one device cannot compute these results.
const jaxpr::body& on_one_device(const site& s);

}  // namespace jax2onnx::lower
