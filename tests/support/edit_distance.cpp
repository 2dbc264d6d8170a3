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
