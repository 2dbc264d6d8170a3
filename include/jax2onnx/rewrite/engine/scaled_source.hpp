#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::rewrite {

/// A factor for every index along an axis of a weight: element i of the weight has factor i / run modulo their number.
struct axis_factors {
  std::vector<double> numbers;
  std::uint64_t run = 1;  ///< how many neighbours share a factor: the extents behind the axis
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
  // Declared inline: else it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes elements_;
  dtype type_;
  std::vector<axis_factors> factors_;
};

/// The bytes of a weight of type `t`, f32 or f64, times further factors. A product of products is rounded once, too.
inline bytes scaled(const bytes& weight, dtype t, axis_factors by) {
  const auto* before = dynamic_cast<const scaled_source*>(weight.source());
  std::vector<axis_factors> factors = before ? before->factors() : std::vector<axis_factors>();
  factors.push_back(std::move(by));
  return bytes(std::make_shared<const scaled_source>(before ? before->elements() : weight, t, std::move(factors)));
}

inline void scaled_source::stream(const sink& out) const {
  const auto width = static_cast<std::size_t>(bits(type_)) / 8;
  std::vector<std::byte> products;
  std::uint64_t at = 0;  // elements before the piece
  elements_.stream([&](std::span<const std::byte> piece) {
    const std::size_t count = piece.size() / width;
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = load_number(type_, piece.data() + i * width);
    for (const axis_factors& f : factors_) {
      std::size_t which = static_cast<std::size_t>(at / f.run % f.numbers.size());
      std::uint64_t left = f.run - at % f.run;
      for (std::size_t i = 0; i < count; ++i) {
        numbers[i] *= f.numbers[which];
        if (--left > 0) continue;
        left = f.run;
        if (++which == f.numbers.size()) which = 0;
      }
    }
    products.resize(piece.size());
    for (std::size_t i = 0; i < count; ++i) store_number(type_, numbers[i], products.data() + i * width);
    at += count;
    out(products);
  });
}

}  // namespace jax2onnx::rewrite
