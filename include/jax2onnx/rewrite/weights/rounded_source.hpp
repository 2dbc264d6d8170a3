// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/streamed_source.hpp>

/// Weights of float32 that are rounded to fewer bits while they are written. Only factors are kept in memory.
namespace jax2onnx::rewrite {

/// The nearest integer to a number of at most 2^22, ties to even. Compilers vectorize it, unlike nearbyint.
inline float nearest(float x) {
  constexpr float ulp_is_1 = 0x1.8p23F;
  return (x + ulp_is_1) - ulp_is_1;
}

/// Passes the numbers of a constant of float32 to `out`, a piece at a time.
template <class Sink>
void for_each_floats(const bytes& floats, const Sink& out) {
  std::vector<float> numbers;
  floats.stream([&](std::span<const std::byte> piece) {
    numbers.resize(piece.size() / sizeof(float));
    std::memcpy(numbers.data(), piece.data(), numbers.size() * sizeof(float));
    out(std::span<const float>(numbers));
  });
}

/// The bits of the nearest bfloat16.
inline std::uint16_t bfloat16_bits(float x) {
  constexpr std::uint32_t quiet = 0x40, below_half = 0x7fff;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(bits >> 16U | quiet);
  return static_cast<std::uint16_t>((bits + below_half + (bits >> 16U & 1U)) >> 16U);
}
/// The bits of the nearest float16. A finite number must be in the range of float16.
inline std::uint16_t float16_bits(float x) {
  constexpr std::uint32_t magnitude = 0x7fffffff, smallest_normal = 0x38800000, half = 0x3f000000,
                          infinity = 0x7f800000;
  constexpr std::uint32_t other_bias = 112U << 23U, below_half = 0xfff;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16U & 0x8000U, size = bits & magnitude;
  if (size >= infinity) return static_cast<std::uint16_t>(sign | (size == infinity ? 0x7c00U : 0x7e00U));
  // The addition of 0.5 rounds a number that is subnormal as float16 to the last place of that type.
  const std::uint32_t narrow = size < smallest_normal
                                   ? std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - half
                                   : (size - other_bias + below_half + (size >> 13U & 1U)) >> 13U;
  return static_cast<std::uint16_t>(sign | narrow);
}

/// Numbers of float32 as float16 or bfloat16. For float16, finite numbers must be in the range of float16.
class narrowed_source final : public jax2onnx::detail::streamed_source {
 public:
  narrowed_source(bytes floats, dtype to) : floats_(std::move(floats)), to_(to) {}
  std::uint64_t size() const override { return floats_.size() / 2; }
  std::uint64_t stored_size() const override { return floats_.stored_size(); }
  std::size_t depth() const override { return floats_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes floats_;
  dtype to_;
};

inline void narrowed_source::stream(const sink& out) const {
  std::vector<std::uint16_t> narrow;
  for_each_floats(floats_, [&](std::span<const float> numbers) {
    narrow.clear();
    for (const float x : numbers) narrow.push_back(to_ == dtype::f16 ? float16_bits(x) : bfloat16_bits(x));
    out(std::as_bytes(std::span(narrow)));
  });
}

/// The index of the factor of each element of a matrix, in turn: `run` adjacent elements share one, and the factors
/// repeat.
class factor_walk {
 public:
  factor_walk(std::size_t factors, std::size_t run) : factors_(factors), run_(run) {}
  std::size_t next() {
    const std::size_t at = factor_;
    if (++in_run_ == run_) {
      in_run_ = 0;
      if (++factor_ == factors_) factor_ = 0;
    }
    return at;
  }

 private:
  std::size_t factors_, run_, factor_ = 0, in_run_ = 0;
};

/// The factors of a matrix of float32 in 8 bits: the largest magnitude with a factor becomes 127. A factor is 1 if all
/// of its numbers are 0, and not finite if one of its numbers is not finite.
inline std::vector<float> int8_factors(const bytes& floats, std::size_t count, std::size_t run) {
  constexpr float most = 127;
  std::vector<float> largest(count);
  factor_walk walk(count, run);
  for_each_floats(floats, [&](std::span<const float> numbers) {
    for (const float x : numbers) {
      float& so_far = largest[walk.next()];
      const float magnitude = std::abs(x);
      if (std::isnan(magnitude)) so_far = std::numeric_limits<float>::infinity();
      else so_far = std::max(so_far, magnitude);
    }
  });
  for (float& f : largest) f = f == 0 ? 1 : f / most;
  return largest;
}

/// A matrix of float32 as int8, times factors that `run` adjacent elements share.
class int8_source final : public jax2onnx::detail::streamed_source {
 public:
  int8_source(bytes floats, std::vector<float> factors, std::size_t run)
      : floats_(std::move(floats)), factors_(std::move(factors)), run_(run) {}
  std::uint64_t size() const override { return floats_.size() / sizeof(float); }
  std::uint64_t stored_size() const override { return floats_.stored_size(); }
  std::size_t depth() const override { return floats_.depth(); }
  std::uint64_t held_bytes() const override { return factors_.size() * sizeof(float); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes floats_;
  std::vector<float> factors_;
  std::size_t run_;
};

inline void int8_source::stream(const sink& out) const {
  constexpr float most = 127;
  std::vector<std::int8_t> rounded;
  factor_walk walk(factors_.size(), run_);
  for_each_floats(floats_, [&](std::span<const float> numbers) {
    rounded.clear();
    for (const float x : numbers)
      rounded.push_back(static_cast<std::int8_t>(nearest(std::clamp(x / factors_[walk.next()], -most, most))));
    out(std::as_bytes(std::span(rounded)));
  });
}

/// Numbers of 4 bits: -8 to 7, times a factor.
namespace of_int4 {

inline constexpr float lowest = -8, highest = 7;

/// x times the reciprocal of a factor, rounded to an integer from -8 to 7.
inline float rounded(float x, float reciprocal) { return nearest(std::clamp(x * reciprocal, lowest, highest)); }

/// The reciprocal of a factor; 0 if it is not finite, as for a factor of 0.
inline float reciprocal_of(float factor) {
  const float reciprocal = factor == 0 ? 0 : 1 / factor;
  return std::isfinite(reciprocal) ? reciprocal : 0;
}

/// The factor of a block: of several factors that make the largest number about -8 or 7, the one with the least squared
/// error.
inline float factor_of(std::span<const float> block) {
  const float largest = *std::ranges::max_element(block, {}, [](float x) { return std::abs(x); });
  constexpr std::array<float, 5> levels = {-8, -7.5F, -8.5F, 7, 7.5F};
  float best = 0, least = std::numeric_limits<float>::infinity();
  for (const float level : levels) {
    const float factor = largest / level, reciprocal = reciprocal_of(factor);
    float error = 0;
    for (const float x : block) {
      const float off = x - rounded(x, reciprocal) * factor;
      error += off * off;
    }
    if (error < least) {
      least = error;
      best = factor;
    }
  }
  return best;
}

}  // namespace of_int4

/// A matrix of float32 in blocks of `rows` rows of one column: the numbers as int4, two in a byte, or the factors of
/// the blocks.
class blocks_source final : public jax2onnx::detail::streamed_source {
 public:
  enum class part : std::uint8_t { numbers, factors };
  /// The number of rows is a multiple of `rows`, which is even.
  blocks_source(bytes floats, std::size_t rows, std::size_t columns, part p)
      : floats_(std::move(floats)), rows_(rows), columns_(columns), part_(p) {}
  std::uint64_t size() const override {
    const std::uint64_t count = floats_.size() / sizeof(float);
    return part_ == part::numbers ? count / 2 : count / rows_ * sizeof(float);
  }
  std::uint64_t stored_size() const override { return floats_.stored_size(); }
  std::size_t depth() const override { return floats_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  /// Computes the factor of each block in `rows_` rows. Unless only factors are wanted, also packs the rounded numbers.
  inline void round(std::span<const float> block, std::span<float> factors, std::span<std::uint8_t> packed) const;

  bytes floats_;
  std::size_t rows_, columns_;
  part part_;
};

inline void blocks_source::round(std::span<const float> block, std::span<float> factors,
                                 std::span<std::uint8_t> packed) const {
  std::vector<float> column(rows_);
  std::ranges::fill(packed, std::uint8_t{0});
  for (std::size_t k = 0; k < columns_; ++k) {
    for (std::size_t i = 0; i < rows_; ++i) column[i] = block[i * columns_ + k];
    factors[k] = of_int4::factor_of(column);
    if (part_ == part::factors) continue;
    const float reciprocal = of_int4::reciprocal_of(factors[k]);
    for (std::size_t i = 0; i < rows_; ++i) {
      const auto number = static_cast<std::uint8_t>(static_cast<int>(of_int4::rounded(column[i], reciprocal)) & 0xf);
      const std::size_t at = i * columns_ + k;
      packed[at / 2] = static_cast<std::uint8_t>(packed[at / 2] | number << (at % 2 * 4));
    }
  }
}

inline void blocks_source::stream(const sink& out) const {
  std::vector<float> block, factors(columns_);
  std::vector<std::uint8_t> packed(rows_ * columns_ / 2);
  block.reserve(rows_ * columns_);
  for_each_floats(floats_, [&](std::span<const float> numbers) {
    while (!numbers.empty()) {
      const std::size_t n = std::min(numbers.size(), rows_ * columns_ - block.size());
      block.insert(block.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
      numbers = numbers.subspan(n);
      if (block.size() < rows_ * columns_) continue;
      round(block, factors, packed);
      out(part_ == part::numbers ? std::as_bytes(std::span(packed)) : std::as_bytes(std::span(factors)));
      block.clear();
    }
  });
}

}  // namespace jax2onnx::rewrite
