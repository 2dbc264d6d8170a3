#include <jax2onnx/graph/apply.inl.hpp>
#include <jax2onnx/graph/checked.inl.hpp>
#include <jax2onnx/graph/functions/inline.inl.hpp>
#include <jax2onnx/graph/known_numbers.inl.hpp>
#include <jax2onnx/graph/records/find.inl.hpp>
#include <jax2onnx/graph/verify.inl.hpp>
#include <jax2onnx/ops/call/node_builder.inl.hpp>
#include <jax2onnx/ops/structure/functions.inl.hpp>
