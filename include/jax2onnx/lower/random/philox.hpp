// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/lower/random/words.hpp>
#include <jax2onnx/ops/control.hpp>

/// Philox: ten rounds, as one Scan, that mix a counter of four words under a key of two words, or a counter of two
/// words under a key of one word. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3".
namespace jax2onnx::lower {

/// The high and the low word of x times an odd constant of at least 2^31.
inline word_pair wide_product(const value& x, std::uint32_t factor) {
  // The product x (factor - 2^32) fits in int64. The low word of this product is that of x factor; the high word is
  // less by x.
  const value product = mul(x, static_cast<std::int64_t>(factor) - word_range);
  const value low = low_word(product);
  return {add(carry_word(sub(product, low)), x), low};
}

/// The mixed counters: Philox-4x32-10 for counters of four words and keys of two words, Philox-2x32-10 for counters of
/// two words and keys of one word. The words of the key broadcast to the words of the counter.
inline std::vector<value> philox(graph& g, const std::vector<value>& counter, const std::vector<value>& key) {
  constexpr std::uint32_t weyl[] = {0x9E3779B9, 0xBB67AE85}, four[] = {0xD2511F53, 0xCD9E8D57}, two[] = {0xD256D193};
  const std::uint32_t* const factors = key.size() == 2 ? four : two;
  std::vector<value> round_keys;
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::vector<std::uint64_t> steps;
    for (std::uint32_t round = 0; round < 10; ++round) steps.push_back(static_cast<std::uint32_t>(weyl[i] * round));
    shape rounds(key[i].dims().size() + 1, dim(1));
    rounds[0] = 10;
    round_keys.push_back(low_word(add(constant_numbers(g, dtype::i64, rounds, steps), key[i])));
  }
  const auto round = [&](const std::vector<value>& x, const std::vector<value>& keys) {
    std::vector<word_pair> products;
    for (std::size_t i = 0; i < keys.size(); ++i) products.push_back(wide_product(x[2 * i], factors[i]));
    std::vector<value> next;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const word_pair& product = products[keys.size() - 1 - i];
      next.push_back(low_word(bit_xor(bit_xor(product[0], x[2 * i + 1]), keys[i])));
      next.push_back(product[1]);
    }
    return loop_step{{}, next};
  };
  scan_options options;
  options.carried_names = {"x"};
  options.element_names = {"key"};
  return scan(g, counter, round_keys, round, options).carried;
}

}  // namespace jax2onnx::lower
