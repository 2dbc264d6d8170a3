// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/partition.hpp>

TEST_CASE("a mesh of one device costs no node") {
  const lowered_text made(
      "{ lambda ; a:f32[4]. let b:f32[4] = shard_map[in_specs=(P('x',),) jaxpr={ lambda ; a:f32[4]. "
      "let c:f32[4] = sin a; d:f32[4] = psum[axes=('x',)] c in (d,) } mesh=Mesh('x': 1) "
      "out_specs=(P('x',),)] a in (b,) }",
      jax2onnx::lower_builtin);
  CHECK(made.problem() == "(none)");
  CHECK(made.g.at(jax2onnx::block_id::main).nodes.size() == 1);
}

TEST_CASE("a specification that does not fit its array is refused") {
  CHECK(on_two_devices("c:f32[2,3] = sin a", "c", "f32[4,3]", "P(None, None, 'x')")
            .problem()
            .find("more axes than its array") != std::string::npos);
  CHECK(on_two_devices("c:f32[2,3] = sin a", "c", "f32[4,3]", "P('z',)").problem().find("not an axis of the mesh") !=
        std::string::npos);
}
