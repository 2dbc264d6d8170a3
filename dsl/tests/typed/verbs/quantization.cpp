// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/quantization.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: quantization") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto zero = input<std::uint8_t>(g, "zero");
  const auto y = quantize_linear(x, 0.5, zero);
  CHECK((has_type<std::uint8_t, "B"_d, 4>(y)));
  CHECK((has_type<float, "B"_d, 4>(dequantize_linear(y, 0.5, zero))));
  CHECK((has_type<std::uint8_t, "B"_d, 4>(dynamic_quantize_linear(x).y)));
}
