// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/pallas/pairs.hpp>

using jax2onnx::lower::pallas::pairs_in;

TEST_CASE("pairs of numbers in a printed tuple or dictionary") {
  using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(pairs_in("()").empty());
  CHECK(pairs_in("((2, 0), (13, 1))") == pairs{{2, 0}, {13, 1}});
  CHECK(pairs_in("FrozenDict({2: 0})") == pairs{{2, 0}});
}
