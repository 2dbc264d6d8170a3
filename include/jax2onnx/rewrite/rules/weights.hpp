// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scaled_source.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Factors and terms after a convolution or product become part of its weight and its bias. Weights of any size are
/// scaled when they are written.
namespace jax2onnx::rewrite::detail {

/// The numbers of the channels of a product: one number for each channel, or one number for all channels.
struct channel_numbers {
  std::vector<double> numbers;

  double at(std::size_t i) const { return numbers[numbers.size() == 1 ? 0 : i]; }
};

/// The numbers of a constant; nullopt if the constant is empty, or if numbers_of() cannot read it.
inline std::optional<channel_numbers> channel_numbers_of(const value& c) {
  std::optional<std::vector<double>> numbers = numbers_of(c);
  return numbers && !numbers->empty() ? std::optional(channel_numbers{std::move(*numbers)}) : std::nullopt;
}

/// The result of only_axis() for a constant with one number for all elements.
inline constexpr std::int64_t no_axis = -1;

/// The only axis of `x` along which `c`, which is broadcast to x, has several numbers. Returns no_axis if c has one
/// number, and nullopt for any other c.
inline std::optional<std::int64_t> only_axis(const value& c, const value& x) {
  if (c.rank() > x.rank()) return std::nullopt;
  std::int64_t axis = no_axis;
  for (std::int64_t i = 0; i < c.rank(); ++i) {
    if (c.extent(i).is(1)) continue;
    if (axis != no_axis) return std::nullopt;
    axis = i + x.rank() - c.rank();
  }
  return axis;
}

/// The factor and the term of `x factor + term`, either of which may be missing.
struct affine {
  std::optional<channel_numbers> factor, term;
  std::string term_name = {};  ///< the name for the bias if the product has none yet
};

/// A Conv, Gemm or MatMul by a constant weight, and its bias.
struct weighted_product {
  value product;
  std::size_t weight_input = 1;
  std::int64_t axis = 1;         ///< the product's axis of channels
  std::int64_t weight_axis = 0;  ///< the weight's axis of channels
  value sum = {};                ///< the product with its bias: `product`, or the Add after a MatMul
  value bias = {};               ///< the bias; absent if there is none

  value weight() const { return input_of(product, weight_input); }
  bool has_bias_input() const { return !producer(product, "MatMul"); }
};

inline std::optional<weighted_product> weighted_convolution(const value& v) {
  if (!input_of(v, 1).is_constant()) return std::nullopt;
  return weighted_product{.product = v, .sum = v, .bias = input_of(v, 2)};
}

inline std::optional<weighted_product> weighted_gemm(const value& v) {
  const gemm_view g = *gemm_of(v);
  if (!g.is_unscaled() || !g.b.is_constant()) return std::nullopt;
  return weighted_product{.product = v, .weight_axis = g.transposes_b ? 0 : 1, .sum = v, .bias = g.c};
}

inline std::optional<weighted_product> weighted_matmul(const value& v) {
  const value a = input_of(v, 0), b = input_of(v, 1);
  if (a.rank() < 2 || b.rank() < 2 || a.is_constant() == b.is_constant()) return std::nullopt;
  const bool left = a.is_constant();
  return weighted_product{.product = v,
                          .weight_input = left ? std::size_t{0} : std::size_t{1},
                          .axis = v.rank() - (left ? 2 : 1),
                          .weight_axis = left ? a.rank() - 2 : b.rank() - 1,
                          .sum = v};
}

/// Views `v` as a product by a weight, with or without a bias; nullopt for any other value.
inline std::optional<weighted_product> weighted_product_of(const value& v) {
  if (producer(v, "Conv")) return weighted_convolution(v);
  if (producer(v, "Gemm")) return weighted_gemm(v);
  if (producer(v, "MatMul")) return weighted_matmul(v);
  value product, bias;
  const auto matmul = [&](const value& m) { return producer(m, "MatMul") && match(m, m_value(product)); };
  if (!match(v, m_commutes("Add", matmul, m_constant(bias))) || product.dims() != v.dims()) return std::nullopt;
  std::optional<weighted_product> p = weighted_matmul(product);
  if (!p) return std::nullopt;
  p->sum = v;
  p->bias = bias;
  return p;
}

/// The operand's axis that becomes axis `axis` of a Transpose or Reshape; nullopt if there is none. Returns no_axis for
/// no_axis, and for an axis of extent 1 that a Reshape may have inserted.
inline std::optional<std::int64_t> axis_before(const value& v, std::int64_t axis) {
  if (axis == no_axis) return axis;
  if (const auto perm = transpose_of(v)) return (*perm)[static_cast<std::size_t>(axis)];
  const shape &before = input_of(v, 0).dims(), &after = v.dims();
  const std::int64_t from_end = v.rank() - axis;
  if (keeps_last(v, static_cast<std::size_t>(from_end))) return static_cast<std::int64_t>(before.size()) - from_end;
  return moves_only_ones(before, after) ? std::optional(axis_before_ones(before, after, axis)) : std::nullopt;
}

/// The largest number of Transposes and Reshapes between a product and a factor.
inline constexpr std::size_t most_moves = 4;

/// Reapplies `moves` to x, from back to front.
inline value moved_again(value x, const std::vector<value>& moves) {
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) x = with_first_input(*move, x, move->type());
  return x;
}

/// A product by a weight, and the Transposes and Reshapes that follow it.
struct moved_product {
  weighted_product p;
  std::vector<value> moves;  ///< the Transposes and Reshapes, the last one first
  std::int64_t axis;         ///< the axis of the product that corresponds to the factor's axis
  bool read_once;            ///< nothing else reads the moves and the product with its bias
};

/// The product by a weight from which Transposes and Reshapes, if any, compute `v`. nullopt for any other value, for
/// over `most_moves` Transposes and Reshapes, and if `axis`, an axis of `v` or no_axis, comes from no axis of the
/// product.
inline std::optional<moved_product> product_below(const context& c, value v, std::int64_t axis) {
  std::vector<value> moves;
  bool read_once = c.single_use(v);
  for (; producer(v, "Transpose") || is_reshape(v); read_once = read_once && c.single_use(v)) {
    const std::optional<std::int64_t> before = axis_before(v, axis);
    if (!before || moves.size() == most_moves) return std::nullopt;
    axis = *before;
    moves.push_back(v);
    v = input_of(v, 0);
  }
  std::optional<weighted_product> p = weighted_product_of(v);
  if (!p) return std::nullopt;
  read_once = read_once && c.single_use(p->product);
  return moved_product{std::move(*p), std::move(moves), axis, read_once};
}

/// The weight of `p` with its channels multiplied by the factors. Throws `declined`, as rewrite::scaled_weight does.
inline value scaled_channels(const context& c, const weighted_product& p, const channel_numbers& factor) {
  const value w = p.weight();
  std::uint64_t run = 1;
  for (std::int64_t i = p.weight_axis + 1; i < w.rank(); ++i) run *= static_cast<std::uint64_t>(w.extent(i).extent());
  return scaled_weight(c.g, w, {factor.numbers, run});
}

/// The number of channels of a product by a weight.
inline std::size_t channels_of(const weighted_product& p) {
  return static_cast<std::size_t>(p.weight().extent(p.weight_axis).extent());
}

/// bias factor + term, in the shape that the product needs; absent if there is neither a bias nor a term. Throws
/// `declined` if a number overflows, since its sum with the product might not overflow.
inline value folded_bias(const context& c, const weighted_product& p, const std::optional<channel_numbers>& bias,
                         const affine& a) {
  if (!bias && !a.term) return {};
  std::vector<double> numbers(channels_of(p));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double before = bias ? bias->at(i) : 0, term = a.term ? a.term->at(i) : 0;
    if (bias) numbers[i] = before * (a.factor ? a.factor->at(i) : 1);
    if (a.term) numbers[i] = bias ? numbers[i] + term : term;
    if (overflows(p.product.dtype(), numbers[i], {before, term})) throw declined{"the bias would overflow"};
  }
  shape dims{dim(static_cast<std::int64_t>(numbers.size()))};
  if (!p.has_bias_input() && p.axis != p.product.rank() - 1) dims.push_back(dim(1));
  return constant_of_numbers(c.g, {p.product.dtype(), std::move(dims)}, std::move(numbers),
                             bias ? c.g.at(p.bias.id()).name : a.term_name);
}

/// The product with another weight and bias. If the weight or the bias is absent, the product keeps its own.
inline value with_weight(const weighted_product& p, const value& weight, const value& bias) {
  std::vector<value> inputs = inputs_of(p.product);
  if (weight) inputs[p.weight_input] = weight;
  if (bias && p.has_bias_input()) {
    inputs.resize(3);
    inputs[2] = bias;
  }
  const value product = with_inputs(p.product, inputs, p.product.type());
  return bias && !p.has_bias_input() ? add(product, bias) : product;
}

/// The numbers of the bias of `p`; nullopt if this bias is not a constant along the channels that channel_numbers_of()
/// can read.
inline std::optional<channel_numbers> bias_numbers(const weighted_product& p) {
  if (!p.bias.is_constant()) return std::nullopt;
  const auto axis = producer(p.product, "Conv") ? p.axis : only_axis(p.bias, p.sum);
  return axis == no_axis || axis == p.axis ? channel_numbers_of(p.bias) : std::nullopt;
}

/// Folds a factor and a term that follow a product into its weight and its bias.
inline outcome fold_affine(const context& c, const moved_product& m, const affine& a) {
  const weighted_product& p = m.p;
  if (m.axis != no_axis && m.axis != p.axis) return decline("the factors or terms do not lie along the channels");
  if (!m.read_once) return decline("the product is read elsewhere too");
  const std::optional<channel_numbers> bias = p.bias ? bias_numbers(p) : std::nullopt;
  if (p.bias && !bias) return decline("the bias is not one constant number per channel");
  if (a.factor && !c.single_use(p.weight())) return decline("the weight is also read unscaled");
  if (a.factor && !a.term && item_loops::contains(a.factor->numbers, 0.0))
    return decline("a factor is 0, and zeros would lose their signs");
  const value weight = a.factor ? scaled_channels(c, p, *a.factor) : value();
  return moved_again(with_weight(p, weight, folded_bias(c, p, bias, a)), m.moves);
}

/// The two operands of an operator: a product by a weight, possibly moved, and a constant.
struct product_and_constant {
  moved_product m;
  value constant;
  bool constant_first;
};

inline std::optional<product_and_constant> product_and_constant_of(const context& c, const value& root) {
  const value a = input_of(root, 0), b = input_of(root, 1);
  if (a.is_constant() == b.is_constant() || !is_computed_in_double(root.dtype())) return std::nullopt;
  const value x = a.is_constant() ? b : a, k = a.is_constant() ? a : b;
  const std::optional<std::int64_t> axis = x.dims() == root.dims() ? only_axis(k, x) : std::nullopt;
  std::optional<moved_product> m = axis ? product_below(c, x, *axis) : std::nullopt;
  if (!m) return std::nullopt;
  return product_and_constant{std::move(*m), k, a.is_constant()};
}

inline outcome fold_factor(const context& c, const value& root) {
  const auto found = product_and_constant_of(c, root);
  const bool quotient = producer(root, "Div") != nullptr;
  if (!found || (quotient && found->constant_first)) return {};
  affine a{channel_numbers_of(found->constant), std::nullopt};
  if (!a.factor) return {};
  if (quotient)
    for (double& f : a.factor->numbers) f = 1 / f;
  return fold_affine(c, found->m, a);
}

/// Returns whether, for some channel, the second term is large and mostly cancels the first term. Adding one such term
/// after the other rounds a number: for example, x + 1.5 2^23 - 1.5 2^23 is x rounded to an integer.
inline bool rounds_between(const channel_numbers& first, const channel_numbers& second) {
  constexpr double least_large = 0x1p12;
  for (std::size_t i = 0; i < std::max(first.numbers.size(), second.numbers.size()); ++i) {
    const double a = first.at(i), b = second.at(i);
    if (std::abs(b) >= least_large && std::abs(a + b) < std::abs(b) / 2) return true;
  }
  return false;
}

inline outcome fold_term(const context& c, const value& root) {
  const auto found = product_and_constant_of(c, root);
  if (!found) return {};
  const weighted_product& p = found->m.p;
  const bool difference = producer(root, "Sub") != nullptr;
  // An Add directly after a MatMul without a bias already is the sum of a product and its bias.
  if (!difference && !p.bias && !p.has_bias_input() && found->m.moves.empty()) return {};
  affine a{std::nullopt, channel_numbers_of(found->constant), c.g.at(found->constant.id()).name};
  if (!a.term) return {};
  if (difference && found->constant_first) a.factor = {{-1.0}};
  if (difference && !found->constant_first)
    for (double& t : a.term->numbers) t = -t;
  std::optional<channel_numbers> bias = p.bias ? bias_numbers(p) : std::nullopt;
  if (bias && a.factor)
    for (double& t : bias->numbers) t = -t;
  if (bias && rounds_between(*bias, *a.term))
    return decline("the terms are large and cancel, which rounds the product");
  return fold_affine(c, found->m, a);
}

/// The factor and the term of a BatchNormalization; nullopt if numbers_of() cannot read all of its parameters.
inline std::optional<affine> affine_of_batch_norm(const context& c, const value& root) {
  const auto scale = numbers_of(input_of(root, 1)), bias = numbers_of(input_of(root, 2)),
             mean = numbers_of(input_of(root, 3)), variance = numbers_of(input_of(root, 4));
  if (!scale || !bias || !mean || !variance) return std::nullopt;
  const double epsilon = static_cast<double>(real_of(root, "epsilon"));
  channel_numbers factor, term;
  for (std::size_t i = 0; i < scale->size(); ++i) {
    factor.numbers.push_back((*scale)[i] / std::sqrt((*variance)[i] + epsilon));
    term.numbers.push_back((*bias)[i] - (*mean)[i] * factor.numbers[i]);
  }
  return affine{std::move(factor), std::move(term), c.g.at(input_of(root, 2).id()).name};
}

inline outcome fold_batch_norm(const context& c, const value& root) {
  if (flag_of(root, "training_mode")) return {};
  const auto m = product_below(c, input_of(root, 0), 1);
  const auto a = m ? affine_of_batch_norm(c, root) : std::nullopt;
  return a ? fold_affine(c, *m, *a) : outcome();
}

inline constexpr rule weight_rules[] = {
    {"fold-factor", "P(x, w, b) c -> P(x, w c, b c), P(x, w, b) / c -> P(x, w / c, b / c)",
     "P is Conv, Gemm, or MatMul and Add, and may be followed by Transposes and Reshapes; "
     "w and b are constants that are read once; c is a constant of one element, or of one per channel; float32 or "
     "float64",
     ops<"Mul", "Div">, fold_factor, stage::weights},
    {"fold-term",
     "P(x, w, b) + c -> P(x, w, b + c), P(x, w, b) - c -> P(x, w, b - c), c - P(x, w, b) -> P(x, -w, c - b)",
     "as fold-factor", ops<"Add", "Sub">, fold_term, stage::weights},
    {"fold-BatchNormalization",
     "BatchNormalization(P(x, w, b), s, t, mean, var, eps) -> P(x, w f, b f + t - mean f), f = s / Sqrt(var + eps)",
     "as fold-factor; constant parameters", ops<"BatchNormalization">, fold_batch_norm, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
