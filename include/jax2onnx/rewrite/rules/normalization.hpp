#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Normalisation layers, as Flax, Equinox and Haiku write them out.
namespace jax2onnx::rewrite {

/// Mean over axes, with or without the axes kept or put back; of small floats in f32.
template <class P>
auto m_mean(reduction& r, P p) {
  return m_up_to_ones(m_up_to_casts(m_reduce<"ReduceMean">(r, m_up_to_casts(p))));
}

/// sqrt(p + epsilon)
template <class P>
auto m_root(double& epsilon, P p) {
  return m_up_to_casts(m_op<"Sqrt">(m_up_to_casts(m_up_to_ones(m_commutes<"Add">(m_scalar(epsilon), p)))));
}

/// 1 / sqrt(p + epsilon)
template <class P>
auto m_inverse_root(double& epsilon, P p) {
  const auto root = m_op<"Sqrt">(m_up_to_casts(m_up_to_ones(m_commutes<"Add">(m_scalar(epsilon), p))));
  return [root](const value& v) {
    const pattern_ref r = root;
    return match(v, m_up_to_ones(m_up_to_casts(m_any_of(m_op<"Reciprocal">(r), m_op<"Div">(m_number(1), r)))));
  };
}

/// The axes are the last ones of x, in order.
inline bool are_trailing(const ints& axes, const value& x) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[axes.size() - 1 - i] != x.rank() - 1 - static_cast<std::int64_t>(i)) return false;
  return !axes.empty();
}

/// `parameter` with the shape `wanted`, which it has up to leading ones; none when it has another.
inline value in_shape(const value& parameter, const shape& wanted) {
  shape dims = parameter.dims();
  while (dims.size() > wanted.size() && dims.front().is(1)) dims.erase(dims.begin());
  return dims == wanted ? reshape(parameter, wanted) : value();
}

/// `statistic`, a reduction of x, has its numbers where x had what was reduced: broadcast, they meet what they come from. The
/// mean of every row of a square matrix, subtracted from the columns, does not.
inline bool is_in_place(const value& statistic, const value& x, const ints& axes) {
  shape given = statistic.dims();
  const shape kept = infer::reduce(x.dims(), axes, true).dims;
  if (given.size() > kept.size()) return false;
  given.insert(given.begin(), kept.size() - given.size(), dim(1));
  return given == kept;
}

/// Why x is not normalised over `axes` as ONNX does it; empty when it is.
inline std::string_view not_normalizable(const value& x, const ints& axes) {
  if (x.dtype() == dtype::f64) return "ONNX computes the statistics in float32";
  return are_trailing(axes, x) ? std::string_view() : "it is not over the last axes";
}

inline shape trailing(const value& x, std::size_t count) {
  return shape(x.dims().end() - static_cast<std::ptrdiff_t>(count), x.dims().end());
}

/// The parts of a layer normalisation of x.
struct normalized {
  value x, scale, centered, inverse;
  reduction mean, variance, squares;
  double epsilon = 0;
};

/// E[(x - E[x])^2] of what `centered` matches, or E[x^2] - E[x]^2, the latter never below 0.
inline bool match_variance(const value& v, normalized& n, value& scratch, pattern_ref centered) {
  const auto slow = m_mean(n.variance, m_square(scratch, centered));
  const auto square_of_mean = [&n](const value& square) {
    value m;
    return match(square, m_square(m, m_mean(n.variance, m_same(n.x))));
  };
  const auto mean_of_squares = m_mean(n.squares, m_square(scratch, m_same(n.x)));
  const auto difference = m_op<"Sub">(mean_of_squares, m_up_to_ones(square_of_mean));
  const auto fast = [&](const value& d) { return difference(d) && n.squares.axes == n.variance.axes; };
  const auto slow_or_fast = m_up_to_ones(m_any_of(pattern_ref(slow), pattern_ref(fast)));
  const pattern_ref either = slow_or_fast;
  return match(
      v, m_any_of(either, m_up_to_ones(m_commutes<"Max">(m_number(0), either)), m_up_to_ones(m_op<"Relu">(either))));
}
template <class P>
auto m_variance(normalized& n, value& scratch, P centered) {
  return [&n, &scratch, centered](const value& v) { return match_variance(v, n, scratch, centered); };
}

/// (x - E[x]) / sqrt(Var[x] + eps), times a scale where `scaled`
inline bool match_layer_norm(const value& root, normalized& n, bool scaled) {
  value scratch;
  const auto mean = m_mean(n.mean, m_same(n.x));
  const auto difference = m_bind(n.centered, m_op<"Sub">(m_value(n.x), pattern_ref(mean)));
  const auto variance = m_variance(n, scratch, m_same(n.centered));
  const auto inverse_root = m_bind(n.inverse, m_inverse_root(n.epsilon, pattern_ref(variance)));
  const auto root_of_variance = m_bind(n.inverse, m_root(n.epsilon, pattern_ref(variance)));
  const pattern_ref centered = difference, inverse = inverse_root;
  const auto divided = m_op<"Div">(centered, pattern_ref(root_of_variance));
  const pattern_ref quotient = divided;
  if (!scaled) return match(root, m_any_of(m_commutes<"Mul">(centered, inverse), quotient));
  return match(root, m_product(centered, inverse, m_value(n.scale))) ||
         match(root, m_commutes<"Mul">(quotient, m_value(n.scale)));
}
inline std::string_view no_layer_norm(const normalized& n) {
  if (n.mean.axes != n.variance.axes) return "mean and variance are over different axes";
  if (const std::string_view why = not_normalizable(n.x, n.mean.axes); !why.empty()) return why;
  const bool in_place =
      is_in_place(operand(n.centered, 1), n.x, n.mean.axes) && is_in_place(n.inverse, n.x, n.mean.axes);
  return in_place ? std::string_view() : "mean or variance is broadcast along another axis";
}
inline value layer_norm(const normalized& n, const value& scale) {
  return n.x.owner().emit("LayerNormalization", {n.x, scale}, n.x.type(),
                          {{"axis", n.mean.axes.front()}, {"epsilon", static_cast<float>(n.epsilon)}});
}

// Pattern: (x - E[x]) / sqrt(Var[x] + eps) scale -> LayerNormalization(x, scale)   over the last axes
inline outcome fuse_layer_norm(const context&, const value& root) {
  normalized n;
  if (!match_layer_norm(root, n, true)) return {};
  if (const std::string_view why = no_layer_norm(n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value scale = in_shape(n.scale, trailing(n.x, n.mean.axes.size()));
  if (!scale) return decline("the scale has not the shape of the normalised axes");
  return layer_norm(n, scale);
}

/// Ones of the last extents of x, for operators that want a scale; none where an extent is symbolic.
inline value ones_of_trailing(const value& x, std::size_t axes) {
  constexpr std::int64_t written_out = 4096;  // longer ones are broadcast when the model runs
  ints extents;
  std::int64_t count = 1;
  for (dim d : trailing(x, axes)) {
    if (!d.is_constant()) return {};
    extents.push_back(d.extent());
    count = d.extent() > written_out ? written_out + 1 : std::min(count * d.extent(), written_out + 1);
  }
  if (count > written_out) return filled(x.owner(), x.dtype(), trailing(x, axes), 1.0);
  const std::vector<double> ones(static_cast<std::size_t>(count), 1.0);
  return array(x.owner(), x.dtype(), extents, std::span<const double>(ones));
}

// Pattern: (x - E[x]) / sqrt(Var[x] + eps) -> LayerNormalization(x, 1)   over the last axes
inline outcome fuse_plain_layer_norm(const context&, const value& root) {
  normalized n;
  if (!match_layer_norm(root, n, false)) return {};
  if (const std::string_view why = no_layer_norm(n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value ones = ones_of_trailing(n.x, n.mean.axes.size());
  if (!ones) return decline("the extents of the normalised axes are not known");
  return layer_norm(n, ones);
}

// Pattern: LayerNormalization(x, scale) + bias -> LayerNormalization(x, scale, bias)
inline outcome fuse_layer_norm_bias(const context& c, const value& root) {
  value layer, x, scale, bias;
  if (!match(root,
             m_commutes<"Add">(m_bind(layer, m_op<"LayerNormalization">(m_value(x), m_value(scale))), m_value(bias))))
    return {};
  if (!c.single_use(layer)) return decline("it is read without the bias too");
  if (bias.rank() > x.rank() || root.dims() != x.dims()) return {};
  bias = in_shape(bias, scale.dims());
  if (!bias) return decline("the bias has not the shape of the normalised axes");
  std::vector<attribute> attributes = producer(layer)->attributes;
  return c.g.emit("LayerNormalization", {x, scale, bias}, root.type(), std::move(attributes));
}

// Pattern: x / sqrt(E[x^2] + eps) scale -> RMSNormalization(x, scale)   over the last axes; of ones where Plain
template <bool Plain>
outcome fuse_rms_norm(const context& c, const value& root) {
  value x, scale, squared, factor;
  reduction mean;
  double epsilon = 0;
  const auto mean_of_squares = m_mean(mean, m_square(squared, m_same(x)));
  const auto inverse_root = m_bind(factor, m_inverse_root(epsilon, pattern_ref(mean_of_squares)));
  const auto divisor = m_bind(factor, m_root(epsilon, pattern_ref(mean_of_squares)));
  const auto divided = m_op<"Div">(m_value(x), pattern_ref(divisor));
  const pattern_ref inverse = inverse_root, quotient = divided;
  const bool found = Plain ? match(root, m_any_of(m_commutes<"Mul">(m_value(x), inverse), quotient))
                           : match(root, m_product(m_value(x), inverse, m_value(scale))) ||
                                 match(root, m_commutes<"Mul">(quotient, m_value(scale)));
  if (!found) return {};
  if (c.g.opset() < 23) return decline("RMSNormalization needs opset 23");
  if (const std::string_view why = not_normalizable(x, mean.axes); !why.empty()) return decline(why);
  if (!is_in_place(factor, x, mean.axes)) return decline("the mean of squares is broadcast along another axis");
  if (x.dims() != root.dims()) return {};
  scale = Plain ? ones_of_trailing(x, mean.axes.size()) : in_shape(scale, trailing(x, mean.axes.size()));
  if (!scale) return decline("the scale has not the shape of the normalised axes");
  return c.g.emit("RMSNormalization", {x, scale}, root.type(),
                  {{"axis", mean.axes.front()}, {"epsilon", static_cast<float>(epsilon)}});
}

/// x with its last axis as the second one, where ONNX has the channels, and back.
inline value channels_second(const value& x) {
  ints perm = iota_axes(x.rank());
  std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
  return x.rank() == 2 ? x : transpose(x, perm);
}
inline value channels_last(const value& x) {
  ints perm = iota_axes(x.rank());
  std::rotate(perm.begin() + 1, perm.begin() + 2, perm.end());
  return x.rank() == 2 ? x : transpose(x, perm);
}

/// `parameter` has one number for every place along the axis of x and is broadcast over the others.
inline bool lies_along(const value& parameter, const value& x, std::int64_t axis) {
  const std::int64_t shift = x.rank() - parameter.rank();
  if (shift > axis || shift < 0) return false;
  for (std::int64_t d = 0; d < parameter.rank(); ++d)
    if (d + shift == axis ? parameter.extent(d) != x.extent(axis) : !parameter.extent(d).is(1)) return false;
  return true;
}

struct batch_normalized {
  value x, mean, variance, inverse, scale, bias;  // inverse is 1 / sqrt(variance + eps), in the shape that meets x
  double epsilon = 0;
};

/// As JAX's libraries write it: (x - mean) (scale / sqrt(var + eps)) + bias.
inline bool match_batch_norm(const value& root, batch_normalized& n) {
  const auto inverse_root = m_bind(n.inverse, m_inverse_root(n.epsilon, m_value(n.variance)));
  const pattern_ref inverse = inverse_root;
  const auto centered = m_op<"Sub">(m_value(n.x), m_value(n.mean));
  return match(root, m_commutes<"Add">(m_product(centered, inverse, m_value(n.scale)), m_value(n.bias)));
}
/// As Keras writes it: x factor + (bias - mean factor) with factor = scale / sqrt(var + eps).
inline bool match_affine_batch_norm(const value& root, batch_normalized& n) {
  value factor;
  const auto inverse = m_bind(n.inverse, m_inverse_root(n.epsilon, m_value(n.variance)));
  const auto is_factor = m_bind(factor, m_commutes<"Mul">(inverse, m_value(n.scale)));
  const auto shift =
      m_commutes<"Add">(m_commutes<"Mul">(m_op<"Neg">(m_value(n.mean)), m_same(factor)), m_value(n.bias));
  const auto difference = m_op<"Sub">(m_value(n.bias), m_commutes<"Mul">(m_value(n.mean), m_same(factor)));
  return match(root, m_commutes<"Add">(m_commutes<"Mul">(is_factor, m_value(n.x)), m_any_of(shift, difference)));
}

// Pattern: (x - mean) (scale / sqrt(var + eps)) + bias -> BatchNormalization(x, scale, bias, mean, var)   of channels
// that are the second axis, or the last one, which is transposed
inline outcome fuse_batch_norm(const context& c, const value& root) {
  batch_normalized n;
  if (!match_batch_norm(root, n) && !match_affine_batch_norm(root, n)) return {};
  if (n.x.rank() < 2 || n.x.dims() != root.dims()) return {};
  const auto all_along = [&](std::int64_t axis) {
    return std::ranges::all_of(std::initializer_list<const value*>{&n.mean, &n.inverse, &n.scale, &n.bias},
                               [&](const value* v) { return lies_along(*v, n.x, axis); });
  };
  const bool last = all_along(n.x.rank() - 1);
  if (!last && !all_along(1)) return decline("the statistics are not one number for every channel");
  const auto parameter = [&](const value& v) { return reshape(v, {n.x.extent(last ? n.x.rank() - 1 : 1)}); };
  const value moved = last ? channels_second(n.x) : n.x;
  const value out = c.g.emit("BatchNormalization",
                             {moved, parameter(n.scale), parameter(n.bias), parameter(n.mean), parameter(n.variance)},
                             moved.type(), {{"epsilon", static_cast<float>(n.epsilon)}});
  return last ? channels_last(out) : out;
}

inline constexpr rule normalization_rules[] = {
    {"LayerNormalization", "(x - E[x]) / sqrt(Var[x] + eps) scale -> LayerNormalization(x, scale)", ops<"Mul">,
     fuse_layer_norm, stage::fuse},
    {"LayerNormalization-bias", "LayerNormalization(x, scale) + bias -> LayerNormalization(x, scale, bias)", ops<"Add">,
     fuse_layer_norm_bias, stage::fuse},
    {"RMSNormalization", "x / sqrt(E[x^2] + eps) scale -> RMSNormalization(x, scale)", ops<"Mul">, fuse_rms_norm<false>,
     stage::fuse},
    {"LayerNormalization-plain", "(x - E[x]) / sqrt(Var[x] + eps) -> LayerNormalization(x, 1)", ops<"Mul", "Div">,
     fuse_plain_layer_norm, stage::late},
    {"RMSNormalization-plain", "x / sqrt(E[x^2] + eps) -> RMSNormalization(x, 1)", ops<"Mul", "Div">,
     fuse_rms_norm<true>, stage::late},
    {"BatchNormalization", "(x - mean) scale / sqrt(var + eps) + bias -> BatchNormalization(x, ..)", ops<"Add">,
     fuse_batch_norm, stage::fuse},
};

}  // namespace jax2onnx::rewrite
