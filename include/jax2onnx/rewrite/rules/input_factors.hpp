// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scaled_source.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/weights.hpp>

/// Factors before a convolution or product become part of its weight: x / 255, the standard deviation of images, scales
/// of normalizations. Added terms are not moved, since padding does not contain them, and since a sum that cancels is
/// more accurate before the product.
namespace jax2onnx::rewrite::detail {

/// The two operands of a product, one of them the weight, and the axes over which the product sums.
struct weighted_operand {
  std::size_t input;         ///< index of the operand that is not the weight
  std::int64_t axis;         ///< the axis of operand `input` that is summed over
  std::size_t weight_input;  ///< index of the weight
  std::int64_t weight_axis;  ///< the weight's axis that is summed over
  std::int64_t groups = 1;   ///< the number of groups of a Conv; 1 for other products
};

inline std::optional<weighted_operand> weighted_operand_of(const value& product) {
  const value a = input_of(product, 0), b = input_of(product, 1);
  if (a.rank() < 2 || b.rank() < 2 || a.is_constant() == b.is_constant()) return std::nullopt;
  if (producer(product, "MatMul"))
    return b.is_constant() ? weighted_operand{0, a.rank() - 1, 1, b.rank() - 2}
                           : weighted_operand{1, b.rank() - 2, 0, a.rank() - 1};
  if (!b.is_constant()) return std::nullopt;
  if (producer(product, "Conv")) return weighted_operand{0, 1, 1, 1, integer_of(product, "group")};
  const gemm_view g = *gemm_of(product);
  return weighted_operand{0, g.transposes_a ? 0 : 1, 1, g.transposes_b ? 1 : 0};
}

/// An operand that is x c or x / c for a constant c, possibly followed by Transposes and Reshapes.
struct scaled_operand {
  value x, constant;
  std::vector<value> moves;  ///< the Transposes and Reshapes, the last one first
  bool quotient, read_once, along_axis;
};

/// Views `v` as a scaled operand; nullopt if it has another form. `along_axis` tells whether the constant is one
/// number, or lies along the axis of x that becomes axis `axis` of `v`.
inline std::optional<scaled_operand> scaled_operand_of(const context& c, value v, std::int64_t axis) {
  std::optional<std::int64_t> before = axis;
  std::vector<value> moves;
  bool read_once = c.single_use(v);
  for (; (producer(v, "Transpose") || is_reshape(v)) && moves.size() < most_moves;
       read_once = read_once && c.single_use(v)) {
    if (before) before = axis_before(v, *before);
    moves.push_back(v);
    v = input_of(v, 0);
  }
  const bool quotient = producer(v, "Div") != nullptr;
  if (!quotient && !producer(v, "Mul")) return std::nullopt;
  const value a = input_of(v, 0), b = input_of(v, 1);
  if (a.is_constant() == b.is_constant() || (quotient && a.is_constant())) return std::nullopt;
  const value x = a.is_constant() ? b : a, k = a.is_constant() ? a : b;
  const std::optional<std::int64_t> along = x.dims() == v.dims() ? only_axis(k, x) : std::nullopt;
  if (!along) return std::nullopt;
  return scaled_operand{x, k, std::move(moves), quotient, read_once, *along == no_axis || along == before};
}

/// Converts factors of the operand's channels to factors of the weight's elements. Each group of a convolution has its
/// own channels, and the weight's axis has the channels of one group. nullopt if there are too many factors, or if the
/// number of groups does not divide the number of outputs.
inline std::optional<axis_factors> factors_of_weight(const weighted_operand& o, const value& w,
                                                     const std::vector<double>& channels) {
  axis_factors f{channels};
  for (std::int64_t i = o.weight_axis + 1; i < w.rank(); ++i) f.run *= static_cast<std::uint64_t>(w.extent(i).extent());
  if (o.groups == 1 || channels.size() == 1) return f;
  const auto outputs = static_cast<std::size_t>(w.extent(0).extent()),
             inputs = static_cast<std::size_t>(w.extent(1).extent()), groups = static_cast<std::size_t>(o.groups);
  if (outputs * inputs > most_numbers || outputs % groups != 0) return std::nullopt;
  f.numbers.clear();
  for (std::size_t out = 0; out < outputs; ++out)
    for (std::size_t in = 0; in < inputs; ++in) f.numbers.push_back(channels[out / (outputs / groups) * inputs + in]);
  return f;
}

inline outcome fold_factor_before(const context& c, const value& root) {
  if (!is_computed_in_double(root.dtype())) return {};
  const std::optional<weighted_operand> o = weighted_operand_of(root);
  const auto scaled_x = o ? scaled_operand_of(c, input_of(root, o->input), o->axis) : std::nullopt;
  if (!scaled_x) return {};
  if (!scaled_x->along_axis) return decline("the factors do not lie along the axis that is summed over");
  if (!scaled_x->read_once) return decline("the scaled operand is also read elsewhere");
  const value w = input_of(root, o->weight_input);
  if (!c.single_use(w)) return decline("the weight is also read unscaled");
  std::optional<std::vector<double>> numbers = numbers_of(scaled_x->constant);
  if (!numbers || numbers->empty()) return {};
  if (scaled_x->quotient)
    for (double& f : *numbers) f = 1 / f;
  std::optional<axis_factors> factors = factors_of_weight(*o, w, *numbers);
  if (!factors) return {};
  std::vector<value> inputs = inputs_of(root);
  inputs[o->weight_input] = scaled_weight(c.g, w, std::move(*factors));
  inputs[o->input] = moved_again(scaled_x->x, scaled_x->moves);
  return with_inputs(root, inputs, root.type());
}

inline constexpr rule input_factor_rules[] = {
    {"fold-factor-before", "P(x c, w) -> P(x, w c), P(x / c, w) -> P(x, w / c)",
     "P is Conv, Gemm or MatMul; Transposes and Reshapes may lie between; w is a constant that is read once; "
     "x c is read once; c is a constant of one element, or of one per channel of x; float32 or float64",
     ops<"Conv", "Gemm", "MatMul">, fold_factor_before, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
