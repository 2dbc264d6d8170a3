#include <jax2onnx/graph/dim_table.inl.hpp>
#include <jax2onnx/graph/graph.inl.hpp>
#include <jax2onnx/graph/ranges/interval_math.inl.hpp>
#include <jax2onnx/graph/ranges/range_of.inl.hpp>
#include <jax2onnx/graph/symbol_equations.inl.hpp>
#include <jax2onnx/ops/control.inl.hpp>
