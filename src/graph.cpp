#include <jax2onnx/graph/dim_table.inl.hpp>
#include <jax2onnx/graph/graph.inl.hpp>
#include <jax2onnx/ops/control.inl.hpp>
