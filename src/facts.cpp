// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/facts/apply.inl.hpp>
#include <jax2onnx/facts/known_numbers.inl.hpp>
#include <jax2onnx/facts/ranges/interval_math.inl.hpp>
#include <jax2onnx/facts/ranges/range_of.inl.hpp>
#include <jax2onnx/facts/verify.inl.hpp>
