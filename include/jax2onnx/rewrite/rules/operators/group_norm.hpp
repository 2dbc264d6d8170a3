// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/operators/normalization.hpp>

/// Group normalization. Flax repeats the statistics of groups [B, G] over the channels [B, 1, .., G k]; Equinox and
/// PyTorch split the groups off with a Reshape.
namespace jax2onnx::rewrite::detail {

/// Matches a mean over axes, which may be kept, restored or removed. A mean of narrow floats may be computed in f32.
inline auto m_mean(reduction& r, const pattern& p) {
  return m_composite([&r, p = subpattern(p)](const value& v) {
    return match(v, m_up_to_ones(m_up_to_narrowing(m_reduce("ReduceMean", r, m_up_to_widening(p)))));
  });
}

/// Matches 1 / sqrt(p + epsilon).
inline auto m_inverse_root(double& epsilon, const pattern& p) {
  return m_composite([&epsilon, p = subpattern(p)](const value& v) {
    const auto root = [&](const value& r) {
      return match(r, m_op("Sqrt", m_up_to_narrowing(m_up_to_ones(m_commutes("Add", m_scalar(epsilon), p)))));
    };
    return match(v,
                 m_up_to_ones(m_up_to_narrowing(m_any_of(m_op("Reciprocal", root), m_op("Div", m_number(1), root)))));
  });
}

/// Matches sqrt(p + epsilon).
inline auto m_root(double& epsilon, const pattern& p) {
  return m_composite([&epsilon, p = subpattern(p)](const value& v) {
    return match(
        v, m_up_to_narrowing(m_op("Sqrt", m_up_to_narrowing(m_up_to_ones(m_commutes("Add", m_scalar(epsilon), p))))));
  });
}

/// The parts of a layer normalization of x.
struct normalized {
  value x, scale, centered, inverse, squared;
  reduction mean, variance, squares;
  double epsilon = 0;
};

/// Matches E[(x - E[x])^2] or E[x^2] - E[x]^2. Either of them may be clamped to at least 0. `centered` has to match x -
/// E[x].
inline auto m_variance(normalized& n, const pattern& centered) {
  return m_composite([&n, centered = subpattern(centered)](const value& v) {
    const auto square_of_mean = [&](const value& s) {
      value mean;
      return match(s, m_square(mean, m_mean(n.variance, m_same(n.x))));
    };
    const auto difference = [&](const value& d) {
      return match(d, m_op("Sub", m_mean(n.squares, m_square(n.squared, m_same(n.x))), m_up_to_ones(square_of_mean))) &&
             n.squares.axes == n.variance.axes;
    };
    const auto either = [&](const value& e) {
      return match(e, m_up_to_ones(m_any_of(m_mean(n.variance, m_square(n.squared, centered)), difference)));
    };
    return match(
        v, m_any_of(either, m_up_to_ones(m_commutes("Max", m_number(0), either)), m_up_to_ones(m_op("Relu", either))));
  });
}

/// Matches (x - E[x]) / sqrt(Var[x] + eps), times a scale if `scaled`.
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

/// The reason why ONNX cannot normalize x over `axes`; empty if it can.
inline std::string_view not_normalizable(const value& x, const ints& axes) {
  if (x.dtype() == dtype::f64) return "ONNX computes the statistics in float32";
  return are_trailing(axes, x) ? std::string_view() : "the statistics are not over the last axes";
}

/// The reason why the match is not a LayerNormalization; empty if it is.
inline std::string_view no_layer_norm(const context& c, const normalized& n) {
  if (n.mean.axes != n.variance.axes) return "mean and variance are over different axes";
  if (const std::string_view why = not_normalizable(n.x, n.mean.axes); !why.empty()) return why;
  if (const std::string_view why = squares_in_f16(c, n.squared); !why.empty()) return why;
  const bool in_place =
      is_in_place(input_of(n.centered, 1), n.x, n.mean.axes) && is_in_place(n.inverse, n.x, n.mean.axes);
  return in_place ? std::string_view() : "mean or variance is broadcast along another axis";
}

/// Removes reshapes and at most one Expand from a value, matches the rest by `p`, and binds the Expand to `expanded`.
/// If an earlier pattern has bound `expanded` already, only reshapes are removed.
inline auto m_repeated(value& expanded, const pattern& p) {
  return m_composite([&expanded, p = subpattern(p)](const value& v) {
    const value before = expanded;
    value inner = v;
    while (is_reshape(inner) || producer(inner, "Expand")) {
      if (producer(inner, "Expand")) {
        if (expanded) break;
        expanded = inner;
      }
      inner = input_of(inner, 0);
    }
    if (p(inner)) return true;
    expanded = before;
    return false;
  });
}

/// The parts of Flax's group normalization.
struct group_normalized {
  value x;                             ///< [B, .., C]
  normalized groups;                   ///< x as [B, .., G, k], normalized
  value repeated_mean, repeated_root;  ///< the Expands of the statistics; absent if k is 1
  value shifted, inverse;              ///< x - mean, 1 / sqrt(variance + eps)
  value scale, bias;
};

/// Returns whether statistics [B, G] were expanded to [B, G, k], in the order of the channels of [B, .., G, k]. If k is
/// 1, returns whether there is no Expand.
inline bool repeats_groups(const value& expanded, dim batch, dim groups, dim each) {
  if (each.is(1)) return !expanded;
  return expanded && moves_only_ones(input_of(expanded, 0).dims(), {batch, groups}) &&
         moves_only_ones(expanded.dims(), {batch, groups, each});
}

/// Matches (x - mean) / sqrt(variance + eps), times a scale if `scaled`. `g` must be empty before.
inline bool match_group_norm(const value& root, group_normalized& g, bool scaled) {
  normalized& n = g.groups;
  value centered;
  const auto mean = [&](const value& v) {
    return match(v, m_up_to_narrowing(m_reduce("ReduceMean", n.mean, m_up_to_widening(m_value(n.x)))));
  };
  const auto shifted = [&](const value& v) {
    return match(v, m_bind(g.shifted, m_op("Sub", m_value(g.x), m_repeated(g.repeated_mean, mean))));
  };
  const auto in_groups = [&](const value& v) {
    return match(v, m_bind(centered, m_op("Sub", m_up_to_widening(m_same(n.x)),
                                          m_mean(n.squares, m_up_to_widening(m_same(n.x))))));
  };
  const auto variance = [&](const value& v) { return match(v, m_repeated(g.repeated_root, m_variance(n, in_groups))); };
  const auto root_of_variance = [&](const value& v) {
    return match(v, m_op("Sqrt", m_repeated(g.repeated_root, m_commutes("Add", m_scalar(n.epsilon), variance))));
  };
  const auto inverse = [&](const value& v) {
    return match(v, m_bind(g.inverse, m_repeated(g.repeated_root, m_op("Reciprocal", root_of_variance))));
  };
  return scaled ? match(root, m_product(shifted, inverse, m_value(g.scale)))
                : match(root, m_commutes("Mul", shifted, inverse));
}

/// The reason why the match is not a GroupNormalization of groups of channels; empty if it is.
inline std::string_view no_group_norm(const group_normalized& g) {
  const value& d = g.groups.x;
  const std::int64_t rank = g.x.rank();
  if (rank < 2 || d.rank() != rank + 1 || !std::equal(g.x.dims().begin(), g.x.dims().end() - 1, d.dims().begin()))
    return "the groups do not divide the last axis";
  ints axes;
  for (std::int64_t axis = 1; axis <= rank; ++axis)
    if (axis != rank - 1) axes.push_back(axis);
  if (g.groups.mean.axes != axes || g.groups.variance.axes != axes || g.groups.squares.axes != axes)
    return "mean and variance are not over the groups of each example";
  const dim batch = d.extent(0), groups = d.extent(rank - 1), each = d.extent(rank);
  if (!groups.is_constant() || !each.is_constant()) return "the number or the size of groups is symbolic";
  ints between;  // the axes between batch and channels
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) between.push_back(axis);
  const bool in_place = is_in_place(input_of(g.shifted, 1), g.x, between) && is_in_place(g.inverse, g.x, between);
  const bool repeated = in_place && repeats_groups(g.repeated_mean, batch, groups, each) &&
                        repeats_groups(g.repeated_root, batch, groups, each);
  return repeated ? std::string_view() : "the statistics are not repeated over the channels of their group";
}

/// `v` without its reshapes and the casts that keep all numbers.
inline value source_of(value v) {
  const auto keeps_numbers = [](const value& x) {
    return producer(x, "Cast") && casts_exactly(input_of(x, 0).dtype(), x.dtype());
  };
  while (is_reshape(v) || keeps_numbers(v)) v = input_of(v, 0);
  return v;
}

/// Reshapes `v`, one number for each channel, so that it broadcasts to x, whose second axis has the channels.
inline value along_channels(const value& x, const value& v) {
  shape dims(x.dims().size() - 1, dim(1));
  dims.front() = x.extent(1);
  return reshape(v, dims);
}

/// Normalizes groups by InstanceNormalization, since ONNX Runtime has no kernel for GroupNormalization, and its
/// decomposition is slower (docs/decisions/0063). Absent if x is empty, or if the reshapes need extents that are
/// computed at run time.
inline value normalized_instances(const value& x, const value& scale, const value& bias, std::int64_t groups,
                                  double epsilon) {
  graph& g = x.owner();
  const std::span<const dim> inner(x.dims().begin() + 2, x.dims().end());
  dim size = x.extent(1).extent() / groups;
  for (dim d : inner) size = g.dims().mul(size, d);
  const shape split{x.extent(0), groups, size};
  if (!is_static_reshape(x, split) || !is_static_reshape(split, x.dims()) || is_empty(x.dims())) return {};
  const auto numbers = [&](double n) {
    const std::vector<double> repeated(static_cast<std::size_t>(groups), n);
    return array(g, x.dtype(), {groups}, std::span<const double>(repeated));
  };
  const value rows = reshape(x, split);
  value y = g.emit("InstanceNormalization", {rows, numbers(1), numbers(0)}, rows.type(),
                   {{"epsilon", static_cast<float>(epsilon)}});
  y = reshape(y, x.dims());
  if (scale) y = mul(y, along_channels(x, scale));
  return bias ? add(y, along_channels(x, bias)) : y;
}

/// Normalizes groups of channels, which are x's second axis. `scale` and `bias` have a number for each channel, or are
/// absent. Declines if the target has no such operator.
inline outcome normalized_groups(const context& c, const value& x, const value& scale, const value& bias,
                                 std::int64_t groups, double epsilon) {
  if (is_onnx_runtime(c.runtime))
    if (const value y = normalized_instances(x, scale, bias, groups, epsilon)) return y;
  if (is_portable(c.runtime)) return decline("not every runtime has GroupNormalization");
  if (c.g.opset() < 21) return decline("GroupNormalization needs opset 21");
  const auto parameter = [&](const value& v, double otherwise) {
    const std::vector<double> numbers(static_cast<std::size_t>(x.extent(1).extent()), otherwise);
    return v ? v : array(c.g, x.dtype(), {x.extent(1).extent()}, std::span<const double>(numbers));
  };
  return c.g.emit("GroupNormalization", {x, parameter(scale, 1), parameter(bias, 0)}, x.type(),
                  {{"num_groups", groups}, {"epsilon", static_cast<float>(epsilon)}});
}

inline outcome emit_group_norm(const context& c, const group_normalized& g, const value& root) {
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  if (!same_value(source_of(g.x), source_of(g.groups.x)) || g.x.dims() != root.dims()) return {};
  if (const std::string_view why = no_group_norm(g); !why.empty()) return decline(why);
  if (const std::string_view why = squares_in_f16(c, g.groups.squared); !why.empty()) return decline(why);
  const dim channels = g.x.dims().back();
  const value scale = g.scale ? equations::in_shape(g.scale, {channels}) : value();
  const value bias = g.bias ? equations::in_shape(g.bias, {channels}) : value();
  if (!channels.is_constant() || (g.scale && !scale) || (g.bias && !bias))
    return decline("scale and bias are not one number per channel");
  const std::int64_t groups = g.groups.x.extent(g.x.rank() - 1).extent();
  ints second = iota_axes(g.x.rank());  // moves the last axis to the second, where ONNX has the channels
  std::rotate(second.begin() + 1, second.end() - 1, second.end());
  outcome out = normalized_groups(c, transpose(g.x, second), scale, bias, groups, g.groups.epsilon);
  return out.replacement ? outcome(transpose(out.replacement, inverse_permutation(second))) : out;
}

inline outcome fuse_group_norm(const context& c, const value& root) {
  const bool biased = producer(root, "Add") != nullptr;
  for (bool scaled : {true, false}) {
    group_normalized g;
    const auto product = [&](const value& v) {
      g = {};
      return match_group_norm(v, g, scaled);
    };
    if (biased ? match(root, m_op("Add", product, m_value(g.bias))) : product(root)) return emit_group_norm(c, g, root);
  }
  return {};
}

/// The number of groups of x's channels if statistics over `axes`, the last axes of d, are statistics of groups; else
/// 0. d is a Reshape of x to [B, G, ..], [B G, ..] or, if the channels are the first axis of x, [G, ..].
inline std::int64_t groups_of(const value& x, const value& d, const ints& axes, std::int64_t channel_axis) {
  const std::int64_t leading = d.rank() - static_cast<std::int64_t>(axes.size());
  const dim channels = x.extent(channel_axis);
  if (!channels.is_constant() || leading < 1 || leading > channel_axis + 1) return 0;
  dim groups = d.extent(leading - 1);
  if (!groups.is_constant()) return 0;
  if (leading == 2 && d.extent(0) != x.extent(0)) return 0;
  if (leading == 1 && channel_axis == 1) {  // batch and groups are one dimension
    const dim batch = x.extent(0);
    if (!batch.is_constant() || batch.is(0) || groups.extent() % batch.extent() != 0) return 0;
    groups = groups.extent() / batch.extent();
  }
  return groups.extent() > 0 && channels.extent() % groups.extent() == 0 ? groups.extent() : 0;
}

inline outcome fuse_split_group_norm(const context& c, const value& root) {
  value inner, scale, bias;
  if (!match(root, m_commutes("Add", m_commutes("Mul", m_reshape(m_value(inner)), m_value(scale)), m_value(bias))))
    return {};
  normalized n;
  if (!match_layer_norm(inner, n, false) || !is_reshape(n.x)) return {};
  const value x = input_of(n.x, 0);
  if (const std::string_view why = no_layer_norm(c, n); !why.empty()) return decline(why);
  if (x.dims() != root.dims() || x.dtype() != root.dtype() || x.rank() < 2) return {};
  const bool batched = x.rank() > 2 && lies_along(scale, x, 1) && lies_along(bias, x, 1);
  if (!batched && !(lies_along(scale, x, 0) && lies_along(bias, x, 0)))
    return decline("scale and bias are not one number per channel");
  const std::int64_t channel_axis = batched ? 1 : 0, groups = groups_of(x, n.x, n.mean.axes, channel_axis);
  if (groups == 0) return decline("mean and variance are not over groups of channels");
  const shape channels{x.extent(channel_axis)};
  const value data = batched ? x : unsqueeze(x, {0});
  const outcome out = normalized_groups(c, data, reshape(scale, channels), reshape(bias, channels), groups, n.epsilon);
  return out.replacement && !batched ? outcome(squeeze(out.replacement, {0})) : out;
}

inline constexpr rule group_norm_rules[] = {
    {"GroupNormalization-split",
     "Reshape((d - E[d]) / Sqrt(Var[d] + eps)) scale + bias -> GroupNormalization(x, scale, bias, eps), d = Reshape(x)",
     "opset 21; the channels are the second axis of x, or the first axis if x has no batch; d splits them into "
     "groups, each with its own statistics; not float64; squares of float16 only with assume_finite",
     ops<"Add">, fuse_split_group_norm, stage::fuse},
    {"GroupNormalization",
     "(x - mean) scale / Sqrt(var + eps) + bias -> GroupNormalization(x, scale, bias, eps), also without the scale",
     "opset 21; mean and var are computed for groups of the last axis, and repeated for the channels of each group; "
     "not float64; squares of float16 only with assume_finite",
     ops<"Add">, fuse_group_norm, stage::fuse},
    {"GroupNormalization-plain",
     "(x - mean) scale / Sqrt(var + eps) -> GroupNormalization(x, scale, 0, eps), also without the scale",
     "opset 21; mean and var are computed for groups of the last axis, and repeated for the channels of each group; "
     "not float64; squares of float16 only with assume_finite",
     ops<"Mul">, fuse_group_norm, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
