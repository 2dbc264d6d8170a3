#include <jax2onnx/rewrite/optimize.inl.hpp>
