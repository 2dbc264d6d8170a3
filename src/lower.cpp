#include <jax2onnx/lower/builtin.inl.hpp>
#include <jax2onnx/lower/dispatch.inl.hpp>
#include <jax2onnx/lower/lowerer.inl.hpp>
#include <jax2onnx/lower/site.inl.hpp>
