// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/sequence.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: sequence") {
  graph g;
  const auto s = input<std::string, "B"_d, 4>(g, "s");
  CHECK((has_type<std::string, "B"_d, 4>(string_concat(s, s))));
  CHECK((has_type<bool, "B"_d, 4>(regex_full_match(s, {.pattern = "a.*"}))));
}
