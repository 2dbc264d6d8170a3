// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string_view>
#include <vector>

#include <jax2onnx/lower/devices/stated_sharding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::devices;

namespace {

using names = std::vector<std::vector<std::string_view>>;
const mesh_axes two_by_four{{"x", 2}, {"y", 4}};

}  // namespace

TEST_CASE("parts are held by the devices that agree along the named axes") {
  const auto by_y = sharding_of(two_by_four, names{{}, {"y"}});
  REQUIRE(by_y);
  CHECK(*by_y == tensor_sharding{{1}, {4}, {0, 4, 1, 5, 2, 6, 3, 7}, 2});
  const auto by_both = sharding_of(two_by_four, names{{"x"}, {"y"}});
  CHECK(*by_both == tensor_sharding{{0, 1}, {2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}, 1});
}

TEST_CASE("an axis may be divided by several axes of the mesh, the first one being the slowest") {
  const auto turned = sharding_of(two_by_four, names{{"y", "x"}});
  CHECK(*turned == tensor_sharding{{0}, {8}, {0, 4, 1, 5, 2, 6, 3, 7}, 1});
}

TEST_CASE("what is not divided is on all devices, and an unknown axis states nothing") {
  CHECK(*sharding_of(two_by_four, names{}) == tensor_sharding{{}, {}, {0, 1, 2, 3, 4, 5, 6, 7}, 8});
  CHECK_FALSE(sharding_of(two_by_four, names{{"z"}}));
}
