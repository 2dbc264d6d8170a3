// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/graph/tensor_type.hpp>

using namespace jax2onnx;

TEST_CASE("tensor_type: plain types are tensors of known rank") {
  CHECK(tensor_type{dtype::f32, {2, 3}}.is_plain());
  CHECK_FALSE(unranked(dtype::f32).is_plain());
  CHECK_FALSE(tensor_type{dtype::f32, {2}, true, value_kind::sequence}.is_plain());
  CHECK(unranked(dtype::f32) != tensor_type{dtype::f32, {}});
}

TEST_CASE("tensor_constant: equal where types and bytes are") {
  const auto constant = [](dtype t, const char* text) {
    return tensor_constant({t, {2}}, bytes(std::string(text, 2)));
  };
  CHECK(constant(dtype::u8, "ab") == constant(dtype::u8, "ab"));
  CHECK_FALSE(constant(dtype::u8, "ab") == constant(dtype::u8, "ac"));
  CHECK_FALSE(constant(dtype::u8, "ab") == constant(dtype::i8, "ab"));
}
