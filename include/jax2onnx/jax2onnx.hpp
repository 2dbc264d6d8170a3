#pragma once

#include <jax2onnx/convert.hpp>
