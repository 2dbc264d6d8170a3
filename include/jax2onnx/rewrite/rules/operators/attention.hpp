// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/operators/logit_masks.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Attention over several heads (docs/decisions/0035). A match has three steps. The first one finds the nodes from the
/// product of weights and values up to the product of queries and keys. The second one finds the parts of the axes of
/// all values in between. From the order of queries, keys and values, the third one finds which parts are the batch,
/// the heads and the lengths.
namespace jax2onnx::rewrite::detail {

/// A mask, and the masked value. The mask is broadcast to the axes of this value.
struct placed_mask {
  logit_mask mask;
  value at;
};

/// Softmax(mask(cap(scale queries keys^T))) values, with Transposes and Reshapes between these operators.
struct attention_nodes {
  value product;          ///< the product of weights and values
  value weights, values;  ///< the operands of the product: the weights and the values
  bool weights_first;     ///< true if the weights are the first operand of the product
  /// The values from the weights to the scores, which are the product of queries and keys.
  std::vector<value> path = {};
  value softmax = {};
  std::vector<placed_mask> masks = {};  ///< the outermost first
  double scale = 1, cap = 0;            ///< `cap` is 0 if there is no softcap

  const value& scores() const { return path.back(); }
  dim value_features() const { return values.dims()[values.dims().size() - (weights_first ? 1 : 2)]; }
};

/// Returns whether v is x times a positive finite factor, and x has the shape of v; binds x and the factor.
inline bool match_factor(const value& v, value& x, double& factor) {
  const bool divides = match(v, m_op("Div", m_value(x), m_scalar(factor)));
  if (!divides && !match(v, m_commutes("Mul", m_value(x), m_scalar(factor)))) return false;
  if (!(factor > 0) || !std::isfinite(factor) || x.dims() != v.dims()) return false;
  if (divides) factor = 1 / factor;
  return true;
}

/// Follows the weights to the scores. Only the attention may read the scores, and the values between the scores and the
/// Softmax.
class weights_tracer {
 public:
  weights_tracer(const context& c, attention_nodes& a) : c_(c), a_(a) {}

  bool follow(const value& v) {
    constexpr std::size_t longest = 24;
    if (a_.path.size() == longest || (a_.softmax && !c_.single_use(v))) return false;
    a_.path.push_back(v);
    if (is_view(v)) return follow(input_of(v, 0));
    if (!a_.softmax) return follow_softmax(v);
    if (!scaled_ && follow_mask(v)) return true;
    return follow_factor(v);
  }

 private:
  bool follow_softmax(const value& v) {
    if (!producer(v, "Softmax")) return false;
    a_.softmax = v;
    return follow(input_of(v, 0));
  }

  bool follow_mask(const value& v) {
    value condition, x, y;
    double number = 0;
    if (match(v, m_op("Where", m_value(condition), m_value(x), m_scalar(number))))
      return masks(number) && follow_masked(v, x, {.visible = condition, .number = number});
    if (match(v, m_op("Where", m_value(condition), m_scalar(number), m_value(x))))
      return masks(number) && follow_masked(v, x, {.hidden = condition, .number = number});
    if (!match(v, m_op("Add", m_value(x), m_value(y)))) return false;
    return follow_masked(v, x, {.added = y}) || follow_masked(v, y, {.added = x});
  }
  static bool masks(double number) { return number <= highest_masked_logit; }
  /// Follows a masked value `v` to `x`, the value before the mask. A mask that replaces logits may not come before a
  /// mask that adds to logits, since the sum could make hidden keys visible again.
  bool follow_masked(const value& v, const value& x, const logit_mask& mask) {
    constexpr std::size_t most = 3;
    if (!adds_leading_ones(x.dims(), v.dims()) || a_.masks.size() == most) return false;
    if (!mask.added && !a_.masks.empty() && a_.masks.back().mask.added) return false;
    const attention_nodes before = a_;
    a_.masks.push_back({mask, v});
    if (follow(x)) return true;
    a_ = before;
    scaled_ = false;
    return false;
  }

  bool follow_factor(const value& v) {
    if (producer(v, "MatMul")) return input_of(v, 0).rank() >= 2 && input_of(v, 1).rank() >= 2;
    value x;
    double factor = 0;
    if (!match_factor(v, x, factor)) return false;
    scaled_ = true;
    if (value capped; a_.cap == 0 && a_.scale == 1 && c_.single_use(x) && match(x, m_op("Tanh", m_value(capped)))) {
      a_.cap = a_.scale = factor;
      a_.path.push_back(x);
      return follow(capped);
    }
    a_.scale *= factor;
    return follow(x);
  }

  const context& c_;
  attention_nodes& a_;
  bool scaled_ = false;
};

/// The nodes of an attention whose product of weights and values is `product`; nullopt for any other `product`.
inline std::optional<attention_nodes> attention_nodes_of(const context& c, const value& product) {
  for (const bool first : {true, false}) {
    attention_nodes a{.product = product,
                      .weights = input_of(product, first ? 0 : 1),
                      .values = input_of(product, first ? 1 : 0),
                      .weights_first = first};
    if (a.weights.rank() >= 2 && a.values.rank() >= 2 && weights_tracer(c, a).follow(a.weights)) return a;
  }
  return std::nullopt;
}

/// The parts of the axes of an attention. They are parts of axes of the scores, of the features of queries and keys, or
/// of the features of values.
struct attention_layout {
  std::int64_t rank = 0;  ///< the rank of the scores, whose axes are 0, ..., rank - 1
  bool queries_first = true;
  std::vector<axis_layout> path = {};  ///< the layout of every value of the path

  std::size_t batch_rank() const { return static_cast<std::size_t>(rank) - 2; }
  std::size_t query_axis() const { return batch_rank() + (queries_first ? 0 : 1); }
  std::size_t key_axis() const { return batch_rank() + (queries_first ? 1 : 0); }
  const axis_layout& scores() const { return path.back(); }
  const axis_layout& weights() const { return path.front(); }
  axis_parts features(dim extent) const { return whole_axis(rank, extent); }
  axis_parts value_features(dim extent) const { return whole_axis(rank + 1, extent); }
  /// The layout of the product of weights and values.
  axis_layout product(const attention_nodes& a) const {
    axis_layout l = weights();
    l[l.size() - (a.weights_first ? 1 : 2)] = value_features(a.value_features());
    return l;
  }
};

/// Returns whether the product of weights and values sums over all keys, and does not broadcast the weights.
inline bool sums_over_keys(const attention_nodes& a, const attention_layout& l) {
  const std::size_t rank = l.weights().size();
  const shape &weights = a.weights.dims(), &product = a.product.dims();
  return product.size() == rank && std::equal(weights.begin(), weights.end() - 2, product.begin()) &&
         l.weights()[rank - (a.weights_first ? 1 : 2)] == l.scores()[l.key_axis()];
}

/// The layouts of all values of the path if the scores have the layout `scores`; nullopt if a view on the path has no
/// layout.
inline std::optional<std::vector<axis_layout>> layouts_of(const attention_nodes& a, axis_layout scores) {
  std::vector<axis_layout> found(a.path.size());
  found.back() = std::move(scores);
  for (std::size_t i = a.path.size() - 1; i-- > 0;) {
    std::optional<axis_layout> l = is_view(a.path[i]) ? layout_after(a.path[i], found[i + 1]) : found[i + 1];
    if (!l) return std::nullopt;
    l->insert(l->begin(), a.path[i].dims().size() - l->size(), axis_parts());  // a mask may have more axes, of extent 1
    found[i] = std::move(*l);
  }
  return found;
}

/// The parts of one axis, the outermost first.
inline axis_parts parts_of_axis(dim_table& dims, const axis_parts& parts, std::size_t axis) {
  axis_parts ordered;
  for (dim step(1);;) {
    const auto next = std::ranges::find_if(
        parts, [&](const axis_part& p) { return p.axis == static_cast<std::int64_t>(axis) && p.step == step; });
    if (next == parts.end()) return ordered;
    ordered.insert(ordered.begin(), *next);
    step = dims.mul(step, next->extent);
  }
}

/// The layout of the attention; nullopt if a view on the path has no layout, or if the Softmax is along neither of the
/// last two axes of the scores.
inline std::optional<attention_layout> layout_of(const attention_nodes& a) {
  dim_table& dims = a.product.owner().dims();
  const shape& scores = a.scores().dims();
  attention_layout out{.rank = std::ssize(scores)};
  axis_layout axes;
  for (const dim d : scores) axes.push_back(whole_axis(std::ssize(axes), d));
  std::optional<std::vector<axis_layout>> path = layouts_of(a, axes);
  if (!path) return std::nullopt;
  const axis_parts parts = all_parts(path->front());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = parts_of_axis(dims, parts, i);
  path = layouts_of(a, axes);  // no Reshape splits a part now
  if (!path) return std::nullopt;
  out.path = std::move(*path);
  const auto softmax = static_cast<std::size_t>(std::ranges::find(a.path, a.softmax.id(), &value::id) - a.path.begin());
  const axis_parts& reduced = out.path[softmax][static_cast<std::size_t>(axis_of(a.softmax))];
  for (const bool queries_first : {true, false}) {
    out.queries_first = queries_first;
    if (reduced == out.scores()[out.key_axis()]) return out;
  }
  return std::nullopt;
}

/// The product of the extents of the parts; 0 if this product is not constant.
inline std::int64_t constant_extent(dim_table& dims, const axis_parts& parts) {
  const dim extent = dims.product(extents_of(parts));
  return extent.is_constant() ? extent.extent() : 0;
}

/// The outermost parts that together hold `count` positions. The last one of them may be the outer piece of a part.
/// nullopt if there are no such parts, or if that part has a symbolic step.
inline std::optional<axis_parts> outer_parts(const axis_parts& parts, std::int64_t count) {
  axis_parts outer;
  for (axis_part p : parts) {
    if (count == 1) break;
    const std::int64_t extent = p.extent.extent(), taken = std::min(extent, count);
    if (extent % taken != 0 || count % taken != 0) return std::nullopt;
    if (taken < extent && !p.step.is_constant()) return std::nullopt;
    if (taken < extent) p = {p.axis, dim(taken), dim(p.step.extent() * (extent / taken))};
    outer.push_back(p);
    count /= taken;
  }
  return count == 1 ? std::optional(outer) : std::nullopt;
}

/// The parts that are the batch, the lengths and the heads.
struct attention_roles {
  axis_parts batch = {}, queries = {}, keys = {}, heads = {};
  std::int64_t head_count = 1;
  /// The layout is (batch, length, heads features) if true, else (batch, heads, length, features).
  bool heads_in_features = true;

  axis_parts ordered(const axis_parts& length, const axis_parts& some_heads, const axis_parts& features) const {
    axis_parts all = batch;
    append(all, heads_in_features ? length : some_heads);
    append(all, heads_in_features ? some_heads : length);
    append(all, features);
    return all;
  }
};

/// Queries, keys or values.
struct attention_operand {
  value source;            ///< a value whose elements are in the order that the operator expects
  shape dims;              ///< the shape that the operator expects
  std::int64_t heads = 1;  ///< the number of heads, each of which serves a group of the queries' heads
  double factor = 1;       ///< the factor by which the source is multiplied

  value reshaped() const { return reshape(source, dims); }
};

/// An operand of a product. Each of its batch axes is a batch axis of the product, or has extent 1.
struct product_operand {
  value v;
  const axis_layout& product;
  const axis_parts &rows, &features;  ///< the last two axes of the operand
  bool features_last = true;

  axis_layout layout() const {
    const std::size_t rank = v.dims().size(), missing = product.size() - rank;
    axis_layout axes(rank);
    for (std::size_t i = 0; i + 2 < rank; ++i)
      if (!v.dims()[i].is(1)) axes[i] = product[missing + i];
    axes[rank - 2] = features_last ? rows : features;
    axes[rank - 1] = features_last ? features : rows;
    return axes;
  }
};

/// Searches upstream of an operand, through Transposes, Reshapes, repetitions and factors, for a value that has its
/// elements in the order of the operator.
class operand_finder {
 public:
  operand_finder(const attention_roles& roles, const axis_parts& length, const product_operand& operand)
      : roles_(roles), length_(length), operand_(operand), dims_(operand.v.owner().dims()) {}

  /// The operand farthest upstream that has at least `least_heads` heads, if any. Searches beyond factors only if
  /// `scalable` is true.
  std::optional<attention_operand> find(bool scalable, std::int64_t least_heads = 1) const {
    constexpr int longest = 16;
    std::optional<attention_operand> found;
    value v = operand_.v;
    std::optional<axis_layout> l = operand_.layout();
    double factor = 1;
    for (int i = 0; i < longest && l; ++i) {
      std::optional<attention_operand> here = at(v, all_parts(*l), factor);
      if (here && here->heads >= least_heads) found = std::move(here);
      if (value x; scalable && match_scaled(v, x, factor)) {
        v = x;
      } else if (is_view(v) || producer(v, "Expand")) {
        l = layout_before(v, *l);
        v = input_of(v, 0);
      } else {
        break;
      }
    }
    return found;
  }

 private:
  static bool match_scaled(const value& v, value& x, double& factor) {
    double by = 1;
    if (!match_factor(v, x, by)) return false;
    factor *= by;
    return true;
  }
  std::optional<attention_operand> at(const value& v, const axis_parts& parts, double factor) const {
    const std::int64_t heads = heads_in(parts);
    if (heads == 0) return std::nullopt;
    const shape dims = operator_dims(heads);
    return is_static_reshape(v, dims) ? std::optional(attention_operand{v, dims, heads, factor}) : std::nullopt;
  }
  /// The number of heads if `parts` are in the order of the operator; else 0.
  std::int64_t heads_in(const axis_parts& parts) const {
    const dim others = extent(roles_.ordered(length_, {}, operand_.features)), all = extent(parts);
    for (std::int64_t count = roles_.head_count; count >= 1; --count) {
      if (roles_.head_count % count != 0 || dims_.mul(others, dim(count)) != all) continue;
      const std::optional<axis_parts> heads = outer_parts(roles_.heads, count);
      if (heads && in_same_order(dims_, parts, roles_.ordered(length_, *heads, operand_.features))) return count;
    }
    return 0;
  }
  shape operator_dims(std::int64_t heads) const {
    const dim batch = extent(roles_.batch), length = extent(length_), features = extent(operand_.features);
    if (roles_.heads_in_features) return {batch, length, dims_.mul(dim(heads), features)};
    return {batch, dim(heads), length, features};
  }
  dim extent(const axis_parts& parts) const { return dims_.product(extents_of(parts)); }

  const attention_roles& roles_;
  const axis_parts& length_;
  const product_operand& operand_;
  dim_table& dims_;
};

/// An attention as the operator computes it.
struct attention_operands {
  attention_roles roles;
  attention_operand queries, keys, values;
};

/// Tries which parts are the batch, the heads and the lengths.
class roles_finder {
 public:
  roles_finder(const attention_nodes& a, const attention_layout& l)
      : a_(a),
        l_(l),
        dims_(a.product.owner().dims()),
        queries_(l.scores()[l.query_axis()]),
        keys_(l.scores()[l.key_axis()]) {
    const shape& left = input_of(a.scores(), 0).dims();
    features_ = l.features(left.back());
    value_features_ = l.value_features(a.value_features());
  }

  /// Finds the operands; nullopt if no form fits. Prefers one axis of heads, and forms that need no Reshape.
  std::optional<attention_operands> find() const {
    struct form {
      std::size_t axes_of_heads;
      bool heads_in_features;
    };
    constexpr form forms[] = {{1, true}, {1, false}, {0, true}, {2, true}, {2, false}};
    constexpr form forms_of_one_axis[] = {{1, true}, {0, true}, {1, false}};
    const std::size_t batch = l_.batch_rank();
    for (const form f : batch == 1 ? std::span<const form>(forms_of_one_axis) : std::span<const form>(forms))
      if (f.axes_of_heads <= batch)
        if (auto found = with_batch(batch - f.axes_of_heads, f.heads_in_features)) return found;
    return std::nullopt;
  }

 private:
  /// Takes the first `count` axes of the scores as the batch, and their other batch axes as heads. The outer or inner
  /// parts of the queries' axis may also be heads.
  std::optional<attention_operands> with_batch(std::size_t count, bool heads_in_features) const {
    attention_roles r{.keys = keys_, .heads_in_features = heads_in_features};
    for (std::size_t i = 0; i < l_.batch_rank(); ++i) append(i < count ? r.batch : r.heads, l_.scores()[i]);
    for (auto cut = queries_.begin(); cut != queries_.end(); ++cut) {
      const axis_parts outer(queries_.begin(), cut), inner(cut, queries_.end());
      if (outer.empty()) continue;
      if (auto found = with_queries(r, outer, inner)) return found;
      if (auto found = with_queries(r, inner, outer)) return found;
    }
    return with_queries(r, queries_, {});
  }
  std::optional<attention_operands> with_queries(attention_roles r, const axis_parts& length,
                                                 const axis_parts& heads) const {
    r.queries = length;
    append(r.heads, heads);
    r.head_count = constant_extent(dims_, r.heads);
    if (r.head_count == 0) return std::nullopt;
    const value left = input_of(a_.scores(), 0), right = input_of(a_.scores(), 1);
    const bool first = l_.queries_first;
    const product_operand q{first ? left : right, l_.scores(), queries_, features_, first};
    const product_operand k{first ? right : left, l_.scores(), keys_, features_, !first};
    const product_operand v{a_.values, l_.weights(), keys_, value_features_, a_.weights_first};
    const auto queries = operand_finder(r, r.queries, q).find(true, r.head_count);
    if (!queries) return std::nullopt;
    // Keys and values need equally many heads: both before they are repeated for groups of heads, or both after.
    for (std::int64_t least = 1; least <= r.head_count;) {
      const auto keys = operand_finder(r, r.keys, k).find(true, least);
      const auto values = operand_finder(r, r.keys, v).find(false, least);
      if (!keys || !values) return std::nullopt;
      if (keys->heads == values->heads) return attention_operands{r, *queries, *keys, *values};
      least = std::max(keys->heads, values->heads);
    }
    return std::nullopt;
  }

  const attention_nodes& a_;
  const attention_layout& l_;
  dim_table& dims_;
  axis_parts queries_, keys_, features_ = {}, value_features_ = {};
};

/// Gives masks the axes of the operator: (batch, heads, queries, keys) without leading extents of 1.
class mask_placer {
 public:
  mask_placer(dim_table& dims, const attention_roles& r)
      : dims_(dims), groups_{&r.batch, &r.heads, &r.queries, &r.keys} {}

  /// Rearranges a mask that is broadcast to a value with the layout `at`; an absent mask remains absent.
  value place(const value& mask, const axis_layout& at) const {
    if (!mask) return {};
    const axis_parts present = parts_of(mask, at);
    axis_parts ordered;
    // `narrow` has extent 1 for each part that the mask lacks. `wide` has all extents of an axis if the mask has a part
    // of the axis. `merged` joins the parts of each axis.
    shape narrow, wide, merged;
    for (const axis_parts* group : groups_) {
      const bool any = item_loops::any_of(*group, [&](const axis_part& p) { return item_loops::contains(present, p); });
      for (const axis_part& p : *group) {
        const bool has = item_loops::contains(present, p);
        if (has) ordered.push_back(p);
        narrow.push_back(has ? p.extent : dim(1));
        wide.push_back(any ? p.extent : dim(1));
      }
      merged.push_back(any ? dims_.product(extents_of(*group)) : dim(1));
    }
    while (merged.size() > 2 && merged.front().is(1)) merged.erase(merged.begin());
    if (is_placed(mask, merged) && present == ordered && narrow == wide) return mask;
    if (narrow == wide) return rearranged(mask, present, ordered, merged);
    return reshape(broadcast_to(rearranged(mask, present, ordered, narrow), wide), merged);
  }
  /// The mask, broadcast to the lengths of queries and keys: the operator does not broadcast these axes.
  value with_lengths(const value& mask) const {
    shape dims = mask.dims();
    while (dims.size() < 2) dims.insert(dims.begin(), dim(1));
    dims[dims.size() - 2] = dims_.product(extents_of(*groups_[2]));
    dims.back() = dims_.product(extents_of(*groups_[3]));
    return broadcast_to(mask, dims);
  }

 private:
  static axis_parts parts_of(const value& mask, const axis_layout& at) {
    axis_parts present;
    const std::size_t rank = mask.dims().size(), missing = at.size() - rank;
    for (std::size_t i = 0; i < rank; ++i)
      if (!mask.dims()[i].is(1)) append(present, at[missing + i]);
    return present;
  }
  static bool is_placed(const value& mask, const shape& merged) {
    constexpr std::int64_t most_axes = 4;
    return mask.rank() <= most_axes &&
           (adds_leading_ones(merged, mask.dims()) || adds_leading_ones(mask.dims(), merged));
  }

  dim_table& dims_;
  const axis_parts* groups_[4];
};

/// The nodes, the layout and the operands of an attention.
struct attention_match {
  attention_nodes nodes;
  attention_layout layout;
  attention_operands operands;
};

inline std::optional<attention_match> match_attention(const context& c, const value& root) {
  std::optional<attention_nodes> nodes = attention_nodes_of(c, root);
  if (!nodes || is_empty(nodes->scores().dims()) || is_empty(nodes->values.dims())) return std::nullopt;
  std::optional<attention_layout> layout = layout_of(*nodes);
  if (!layout || !sums_over_keys(*nodes, *layout)) return std::nullopt;
  std::optional<attention_operands> operands = roles_finder(*nodes, *layout).find();
  if (!operands) return std::nullopt;
  return attention_match{std::move(*nodes), std::move(*layout), std::move(*operands)};
}

/// The masks with the axes of the operator.
inline std::vector<logit_mask> placed_masks(const mask_placer& placer, const attention_match& a) {
  std::vector<logit_mask> masks;
  for (const placed_mask& m : a.nodes.masks) {
    const auto at = std::ranges::find(a.nodes.path, m.at.id(), &value::id) - a.nodes.path.begin();
    const axis_layout& axes = a.layout.path[static_cast<std::size_t>(at)];
    masks.push_back({.visible = placer.place(m.mask.visible, axes),
                     .added = placer.place(m.mask.added, axes),
                     .hidden = placer.place(m.mask.hidden, axes),
                     .number = m.mask.number});
  }
  return masks;
}

/// Emits the operator, and rearranges its result to the axes of the product of weights and values.
inline value attention_operator(const context& c, const attention_match& m, const value& mask) {
  const auto& [roles, queries, keys, values] = m.operands;
  std::vector<value> inputs = {queries.reshaped(), keys.reshaped(), values.reshaped()};
  if (mask) inputs.push_back(mask);
  const axis_parts features = m.layout.value_features(m.nodes.value_features());
  shape dims = queries.dims;
  dims.back() = m.nodes.value_features();
  std::vector<attribute> attributes;
  if (roles.heads_in_features) {
    dims.back() = c.g.dims().mul(dim(queries.heads), dims.back());
    attributes = {{"kv_num_heads", keys.heads}, {"q_num_heads", queries.heads}};
  }
  attributes.push_back({"scale", static_cast<float>(m.nodes.scale * queries.factor * keys.factor)});
  if (m.nodes.cap > 0) attributes.push_back({"softcap", static_cast<float>(m.nodes.cap)});
  const value result = c.g.emit("Attention", inputs, {dtype::f32, dims}, std::move(attributes));
  return rearranged(result, roles.ordered(roles.queries, roles.heads, features), all_parts(m.layout.product(m.nodes)),
                    m.nodes.product.dims());
}

/// Returns whether nothing but the attention reads the weights.
inline bool reads_weights_once(const context& c, const attention_nodes& a) {
  const auto after_softmax = std::ranges::find(a.path, a.softmax.id(), &value::id) + 1;
  return std::all_of(a.path.begin(), after_softmax, [&](const value& v) { return c.single_use(v); });
}

/// Returns whether all masks are known to have the same effect if they are added to the logits instead of replacing
/// them. Returns true under `assume_finite`.
inline bool masks_by_sum(const context& c, const attention_match& m) {
  if (item_loops::all_of(m.nodes.masks, [](const placed_mask& p) { return bool(p.mask.added); })) return true;
  if (c.assume_finite) return true;
  if (m.nodes.cap > 0) return false;  // the cap makes infinite logits finite, but keeps NaN
  const auto& [roles, queries, keys, values] = m.operands;
  axis_parts rows = roles.batch;
  append(rows, roles.keys);
  return is_masked_by_sum(c, queries.source, keys.source, values.source, c.g.dims().product(extents_of(rows)));
}

/// Returns whether ONNX Runtime's Attention would compute many subnormal weights, which the separate operators avoid.
/// Symbolic sizes count as few scores: most runs of a decoder have one query.
inline bool has_subnormal_weights(const context& c, const attention_nodes& a) {
  const auto hides = [](const placed_mask& p) { return !p.mask.added || hides_keys(p.mask.added); };
  const shape& scores = a.scores().dims();
  if (!avoids_subnormals(c.runtime) || !is_static(scores) || !are_many_scores(scores)) return false;
  return item_loops::any_of(a.masks, hides);
}

inline outcome fuse_attention(const context& c, const value& root) {
  const std::optional<attention_match> m = match_attention(c, root);
  if (!m) return {};
  if (root.dtype() != dtype::f32) return decline("the element type is not float32");
  constexpr int opset_of_attention = 23;
  if (c.g.opset() < opset_of_attention) return decline("Attention needs opset 23");
  if (m->nodes.cap > 0 && is_onnx_runtime(c.runtime)) return decline("ONNX Runtime's Attention is slow with a softcap");
  if (has_subnormal_weights(c, m->nodes)) return decline("ONNX Runtime's Attention is slow if a mask hides keys");
  if (!reads_weights_once(c, m->nodes)) return decline("the weights are read elsewhere too");
  if (!masks_by_sum(c, *m))
    return decline("a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
  if (m->nodes.masks.empty()) return attention_operator(c, *m, {});
  const mask_placer placer(c.g.dims(), m->operands.roles);
  const std::vector<logit_mask> masks = placed_masks(placer, *m);
  if (!keeps_order_of_hidden(c, masks))
    return decline(
        "if a query sees no key, Attention weights keys differently than JAX (assume_finite permits the rule)");
  const value mask = sum_of_masks(c, masks);
  if (!mask) return decline("the mask may be -inf (assume_finite permits the rule)");
  return attention_operator(c, *m, placer.with_lengths(mask));
}

inline constexpr rule attention_rules[] = {
    {"Attention", "MatMul(Softmax(m + n tanh(s q k^T / n)), v) -> Attention(q, k, v, m, scale=s, softcap=n)",
     "float32; opset 23; before Transposes, Reshapes and repetitions for groups of heads, q, k and v all have the "
     "heads after the lengths, or all have them before the lengths; m is finite; instead of adding m, Where(c, s q "
     "k^T, n) may select scores if k and v are computed from the same values; if n is -inf, each query must have a "
     "key; several such n are far from each other; m and such a Where occur together only if m hides no keys; with "
     "assume_finite, these conditions need not hold; the weights are read once; for ONNX Runtime no softcap, and on "
     "CPUs no mask that hides keys if there are 16384 scores or more, of constant extents",
     ops<"MatMul">, fuse_attention, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
