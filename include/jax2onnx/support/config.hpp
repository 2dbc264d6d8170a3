// SPDX-License-Identifier: Apache-2.0
#pragma once

// Defines JAX2ONNX_COMPILED and JAX2ONNX_INLINE, which the parser and the library share.
#include <jaxpr/config.hpp>
