#include <jax2onnx/platform/platform.inl.hpp>
