// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/random/rng_bit_generator.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("XLA splits an array in halves along its first even axis, else its largest") {
  CHECK(split_in_halves({3, 4, 6}).axis == 1);
  CHECK(split_in_halves({3, 4, 6}).dims == shape{3, 2, 6});
  CHECK(split_in_halves({3, 7, 5}).axis == 1);
  CHECK(split_in_halves({3, 7, 5}).dims == shape{3, 4, 5});
  CHECK(split_in_halves({5}).dims == shape{3});
  CHECK(split_in_halves({}).dims == shape{1});
}

TEST_CASE("the state advances with a carry into its second word") {
  graph g;
  const auto word = [&](std::int64_t x) { return scalar(g, dtype::i64, x); };
  const word_pair next = advanced(word(0xffffffff), word(7), word(2));
  const word_pair wrapped = advanced(word(0xffffffff), word(0xffffffff), word(1));
  test::interpreter run(g);
  run.run();
  CHECK(run.integer_at(next[0]) == 1);
  CHECK(run.integer_at(next[1]) == 8);
  CHECK(run.integer_at(wrapped[0]) == 0);
  CHECK(run.integer_at(wrapped[1]) == 0);
}
