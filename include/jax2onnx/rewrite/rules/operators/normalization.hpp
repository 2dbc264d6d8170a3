#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Normalization layers, as Flax, Equinox, Haiku and Keras decompose them.
namespace jax2onnx::rewrite::detail {

/// The mean over axes, kept, restored or not; of narrow floats in f32.
inline auto m_mean(reduction& r, const pattern& p) {
  return m_composite([&r, p = subpattern(p)](const value& v) {
    return match(v, m_up_to_ones(m_up_to_casts(m_reduce("ReduceMean", r, m_up_to_casts(p)))));
  });
}

/// sqrt(p + epsilon)
inline auto m_root(double& epsilon, const pattern& p) {
  return m_composite([&epsilon, p = subpattern(p)](const value& v) {
    return match(v, m_up_to_casts(m_op("Sqrt", m_up_to_casts(m_up_to_ones(m_commutes("Add", m_scalar(epsilon), p))))));
  });
}

/// 1 / sqrt(p + epsilon)
inline auto m_inverse_root(double& epsilon, const pattern& p) {
  return m_composite([&epsilon, p = subpattern(p)](const value& v) {
    const auto root = [&](const value& r) {
      return match(r, m_op("Sqrt", m_up_to_casts(m_up_to_ones(m_commutes("Add", m_scalar(epsilon), p)))));
    };
    return match(v, m_up_to_ones(m_up_to_casts(m_any_of(m_op("Reciprocal", root), m_op("Div", m_number(1), root)))));
  });
}

/// Whether the axes are the last ones of x, in order.
inline bool are_trailing(const ints& axes, const value& x) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[axes.size() - 1 - i] != x.rank() - 1 - static_cast<std::int64_t>(i)) return false;
  return !axes.empty();
}

/// `parameter` without the leading ones that `wanted` lacks; absent where its shape differs otherwise.
inline value in_shape(const value& parameter, const shape& wanted) {
  shape dims = parameter.dims();
  while (dims.size() > wanted.size() && dims.front().is(1)) dims.erase(dims.begin());
  return dims == wanted ? reshape(parameter, wanted) : value();
}

/// Whether `statistic`, a reduction of x over `axes`, is broadcast back to its own inputs. The mean of every row of a
/// square matrix, subtracted from the columns, is not.
inline bool is_in_place(const value& statistic, const value& x, const ints& axes) {
  shape given = statistic.dims();
  const shape kept = infer::reduce(x.dims(), axes, true).dims;
  if (given.size() > kept.size()) return false;
  given.insert(given.begin(), kept.size() - given.size(), dim(1));
  return given == kept;
}

/// Why ONNX has no normalization of x over `axes`; empty where it has.
inline std::string_view not_normalizable(const value& x, const ints& axes) {
  if (x.dtype() == dtype::f64) return "ONNX computes the statistics in float32";
  return are_trailing(axes, x) ? std::string_view() : "the statistics are not over the last axes";
}

inline shape trailing(const value& x, std::size_t count) {
  return shape(x.dims().end() - static_cast<std::ptrdiff_t>(count), x.dims().end());
}

/// The parts of a layer normalization of x.
struct normalized {
  value x, scale, centered, inverse;
  reduction mean, variance, squares;
  double epsilon = 0;
};

/// E[(x - E[x])^2], where `centered` matches x - E[x], or E[x^2] - E[x]^2, also clamped to at least 0.
inline auto m_variance(normalized& n, const pattern& centered) {
  return m_composite([&n, centered = subpattern(centered)](const value& v) {
    value squared;
    const auto square_of_mean = [&](const value& s) {
      value mean;
      return match(s, m_square(mean, m_mean(n.variance, m_same(n.x))));
    };
    const auto difference = [&](const value& d) {
      return match(d, m_op("Sub", m_mean(n.squares, m_square(squared, m_same(n.x))), m_up_to_ones(square_of_mean))) &&
             n.squares.axes == n.variance.axes;
    };
    const auto either = [&](const value& e) {
      return match(e, m_up_to_ones(m_any_of(m_mean(n.variance, m_square(squared, centered)), difference)));
    };
    return match(
        v, m_any_of(either, m_up_to_ones(m_commutes("Max", m_number(0), either)), m_up_to_ones(m_op("Relu", either))));
  });
}

/// (x - E[x]) / sqrt(Var[x] + eps), times a scale where `scaled`.
inline bool match_layer_norm(const value& root, normalized& n, bool scaled) {
  const auto centered = [&](const value& v) {
    return match(v, m_bind(n.centered, m_op("Sub", m_value(n.x), m_mean(n.mean, m_same(n.x)))));
  };
  const auto variance = [&](const value& v) { return match(v, m_variance(n, m_same(n.centered))); };
  const auto inverse = [&](const value& v) { return match(v, m_bind(n.inverse, m_inverse_root(n.epsilon, variance))); };
  const auto quotient = [&](const value& v) {
    return match(v, m_op("Div", centered, m_bind(n.inverse, m_root(n.epsilon, variance))));
  };
  if (!scaled) return match(root, m_any_of(m_commutes("Mul", centered, inverse), quotient));
  return match(root, m_product(centered, inverse, m_value(n.scale))) ||
         match(root, m_commutes("Mul", quotient, m_value(n.scale)));
}
/// Why the match is no LayerNormalization; empty where it is.
inline std::string_view no_layer_norm(const normalized& n) {
  if (n.mean.axes != n.variance.axes) return "mean and variance are over different axes";
  if (const std::string_view why = not_normalizable(n.x, n.mean.axes); !why.empty()) return why;
  const bool in_place =
      is_in_place(input_of(n.centered, 1), n.x, n.mean.axes) && is_in_place(n.inverse, n.x, n.mean.axes);
  return in_place ? std::string_view() : "mean or variance is broadcast along another axis";
}
inline value layer_norm(const normalized& n, const value& scale) {
  return n.x.owner().emit("LayerNormalization", {n.x, scale}, n.x.type(),
                          {{"axis", n.mean.axes.front()}, {"epsilon", static_cast<float>(n.epsilon)}});
}

inline outcome fuse_layer_norm(const context&, const value& root) {
  normalized n;
  if (!match_layer_norm(root, n, true)) return {};
  if (const std::string_view why = no_layer_norm(n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value scale = in_shape(n.scale, trailing(n.x, n.mean.axes.size()));
  if (!scale) return decline("the scale does not have the shape of the normalized axes");
  return layer_norm(n, scale);
}

/// Ones of the last extents of x, for operators that require a scale; absent where an extent is symbolic.
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

inline outcome fuse_plain_layer_norm(const context&, const value& root) {
  normalized n;
  if (!match_layer_norm(root, n, false)) return {};
  if (const std::string_view why = no_layer_norm(n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value ones = ones_of_trailing(n.x, n.mean.axes.size());
  if (!ones) return decline("an extent of the normalized axes is symbolic");
  return layer_norm(n, ones);
}

inline outcome fuse_layer_norm_bias(const context& c, const value& root) {
  value layer, x, scale, bias;
  if (!match(root,
             m_commutes("Add", m_bind(layer, m_op("LayerNormalization", m_value(x), m_value(scale))), m_value(bias))))
    return {};
  if (!c.single_use(layer)) return decline("the result is also read without the bias");
  if (bias.rank() > x.rank() || root.dims() != x.dims()) return {};
  bias = in_shape(bias, scale.dims());
  if (!bias) return decline("the bias does not have the shape of the normalized axes");
  return with_inputs(layer, {x, scale, bias}, root.type());
}

/// The parts of a root mean square normalization of x; `factor` is the root or its reciprocal.
struct rms_normalized {
  value x, scale, factor;
  reduction mean;
  double epsilon = 0;
};

/// x / sqrt(E[x^2] + eps), times a scale where `scaled`.
inline bool match_rms_norm(const value& root, rms_normalized& n, bool scaled) {
  value squared;
  const auto mean_of_squares = [&](const value& v) { return match(v, m_mean(n.mean, m_square(squared, m_same(n.x)))); };
  const auto inverse = [&](const value& v) {
    return match(v, m_bind(n.factor, m_inverse_root(n.epsilon, mean_of_squares)));
  };
  const auto quotient = [&](const value& v) {
    return match(v, m_op("Div", m_value(n.x), m_bind(n.factor, m_root(n.epsilon, mean_of_squares))));
  };
  if (!scaled) return match(root, m_any_of(m_commutes("Mul", m_value(n.x), inverse), quotient));
  return match(root, m_product(m_value(n.x), inverse, m_value(n.scale))) ||
         match(root, m_commutes("Mul", quotient, m_value(n.scale)));
}

/// Why the match is no RMSNormalization; empty where it is.
inline std::string_view no_rms_norm(const context& c, const rms_normalized& n) {
  if (c.g.opset() < 23) return "RMSNormalization needs opset 23";
  if (const std::string_view why = not_normalizable(n.x, n.mean.axes); !why.empty()) return why;
  return is_in_place(n.factor, n.x, n.mean.axes) ? std::string_view()
                                                 : "the mean of squares is broadcast along another axis";
}
inline value rms_norm(const rms_normalized& n, const value& scale) {
  return n.x.owner().emit("RMSNormalization", {n.x, scale}, n.x.type(),
                          {{"axis", n.mean.axes.front()}, {"epsilon", static_cast<float>(n.epsilon)}});
}

inline outcome fuse_rms_norm(const context& c, const value& root) {
  rms_normalized n;
  if (!match_rms_norm(root, n, true)) return {};
  if (const std::string_view why = no_rms_norm(c, n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value scale = in_shape(n.scale, trailing(n.x, n.mean.axes.size()));
  if (!scale) return decline("the scale does not have the shape of the normalized axes");
  return rms_norm(n, scale);
}

inline outcome fuse_plain_rms_norm(const context& c, const value& root) {
  rms_normalized n;
  if (!match_rms_norm(root, n, false)) return {};
  if (const std::string_view why = no_rms_norm(c, n); !why.empty()) return decline(why);
  if (n.x.dims() != root.dims()) return {};
  const value ones = ones_of_trailing(n.x, n.mean.axes.size());
  if (!ones) return decline("an extent of the normalized axes is symbolic");
  return rms_norm(n, ones);
}

/// x with its last axis moved to the second place, where ONNX has the channels, and back.
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

/// Whether `parameter` has one number per element along the axis of x and is broadcast over the other axes.
inline bool lies_along(const value& parameter, const value& x, std::int64_t axis) {
  const std::int64_t shift = x.rank() - parameter.rank();
  if (shift > axis || shift < 0) return false;
  for (std::int64_t d = 0; d < parameter.rank(); ++d)
    if (d + shift == axis ? parameter.extent(d) != x.extent(axis) : !parameter.extent(d).is(1)) return false;
  return true;
}

/// The parts of a batch normalization of x; `inverse` is 1 / sqrt(variance + eps), in the shape that is broadcast to x.
struct batch_normalized {
  value x, mean, variance, inverse, scale, bias;
  double epsilon = 0;

  bool parameters_lie_along(std::int64_t axis) const {
    return lies_along(mean, x, axis) && lies_along(inverse, x, axis) && lies_along(scale, x, axis) &&
           lies_along(bias, x, axis);
  }
};

/// The form of most libraries: (x - mean) (scale / sqrt(var + eps)) + bias.
inline bool match_batch_norm(const value& root, batch_normalized& n) {
  const auto inverse = [&](const value& v) {
    return match(v, m_bind(n.inverse, m_inverse_root(n.epsilon, m_value(n.variance))));
  };
  const auto centered = [&](const value& v) { return match(v, m_op("Sub", m_value(n.x), m_value(n.mean))); };
  return match(root, m_commutes("Add", m_product(centered, inverse, m_value(n.scale)), m_value(n.bias)));
}
/// Keras's form: x factor + (bias - mean factor) with factor = scale / sqrt(var + eps).
inline bool match_affine_batch_norm(const value& root, batch_normalized& n) {
  value factor;
  const auto is_factor = [&](const value& v) {
    return match(v, m_bind(factor, m_commutes("Mul", m_bind(n.inverse, m_inverse_root(n.epsilon, m_value(n.variance))),
                                              m_value(n.scale))));
  };
  const auto shift = [&](const value& v) {
    return match(
        v, m_any_of(m_commutes("Add", m_commutes("Mul", m_op("Neg", m_value(n.mean)), m_same(factor)), m_value(n.bias)),
                    m_op("Sub", m_value(n.bias), m_commutes("Mul", m_value(n.mean), m_same(factor)))));
  };
  return match(root, m_commutes("Add", m_commutes("Mul", is_factor, m_value(n.x)), shift));
}

inline outcome fuse_batch_norm(const context& c, const value& root) {
  batch_normalized n;
  if (!match_batch_norm(root, n) && !match_affine_batch_norm(root, n)) return {};
  if (n.x.rank() < 2 || n.x.dims() != root.dims()) return {};
  const bool last = n.parameters_lie_along(n.x.rank() - 1);
  if (!last && !n.parameters_lie_along(1)) return decline("the statistics are not one number per channel");
  const auto parameter = [&](const value& v) { return reshape(v, {n.x.extent(last ? n.x.rank() - 1 : 1)}); };
  const value moved = last ? channels_second(n.x) : n.x;
  const value out = c.g.emit("BatchNormalization",
                             {moved, parameter(n.scale), parameter(n.bias), parameter(n.mean), parameter(n.variance)},
                             moved.type(), {{"epsilon", static_cast<float>(n.epsilon)}});
  return last ? channels_last(out) : out;
}

inline constexpr rule normalization_rules[] = {
    {"LayerNormalization", "(x - E[x]) / Sqrt(Var[x] + eps) scale -> LayerNormalization(x, scale, eps)",
     "statistics over the last axes; the scale has their shape; not float64", ops<"Mul">, fuse_layer_norm, stage::fuse},
    {"LayerNormalization-bias", "LayerNormalization(x, scale) + bias -> LayerNormalization(x, scale, bias)",
     "the bias has the scale's shape; the LayerNormalization is read once", ops<"Add">, fuse_layer_norm_bias,
     stage::fuse},
    {"RMSNormalization", "x / Sqrt(E[x^2] + eps) scale -> RMSNormalization(x, scale, eps)",
     "opset 23; the mean is over the last axes; the scale has their shape; not float64", ops<"Mul">, fuse_rms_norm,
     stage::fuse},
    {"LayerNormalization-plain", "(x - E[x]) / Sqrt(Var[x] + eps) -> LayerNormalization(x, 1, eps)",
     "statistics over the last axes, of constant extents; not float64", ops<"Mul", "Div">, fuse_plain_layer_norm,
     stage::late},
    {"RMSNormalization-plain", "x / Sqrt(E[x^2] + eps) -> RMSNormalization(x, 1, eps)",
     "opset 23; the mean is over the last axes, of constant extents; not float64", ops<"Mul", "Div">,
     fuse_plain_rms_norm, stage::late},
    {"BatchNormalization",
     "(x - mean) (scale / Sqrt(var + eps)) + bias -> BatchNormalization(x, scale, bias, mean, var, eps), also x f + "
     "(bias - mean f) with f = scale / Sqrt(var + eps)",
     "one number per channel; the channels are the second axis, or the last one, which is transposed", ops<"Add">,
     fuse_batch_norm, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
