// SPDX-License-Identifier: Apache-2.0
#pragma once

// JAX2ONNX_COMPILED and JAX2ONNX_INLINE, which the parser shares with the library.
#include <jaxpr/config.hpp>
