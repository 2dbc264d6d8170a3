// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <jax2onnx/lower/random/threefry.hpp>

/// Threefry-4x32: 20 rounds that mix a counter of four words under a key of four words, as one Scan.
/// Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"; jax/_src/random/threefry4x32.py.
namespace jax2onnx::lower {

/// The rotations of words 1 and 3 in each round. The rotations repeat after eight rounds.
inline constexpr std::array<std::array<int, 2>, 8> threefry4_rotations{
    {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}}};

/// The tables of a Scan over five groups of four rounds: for each round of a group, the two powers of two that rotate
/// words; then the number that is injected with the key.
inline std::vector<value> threefry4_tables(graph& g) {
  std::vector<std::vector<std::uint64_t>> tables(9);
  for (std::uint64_t group = 0; group < 5; ++group) {
    for (std::size_t i = 0; i < 8; ++i)
      tables[i].push_back(std::uint64_t{1} << threefry4_rotations[group % 2 * 4 + i / 2][i % 2]);
    tables[8].push_back(group + 1);
  }
  std::vector<value> out;
  for (const auto& table : tables) out.push_back(constant_numbers(g, dtype::i64, {5}, table));
  return out;
}

/// Four rounds and an injection of the key. The loop-carried values are the counter and the five words of the key
/// schedule; every group rotates the schedule by one word. Words 0 and 2 of the counter accumulate without a mask.
inline loop_step threefry4_group(const std::vector<value>& carried, const std::vector<value>& tables) {
  std::array<value, 4> x{carried[0], carried[1], carried[2], carried[3]};
  for (std::size_t round = 0; round < 4; ++round) {
    const std::size_t first = round % 2 ? 3 : 1, second = 4 - first;
    const auto mix = [&](std::size_t sum, std::size_t rotated, const value& power) {
      x[sum] = add(x[sum], x[rotated]);
      x[rotated] = low_word(bit_xor(rotated_word(x[rotated], power), x[sum]));
    };
    mix(0, first, tables[2 * round]);
    mix(2, second, tables[2 * round + 1]);
  }
  loop_step out;
  for (std::size_t i = 0; i < 4; ++i) {
    const value injected = add(x[i], carried[4 + (i + 1) % 5]);
    out.carried.push_back(i == 3 ? low_word(add(injected, tables[8])) : low_word(injected));
  }
  for (std::size_t i = 0; i < 5; ++i) out.carried.push_back(carried[4 + (i + 1) % 5]);
  return out;
}

/// Mixes the counters. The words of the key broadcast to the words of the counter.
inline std::vector<value> threefry4x32(graph& g, const std::vector<value>& counter, const std::vector<value>& key) {
  value last = scalar(g, dtype::i64, threefry_parity);
  for (const value& word : key) last = bit_xor(last, word);
  std::vector<value> first;
  for (std::size_t i = 0; i < 4; ++i) first.push_back(low_word(add(counter[i], key[i])));
  for (const value& word : key)
    first.push_back(broadcast_to(word, last.dims()));  // for one shape, since steps rotate the words
  first.push_back(last);
  const auto group = [](const std::vector<value>& x, const std::vector<value>& t) { return threefry4_group(x, t); };
  scan_options options;
  options.carried_names = {"x", "x", "x", "x", "key"};
  options.element_names = {"power", "power", "power", "power", "power", "power", "power", "power", "group"};
  std::vector<value> mixed = scan(g, first, threefry4_tables(g), group, options).carried;
  mixed.resize(4);
  return mixed;
}

}  // namespace jax2onnx::lower
