// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/operator_name.hpp>

using namespace jax2onnx;

TEST_CASE("operator_name: names of ai.onnx have a number, others are for other domains") {
  constexpr operator_name conv("Conv");
  STATIC_REQUIRE(conv.text() == "Conv");
  STATIC_REQUIRE(conv == "Conv");
  STATIC_REQUIRE(records::names[static_cast<std::size_t>(conv.number())] == "Conv");
  CHECK(operator_name::unchecked("Fft").number() == -1);
  CHECK(operator_name::unchecked("Relu").number() == operator_name("Relu").number());
  STATIC_REQUIRE(operator_name::numbered(conv.number()) == conv);
  STATIC_REQUIRE(operator_name().number() == -1);
  CHECK(detail::operator_number("Rleu") == -1);
  CHECK(detail::operator_number("") == -1);
}
