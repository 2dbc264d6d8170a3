#pragma once

// JAX2ONNX_COMPILED, JAX2ONNX_INLINE and the like, which the parser and the library share.
#include <jaxpr/config.hpp>
