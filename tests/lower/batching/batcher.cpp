// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/batcher.hpp>

using strings = std::vector<std::string>;

TEST_CASE("what differs between devices has a leading axis, what does not is computed once") {
  const on_two_devices made("b:f32[] = sin 1.0:f32[]; c:f32[2,3] = mul a b");
  CHECK(made.problem() == "(none)");
  CHECK(made.operators() == strings{"Reshape", "Sin", "Mul", "Reshape"});
}

TEST_CASE("an equation without a rule is computed for each device") {
  const on_two_devices made(
      "b:f32[3,2] f:f32[2,2] = qr[full_matrices=False pivoting=False use_magma=None] a; c:f32[2,3] = sub a a");
  CHECK(made.problem() == "(none)");
  const on_two_devices each("b:f32[2,3] = copy a; c:f32[2,3] = erf_inv b");
  CHECK(each.problem() == "(none)");
}

TEST_CASE("a mutable reference keeps what all devices share") {
  const on_two_devices made("b:Ref{f32[2,3]} = new_ref a; c:f32[2,3] <- b[:,:]");
  CHECK(made.problem().find("it has a mutable reference and operands that differ between devices") !=
        std::string::npos);
}
