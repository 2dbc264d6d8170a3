#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/rules/normalization.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Group normalisation, as Flax writes it out: statistics of groups [B, G] are spread over the channels [B, 1, .., G k].
namespace jax2onnx::rewrite {

/// `p`, in other shapes and broadcast once; binds the broadcast.
template <class P>
auto m_spread(value& expanded, P p) {
  return [&expanded, p](const value& v) {
    const value before = expanded;
    value inner = v;
    while (is_reshape(inner) || producer(inner, "Expand")) {
      if (producer(inner, "Expand")) {
        if (expanded) break;
        expanded = inner;
      }
      inner = operand(inner, 0);
    }
    if (p(inner)) return true;
    expanded = before;
    return false;
  };
}

struct group_normalized {
  value x;            // [B, .., C]
  normalized groups;  // of x as [B, .., G, k]
  value mean_spread, root_spread;
  value shifted, inverse;  // x - mean, 1 / sqrt(variance + eps)
  value scale, bias;
};

inline shape without_ones(shape s) {
  std::erase_if(s, [](dim d) { return d.is(1); });
  return s;
}

/// Statistics [B, G] went to [B, G, k], which has the channels of [B, .., G, k] in their order.
inline bool spreads_groups(const value& spread, dim batch, dim groups, dim each) {
  if (each.is(1)) return !spread;
  return spread && without_ones(operand(spread, 0).dims()) == without_ones({batch, groups}) &&
         without_ones(spread.dims()) == without_ones({batch, groups, each});
}

/// (x - mean) / sqrt(variance + eps), times a scale where `scaled`; g is new
inline bool match_group_norm(const value& root, group_normalized& g, bool scaled) {
  normalized& n = g.groups;
  value squared, centered;
  const auto mean = m_up_to_casts(m_reduce<"ReduceMean">(n.mean, m_up_to_casts(m_value(n.x))));
  const auto shifted = m_bind(g.shifted, m_op<"Sub">(m_value(g.x), m_spread(g.mean_spread, mean)));
  const auto in_groups =
      m_bind(centered, m_op<"Sub">(m_up_to_casts(m_same(n.x)), m_mean(n.squares, m_up_to_casts(m_same(n.x)))));
  const auto variance = m_spread(g.root_spread, m_variance(n, squared, pattern_ref(in_groups)));
  const auto root_of_variance =
      m_op<"Sqrt">(m_spread(g.root_spread, m_commutes<"Add">(m_scalar(n.epsilon), pattern_ref(variance))));
  const auto inverse = m_bind(g.inverse, m_spread(g.root_spread, m_op<"Reciprocal">(pattern_ref(root_of_variance))));
  return scaled ? match(root, m_product(shifted, inverse, m_value(g.scale)))
                : match(root, m_commutes<"Mul">(shifted, inverse));
}

/// Why the match is no GroupNormalization of groups of channels; empty when it is one.
inline std::string_view no_group_norm(const group_normalized& g) {
  const value& d = g.groups.x;
  const std::int64_t rank = g.x.rank();
  if (rank < 2 || d.rank() != rank + 1 || !std::equal(g.x.dims().begin(), g.x.dims().end() - 1, d.dims().begin()))
    return "it is not over groups of the last axis";
  ints axes;
  for (std::int64_t axis = 1; axis <= rank; ++axis)
    if (axis != rank - 1) axes.push_back(axis);
  if (g.groups.mean.axes != axes || g.groups.variance.axes != axes || g.groups.squares.axes != axes)
    return "mean and variance are not over groups of each example";
  const dim batch = d.extent(0), groups = d.extent(rank - 1), each = d.extent(rank);
  if (!groups.is_constant() || !each.is_constant()) return "the number of groups is not known";
  ints between;  // batch and channels
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) between.push_back(axis);
  const bool in_place = is_in_place(operand(g.shifted, 1), g.x, between) && is_in_place(g.inverse, g.x, between);
  const bool spread = in_place && spreads_groups(g.mean_spread, batch, groups, each) &&
                      spreads_groups(g.root_spread, batch, groups, each);
  return spread ? std::string_view() : "the statistics are not spread over the channels of their group";
}

/// The value behind a cast and reshapes.
inline value source_of(value v) {
  while (is_reshape(v) || producer(v, "Cast")) v = operand(v, 0);
  return v;
}

inline outcome emit_group_norm(const context& c, const group_normalized& g, const value& root) {
  if (c.g.opset() < 21) return decline("GroupNormalization needs opset 21");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  if (source_of(g.x) != source_of(g.groups.x) || g.x.dims() != root.dims()) return {};
  if (const std::string_view why = no_group_norm(g); !why.empty()) return decline(why);
  const shape channels{g.x.dims().back()};
  const auto parameter = [&](const value& v, double otherwise) {
    if (v) return in_shape(v, channels);
    const std::vector<double> numbers(static_cast<std::size_t>(channels[0].extent()), otherwise);
    return array(c.g, g.x.dtype(), {channels[0].extent()}, std::span<const double>(numbers));
  };
  const value scale = parameter(g.scale, 1), bias = parameter(g.bias, 0);
  if (!scale || !bias) return decline("scale and bias are not one number for every channel");
  const value moved = channels_second(g.x);
  const value out = c.g.emit(
      "GroupNormalization", {moved, scale, bias}, moved.type(),
      {{"num_groups", g.groups.x.extent(g.x.rank() - 1).extent()}, {"epsilon", static_cast<float>(g.groups.epsilon)}});
  return channels_last(out);
}

// Pattern: (x - mean) / sqrt(var + eps) scale + bias -> GroupNormalization(x, scale, bias)   with mean and var of groups
inline outcome fuse_group_norm(const context& c, const value& root) {
  const bool biased = producer(root)->op == "Add";
  for (bool scaled : {true, false}) {
    group_normalized g;
    const auto product = [&](const value& v) {
      g = {};
      return match_group_norm(v, g, scaled);
    };
    if (biased ? match(root, m_op<"Add">(product, m_value(g.bias))) : product(root)) return emit_group_norm(c, g, root);
  }
  return {};
}

/// The number of groups of a channel axis of x that statistics over the last `axes` dimensions of d, which is x in another
/// shape, are of; 0 where they are of something else. d is [B, G, ..], [B G, ..] or, with the channels first, [G, ..].
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

// Pattern: Reshape((d - mean) / sqrt(var + eps)) scale + bias -> GroupNormalization(x, scale, bias)   where d is a Reshape
// of x, whose second axis (or first, without a batch) has the channels
inline outcome fuse_split_group_norm(const context& c, const value& root) {
  value inner, scale, bias;
  if (!match(root, m_commutes<"Add">(m_commutes<"Mul">(m_reshape(m_value(inner)), m_value(scale)), m_value(bias))))
    return {};
  normalized n;
  if (!match_layer_norm(inner, n, false) || !is_reshape(n.x)) return {};
  const value x = operand(n.x, 0);
  if (c.g.opset() < 21) return decline("GroupNormalization needs opset 21");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  if (const std::string_view why = no_layer_norm(n); !why.empty()) return decline(why);
  if (x.dims() != root.dims() || x.dtype() != root.dtype() || x.rank() < 2) return {};
  const bool batched = x.rank() > 2 && lies_along(scale, x, 1) && lies_along(bias, x, 1);
  if (!batched && !(lies_along(scale, x, 0) && lies_along(bias, x, 0)))
    return decline("scale and bias are not one number for every channel");
  const std::int64_t channel_axis = batched ? 1 : 0, groups = groups_of(x, n.x, n.mean.axes, channel_axis);
  if (groups == 0) return decline("mean and variance are not over groups of channels");
  const shape channels{x.extent(channel_axis)};
  const value data = batched ? x : unsqueeze(x, {0});
  const value out = c.g.emit("GroupNormalization", {data, reshape(scale, channels), reshape(bias, channels)},
                             data.type(), {{"num_groups", groups}, {"epsilon", static_cast<float>(n.epsilon)}});
  return batched ? out : squeeze(out, {0});
}

inline constexpr rule group_norm_rules[] = {
    {"GroupNormalization-split",
     "Reshape((d - mean) / sqrt(var + eps)) scale + bias, d = Reshape(x) -> GroupNormalization(x, scale, bias)",
     ops<"Add">, fuse_split_group_norm, stage::fuse},
    {"GroupNormalization", "(x - mean) scale / sqrt(var + eps) + bias, of groups -> GroupNormalization(x, scale, bias)",
     ops<"Add">, fuse_group_norm, stage::fuse},
    {"GroupNormalization-plain", "(x - mean) scale / sqrt(var + eps), of groups -> GroupNormalization(x, scale, 0)",
     ops<"Mul">, fuse_group_norm, stage::late},
};

}  // namespace jax2onnx::rewrite
