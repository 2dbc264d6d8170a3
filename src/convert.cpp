// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/convert/convert.inl.hpp>
#include <jax2onnx/convert/option_table.inl.hpp>
