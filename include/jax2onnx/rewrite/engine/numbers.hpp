// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Numbers of floating-point constants, computed in double and rounded once.
namespace jax2onnx::rewrite {

/// True if a constant of type `t` is computed in double: the type has at least the precision of float32.
constexpr bool is_computed_in_double(dtype t) { return t == dtype::f32 || t == dtype::f64; }

/// The element of type `t`, f32 or f64, at `from`.
inline double load_number(dtype t, const std::byte* from) {
  double d = 0;
  if (t == dtype::f64) {
    std::memcpy(&d, from, sizeof d);
    return d;
  }
  float f = 0;
  std::memcpy(&f, from, sizeof f);
  return static_cast<double>(f);
}
/// Rounds `number` to type `t`, f32 or f64, and stores it at `to`.
inline void store_number(dtype t, double number, std::byte* to) {
  const auto rounded = static_cast<float>(number);
  if (t == dtype::f64) std::memcpy(to, &number, sizeof number);
  else std::memcpy(to, &rounded, sizeof rounded);
}

/// `number`, which was computed in double instead of type `t`, f32 or f64. If it overflows or is subnormal in f32 and
/// `t` is f32, it is rounded to f32, as it would be in the model.
inline double in_range_of(dtype t, double number) {
  const auto rounded = static_cast<float>(number);
  return t == dtype::f64 || std::isnormal(rounded) ? number : static_cast<double>(rounded);
}
/// True if all operands are finite, and the result is infinite or NaN in type `t`, f32 or f64.
inline bool overflows(dtype t, double result, std::initializer_list<double> operands) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  return !is_finite(in_range_of(t, result)) && item_loops::all_of(operands, is_finite);
}

/// The bytes of computed numbers, rounded to f32 or f64. Later computations read the numbers before that rounding.
class numbers_source final : public byte_source {
 public:
  numbers_source(dtype t, std::vector<double> numbers) : numbers_(std::move(numbers)) {
    const auto width = static_cast<std::size_t>(bits(t)) / 8;
    rounded_.resize(numbers_.size() * width);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      numbers_[i] = in_range_of(t, numbers_[i]);
      store_number(t, numbers_[i], rounded_.data() + i * width);
    }
  }
  /// The computed numbers. Only numbers that overflow or are subnormal in the type are rounded to the type.
  const std::vector<double>& numbers() const { return numbers_; }
  std::uint64_t size() const override { return rounded_.size(); }
  std::uint64_t held_bytes() const override { return numbers_.size() * sizeof(double) + rounded_.size(); }
  std::span<const std::byte> view() const override { return rounded_; }
  void stream(const sink& out) const override { out(rounded_); }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    if (!to.empty()) std::memcpy(to.data(), rounded_.data() + offset, to.size());
    return true;
  }

 private:
  std::vector<double> numbers_;
  std::vector<std::byte> rounded_;
};

/// The number of nested sources through which a constant may be read. Reading and destroying nested sources recurses.
inline constexpr std::size_t deepest_source = 16;

/// A constant whose bytes are computed from the bytes of other constants. Throws `declined` if its bytes would be read
/// through too many sources, or if all computed constants together would hold too much memory.
inline value computed_constant(graph& g, const tensor_type& type, std::shared_ptr<const byte_source> source,
                               std::string name = {}) {
  if (source->depth() > deepest_source) throw declined{"the weight would be computed in too many steps"};
  if (!g.hold(source->held_bytes())) throw declined{"computed weights hold too much memory"};
  return g.constant(type, bytes(std::move(source)), std::move(name));
}

/// True if `v` is a constant whose numbers were computed in memory, from other constants.
inline bool is_computed(const value& v) {
  return v.is_constant() && dynamic_cast<const numbers_source*>(v.data().source()) != nullptr;
}

/// True if reshaping `v` for one reader keeps the model from storing it twice: it is small, computed, or read once.
/// Constants without a name are shared in the graph.
inline bool is_stored_once_reshaped(const context& c, const value& v) {
  const std::uint64_t small = c.g.at(v.id()).name.empty() ? folding_limit : 1024;
  return v.data().size() <= small || is_computed(v) || c.single_use(v);
}

/// The largest count of numbers that are computed in memory: enough for vectors, not for matrices.
inline constexpr std::uint64_t most_numbers = std::uint64_t{1} << 16;

/// The numbers of an f32 or f64 constant of at most `most_numbers` elements; nullopt for any other value. If
/// is_computed() is true for the constant, the numbers are not rounded, and there may be more of them. Reads weights
/// from their files, and throws what their sources throw.
inline std::optional<std::vector<double>> numbers_of(const value& v) {
  if (!v || !v.is_constant() || !is_computed_in_double(v.dtype())) return std::nullopt;
  if (const auto* computed = dynamic_cast<const numbers_source*>(v.data().source())) return computed->numbers();
  const auto width = static_cast<std::size_t>(bits(v.dtype())) / 8;
  if (v.data().size() > most_numbers * width) return std::nullopt;
  std::vector<std::byte> raw;
  v.data().stream([&](std::span<const std::byte> piece) { raw.insert(raw.end(), piece.begin(), piece.end()); });
  std::vector<double> numbers(raw.size() / width);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = load_number(v.dtype(), raw.data() + i * width);
  return numbers;
}

/// The constant with these numbers, f32 or f64. Throws what computed_constant throws.
inline value constant_of_numbers(graph& g, const tensor_type& type, std::vector<double> numbers,
                                 std::string name = {}) {
  auto source = std::make_shared<const numbers_source>(type.type, std::move(numbers));
  return computed_constant(g, type, std::move(source), std::move(name));
}

}  // namespace jax2onnx::rewrite
