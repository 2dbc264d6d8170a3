#include <jax2onnx/weights/read_weights.inl.hpp>
