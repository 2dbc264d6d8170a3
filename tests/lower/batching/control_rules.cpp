// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/control_rules.hpp>

TEST_CASE("a carried value differs if an iteration makes it differ") {
  const on_two_devices made(
      "z:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 0.0:f32[]; b:f32[3] d:f32[2,3] = scan[jaxpr={ "
      "lambda ; e:f32[3] f:f32[3]. let g:f32[3] = add e f in (g, g) } length=2 num_carry=1 num_consts=0 reverse=False "
      "unroll=1] z a; c:f32[2,3] = sub a d",
      "c");
  CHECK(made.problem() == "(none)");
  CHECK(made.has("Scan"));
}

TEST_CASE("a branch that devices choose differently is computed by all") {
  const on_two_devices made(
      "b:i32[] = axis_index[axis_name=x]; c:f32[2,3] = cond[branches=({ lambda ; d:f32[2,3]. let e:f32[2,3] = sin d in "
      "(e,) } { lambda ; d:f32[2,3]. let e:f32[2,3] = cos d in (e,) })] b a");
  CHECK(made.problem() == "(none)");
  CHECK_FALSE(made.has("If"));
  CHECK(made.has("Where"));
}
