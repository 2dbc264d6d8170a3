// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/ops.hpp>

/// 32-bit words for the bit mixing of random number generators. In the graph, words are uint32, or int64 if the product
/// of two words must fit. Small constants are computed on the host.
namespace jax2onnx::lower {

inline constexpr std::int64_t word_mask = 0xffffffff;
/// 2^32
inline constexpr std::int64_t word_range = word_mask + 1;

using word_pair = std::array<value, 2>;

inline value low_word(const value& x) { return x.dtype() == dtype::u32 ? x : bit_and(x, std::uint64_t{word_mask}); }
/// x / 2^32 of nonnegative x.
inline value carry_word(const value& x) { return div(x, word_range); }

/// The int64 word x, rotated left by r < 30 bits, given 2^r. The result is in the low 32 bits; higher bits are
/// arbitrary.
inline value rotated_word(const value& x, const value& power) {
  const value product = mul(x, power);
  return bit_or(product, carry_word(product));
}
/// The uint32 word x, rotated left by r bits, 0 < r < 32. The two shifts are added: in ONNX Runtime, Add and Mul are
/// faster than operators that join and shift bits.
inline value rotated_word(const value& x, int r) {
  return add(shift_left_by(x, std::int64_t{r}), shift_right_by(x, scalar(x.owner(), dtype::u32, 32 - r)));
}

/// The elements of a small integer constant, zero-extended; nullopt for any other value.
inline std::optional<std::vector<std::uint64_t>> known_numbers(const value& v) {
  if (!jax2onnx::detail::is_foldable(v) || !is_integer(v.dtype())) return std::nullopt;
  const auto raw = v.data().view();
  const auto width = static_cast<std::size_t>(bits(v.dtype()) / 8);
  std::vector<std::uint64_t> out(raw.size() / width);
  for (std::size_t i = 0; i < raw.size(); ++i)
    out[i / width] |= std::to_integer<std::uint64_t>(raw[i]) << (8 * (i % width));
  return out;
}

inline value constant_numbers(graph& g, dtype t, const shape& dims, const std::vector<std::uint64_t>& numbers) {
  return g.constant({t, dims}, bytes(pattern_bytes(t, numbers)));
}

/// x as an integer of type t: truncated, or extended with zeros or, if x is signed, with its sign.
inline value integer_cast(const value& x, dtype t) {
  const auto numbers = is_signed_integer(x.dtype()) && bits(x.dtype()) < 64 ? std::nullopt : known_numbers(x);
  return numbers ? constant_numbers(x.owner(), t, x.dims(), *numbers) : cast(x, t);
}

/// The low 32 bits of an integer as a word. Narrower signed integers are sign-extended first, as JAX's conversion to
/// uint32 does.
inline value as_word(const value& x) {
  if (const auto known = constant_integer(x)) return scalar(x.owner(), dtype::i64, *known & word_mask);
  if (x.dtype() == dtype::u32 || bits(x.dtype()) < 32) {
    const value w = integer_cast(x, dtype::i64);
    return is_signed_integer(x.dtype()) ? low_word(w) : w;
  }
  return integer_cast(integer_cast(x, dtype::u32), dtype::i64);
}

/// Bits 32 to 63 of an integer as a word; 0 for narrower integers. Source: threefry_seed of jax/_src/prng.py.
inline value high_word(const value& x) {
  graph& g = x.owner();
  if (bits(x.dtype()) < 64) return scalar(g, dtype::i64, 0);
  if (const auto known = constant_integer(x)) return scalar(g, dtype::i64, static_cast<std::uint64_t>(*known) >> 32);
  return cast(shift_right_by(cast(x, dtype::u64), scalar(g, dtype::u64, 32)), dtype::i64);
}

/// The uint64 numbers low + 2^32 high; only the low 32 bits of each operand are used.
inline value long_words(const value& low, const value& high) {
  graph& g = low.owner();
  const auto a = known_numbers(low), b = known_numbers(high);
  if (a && b) {
    std::vector<std::uint64_t> numbers(a->size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = ((*a)[i] & std::uint64_t{word_mask}) | (*b)[i] << 32;
    return constant_numbers(g, dtype::u64, low.dims(), numbers);
  }
  const value upper = shift_left_by(cast(high, dtype::u64), scalar(g, dtype::u64, 32));
  return bit_or(upper, cast(low_word(low), dtype::u64));
}

/// 0, 1, … in row-major order over `dims`, as int64.
inline value linear_index(graph& g, const shape& dims) {
  const dim count = g.dims().product(dims);
  constexpr std::int64_t largest_constant = folding_limit / sizeof(std::int64_t);
  if (is_static(dims) && count.extent() <= largest_constant) {
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count.extent()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    return constant_numbers(g, dtype::i64, dims, numbers);
  }
  return reshape(range(g, count), dims);
}

}  // namespace jax2onnx::lower
