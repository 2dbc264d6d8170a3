// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/random/threefry.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;
using words = std::array<std::uint32_t, 2>;

namespace {

struct known_answer {
  words key, counter, mixed;
};
/// From Random123's kat_vectors: threefry2x32 with 20 rounds.
constexpr known_answer answers[] = {
    {{0, 0}, {0, 0}, {0x6b200159, 0x99ba4efe}},
    {{0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x1cb996fc, 0xbb002be7}},
    {{0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}, {0xc4923a9c, 0x483df7a0}},
};

value word(graph& g, std::uint32_t x) { return scalar(g, dtype::i64, std::int64_t{x}); }

}  // namespace

TEST_CASE("threefry2x32 on the host gives Random123's known answers") {
  for (const known_answer& a : answers) CHECK(threefry2x32(a.key, a.counter) == a.mixed);
}

TEST_CASE("threefry of constants is a constant") {
  for (const known_answer& a : answers) {
    graph g;
    const word_pair mixed =
        threefry(g, {word(g, a.key[0]), word(g, a.key[1])}, {word(g, a.counter[0]), word(g, a.counter[1])}, {});
    CHECK(g.node_count() == 0);
    CHECK(constant_integer(mixed[0]) == std::int64_t{a.mixed[0]});
    CHECK(constant_integer(mixed[1]) == std::int64_t{a.mixed[1]});
  }
}

TEST_CASE("threefry of other values gives the known answers, by five nodes a round") {
  for (const known_answer& a : answers) {
    graph g;
    std::vector<value> in;
    for (int i = 0; i < 4; ++i) in.push_back(g.input({dtype::u32, {}}, ""));
    const word_pair mixed = threefry(g, {in[0], in[1]}, {in[2], in[3]}, {});
    CHECK(g.node_count() <= 120);
    test::interpreter run(g);
    for (std::size_t i = 0; i < 2; ++i) {
      run.bind(in[i], test::integer(a.key[i]));
      run.bind(in[2 + i], test::integer(a.counter[i]));
    }
    run.run();
    for (std::size_t i = 0; i < 2; ++i) CHECK(static_cast<std::uint32_t>(run.integer_at(mixed[i])) == a.mixed[i]);
  }
}
