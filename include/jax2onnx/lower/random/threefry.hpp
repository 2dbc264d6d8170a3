// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/lower/random/words.hpp>

/// Threefry-2x32: 20 rounds, one after another, that mix a counter of two words under a key of two words.
/// Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"; jax/_src/prng.py.
namespace jax2onnx::lower {

inline constexpr std::uint32_t threefry_parity = 0x1BD11BDA;
inline constexpr std::array<std::array<int, 4>, 2> threefry_rotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};

/// Mixes a counter of two words under a key during the conversion.
constexpr std::array<std::uint32_t, 2> threefry2x32(std::array<std::uint32_t, 2> key,
                                                    std::array<std::uint32_t, 2> counter) {
  const std::uint32_t schedule[3] = {key[0], key[1], key[0] ^ key[1] ^ threefry_parity};
  std::uint32_t x = counter[0] + key[0], y = counter[1] + key[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int r : threefry_rotations[group % 2]) {
      x += y;
      y = std::rotl(y, r) ^ x;
    }
    x += schedule[(group + 1) % 3];
    y += schedule[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}

/// Mixes the counters during the conversion if key and counter are small constants; nullopt otherwise. The operands
/// broadcast to `dims`.
inline std::optional<word_pair> folded_threefry(graph& g, const word_pair& key, const word_pair& counter,
                                                const shape& dims) {
  const value operands[] = {key[0], key[1], counter[0], counter[1]};
  std::vector<std::vector<std::uint64_t>> numbers;
  constexpr std::int64_t longest = folding_limit / sizeof(std::int64_t);
  std::int64_t count = 1;
  for (dim d : dims) {
    if (!d.is_constant() || d.extent() > longest) return std::nullopt;
    count *= d.extent();
    if (count > longest) return std::nullopt;
  }
  for (const value& v : operands) {
    if (!jax2onnx::detail::is_foldable(v)) return std::nullopt;
    const value whole =
        jax2onnx::detail::strided_constant(v, dims, 0, jax2onnx::detail::broadcast_steps(v.dims(), dims));
    numbers.push_back(*known_numbers(whole));
  }
  std::vector<std::uint64_t> first, second;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto word = [&](std::size_t n) { return static_cast<std::uint32_t>(numbers[n][i]); };
    const auto mixed = threefry2x32({word(0), word(1)}, {word(2), word(3)});
    first.push_back(mixed[0]);
    second.push_back(mixed[1]);
  }
  return word_pair{constant_numbers(g, dtype::u32, dims, first), constant_numbers(g, dtype::u32, dims, second)};
}

/// The schedule of a key: its two words, and the xor of the two words and the parity.
inline std::array<value, 3> threefry_schedule(const word_pair& key) {
  graph& g = key[0].owner();
  const auto a = constant_integer(key[0]), b = constant_integer(key[1]);
  const value parity = scalar(g, dtype::u32, threefry_parity);
  return {key[0], key[1],
          a && b ? value(scalar(g, dtype::u32, (*a ^ *b ^ threefry_parity) & word_mask))
                 : bit_xor(bit_xor(key[0], key[1]), parity)};
}

/// x + n modulo 2^32.
inline value word_plus(const value& x, std::uint32_t n) {
  const auto known = constant_integer(x);
  return known && x.rank() == 0 ? value(scalar(x.owner(), dtype::u32, (*known + n) & word_mask)) : add(x, n);
}

/// Twenty rounds; the key is injected after every four rounds. A round is five nodes. In ONNX Runtime, the nodes take
/// less time than the iterations of a Scan, and rewrites can move them out of loops (docs/decisions/0079).
inline word_pair threefry_rounds(const word_pair& start, const std::array<value, 3>& schedule) {
  value a = start[0], b = start[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (const int r : threefry_rotations[group % 2]) {
      a = add(a, b);
      b = bit_xor(rotated_word(b, r), a);
    }
    a = add(a, schedule[(group + 1) % 3]);
    b = add(b, word_plus(schedule[(group + 2) % 3], group + 1));
  }
  return {a, b};
}

/// Mixes the counters; the result is uint32 of extents `dims`, to which the four words broadcast. Only the low 32 bits
/// of wider words are used.
inline word_pair threefry(graph& g, const word_pair& key, const word_pair& counter, const shape& dims) {
  if (const auto folded = folded_threefry(g, key, counter, dims)) return *folded;
  const auto word = [](const value& x) { return integer_cast(x, dtype::u32); };
  const std::array<value, 3> schedule = threefry_schedule({word(key[0]), word(key[1])});
  const auto started = [&](std::size_t i) {
    return constant_integer(counter[i]) == 0 ? schedule[i] : add(word(counter[i]), schedule[i]);
  };
  const word_pair mixed = threefry_rounds({started(0), started(1)}, schedule);
  return {broadcast_to(mixed[0], dims), broadcast_to(mixed[1], dims)};
}

}  // namespace jax2onnx::lower
