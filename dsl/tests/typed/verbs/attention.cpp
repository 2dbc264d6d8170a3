// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/attention.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: attention") {
  graph g;
  const auto q = input<float, "B"_d, 8, "T"_d, 64>(g, "q");
  const auto past = input<float, "B"_d, 8, "P"_d, 64>(g, "past");
  const auto a = attention(q, q, q, {}, past, past, {}, {.is_causal = true});
  CHECK((has_type<float, "B"_d, 8, "T"_d, 64>(a.y)));
  CHECK((has_type<float, "B"_d, 8, "P"_d + "T"_d, 64>(a.present_key)));
}
