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
  CHECK(by_y->axes == std::vector<tensor_sharding::axis_parts>{{1, 4}});
  CHECK(by_y->holders == std::vector<std::vector<std::int64_t>>{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  const auto by_both = sharding_of(two_by_four, names{{"x"}, {"y"}});
  CHECK(by_both->axes == std::vector<tensor_sharding::axis_parts>{{0, 2}, {1, 4}});
  CHECK(by_both->holders.size() == 8);
  CHECK(by_both->holders[5] == std::vector<std::int64_t>{5});
}

TEST_CASE("an axis may be divided by several axes of the mesh, the first one being the slowest") {
  const auto turned = sharding_of(two_by_four, names{{"y", "x"}});
  CHECK(turned->axes == std::vector<tensor_sharding::axis_parts>{{0, 8}});
  CHECK(turned->holders[1] == std::vector<std::int64_t>{4});
}

TEST_CASE("what is not divided is on all devices, and an unknown axis states nothing") {
  const auto whole = sharding_of(two_by_four, names{});
  CHECK(whole->axes.empty());
  CHECK(whole->holders == std::vector<std::vector<std::int64_t>>{{0, 1, 2, 3, 4, 5, 6, 7}});
  CHECK_FALSE(sharding_of(two_by_four, names{{"z"}}));
}
