#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/lower_bound.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Attention over several heads (docs/decisions/0035).
namespace jax2onnx::rewrite::detail {

/// A step between the product of queries and keys and the Softmax: x + added, or Where(visible, x, a lowest number).
struct logit_mask {
  value visible, added;
};

/// Softmax(mask(scale queries keys^T)) values, each with the axes batch (maybe none), length, head, feature.
struct attention_parts {
  value queries, keys, values;
  double scale = 1;
  std::vector<logit_mask> masks = {};  ///< the outermost first
};

/// x, where v is x with its heads before the lengths, or, for transposed keys, with both before the lengths.
inline value before_heads(const value& v, bool transposed) {
  ints perm;
  value x;
  if (!match(v, m_transpose(perm, m_value(x))) || x.rank() < 3 || x.rank() > 4) return {};
  const std::int64_t batch = x.rank() - 3;
  ints expected = iota_axes(batch);
  for (const std::int64_t axis : transposed ? ints{1, 2, 0} : ints{1, 0, 2}) expected.push_back(batch + axis);
  return perm == expected ? x : value();
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
  q = before_heads(q, false);
  k = before_heads(k, true);
  if (!q || !k) return false;
  a.queries = unscaled(c, q, scale);
  a.keys = unscaled(c, k, scale);
  a.scale = scale;
  return true;
}

/// JAX's libraries replace masked logits by numbers up to this one. Logits are greater.
constexpr double highest_masked_logit = -1e8;

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

/// A number that makes the weight of a key 0, and the weights of a row without keys equal, as JAX's are. ONNX Runtime
/// takes the lowest number and -inf for no keys at all.
constexpr double masked_logit = -0x1p127;

/// Whether no element of a constant is the lowest number, or below. Looks at up to 1 MiB.
inline bool is_above_lowest(const value& constant) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  if (constant.dtype() != dtype::f32 || constant.data().size() > longest) return false;
  std::string all;
  constant.data().stream([&all](std::span<const std::byte> piece) {
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  for (std::size_t i = 0; i + sizeof(float) <= all.size(); i += sizeof(float)) {
    float element = 0;
    std::memcpy(&element, all.data() + i, sizeof element);
    if (element <= std::numeric_limits<float>::lowest()) return false;
  }
  return true;
}

/// v with masked_logit for the lowest number; absent where it may have elements of -inf, or others that are the lowest.
inline value finite_mask(const context& c, const value& v, int depth = 8) {
  constexpr double lowest = std::numeric_limits<float>::lowest();
  if (const auto number = splat_number(v); number && *number == lowest)
    return broadcast_to(scalar(c.g, v.dtype(), masked_logit), v.dims());
  if (v.is_constant()) return is_above_lowest(v) ? v : value();
  const node* n = producer(v);
  if (!n || !n->domain.empty() || depth == 0) return {};
  std::vector<value> inputs = inputs_of(v);
  const std::size_t first = n->op == "Where" ? 1 : 0;
  const std::size_t last = n->op == "Add" || n->op == "Where"   ? inputs.size()
                           : contains(elements_of_first, n->op) ? 1
                                                                : 0;
  if (last == 0) return lower_bound_of(v) == lower_bound::zero ? v : value();
  bool changed = false;
  for (std::size_t i = first; i < last; ++i) {
    const value finite = finite_mask(c, inputs[i], depth - 1);
    if (!finite) return {};
    changed = changed || finite != inputs[i];
    inputs[i] = finite;
  }
  return changed ? with_inputs(v, inputs, v.type()) : v;
}

/// The sum of all masks, as the operator adds it to logits; absent where that may be -inf.
inline value sum_of_masks(const context& c, const attention_parts& a) {
  value sum = scalar(c.g, dtype::f32, 0);
  for (std::size_t i = a.masks.size(); i-- > 0;) {
    const logit_mask& m = a.masks[i];
    const value added = m.added ? finite_mask(c, m.added) : value();
    if (m.added && !added) return {};
    if (m.visible) sum = where(m.visible, sum, scalar(c.g, dtype::f32, masked_logit));
    else sum = uniform_number(sum) ? added : add(sum, added);
  }
  return sum;
}

/// x, where v is x times a weight, maybe with a bias and split into heads; absent for any other value. Where x is not
/// finite, all features of v are not.
inline value projected(value v) {
  constexpr int longest = 8;
  for (int i = 0; v && i < longest; ++i) {
    const node* n = producer(v);
    if (!n) return {};
    const bool weighted = n->inputs.size() > 1 && input_of(v, 1).is_constant();
    if (n->op == "MatMul" || n->op == "Gemm") return weighted && !n->find("transA") ? input_of(v, 0) : value();
    const bool picks =
        n->op == "Expand" || n->op == "Split" || n->op == "Slice" || (n->op == "Gather" && input_of(v, 1).rank() == 0);
    if (n->op == "Add") v = weighted ? input_of(v, 0) : input_of(v, 0).is_constant() ? input_of(v, 1) : value();
    else v = is_reshape(v) || n->op == "Transpose" || picks ? input_of(v, 0) : value();
  }
  return {};
}

/// Operators whose results are finite where their operands are.
inline constexpr std::string_view finite_ops[] = {"Add",
                                                  "Cast",
                                                  "Concat",
                                                  "Cos",
                                                  "Div",
                                                  "Expand",
                                                  "Flatten",
                                                  "Gather",
                                                  "Gemm",
                                                  "LayerNormalization",
                                                  "MatMul",
                                                  "Mul",
                                                  "Neg",
                                                  "Pow",
                                                  "Reshape",
                                                  "RMSNormalization",
                                                  "RotaryEmbedding",
                                                  "Sin",
                                                  "Slice",
                                                  "Split",
                                                  "Squeeze",
                                                  "Sub",
                                                  "Tile",
                                                  "Transpose",
                                                  "Unsqueeze"};

/// Whether v is finite where x is; weights are.
inline bool is_finite_with(const value& v, const value& x, int& budget) {
  if (v == x || v.is_constant() || !is_floating(v.dtype())) return true;
  const node* n = producer(v);
  if (!n || !n->domain.empty() || --budget < 0 || !contains(finite_ops, n->op)) return false;
  double divisor = 0;
  if (n->op == "Div" && (!match(input_of(v, 1), m_scalar(divisor)) || divisor == 0)) return false;
  const std::size_t count = n->inputs.size();
  for (std::size_t i = 0; i < count; ++i)
    if (const value operand = input_of(v, i); operand && !is_finite_with(operand, x, budget)) return false;
  return true;
}

/// Whether NaN at a masked key makes all results NaN, as its value is NaN, too. Then it does not matter that the
/// operator adds its mask, which leaves NaN, where JAX replaces logits.
inline bool is_masked_by_sum(const context& c, const attention_parts& a) {
  const value x = projected(a.values);
  if (!x) return false;
  int budget = 128;
  const std::size_t features = 1, heads = 2;
  const shape &rows = x.dims(), &lengths = a.values.dims();
  const auto count = [&](const shape& s, std::size_t without) {
    return c.g.dims().product(s.head(static_cast<std::ptrdiff_t>(s.size() - without)));
  };
  if (rows.empty() || count(rows, features) != count(lengths, heads)) return false;
  return is_finite_with(a.keys, x, budget) && is_finite_with(a.queries, x, budget);
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

/// v with the heads in the features, as the operator takes it; `like` has the batch axis.
inline value merged_heads(const value& v, dim features) {
  const shape& d = v.dims();
  return reshape(v, {d.size() == 4 ? d[0] : dim(1), d[d.size() - 3], features});
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

inline outcome fuse_attention(const context& c, const value& root) {
  attention_parts a;
  value weights, logits, v;
  const value product = before_heads(root, false);
  if (!product || !match(product, m_op("MatMul", m_bind(weights, m_op("Softmax", m_value(logits))), m_value(v))))
    return {};
  a.values = before_heads(v, false);
  const std::int64_t axis = attribute_of<std::int64_t>(weights, "axis").value_or(-1);
  if (!a.values || (axis != -1 && axis != weights.rank() - 1) || !match_logits(c, logits, a)) return {};
  if (root.dtype() != dtype::f32) return decline("the element type is not float32");
  constexpr int opset_of_attention = 23;
  if (c.g.opset() < opset_of_attention) return decline("ONNX has the operator since opset 23");
  if (!c.single_use(weights) || !c.single_use(product)) return decline("the weights are read elsewhere too");
  const std::size_t rank = root.dims().size();
  const auto of = [&](const value& x, std::size_t from_last) { return x.dims()[rank - from_last]; };
  const bool batched = rank < 4 || (of(a.queries, 4) == of(a.keys, 4) && of(a.keys, 4) == of(a.values, 4));
  if (!batched || of(a.queries, 2) != of(a.keys, 2) || of(a.keys, 2) != of(a.values, 2)) return {};
  const dim heads = of(root, 2), features = of(a.queries, 1), results = of(a.values, 1);
  if (!heads.is_constant() || !features.is_constant() || !results.is_constant()) return {};
  if (is_empty(logits.dims()) || is_empty(root.dims())) return {};
  const bool replaces =
      std::any_of(a.masks.begin(), a.masks.end(), [](const logit_mask& m) { return bool(m.visible); });
  if (replaces && !is_masked_by_sum(c, a)) return decline("a masked key may be NaN where its value is not");
  ungroup(a);
  const value mask = sum_of_masks(c, a);
  if (!mask) return decline("the mask may be -inf");
  const auto merged = [&](const value& x, dim count) {
    return merged_heads(x, dim(of(x, 2).extent() * count.extent()));
  };
  std::vector<value> inputs = {merged(a.queries, features), merged(a.keys, features), merged(a.values, results)};
  if (!a.masks.empty()) inputs.push_back(with_lengths(mask, logits));
  shape dims = inputs[0].dims();
  dims[2] = dim(heads.extent() * results.extent());
  const value y = c.g.emit("Attention", inputs, {root.dtype(), dims},
                           {{"kv_num_heads", of(a.keys, 2).extent()},
                            {"q_num_heads", heads.extent()},
                            {"scale", static_cast<float>(a.scale)}});
  return reshape(y, root.dims());
}

inline constexpr rule attention_rules[] = {
    {"Attention", "Transpose(MatMul(Softmax(s q k^T + m), v)) -> Reshape(Attention(q, k, v, m, scale=s))",
     "float32; opset 23; q, k and v are Transposes of values with the heads behind the lengths; a finite m, or "
     "Where(c, s q k^T, n) with k and v computed from the same values; the weights are read once",
     ops<"Transpose">, fuse_attention, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
