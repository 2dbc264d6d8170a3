// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/devices/one_of_two.hpp"

#include <jax2onnx/lower/devices/one_device.hpp>

TEST_CASE("a device takes its part, and gathers the parts of the result") {
  CHECK(of_device(over_two("c:f32[2,6] = sin a"), 0, 2).nodes() == "Slice Sin AllGather axis=0 devices=01 channel=0");
  CHECK(of_device(over_two("c:f32[2,6] = sin a", "c", "f32[2,6]", "P()"), 0, 2).nodes() == "Slice Sin");
}

TEST_CASE("a part of what was gathered is what the device had") {
  const of_device made(
      "{ lambda ; a:f32[4]. let b:f32[4] = shard_map[in_specs=(P('x',),) jaxpr={ lambda ; a:f32[2]. let c:f32[2] = sin "
      "a in (c,) } mesh=Mesh('x': 2) out_specs=(P('x',),)] a; d:f32[4] = shard_map[in_specs=(P('x',),) jaxpr={ lambda "
      "; a:f32[2]. let c:f32[2] = exp a in (c,) } mesh=Mesh('x': 2) out_specs=(P('x',),)] b in (d,) }",
      1, 2);
  CHECK(made.nodes() == "Slice Sin AllGather axis=0 devices=01 channel=0 Exp AllGather axis=0 devices=01 channel=1");
  CHECK(made.device.gathered(made.results[0].part(0).id())->where[0].number == 1);
}

TEST_CASE("pmap: the axis of the devices is gone inside") {
  const of_device made(
      "{ lambda ; a:f32[3,2] b:f32[3]. let c:f32[2,3] = xla_pmap[axis_name=i axis_size=2 call_jaxpr={ lambda ; "
      "a:f32[3] "
      "b:f32[3]. let c:f32[3] = add a b in (c,) } in_axes=(1, None) out_axes=(0,)] a b in (c,) }",
      1, 2);
  CHECK(made.nodes() == "Slice Squeeze Add Unsqueeze AllGather axis=0 devices=01 channel=0");
}

TEST_CASE("specifications that do not fit are refused") {
  CHECK(of_device(over_two("c:f32[2,6] = sin a", "c", "f32[4,6]", "P(None, None, 'x')"), 0, 2)
            .problem()
            .find("more axes than its array") != std::string::npos);
  CHECK(of_device(over_two("c:f32[2,6] = sin a", "c", "f32[4,6]", "P('z',)"), 0, 2)
            .problem()
            .find("not an axis of the mesh") != std::string::npos);
}
