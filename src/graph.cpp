#include <jax2onnx/ops/control.inl.hpp>
