#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <jax2onnx/lower/random/words.hpp>
#include <jax2onnx/ops/control.hpp>

/// Philox-4x32-10: ten rounds that mix a counter of four words under a key of two words, as one Scan.
/// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3".
namespace jax2onnx::lower {

using four_words = std::array<value, 4>;

/// The high and the low word of x times an odd constant of at least 2^31.
inline word_pair wide_product(const value& x, std::uint32_t factor) {
  // x (factor - 2^32) fits in int64. Its low word is that of the product; its high word is too small by x.
  const value product = mul(x, static_cast<std::int64_t>(factor) - word_range);
  const value low = low_word(product);
  return {add(carry_word(sub(product, low)), x), low};
}

/// The mixed counters. The key's words broadcast to those of the counter.
inline four_words philox(graph& g, const four_words& counter, const word_pair& key) {
  constexpr std::uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85}, factors[2] = {0xD2511F53, 0xCD9E8D57};
  std::vector<value> round_keys;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::uint64_t> steps;
    for (std::uint32_t round = 0; round < 10; ++round) steps.push_back(static_cast<std::uint32_t>(weyl[i] * round));
    shape rounds(key[i].dims().size() + 1, dim(1));
    rounds[0] = 10;
    round_keys.push_back(low_word(add(constant_numbers(g, dtype::i64, rounds, steps), key[i])));
  }
  const auto round = [&](const std::vector<value>& x, const std::vector<value>& keys) {
    const word_pair p = wide_product(x[0], factors[0]), q = wide_product(x[2], factors[1]);
    const value first = low_word(bit_xor(bit_xor(q[0], x[1]), keys[0])),
                third = low_word(bit_xor(bit_xor(p[0], x[3]), keys[1]));
    return loop_step{{}, {first, q[1], third, p[1]}};
  };
  scan_options options;
  options.carried_names = {"x"};
  options.element_names = {"key"};
  const std::vector<value> mixed = scan(g, {counter.begin(), counter.end()}, round_keys, round, options).carried;
  return {mixed[0], mixed[1], mixed[2], mixed[3]};
}

}  // namespace jax2onnx::lower
