#include <jax2onnx/read/read_model.inl.hpp>
