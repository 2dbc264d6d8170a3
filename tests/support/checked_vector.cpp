// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <numeric>
#include <vector>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/checked_vector.hpp>
#include <jax2onnx/support/item_loops.hpp>

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

namespace {

using numbers = checked_vector<std::int64_t>;

/// 0, 1, ..., n - 1
numbers counted(std::int64_t n) {
  numbers out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE("checked_vector: as std::vector, in place and on the heap") {
  for (std::int64_t n = 0; n <= 9; ++n) {
    const numbers v = counted(n);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(std::vector<std::int64_t>(v) == expected);
    CHECK(numbers(expected) == v);
    CHECK(numbers(v.rbegin(), v.rend()).size() == v.size());
    for (std::int64_t m = 0; m <= 9; ++m) {
      numbers to = counted(m), from = v;
      to = from;
      CHECK(to == v);
      to = counted(m);
      CHECK((to == from) == (m == n));
      CHECK((to < from) == (m < n));
      to = std::move(from);
      CHECK(to == v);
      swap(to, from = counted(m));
      CHECK(from == v);
      CHECK(to == counted(m));
    }
    for (std::int64_t at = 0; at <= n; ++at)
      for (const std::size_t count : {0u, 1u, 3u, 6u}) {
        numbers w = v;
        std::vector<std::int64_t> u = expected;
        CHECK(*w.insert(w.begin() + at, count + 1, 7) == 7);
        u.insert(u.begin() + at, count + 1, 7);
        CHECK(std::vector<std::int64_t>(w) == u);
        w.insert(w.begin() + at, w.begin(), w.end());  // its own elements
        CHECK(w.size() == 2 * (v.size() + count + 1));
        w.erase(w.begin() + at, w.begin() + at + static_cast<std::ptrdiff_t>(v.size() + count + 1));
        w.erase(w.begin() + at, w.begin() + at + static_cast<std::ptrdiff_t>(count + 1));
        CHECK(w == v);
      }
    numbers w = v;
    w.resize(6, 5);
    w.resize(2);
    CHECK(w.size() == 2);
    CHECK(w.back() == (n > 1 ? 1 : 5));
    w.assign(5, w.back());
    CHECK(item_loops::all_equal(w, n > 1 ? 1 : 5));
    while (w.size() < 20) w.push_back(w.front());  // an element that moves
    CHECK(item_loops::all_equal(w, n > 1 ? 1 : 5));
    w.clear();
    CHECK(w.empty());
  }
  STATIC_REQUIRE(checked_vector<std::int64_t>{1, 2, 3, 4, 5, 6}.tail(4)[1] == 6);
}
