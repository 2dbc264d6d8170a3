// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/edit_distance.hpp>

using jax2onnx::detail::edit_distance;

TEST_CASE("edit_distance: insertions, deletions, changes and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("Relu", "relu") == 0);
  CHECK(edit_distance("Rleu", "Relu") == 1);
  CHECK(edit_distance("Elu", "Relu") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("closest: the candidate that a word was meant to be") {
  const std::vector<std::string> candidates = {"opset", "unroll", "target"};
  CHECK(jax2onnx::detail::closest("unrol", candidates) == "unroll");
  CHECK(jax2onnx::detail::closest("limit", candidates).empty());
  CHECK(jax2onnx::detail::closest("unroll", {}).empty());
}
