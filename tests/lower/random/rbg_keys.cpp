// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/random/rbg_keys.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("the generator's state is the first key of an array of keys") {
  graph g;
  const jax_value keys = from_parts(4, [&](std::size_t i) {
    return constant_numbers(g, dtype::u32, {2, 2}, {10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3});
  });
  const generator_state state = generator_state_of(keys);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(state[i].dtype() == dtype::i64);
    CHECK(constant_integer(state[i]) == static_cast<std::int64_t>(10 * i));
  }
}
