// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/collective_rules.hpp>

using namespace jax2onnx::lower::batching;

TEST_CASE("sums over devices are sums over an axis; the sum of equal numbers is a product") {
  const on_two_devices differing("c:f32[2,3] = psum[axes=('x',)] a", "c", "f32[2,3]", "P()");
  CHECK(differing.problem() == "(none)");
  CHECK(differing.has("ReduceSum"));
  const on_two_devices equal("b:f32[] = sin 1.0:f32[]; d:f32[] = psum[axes=('x',)] b; c:f32[2,3] = mul a d");
  CHECK(equal.problem() == "(none)");
  CHECK_FALSE(equal.has("ReduceSum"));
}

TEST_CASE("a permutation is slices, with zeros for devices to which none sends") {
  const on_two_devices made("c:f32[2,3] = ppermute[axis_name=x perm=((0, 1),)] a");
  CHECK(made.problem() == "(none)");
  CHECK(made.has("Concat"));
}

TEST_CASE("devices of a permutation have the order of the mesh") {
  const auto of_names = [](const std::string& names) {
    const lowered_text made(
        "{ lambda ; a:f32[6]. let b:f32[6] = shard_map[in_specs=(P(('x', 'y'),),) jaxpr={ lambda ; a:f32[1]. let "
        "c:f32[1] = ppermute[axis_name=" +
            names +
            " perm=((0, 1), (3, 4))] a in (c,) } mesh=Mesh('x': 2, 'y': 3) "
            "out_specs=(P(('x', 'y'),),)] a in (b,) }",
        jax2onnx::lower_builtin);
    CHECK(made.problem() == "(none)");
    std::string out;
    for (const jax2onnx::node_id n : made.g.at(jax2onnx::block_id::main).nodes)
      out += std::string(made.g.at(n).op.text()) + " ";
    return out;
  };
  CHECK(of_names("('y', 'x')") == of_names("('x', 'y')"));
}

TEST_CASE("collectives over unknown axes and odd groups are refused") {
  CHECK(on_two_devices("c:f32[2,3] = psum[axes=('z',)] a").problem().find("it communicates between devices") !=
        std::string::npos);
  CHECK(on_two_devices("c:f32[2,3] = psum[axes=('x',) axis_index_groups=((0, 0),)] a")
            .problem()
            .find("must name each device exactly once") != std::string::npos);
}

TEST_CASE("a printed name may have quotes") {
  CHECK(unquoted("'x'") == "x");
  CHECK(unquoted("x") == "x");
}
