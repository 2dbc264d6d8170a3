// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/random/threefry4.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("threefry4x32 gives Random123's known answers") {
  struct known_answer {
    std::array<std::uint32_t, 4> counter, key, mixed;
  };
  // From Random123's kat_vectors: threefry4x32 with 20 rounds.
  constexpr std::uint32_t most = 0xffffffff;
  const known_answer answers[] = {
      {{0, 0, 0, 0}, {0, 0, 0, 0}, {0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8}},
      {{most, most, most, most}, {most, most, most, most}, {0x2a881696, 0x57012287, 0xf6c7446e, 0xa16a6732}},
  };
  for (const known_answer& a : answers) {
    graph g;
    const auto words = [&](const std::array<std::uint32_t, 4>& numbers) {
      std::vector<value> out;
      for (std::uint32_t n : numbers) out.push_back(scalar(g, dtype::i64, std::int64_t{n}));
      return out;
    };
    const std::vector<value> mixed = threefry4x32(g, words(a.counter), words(a.key));
    test::interpreter run(g);
    run.run();
    for (std::size_t i = 0; i < 4; ++i) CHECK(static_cast<std::uint32_t>(run.integer_at(mixed[i])) == a.mixed[i]);
  }
}
