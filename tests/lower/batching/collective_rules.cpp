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

TEST_CASE("collectives over unknown axes and odd groups are refused") {
  CHECK(on_two_devices("c:f32[2,3] = psum[axes=('z',)] a").problem().find("it communicates between devices") !=
        std::string::npos);
  CHECK(on_two_devices("c:f32[2,3] = psum[axes=('x',) axis_index_groups=((0, 0),)] a")
            .problem()
            .find("do not have each device once") != std::string::npos);
}

TEST_CASE("a printed name may have quotes") {
  CHECK(unquoted("'x'") == "x");
  CHECK(unquoted("x") == "x");
}
