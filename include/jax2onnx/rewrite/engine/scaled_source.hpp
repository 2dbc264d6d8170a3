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
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/permuted_source.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::rewrite {

/// Factors along an axis of a weight: element i of the weight has factor i / run, modulo the number of factors.
struct axis_factors {
  std::vector<double> numbers;
  /// The number of adjacent elements with a common factor: the product of the extents after the axis.
  std::uint64_t run = 1;
};

/// The elements of a weight, f32 or f64, times factors. The products are computed piece by piece when they are read, in
/// double, and rounded once.
class scaled_source final : public jax2onnx::detail::streamed_source {
 public:
  scaled_source(bytes elements, dtype t, std::vector<axis_factors> factors)
      : elements_(std::move(elements)), type_(t), factors_(std::move(factors)) {}
  const bytes& elements() const { return elements_; }
  const std::vector<axis_factors>& factors() const { return factors_; }
  std::uint64_t size() const override { return elements_.size(); }
  std::uint64_t stored_size() const override { return elements_.stored_size(); }
  std::size_t depth() const override { return elements_.depth(); }
  std::uint64_t held_bytes() const override {
    std::uint64_t held = 0;
    for (const axis_factors& f : factors_) held += f.numbers.size() * sizeof(double);
    return held;
  }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes elements_;
  dtype type_;
  std::vector<axis_factors> factors_;
};

namespace detail {

/// Adds factors to the factors of a weight. Factors along one axis are multiplied; a factor for all elements is
/// multiplied into any other factors.
inline void add_factors(std::vector<axis_factors>& factors, axis_factors by) {
  const auto likewise = std::ranges::find_if(factors, [&](const axis_factors& f) {
    return f.numbers.size() == 1 || by.numbers.size() == 1 ||
           (f.run == by.run && f.numbers.size() == by.numbers.size());
  });
  if (likewise == factors.end()) return factors.push_back(std::move(by));
  if (likewise->numbers.size() == 1) std::swap(*likewise, by);
  for (std::size_t i = 0; i < likewise->numbers.size(); ++i)
    likewise->numbers[i] *= by.numbers[by.numbers.size() == 1 ? 0 : i];
}

/// Multiplies numbers, the first of which is element `at` of the weight, by their factors.
inline void multiply(std::span<double> numbers, std::uint64_t at, const axis_factors& f) {
  auto which = static_cast<std::size_t>(at / f.run % f.numbers.size());
  for (std::uint64_t left = f.run - at % f.run; !numbers.empty(); left = f.run) {
    const std::span<const double> factors = std::span(f.numbers).subspan(which);
    const std::size_t n = std::min<std::uint64_t>(numbers.size(), f.run == 1 ? factors.size() : left);
    if (f.run == 1)
      for (std::size_t i = 0; i < n; ++i) numbers[i] *= factors[i];
    else
      for (double& number : numbers.first(n)) number *= factors[0];
    which = (which + (f.run == 1 ? n : 1)) % f.numbers.size();
    numbers = numbers.subspan(n);
  }
}

template <class Number>
void scale_piece(std::span<const std::byte> piece, std::uint64_t at, const std::vector<axis_factors>& factors,
                 std::vector<std::byte>& products) {
  constexpr std::size_t most = 1024;  // elements that are scaled at once, so that they stay in the cache
  std::array<double, most> numbers{};
  std::array<Number, most> elements{};
  products.resize(piece.size());
  for (std::size_t begin = 0, end = piece.size() / sizeof(Number); begin < end; begin += most) {
    const std::size_t n = std::min(most, end - begin);
    std::memcpy(elements.data(), piece.data() + begin * sizeof(Number), n * sizeof(Number));
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(elements[i]);
    for (const axis_factors& f : factors) multiply(std::span(numbers).first(n), at + begin, f);
    for (std::size_t i = 0; i < n; ++i) elements[i] = static_cast<Number>(numbers[i]);
    std::memcpy(products.data() + begin * sizeof(Number), elements.data(), n * sizeof(Number));
  }
}

/// The largest bit pattern of an element, without its sign, among the bit patterns up to `most`; 0 if there are none.
/// Bit patterns are ordered like the magnitudes.
template <class Bits>
Bits largest_bits(std::span<const std::byte> piece, Bits most) {
  Bits largest = 0;
  for (std::size_t i = 0; i < piece.size(); i += sizeof(Bits)) {
    Bits element = 0;
    std::memcpy(&element, piece.data() + i, sizeof element);
    element &= std::numeric_limits<Bits>::max();
    largest = std::max(largest, element <= most ? element : Bits{0});
  }
  return largest;
}

/// Passes all elements to `out` in pieces, in any order. If the bytes can be read at any offset, their checksum is not
/// verified here, but when they are written.
inline void for_each_piece(const bytes& elements, const byte_source::sink& out) {
  if (const auto* permuted = dynamic_cast<const jax2onnx::detail::permuted_source*>(elements.source()))
    return for_each_piece(permuted->elements(), out);
  if (!jax2onnx::detail::read_at(elements, 0, {})) return elements.stream(out);
  std::vector<std::byte> buffer(
      static_cast<std::size_t>(std::min<std::uint64_t>(jax2onnx::detail::piece_size, elements.size())));
  for (std::uint64_t at = 0; at < elements.size(); at += buffer.size()) {
    buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), elements.size() - at)));
    jax2onnx::detail::read_at(elements, at, buffer);
    out(buffer);
  }
}

/// The elements among which to find the largest magnitude.
enum class chosen_elements : bool { all, finite };

/// The largest magnitude of the chosen elements, of type f32 or f64; NaN if one of them is NaN. 0 if there are no
/// elements.
inline double largest_magnitude(const bytes& elements, dtype t, chosen_elements of = chosen_elements::all) {
  const auto largest = [&]<class Number, class Bits>(Number finite, Bits most) {
    if (of == chosen_elements::finite) most = std::bit_cast<Bits>(finite);
    Bits found = 0;
    for_each_piece(elements,
                   [&](std::span<const std::byte> piece) { found = std::max(found, largest_bits(piece, most)); });
    return static_cast<double>(std::bit_cast<Number>(found));
  };
  return t == dtype::f64 ? largest(std::numeric_limits<double>::max(), std::numeric_limits<std::int64_t>::max())
                         : largest(std::numeric_limits<float>::max(), std::numeric_limits<std::int32_t>::max());
}

/// True if no factor is NaN or has a magnitude over 2^40, and if the magnitude of every product of nonzero factors, one
/// for each axis, is between 2^-40 and 2^40. Axes whose factors are all zero are left out of the products.
inline bool are_moderate(const std::vector<axis_factors>& factors) {
  constexpr double most = 0x1p40;
  double least = 1, largest = 1;
  for (const axis_factors& f : factors) {
    double low = most, high = 1 / most;
    for (const double number : f.numbers) {
      const double magnitude = std::abs(number);
      if (!(magnitude <= most)) return false;  // false for NaN
      if (magnitude == 0) continue;
      low = std::min(low, magnitude);
      high = std::max(high, magnitude);
    }
    if (low > high) continue;  // zeros only
    least *= low;
    largest *= high;
  }
  return least >= 1 / most && largest <= most;
}

}  // namespace detail

/// The bytes of a weight of type `t`, f32 or f64, times further factors. If the weight is itself a scaled_source, its
/// factors are combined with `by`, so that products are rounded only once. If such a weight already has factors for
/// more than 8 axes, its rounded products are multiplied by `by`, and rounded again.
inline std::shared_ptr<const scaled_source> scaled(const bytes& weight, dtype t, axis_factors by) {
  constexpr std::size_t most_axes = 8;
  const auto* before = dynamic_cast<const scaled_source*>(weight.source());
  if (before && before->factors().size() > most_axes) before = nullptr;
  std::vector<axis_factors> factors = before ? before->factors() : std::vector<axis_factors>();
  detail::add_factors(factors, std::move(by));
  return std::make_shared<const scaled_source>(before ? before->elements() : weight, t, std::move(factors));
}

inline void scaled_source::stream(const sink& out) const {
  std::vector<std::byte> products;
  std::uint64_t at = 0;  // elements before the piece
  elements_.stream([&](std::span<const std::byte> piece) {
    if (type_ == dtype::f64) detail::scale_piece<double>(piece, at, factors_, products);
    else detail::scale_piece<float>(piece, at, factors_, products);
    at += piece.size() / (type_ == dtype::f64 ? sizeof(double) : sizeof(float));
    out(products);
  });
}

/// The weight `w` times factors. Throws `declined` if a product could overflow, if most products could become
/// subnormal, or if the weight is not finite: 0 times infinity would be NaN. Reads the weight once.
inline value scaled_weight(graph& g, const value& w, axis_factors by) {
  auto source = scaled(w.data(), w.dtype(), std::move(by));
  if (!detail::are_moderate(source->factors()))
    throw declined{"a factor is not finite, or is very large or very small"};
  const double largest = detail::largest_magnitude(source->elements(), w.dtype());
  if (largest != 0 && !(largest >= 0x1p-60 && largest <= 0x1p80))
    throw declined{"the weight is not finite, or is very large or very small"};
  return computed_constant(g, w.type(), std::move(source), g.at(w.id()).name);
}

}  // namespace jax2onnx::rewrite
