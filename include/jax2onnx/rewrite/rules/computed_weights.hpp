// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scaled_source.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>
#include <jax2onnx/rewrite/rules/weights.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Weights of any size that the model divides by their norms, as weight normalization does. The norm is computed during
/// conversion, and the quotient is computed when the weight is written.
namespace jax2onnx::rewrite::detail {

/// A reduction of n numbers x to of_sum(s, n), where s is the sum of all part(x).
struct statistic {
  std::string_view op;
  double (*part)(double x);
  double (*of_sum)(double sum, double n);
};

namespace of_numbers {

inline double magnitude(double x) { return std::abs(x); }
inline double squared(double x) { return x * x; }
inline double itself(double x) { return x; }
inline double total(double sum, double) { return sum; }
inline double mean(double sum, double n) { return sum / n; }
inline double root(double sum, double) { return std::sqrt(sum); }

}  // namespace of_numbers

inline constexpr statistic statistics[] = {{"ReduceL1", of_numbers::magnitude, of_numbers::total},
                                           {"ReduceL2", of_numbers::squared, of_numbers::root},
                                           {"ReduceMean", of_numbers::itself, of_numbers::mean},
                                           {"ReduceSum", of_numbers::itself, of_numbers::total},
                                           {"ReduceSumSquare", of_numbers::squared, of_numbers::total}};

/// Walks the elements of an array in order, and tracks to which element of the reduction's result the current element
/// belongs.
class reduced_walk {
 public:
  reduced_walk(const shape& dims, const ints& axes) : at_(dims.size(), 0), strides_(dims.size(), 0) {
    for (const dim d : dims) extents_.push_back(d.extent());
    std::int64_t stride = 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
      if (item_loops::contains(axes, static_cast<std::int64_t>(i))) continue;
      strides_[i] = stride;
      stride *= extents_[i];
    }
  }
  std::size_t index() const { return static_cast<std::size_t>(index_); }
  void advance() {
    for (std::size_t i = at_.size(); i-- > 0;) {
      index_ += strides_[i];
      if (++at_[i] < extents_[i]) return;
      index_ -= strides_[i] * extents_[i];
      at_[i] = 0;
    }
  }

 private:
  ints extents_ = {}, at_, strides_;
  std::int64_t index_ = 0;
};

inline outcome fold_statistic(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const auto r = reduction_of(root);
  const auto count = count_of_numbers(root.type());
  if (!x.is_constant() || !is_weight(c, x) || !is_computed_in_double(x.dtype()) || !r || !count || *count == 0)
    return {};
  const auto s = std::ranges::find(statistics, std::string_view(producer(root)->op), &statistic::op);
  if (s == std::end(statistics)) return {};
  std::vector<double> sums(*count);
  reduced_walk walk(x.dims(), r->axes);
  const auto width = static_cast<std::size_t>(bits(x.dtype())) / 8;
  std::size_t elements = 0;
  x.data().stream([&](std::span<const std::byte> piece) {
    elements += piece.size() / width;
    for (std::size_t i = 0; i < piece.size(); i += width, walk.advance())
      sums[walk.index()] += s->part(load_number(x.dtype(), piece.data() + i));
  });
  const double each = static_cast<double>(elements) / static_cast<double>(*count);
  for (double& sum : sums) sum = s->of_sum(in_range_of(x.dtype(), sum), each);
  return constant_of_numbers(c.g, root.type(), std::move(sums));
}

/// Multiplies or divides a weight by one constant number, or by one constant number for each index along one axis.
inline outcome scale_weight(const context& c, const value& root) {
  const bool quotient = producer(root, "Div") != nullptr;
  value w = input_of(root, 0), factor = input_of(root, 1);
  if (!w.is_constant() || !factor.is_constant() || !is_computed_in_double(root.dtype())) return {};
  if (!quotient && w.dims() != root.dims()) std::swap(w, factor);
  if (w.dims() != root.dims() || !is_weight(c, w)) return {};
  const std::optional<std::int64_t> axis = only_axis(factor, w);
  auto by = axis ? channel_numbers_of(factor) : std::nullopt;
  if (!by) return decline("the factors vary along several axes, or there are too many factors");
  if (!c.single_use(w)) return decline("the weight is also read unscaled");
  if (quotient)
    for (double& f : by->numbers) f = 1 / f;
  std::uint64_t run = 1;
  for (std::int64_t i = *axis == no_axis ? 0 : *axis + 1; i < w.rank(); ++i)
    run *= static_cast<std::uint64_t>(w.extent(i).extent());
  return scaled_weight(c.g, w, {std::move(by->numbers), run});
}

inline constexpr rule computed_weight_rules[] = {
    {"fold-statistic", "op(c, axes) -> d",
     "op is ReduceL1, ReduceL2, ReduceMean, ReduceSum or ReduceSumSquare of a constant weight, float32 or float64; "
     "d has at most 65536 elements",
     ops<"ReduceL1", "ReduceL2", "ReduceMean", "ReduceSum", "ReduceSumSquare">, fold_statistic, stage::weights},
    {"scale-weight", "c d -> e, c / d -> e",
     "c is a constant weight that is read once; "
     "d is a constant of one element, or of one for each index along an axis; float32 or float64",
     ops<"Mul", "Div">, scale_weight, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
