// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/random/philox.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("philox gives Random123's known answers") {
  struct known_answer {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> mixed;
  };
  // From Random123's kat_vectors: philox4x32 with 10 rounds.
  const known_answer answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const known_answer& a : answers) {
    graph g;
    const auto word = [&](std::uint32_t x) { return scalar(g, dtype::i64, std::int64_t{x}); };
    const std::vector<value> mixed =
        philox(g, {word(a.counter[0]), word(a.counter[1]), word(a.counter[2]), word(a.counter[3])},
               {word(a.key[0]), word(a.key[1])});
    test::interpreter run(g);
    run.run();
    for (std::size_t i = 0; i < 4; ++i) CHECK(static_cast<std::uint32_t>(run.integer_at(mixed[i])) == a.mixed[i]);
  }
}

TEST_CASE("wide_product is exact for the largest word") {
  graph g;
  constexpr std::uint32_t x = 0xffffffff, factor = 0xD2511F53;
  const word_pair p = wide_product(scalar(g, dtype::i64, std::int64_t{x}), factor);
  test::interpreter run(g);
  run.run();
  const std::uint64_t product = std::uint64_t{x} * factor;
  CHECK(run.integer_at(p[0]) == static_cast<std::int64_t>(product >> 32));
  CHECK(run.integer_at(p[1]) == static_cast<std::int64_t>(product & 0xffffffff));
}
