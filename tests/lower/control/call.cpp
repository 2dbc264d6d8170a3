// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/lower/control/call.hpp>

TEST_CASE("a call is inlined, with whatever the compiler is told") {
  for (const std::string parameters : {"fused_call[out_spaces=(MemorySpace.Device,)", "xla_metadata_call[a=b"}) {
    const jax2onnx::conversion made =
        jax2onnx::convert("{ lambda ; a:f32[2]. let b:f32[2] = " + parameters +
                          " jaxpr={ lambda ; c:f32<any>[2]. let d:f32<any>[2] = sin c in (d,) }] a in (b,) }");
    CHECK(made.stats.nodes == 1);
  }
}
