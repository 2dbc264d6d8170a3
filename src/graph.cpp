// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/graph/dim_table.inl.hpp>
#include <jax2onnx/graph/functions/inline.inl.hpp>
#include <jax2onnx/graph/graph.inl.hpp>
#include <jax2onnx/graph/live_graphs.inl.hpp>
#include <jax2onnx/graph/symbol_equations.inl.hpp>
