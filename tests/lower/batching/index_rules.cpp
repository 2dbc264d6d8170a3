// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/index_rules.hpp>

TEST_CASE("a slice that begins elsewhere on each device is a gather") {
  const on_two_devices made(
      "b:i32[] = axis_index[axis_name='x']; "
      "c:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] a b 0:i32[]",
      "c", "f32[2,3]");
  CHECK(made.problem() == "(none)");
}

TEST_CASE("a slice that begins at one place on all devices stays a slice") {
  const on_two_devices made("c:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] a 1:i32[] 0:i32[]", "c", "f32[2,3]");
  CHECK(made.problem() == "(none)");
  CHECK(made.has("Slice"));
  CHECK_FALSE(made.has("GatherND"));
}
