// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/devices/one_of_two.hpp"

#include <string>

#include <jax2onnx/lower/devices/device.hpp>

namespace {

/// A program over a mesh of two by four devices that sums along the given axes.
std::string over_mesh(const std::string& axes) {
  return "{ lambda ; a:f32[4]. let b:f32[4] = shard_map[in_specs=(P(),) jaxpr={ lambda ; a:f32[4]. let c:f32[4] = "
         "psum[axes=(" +
         axes + ",) axis_index_groups=None] a in (c,) } mesh=Mesh('x': 2, 'y': 4) out_specs=(P(),)] a in (b,) }";
}

}  // namespace

TEST_CASE("groups are the devices along axes, in the order of the axes") {
  CHECK(of_device(over_mesh("'x'"), 6, 8).nodes() == "AllReduce devices=26 channel=0");
  CHECK(of_device(over_mesh("'y'"), 6, 8).nodes() == "AllReduce devices=4567 channel=0");
  CHECK(of_device(over_mesh("'x', 'y'"), 6, 8).nodes() == "AllReduce devices=01234567 channel=0");
  CHECK(of_device(over_mesh("'y', 'x'"), 6, 8).nodes() == "AllReduce devices=04152637 channel=0");
}

TEST_CASE("a mesh of another number of devices is refused") {
  CHECK(of_device(over_mesh("'x'"), 0, 4).problem() ==
        "lower.unsupported: primitive 'shard_map': its mesh has 8 devices, but the model is for one of 4");
}

TEST_CASE("a map inside of another one is over its axes") {
  const auto nested = [](const std::string& inner) {
    return "{ lambda ; a:f32[4]. let b:f32[4] = shard_map[in_specs=(P(),) jaxpr={ lambda ; a:f32[4]. let c:f32[4] = "
           "shard_map[in_specs=(P('" +
           inner + "',),) jaxpr={ lambda ; a:f32[2]. let c:f32[2] = sin a in (c,) } mesh=Mesh('" + inner +
           "': 2) out_specs=(P('" + inner +
           "',),)] a in (c,) } mesh=Mesh('x': 2, 'y': 2) out_specs=(P(),)] a in (b,) }";
  };
  CHECK(of_device(nested("y"), 1, 4).nodes() == "Slice Sin AllGather axis=0 devices=01 channel=0");
  CHECK(of_device(nested("z"), 1, 4).problem() ==
        "lower.unsupported: primitive 'shard_map': its axis 'z' is not an axis of the enclosing mesh");
}
