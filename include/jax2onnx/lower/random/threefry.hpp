#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/lower/random/words.hpp>
#include <jax2onnx/ops/control.hpp>

/// Threefry-2x32: 20 rounds that mix a counter of two words under a key of two words, as one Scan.
/// Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"; jax/_src/prng.py.
namespace jax2onnx::lower {

inline constexpr std::uint32_t threefry_parity = 0x1BD11BDA;
inline constexpr std::array<std::array<int, 4>, 2> threefry_rotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};

/// The mixed counter, on the host.
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

/// The mixed counters if key and counter are small constants, computed on the host; they broadcast to `dims`.
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
  return word_pair{constant_numbers(g, dtype::i64, dims, first), constant_numbers(g, dtype::i64, dims, second)};
}

/// x rotated left by r < 30 bits, given 2^r. The result is in the low 32 bits; those above are arbitrary.
inline value rotated_word(const value& x, const value& power) {
  const value product = mul(x, power);
  return bit_or(product, carry_word(product));
}

/// Five groups of four rounds, each followed by an injection of the key: one Scan over the constants of the groups.
inline word_pair threefry_rounds(graph& g, const word_pair& x, const std::array<value, 3>& schedule) {
  std::array<std::vector<std::uint64_t>, 5> tables;  // the power of two of each round, and the number that is injected
  for (std::uint64_t group = 0; group < 5; ++group) {
    for (std::size_t round = 0; round < 4; ++round)
      tables[round].push_back(std::uint64_t{1} << threefry_rotations[group % 2][round]);
    tables[4].push_back(group + 1);
  }
  std::vector<value> sequences;
  for (const auto& table : tables) sequences.push_back(constant_numbers(g, dtype::i64, {5}, table));
  const auto group = [](const std::vector<value>& carried, const std::vector<value>& elements) {
    value a = carried[0], b = carried[1];
    for (std::size_t round = 0; round < 4; ++round) {
      a = add(a, b);
      b = low_word(bit_xor(rotated_word(b, elements[round]), a));
    }
    a = add(a, carried[2]);
    b = low_word(add(add(b, carried[3]), elements[4]));
    return loop_step{{}, {a, b, carried[3], carried[4], carried[2]}};
  };
  scan_options options;
  options.carried_names = {"x", "x", "key"};
  options.element_names = {"power", "power", "power", "power", "group"};
  const loop_result mixed = scan(g, {x[0], x[1], schedule[1], schedule[2], schedule[0]}, sequences, group, options);
  return {mixed.carried[0], mixed.carried[1]};
}

/// The mixed counters, of extents `dims`, to which the four words broadcast. The result is in the low 32 bits.
inline word_pair threefry(graph& g, const word_pair& key, const word_pair& counter, const shape& dims) {
  if (const auto folded = folded_threefry(g, key, counter, dims)) return *folded;
  value third = scalar(g, dtype::i64, threefry_parity);
  if (const auto a = constant_integer(key[0]), b = constant_integer(key[1]); a && b)
    third = scalar(g, dtype::i64, *a ^ *b ^ threefry_parity);
  else third = bit_xor(bit_xor(key[0], key[1]), third);
  const auto started = [&](std::size_t i) {
    const bool zero = constant_integer(counter[i]) == 0;
    return broadcast_to(zero ? key[i] : add(counter[i], key[i]), dims);
  };
  return threefry_rounds(g, {started(0), low_word(started(1))}, {key[0], key[1], third});
}

}  // namespace jax2onnx::lower
