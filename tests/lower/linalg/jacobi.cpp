// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <set>
#include <utility>

#include <jax2onnx/lower/linalg/jacobi.hpp>

using namespace jax2onnx;

TEST_CASE("the round robin pairs all columns once, after which they are back in place") {
  for (std::int64_t half = 1; half < 8; ++half) {
    INFO(half);
    const ints from = lower::linalg::round_robin(half);
    ints columns = iota_axes(2 * half);
    std::set<std::pair<std::int64_t, std::int64_t>> met;
    for (std::int64_t step = 0; step < 2 * half - 1; ++step) {
      for (std::int64_t k = 0; k < half; ++k) {
        const std::int64_t a = columns[static_cast<std::size_t>(k)], b = columns[static_cast<std::size_t>(half + k)];
        CHECK(met.insert({std::min(a, b), std::max(a, b)}).second);
      }
      ints next;
      for (std::int64_t at : from) next.push_back(columns[static_cast<std::size_t>(at)]);
      columns = next;
    }
    CHECK(std::ssize(met) == half * (2 * half - 1));
    CHECK(columns == iota_axes(2 * half));
  }
}

TEST_CASE("the round robin of many columns is computed, not a table") {
  graph g;
  CHECK(lower::linalg::round_robin(g, dim(8)).is_constant());
  CHECK_FALSE(lower::linalg::round_robin(g, dim(1'000'000'000)).is_constant());
}
