// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/random/cipher_keys.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("keys of a cipher have the first words that it mixes") {
  graph g;
  word_list mixed;
  for (std::int64_t i = 0; i < 4; ++i) mixed.push_back(scalar(g, dtype::i64, i));
  for (const cipher* c : {&threefry4x32_cipher, &philox2x32_cipher, &philox4x32_cipher}) {
    const jax_value key = key_of_words(*c, mixed);
    REQUIRE(key.count == c->key_words);
    for (std::size_t i = 0; i < key.count; ++i) CHECK(*known_numbers(key.parts[i]) == std::vector<std::uint64_t>{i});
    CHECK(words_of_key(key, 2).back().dims() == shape{1, 1});
  }
}
