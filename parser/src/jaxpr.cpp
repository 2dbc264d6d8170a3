// SPDX-License-Identifier: Apache-2.0
// The library's functions, compiled once for jax2onnx::jaxpr_compiled.
#ifndef JAX2ONNX_COMPILED
#define JAX2ONNX_COMPILED
#endif

#include <jaxpr/escape.inl.hpp>
#include <jaxpr/parse.inl.hpp>
#include <jaxpr/print.inl.hpp>
#include <jaxpr/render.inl.hpp>
#include <jaxpr/walk.inl.hpp>
