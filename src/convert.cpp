#include <jax2onnx/convert/convert.inl.hpp>
