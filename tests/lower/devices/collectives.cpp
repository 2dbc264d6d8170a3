// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/devices/one_of_two.hpp"

#include <string>
#include <string_view>

#include <jax2onnx/lower/devices/collectives.hpp>

namespace {

/// The nodes between the slice for the second device and the gathering of all parts.
std::string collective(std::string_view equation, std::string_view out = "f32[4,6]",
                       std::string_view spec = "P('x',)") {
  const of_device made(over_two(equation, "c", out, spec), 1, 2);
  return made.problem() == "(none)" ? made.nodes() : made.problem();
}

}  // namespace

TEST_CASE("reductions of devices are AllReduce") {
  CHECK(collective("c:f32[2,6] = psum[axes=('x',) axis_index_groups=None] a", "f32[2,6]", "P()") ==
        "Slice AllReduce devices=01 channel=0");
  CHECK(collective("c:f32[2,6] = pmax[axes=('x',) axis_index_groups=None] a", "f32[2,6]", "P()") ==
        "Slice AllReduce devices=01 channel=0");
  CHECK(collective("c:f32[6] = psum[axes=('x', 0) axis_index_groups=None] a", "f32[6]", "P()") ==
        "Slice ReduceSum keepdims=0 AllReduce devices=01 channel=0");
}

TEST_CASE("a group of one device exchanges nothing") {
  CHECK(collective("c:f32[2,6] = psum[axes=('x',) axis_index_groups=((0,), (1,))] a") ==
        "Slice AllGather axis=0 devices=01 channel=0");
}

TEST_CASE("gathered, scattered, exchanged") {
  CHECK(collective("c:f32[4,6] = all_gather[all_gather_dimension=0 axis_index_groups=None axis_name=('x',) axis_size=2 "
                   "tiled=True] a",
                   "f32[4,6]", "P()") == "Slice AllGather axis=0 devices=01 channel=0");
  CHECK(collective("c:f32[2,2,6] = all_gather[all_gather_dimension=1 axis_index_groups=None axis_name=('x',) "
                   "axis_size=2 tiled=False] a",
                   "f32[2,2,6]", "P()") == "Slice Unsqueeze AllGather axis=1 devices=01 channel=0");
  CHECK(collective("c:f32[2,3] = reduce_scatter[axis_index_groups=None axis_name=('x',) axis_size=2 "
                   "scatter_dimension=1 tiled=True] a",
                   "f32[2,6]", "P(None, 'x')") ==
        "Slice ReduceScatter axis=1 devices=01 channel=0 AllGather axis=1 devices=01 channel=1");
  CHECK(collective("c:f32[6] = reduce_scatter[axis_index_groups=None axis_name=('x',) axis_size=2 "
                   "scatter_dimension=0 tiled=False] a",
                   "f32[12]") ==
        "Slice ReduceScatter axis=0 devices=01 channel=0 Squeeze AllGather axis=0 devices=01 channel=1");
  CHECK(collective("c:f32[4,3] = all_to_all[axis_index_groups=None axis_name=('x',) concat_axis=0 split_axis=1 "
                   "tiled=True] a",
                   "f32[8,3]") ==
        "Slice AllToAll split_axis=1 concat_axis=0 devices=01 channel=0 AllGather axis=0 devices=01 channel=1");
}

TEST_CASE("a permutation has pairs; without any, each device gets zeros") {
  CHECK(collective("c:f32[2,6] = ppermute[axis_name=('x',) perm=((0, 1), (1, 0))] a") ==
        "Slice CollectivePermute source_target_pairs=0110 devices=01 channel=0 AllGather axis=0 devices=01 channel=1");
  CHECK(collective("c:f32[2,6] = ppermute[axis_name=('x',) perm=()] a") ==
        "Slice Expand AllGather axis=0 devices=01 channel=0");
  CHECK(collective("c:f32[2,6] = ppermute[axis_name=('x',) perm=((0, 2),)] a").find("device that does not exist") !=
        std::string::npos);
}

TEST_CASE("a permutation numbers devices in the order of the mesh") {
  const of_device made(
      "{ lambda ; a:f32[6]. let b:f32[6] = shard_map[in_specs=(P(('x', 'y'),),) jaxpr={ lambda ; "
      "a:f32[1]. let c:f32[1] = ppermute[axis_name=('y', 'x') perm=((0, 1),)] a in (c,) } "
      "mesh=Mesh('x': 2, 'y': 3) out_specs=(P(('x', 'y'),),)] a in (b,) }",
      1, 6);
  CHECK(made.nodes().find("CollectivePermute source_target_pairs=01 devices=012345") != std::string::npos);
}

TEST_CASE("what one device has") {
  CHECK(collective("c:f32[2,6] = pbroadcast[axis_index_groups=None axis_name=('x',) source=1] a") ==
        "Slice Broadcast source=1 devices=01 channel=0 AllGather axis=0 devices=01 channel=1");
}

TEST_CASE("the place of a device is an operator") {
  CHECK(collective("c:i32[] = axis_index[axis_name=x]", "i32[]", "P()") == "Slice AxisIndex index=1");
}

TEST_CASE("an axis that does not exist") {
  CHECK(collective("c:f32[2,6] = psum[axes=('z',) axis_index_groups=None] a").find("not an axis of the mesh") !=
        std::string::npos);
}
