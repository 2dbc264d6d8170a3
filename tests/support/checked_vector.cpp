#include "catch.hpp"

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/checked_vector.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("checked_vector: places that are not there are errors") {
  using numbers = checked_vector<std::int64_t>;
  numbers v{1, 2, 3};
  CHECK(v[2] == 3);
  CHECK_THROWS_WITH(v[3], "an axis or index is out of range");
  CHECK_THROWS_AS(v[static_cast<std::size_t>(-1)], build_error);
  CHECK(v.head(2) == numbers{1, 2});
  CHECK(v.tail(2) == numbers{3});
  CHECK(v.tail(3).empty());
  CHECK_THROWS_AS(v.head(4), build_error);
  CHECK_THROWS_AS(v.tail(-1), build_error);
  v.put(1, 9);
  v.drop(0);
  CHECK(v == numbers{9, 2, 3});
  v.append(numbers{4});
  CHECK(v.back() == 4);
  CHECK_THROWS_AS(v.put(6, 0), build_error);
  CHECK_THROWS_AS(v.drop(-1), build_error);
  numbers none;
  CHECK_THROWS_AS(none.front(), build_error);
  CHECK_THROWS_AS(none.back(), build_error);
  CHECK_THROWS_AS(none.pop_back(), build_error);
}

TEST_CASE("contains, all_equal") {
  const checked_vector<std::int64_t> v{1, 1, 2}, none;
  CHECK(detail::contains(v, 2));
  CHECK_FALSE(detail::contains(v, 3));
  CHECK_FALSE(detail::all_equal(v, 1));
  CHECK(detail::all_equal(v.head(2), 1));
  CHECK(detail::all_equal(none, 1));
}
