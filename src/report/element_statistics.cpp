// SPDX-License-Identifier: Apache-2.0
#include "element_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/graph/scalar.hpp>

namespace jax2onnx::detail {
namespace {

double decoded(dtype type, std::uint64_t pattern) {
  if (is_floating(type)) return decode_float(type, pattern);
  const int unused = 64 - bits(type);
  if (is_signed_integer(type)) return static_cast<double>(static_cast<std::int64_t>(pattern << unused) >> unused);
  return static_cast<double>(pattern);
}

/// The number that each bit pattern of a narrow type encodes, by pattern.
const std::vector<double>& meanings(dtype type) {
  static std::mutex one_at_a_time;
  static std::map<dtype, std::vector<double>> known;
  const std::lock_guard lock(one_at_a_time);
  if (const auto it = known.find(type); it != known.end()) return it->second;
  std::vector<double> table;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << bits(type); ++pattern)
    table.push_back(decoded(type, pattern));
  return known.emplace(type, std::move(table)).first->second;
}

/// Turns bytes into numbers. Each piece holds whole elements.
class number_reader {
 public:
  number_reader(dtype type, std::uint64_t elements)
      : type_(type), width_(static_cast<std::size_t>(bits(type))), left_(elements) {
    if (width_ <= 16) meanings_ = &meanings(type);
  }
  std::vector<double>& read(std::span<const std::byte> piece) {
    numbers_.clear();
    if (width_ < 8) {
      for (const std::byte b : piece)
        for (std::size_t at = 0; at < 8; at += width_)
          push((static_cast<std::uint64_t>(b) >> at) & ((1u << width_) - 1));
      return numbers_;
    }
    const std::size_t size = width_ / 8;
    for (; piece.size() >= size; piece = piece.subspan(size)) push_bytes(piece.data(), size);
    return numbers_;
  }

 private:
  void push(std::uint64_t pattern) {
    if (left_ == 0) return;  // the last byte of a narrow type may be padded
    --left_;
    numbers_.push_back(meanings_             ? (*meanings_)[pattern]
                       : type_ == dtype::f32 ? as_float(pattern)
                                             : decoded(type_, pattern));
  }
  void push_bytes(const std::byte* from, std::size_t size) {
    std::uint64_t pattern = 0;
    std::memcpy(&pattern, from, size);
    push(pattern);
  }
  static double as_float(std::uint64_t pattern) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  }

  dtype type_;
  std::size_t width_;
  std::uint64_t left_;
  const std::vector<double>* meanings_ = nullptr;
  std::vector<double> numbers_;
};

/// Bins that become wider as the numbers spread; the result does not depend on the order of the numbers.
class spreading_bins {
 public:
  explicit spreading_bins(element_statistics& s) : s_(s) {}
  /// Makes room for all numbers in [least, greatest].
  void cover(double least, double greatest) {
    const int needed = exponent_for(least, greatest);
    if (empty_) exponent_ = needed, empty_ = false;
    std::map<double, std::uint64_t> coarse;
    const double from = s_.first;
    const int shift = needed - exponent_;
    exponent_ = needed;
    s_.width = std::ldexp(1.0, needed);
    s_.first = std::floor(std::ldexp(least, -needed));
    for (std::size_t i = 0; i < s_.bins; ++i)
      if (s_.histogram[i]) coarse[std::floor(std::ldexp(from + static_cast<double>(i), -shift))] += s_.histogram[i];
    s_.histogram.fill(0);
    for (const auto& [bin, count] : coarse) s_.histogram[static_cast<std::size_t>(bin - s_.first)] += count;
  }
  void add(double x) {
    const double bin = std::floor(std::ldexp(x, -exponent_)) - s_.first;
    ++s_.histogram[static_cast<std::size_t>(bin)];
  }
  /// Adds many numbers. Scaling by a power of two is exact unless a product underflows.
  void add(std::span<const double> numbers) {
    const double scale = std::ldexp(1.0, -exponent_);
    if (!std::isnormal(scale)) {
      for (const double x : numbers) add(x);
      return;
    }
    for (const double x : numbers) ++s_.histogram[static_cast<std::size_t>(std::floor(x * scale) - s_.first)];
  }

 private:
  /// The smallest e for which `bins` bins of width 2^e hold all numbers, and doubles hold the bins' indices exactly.
  static int exponent_for(double least, double greatest) {
    constexpr int lowest = -1074, precision = 52, spare = 6;
    const double magnitude = std::max(std::fabs(least), std::fabs(greatest)), spread = greatest / 2 - least / 2;
    if (magnitude == 0) return 0;
    int e = std::max(std::ilogb(magnitude) - precision, spread > 0 ? std::ilogb(spread) - spare : lowest);
    e = std::max(e, lowest);
    const auto fits = [&] {
      return std::floor(std::ldexp(greatest, -e)) - std::floor(std::ldexp(least, -e)) < element_statistics::bins;
    };
    while (!fits()) ++e;
    return e;
  }

  element_statistics& s_;
  int exponent_ = 0;
  bool empty_ = true;
};

class summing {
 public:
  void add(std::vector<double>& numbers) {
    s_.count += numbers.size();
    const auto [nonfinite, end] = std::ranges::partition(numbers, [](double x) { return std::isfinite(x); });
    for (auto it = nonfinite; it != end; ++it) ++(std::isnan(*it) ? s_.nans : s_.infinities);
    const std::span<const double> finite(numbers.begin(), nonfinite);
    if (finite.empty()) return;
    const bool first = s_.finite == 0;
    double least = first ? finite[0] : s_.least, greatest = first ? finite[0] : s_.greatest;
    double sum = 0;
    for (const double x : finite) {
      least = x < least ? x : least;
      greatest = x > greatest ? x : greatest;
      s_.zeros += x == 0;
      sum += x;
    }
    if (first || least < s_.least || greatest > s_.greatest) bins_.cover(least, greatest);
    s_.finite += finite.size();
    s_.least = least, s_.greatest = greatest;
    sum_ += sum;
    bins_.add(finite);
  }
  element_statistics result() {
    s_.mean = s_.finite ? sum_ / static_cast<double>(s_.finite) : 0;
    if (s_.least == s_.greatest) s_.width = 0;
    return s_;
  }

 private:
  element_statistics s_;
  spreading_bins bins_{s_};
  double sum_ = 0;
};

}  // namespace

element_statistics statistics_of(dtype type, std::uint64_t elements, const bytes& data) {
  summing all;
  number_reader reader(type, elements);
  data.stream([&](std::span<const std::byte> piece) {
    constexpr std::size_t batch = 1 << 16;
    for (; !piece.empty(); piece = piece.subspan(std::min(batch, piece.size())))
      all.add(reader.read(piece.first(std::min(batch, piece.size()))));
  });
  return all.result();
}

}  // namespace jax2onnx::detail
