#pragma once

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx::lower {

/// What a program of many devices computes, as a jaxpr of one: `s` is a shard_map or a pmap. It lives as long as the
/// driver. Throws unsupported_error for what has no meaning on one device.
const jaxpr::body& on_one_device(const site& s);

}  // namespace jax2onnx::lower

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/batching/rules.inl.hpp>
#endif
