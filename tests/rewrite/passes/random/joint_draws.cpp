// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/lower/random/threefry.hpp>
#include <jax2onnx/rewrite/passes/random/joint_draws.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

struct words {
  model m;
  value word() { return m.g.input({dtype::u32, {}}, ""); }
  value number(std::int64_t n) { return scalar(m.g, dtype::u32, n); }
  /// The words that a key gives for the counters 0, 1, ...
  lower::word_pair mixed(const lower::word_pair& key, std::int64_t count) {
    return lower::threefry(m.g, key, {number(0), lower::linear_index(m.g, {count})}, {dim(count)});
  }
  /// The numbers of remaining calls, counted by their exclusive ors, and of Splits.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> joined(std::initializer_list<value> outputs) {
    for (const value& v : outputs) output(v, "y" + std::to_string(&v - outputs.begin()));
    rewrite::detail::dead_code(m.g).run();
    rewrite::detail::join_draws(m.g);
    std::ptrdiff_t mixes = 0, splits = 0;
    for (const node_id id : m.g.at(block_id::main).nodes) {
      mixes += m.g.at(id).op == "BitwiseXor";
      splits += m.g.at(id).op == "Split";
    }
    return {mixes / 20, splits};
  }
};

}  // namespace

TEST_CASE("joint-draws: draws from two keys are one call") {
  words w;
  const auto a = w.mixed({w.word(), w.word()}, 3), b = w.mixed({w.word(), w.word()}, 5);
  CHECK(w.joined({a[0], a[1], b[1]}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>{1, 2});
  CHECK(a[0].dims() == shape{3});
  CHECK(b[1].dims() == shape{5});
}

TEST_CASE("joint-draws: a call that depends on another one stays after it") {
  words w;
  const auto a = w.mixed({w.word(), w.word()}, 2);
  const value first = scalar(w.m.g, dtype::i64, 0);
  const auto b = w.mixed({gather(a[0], first, 0), gather(a[1], first, 0)}, 4);
  CHECK(w.joined({b[0]}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>{2, 0});
}

TEST_CASE("joint-draws: large calls stay alone, and other ciphers") {
  words w;
  const auto a = w.mixed({w.word(), w.word()}, 4096), b = w.mixed({w.word(), w.word()}, 4096);
  CHECK(w.joined({a[0], b[0]}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>{2, 0});
  const value sum = add(w.word(), add(w.word(), w.number(5)));
  CHECK_FALSE(rewrite::detail::threefry_reader::read(sum));
}

TEST_CASE("joint-draws: calls whose third word is another one stay") {
  words w;
  const auto mixed = [&w](std::int64_t parity) {
    const value p = w.word(), q = w.word(), third = bit_xor(bit_xor(p, q), w.number(parity));
    const value counter = cast(lower::linear_index(w.m.g, {3}), dtype::u32);
    return lower::threefry_rounds({add(counter, p), add(counter, q)}, {p, q, third});
  };
  const auto a = mixed(rewrite::detail::threefry_parity), b = mixed(5), c = mixed(rewrite::detail::threefry_parity);
  CHECK(rewrite::detail::threefry_reader::read(a[1]));
  CHECK_FALSE(rewrite::detail::threefry_reader::read(b[1]));
  CHECK(w.joined({a[1], b[1], c[1]}).first == 2);
}
