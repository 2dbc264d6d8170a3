#pragma once

// JAX2ONNX_COMPILED and JAX2ONNX_INLINE, which the parser and the library share.
#include <jaxpr/config.hpp>
