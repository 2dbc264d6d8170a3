#include <jax2onnx/operators/records/find.inl.hpp>
