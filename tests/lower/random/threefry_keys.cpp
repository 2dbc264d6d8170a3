// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/random/threefry_keys.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

jax_value key_of(graph& g, std::uint32_t first, std::uint32_t second) {
  return jax_value(scalar(g, dtype::u32, std::int64_t{first}), scalar(g, dtype::u32, std::int64_t{second}));
}

}  // namespace

TEST_CASE("without jax_threefry_partitionable, counter i and counter half + i share a block; odd counts are padded") {
  graph g;
  const word_pair halves = legacy_halves(g, key_of(g, 1, 2), 0, 5);
  const auto low = *known_numbers(halves[0]), high = *known_numbers(halves[1]);
  REQUIRE(low.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto mixed = threefry2x32({1, 2}, {i, i < 2 ? 3 + i : 0});
    CHECK(low[i] == mixed[0]);
    CHECK(high[i] == mixed[1]);
  }
  const value stream = legacy_stream(g, key_of(g, 1, 2), 0, 5);
  CHECK(stream.dims() == shape{5});
}

TEST_CASE("keys are made of pairs of words") {
  graph g;
  std::vector<std::size_t> pairs;
  const jax_value key = key_of_pairs(4, [&](std::size_t first) {
    pairs.push_back(first);
    const auto word = static_cast<std::int64_t>(first);
    return word_pair{scalar(g, dtype::i64, word), scalar(g, dtype::i64, word + 1)};
  });
  CHECK(pairs == std::vector<std::size_t>{0, 2});
  REQUIRE(key.count == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(key.parts[i].dtype() == dtype::u32);
    CHECK(*known_numbers(key.parts[i]) == std::vector<std::uint64_t>{i});
  }
  const word_pair second = key_words(key, 2, 2);
  CHECK(second[0].dims() == shape{1, 1});
  CHECK(second[0].dtype() == dtype::u32);
  CHECK(*known_numbers(second[1]) == std::vector<std::uint64_t>{3});
}
