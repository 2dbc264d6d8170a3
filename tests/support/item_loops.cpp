// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/support/item_loops.hpp>

namespace item_loops = jax2onnx::item_loops;

TEST_CASE("items: some, all or none") {
  constexpr auto is_odd = [](int i) { return i % 2 != 0; };
  const std::vector<int> none, odd{1, 3}, mixed{1, 2}, even{2};
  CHECK_FALSE(item_loops::any_of(none, is_odd));
  CHECK(item_loops::any_of(mixed, is_odd));
  CHECK_FALSE(item_loops::any_of(even, is_odd));
  CHECK(item_loops::all_of(none, is_odd));
  CHECK(item_loops::all_of(odd, is_odd));
  CHECK_FALSE(item_loops::all_of(mixed, is_odd));
  CHECK(item_loops::none_of(none, is_odd));
  CHECK(item_loops::none_of(even, is_odd));
  CHECK_FALSE(item_loops::none_of(mixed, is_odd));
}

TEST_CASE("items: equal to one") {
  const std::vector<int> none, v{1, 1, 2}, ones{1, 1};
  CHECK(item_loops::contains(v, 2));
  CHECK_FALSE(item_loops::contains(v, 3));
  CHECK_FALSE(item_loops::contains(none, 0));
  CHECK_FALSE(item_loops::all_equal(v, 1));
  CHECK(item_loops::all_equal(ones, 1));
  CHECK(item_loops::all_equal(none, 1));
}
