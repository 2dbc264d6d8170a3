#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/logit_masks.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/moved_axes.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Attention over several heads (docs/decisions/0035).
namespace jax2onnx::rewrite::detail {

/// Softmax(mask(scale queries keys^T)) values, each with the axes batch (maybe none), length, head, feature.
struct attention_parts {
  value queries, keys, values;
  double scale = 1;
  std::vector<logit_mask> masks = {};  ///< the outermost first
  value logits = {}, weights = {};     ///< the operand and the result of the Softmax

  /// An extent, counted from the last axis: 1 are features, 2 heads, 3 the length, 4 the batch.
  static dim extent(const value& x, std::size_t from_last) { return x.dims()[x.dims().size() - from_last]; }
};

/// Permutations of the last three axes: from (length, head, feature) to heads first, and to (head, feature, length).
constexpr std::int64_t heads_before_lengths[] = {1, 0, 2}, lengths_last[] = {1, 2, 0};

/// x, with the axes (batch, length, head, feature), where v has these axes in another order; absent where that takes a
/// Transpose.
inline value heads_behind_lengths(const value& v, std::span<const std::int64_t> last_axes) {
  if (v.rank() < 3 || v.rank() > 4) return {};
  const std::int64_t batch = v.rank() - 3;
  ints order = iota_axes(batch);
  for (const std::int64_t axis : last_axes) order.push_back(batch + axis);
  return moved_from(v, order);
}

/// v without a positive factor, which multiplies `scale`. The factor may stand before a Reshape.
inline value unscaled(const context& c, const value& v, double& scale) {
  const value scaled = is_reshape(v) && c.single_use(v) ? input_of(v, 0) : v;
  value x;
  double factor = 0;
  const bool divided = match(scaled, m_op("Div", m_value(x), m_scalar(factor)));
  if (!divided && !match(scaled, m_commutes("Mul", m_value(x), m_scalar(factor)))) return v;
  if (!c.single_use(scaled) || x.dims() != scaled.dims() || !(factor > 0) || !std::isfinite(factor)) return v;
  scale *= divided ? 1 / factor : factor;
  return reshape(x, v.dims());
}

inline bool match_scores(const context& c, const value& logits, attention_parts& a) {
  value q, k;
  double scale = 1;
  const value product = unscaled(c, logits, scale);
  if (!c.single_use(product) || !match(product, m_op("MatMul", m_value(q), m_value(k)))) return false;
  q = heads_behind_lengths(q, heads_before_lengths);
  k = heads_behind_lengths(k, lengths_last);
  if (!q || !k || q.rank() != k.rank()) return false;
  a.queries = unscaled(c, q, scale);
  a.keys = unscaled(c, k, scale);
  a.scale = scale;
  return true;
}

inline bool match_logits(const context& c, const value& v, attention_parts& a) {
  if (match_scores(c, v, a)) return true;
  constexpr std::size_t most = 3;
  if (!c.single_use(v) || a.masks.size() == most) return false;
  const auto above = [&](const value& x, const logit_mask& mask) {
    a.masks.push_back(mask);
    const bool found = x.dims() == v.dims() && match_logits(c, x, a);
    if (!found) a.masks.pop_back();
    return found;
  };
  value visible, x, y;
  double number = 0;
  if (match(v, m_op("Where", m_value(visible), m_value(x), m_scalar(number)))) {
    const bool is_mask = number <= highest_masked_logit && std::isfinite(number);
    return is_mask && (a.masks.empty() || !a.masks.back().added) && above(x, {visible, {}});
  }
  if (!match(v, m_op("Add", m_value(x), m_value(y)))) return false;
  return above(x, {{}, y}) || above(y, {{}, x});
}

inline bool match_softmax(const value& v, attention_parts& a) {
  if (!match(v, m_bind(a.weights, m_op("Softmax", m_value(a.logits))))) return false;
  const std::int64_t axis = attribute_of<std::int64_t>(v, "axis").value_or(-1);
  return axis == -1 || axis == v.rank() - 1;
}

/// The product of weights and values; or of both transposed, where there is one query.
inline bool match_weighted_values(const context& c, const value& product, attention_parts& a) {
  value p, q;
  if (!match(product, m_op("MatMul", m_value(p), m_value(q)))) return false;
  if (match_softmax(p, a)) {
    a.values = heads_behind_lengths(q, heads_before_lengths);
    return bool(a.values);
  }
  if (q.rank() < 3 || !q.dims().back().is(1) || !is_reshape(q) || !c.single_use(q)) return false;
  shape turned = q.dims();
  std::swap(turned.back(), turned[turned.size() - 2]);
  if (!match_softmax(input_of(q, 0), a) || a.weights.dims() != turned) return false;
  a.values = heads_behind_lengths(p, lengths_last);
  return bool(a.values);
}

/// Whether `root` is an attention whose heads are behind the lengths. Where there is one query or one head, that is the
/// product itself.
inline bool match_attention(const context& c, const value& root, attention_parts& a) {
  value product;
  if (ints perm; match(root, m_transpose(perm, m_value(product)))) {
    ints expected = iota_axes(std::max<std::int64_t>(root.rank() - 3, 0));
    for (const std::int64_t axis : heads_before_lengths) expected.push_back(axis + root.rank() - 3);
    if (perm != expected || !c.single_use(product)) return false;
    return match_weighted_values(c, product, a) && match_logits(c, a.logits, a);
  }
  if (!match_weighted_values(c, root, a) || !match_logits(c, a.logits, a)) return false;
  return a.extent(a.queries, 2).is(1) || a.extent(a.queries, 3).is(1);
}

/// Whether the parts fit: one batch for all, one number of heads, constant extents but for the lengths.
inline bool is_consistent(const attention_parts& a) {
  const auto same = [&](std::size_t from_last) {
    return a.extent(a.queries, from_last) == a.extent(a.keys, from_last) &&
           a.extent(a.keys, from_last) == a.extent(a.values, from_last);
  };
  const std::size_t features = 1, heads = 2, batch = 4;
  if (a.queries.rank() != a.values.rank() || !same(heads)) return false;
  if (a.queries.dims().size() == batch && !same(batch)) return false;
  return a.extent(a.queries, heads).is_constant() && a.extent(a.queries, features).is_constant() &&
         a.extent(a.values, features).is_constant() && !is_empty(a.logits.dims()) && !is_empty(a.values.dims());
}

/// The keys or values of groups of heads, where v repeats each of them for the heads of its group; else v.
inline value before_groups(const value& v) {
  value wide;
  if (!match(v, m_reshape(m_value(wide))) || !producer(wide, "Expand") || wide.rank() != v.rank() + 1) return v;
  const value narrow = input_of(wide, 0);
  const std::size_t group = wide.dims().size() - 2;
  shape repeated = narrow.dims(), heads = narrow.dims();
  if (repeated.size() != wide.dims().size() || !repeated[group].is(1)) return v;
  repeated[group] = wide.dims()[group];
  heads.erase(heads.begin() + static_cast<std::ptrdiff_t>(group));
  const auto before_heads_axis = heads.begin() + (std::ssize(heads) - 2);
  const bool in_order =
      std::equal(heads.begin(), before_heads_axis, v.dims().begin()) && heads.back() == v.dims().back();
  return repeated == wide.dims() && in_order && is_static_reshape(narrow, heads) ? reshape(narrow, heads) : v;
}

/// v as the operator takes it: with the heads in the features, and with a batch.
inline value merged_heads(const value& v) {
  const dim features(attention_parts::extent(v, 2).extent() * attention_parts::extent(v, 1).extent());
  return reshape(v, {v.rank() == 4 ? v.dims()[0] : dim(1), attention_parts::extent(v, 3), features});
}

/// Takes keys and values before they are repeated for groups of heads.
inline void ungroup(attention_parts& a) {
  const value keys = before_groups(a.keys), values = before_groups(a.values);
  const auto heads = [](const value& v) { return v.dims()[v.dims().size() - 2]; };
  if (heads(keys) != heads(values) || !heads(keys).is_constant()) return;
  a.keys = keys;
  a.values = values;
}

/// The mask with the last two extents of the logits, which the operator does not broadcast.
inline value with_lengths(const value& mask, const value& logits) {
  shape dims = mask.dims();
  while (dims.size() < 2) dims.insert(dims.begin(), dim(1));
  std::copy(logits.dims().end() - 2, logits.dims().end(), dims.end() - 2);
  return broadcast_to(mask, dims);
}

/// The operator, as (batch, length, heads features).
inline value attention_operator(const context& c, const attention_parts& a, const value& mask) {
  std::vector<value> inputs = {merged_heads(a.queries), merged_heads(a.keys), merged_heads(a.values)};
  if (!a.masks.empty()) inputs.push_back(with_lengths(mask, a.logits));
  const std::int64_t heads = a.extent(a.queries, 2).extent();
  shape dims = inputs[0].dims();
  dims[2] = dim(heads * a.extent(a.values, 1).extent());
  return c.g.emit(
      "Attention", inputs, {dtype::f32, dims},
      {{"kv_num_heads", a.extent(a.keys, 2).extent()}, {"q_num_heads", heads}, {"scale", static_cast<float>(a.scale)}});
}

inline outcome fuse_attention(const context& c, const value& root) {
  attention_parts a;
  if (!match_attention(c, root, a) || !is_consistent(a)) return {};
  if (root.dtype() != dtype::f32) return decline("the element type is not float32");
  constexpr int opset_of_attention = 23;
  if (c.g.opset() < opset_of_attention) return decline("ONNX has the operator since opset 23");
  if (!c.single_use(a.weights)) return decline("the weights are read elsewhere too");
  const bool replaces = std::ranges::any_of(a.masks, [](const logit_mask& m) { return bool(m.visible); });
  if (replaces && !is_masked_by_sum(c, a.queries, a.keys, a.values))
    return decline("a masked key may be NaN where its value is not");
  ungroup(a);
  const value mask = sum_of_masks(c, a.masks);
  if (!mask) return decline("the mask may be -inf");
  return reshape(attention_operator(c, a, mask), root.dims());
}

inline constexpr rule attention_rules[] = {
    {"Attention", "Transpose(MatMul(Softmax(s q k^T + m), v)) -> Reshape(Attention(q, k, v, m, scale=s))",
     "float32; opset 23; q, k and v are Transposes of values with the heads behind the lengths, or Reshapes where "
     "there "
     "is one head or one position; a finite m, or Where(c, s q k^T, n) with k and v computed from the same values; the "
     "weights are read once",
     ops<"Transpose", "MatMul">, fuse_attention, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
