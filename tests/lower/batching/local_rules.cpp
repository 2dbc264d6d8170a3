// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/local_rules.hpp>

TEST_CASE("parameters that name axes also count the leading axes") {
  const on_two_devices made(
      "b:f32[2] = reduce_sum[axes=(1,)] a; c:f32[2,3] = broadcast_in_dim["
      "broadcast_dimensions=(0,) shape=(2, 3)] b");
  CHECK(made.problem() == "(none)");
  CHECK(made.has("ReduceSum"));
}

TEST_CASE("a product with what is the same for all devices needs no copies of it") {
  const on_two_devices made(
      "b:f32[3,3] = broadcast_in_dim[broadcast_dimensions=() shape=(3, 3)] 2.0:f32[]; "
      "c:f32[2,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] a b");
  CHECK(made.problem() == "(none)");
  CHECK_FALSE(made.has("Transpose"));
}

TEST_CASE("scalars that differ choose among rows") {
  const on_two_devices made(
      "b:i32[] = axis_index[axis_name='x']; e:bool[] = eq b 0:i32[]; "
      "d:f32[2,3] = neg a; c:f32[2,3] = select_n e a d");
  CHECK(made.problem() == "(none)");
  CHECK(made.has("Where"));
}
