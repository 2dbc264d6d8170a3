// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>

/// Views pass operators: op(view(x), y) -> view(op(x, y')). They sink towards the outputs until they meet their
/// inverse. No rule except raise-transpose leaves more views than it found: a view moves only if nothing else reads it,
/// or if two views become one. raise-transpose leaves more views, but they are views of operands that are much smaller
/// than the result.
namespace jax2onnx::rewrite::detail {

inline constexpr std::string_view computed_shape = "the shape would be computed at run time";

/// True if an input of the node that makes `v` has the property.
inline bool any_input(const value& v, bool (*has)(const value&)) {
  const std::size_t count = producer(v)->inputs.size();
  for (std::size_t i = 0; i < count; ++i)
    if (has(input_of(v, i))) return true;
  return false;
}

/// op(view(x)) -> view(op(x)) for a view of this kind and an operator that names no axes, or axes that x has. With
/// `picks`, the result has few of the elements, so that other readers of the view do not matter.
inline outcome move_view(const context& c, const value& root, const view_row& kind, bool picks = false) {
  const value v = input_of(root, 0);
  if (!v || !kind.is(v)) return {};
  const bool is_own = picks || c.single_use(v), reduces = has_trait(root, trait::reduction);
  if (!is_own && !reduces) return decline(kind.stays);
  const value x = input_of(v, 0);
  const std::optional<node_below> n = below_view(root, x, kind.origins(v));
  if (!n) return {};
  const bool transposes = &kind == &transpose_view, is_static = is_static_reshape(n->dims, root.dims());
  const bool stays = !transposes || !n->keeps_order();
  const bool reshapes = reduces && transposes && is_static && moves_no_data(n->dims, n->order);
  if (stays && !is_own && !reshapes) return decline(kind.stays);
  if (!is_static && &kind == &reshape_view) return decline(computed_shape);
  const value y = n->on(root, x);
  if (!stays) return y;
  return reshapes ? reshape(y, root.dims()) : kind.again(v, y, n->order, root.dims());
}

/// An operand that a view may pass: view(x), an operator that names axes on view(x), or an operator of one operand on
/// one of these, as in Sigmoid(Slice(Transpose(x))).
struct operand_below {
  value x = {};       ///< absent if no view may pass the operand
  value viewed = {};  ///< view(x)
  value part = {};    ///< the Slice, the Pad, the Tile or the output of a Split
  value mapped = {};  ///< the operator of one operand
  std::optional<node_below> part_below = {};

  const shape& dims() const { return part ? part_below->dims : x.dims(); }
  /// The operand without the view.
  value without_view() const {
    const value y = part ? part_below->on(part, x) : x;
    return mapped ? with_inputs(mapped, {y}, {mapped.dtype(), y.dims()}) : y;
  }
};

/// True if two views of one kind move elements in the same way.
inline bool are_alike(const value& a, const value& b) {
  if (producer(a, "Transpose")) return transpose_of(a) == transpose_of(b);
  return a.dims() == b.dims() && input_of(a, 0).dims() == input_of(b, 0).dims();
}

/// True if `v` is the result of an elementwise operator of one operand.
inline bool maps_one(const value& v) {
  const node* n = producer(v);
  return n && n->inputs.size() == 1 && has_trait(*n, trait::unary) && n->domain.empty();
}
/// True if a Transpose may go through the node that makes `v` to the readers of `v`: the node keeps all axes.
inline bool is_part_of_first(const value& v) {
  if (!has_trait(v, trait::moves) || view_of(v)) return false;
  const std::optional<named_axes> named = named_axes_of(v);
  return named && !named->removed;
}

/// The view of this kind below an operand that lets it pass; absent if there is none.
inline value view_below(const context& c, const view_row& kind, const value& operand) {
  const bool maps = maps_one(operand);
  value v = maps ? input_of(operand, 0) : operand;
  const bool passes = &kind == &transpose_view && has_trait(v, trait::moves) && kind.is(input_of(v, 0));
  if (passes && !kind.is(v) && is_part_of_first(v)) v = input_of(v, 0);
  return kind.is(v) && (!maps || c.single_use(operand)) ? v : value();
}

/// The operands of a node that let equal views of one kind pass; `first` is one of the views.
struct operands_below {
  std::vector<operand_below> all;
  value first = {};
};

/// Finds the operands of the node that makes `root` that let equal views of one kind pass. The views have as many axes
/// as `root`; Reshapes also have the extents of `root`.
inline operands_below look_below(const context& c, const view_row& kind, const value& root) {
  operands_below found;
  const std::size_t count = producer(root)->inputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const value operand = input_of(root, i), v = view_below(c, kind, operand);
    if (!v || (found.first && !are_alike(found.first, v))) continue;
    if (&kind == &reshape_view ? v.dims() != root.dims() : v.rank() != root.rank()) continue;
    found.first = v;
    found.all.resize(count);
    operand_below& o = found.all[i];
    o.x = input_of(v, 0);
    o.viewed = v;
    if (same_value(operand, v)) continue;
    if (maps_one(operand)) o.mapped = operand;
    o.part = o.mapped ? input_of(operand, 0) : operand;
    if (same_value(o.part, v)) o.part = {};
    else o.part_below = below_view(o.part, o.x, kind.origins(v));
  }
  return found;
}

/// The number of reads of the node's outputs.
inline std::ptrdiff_t uses_of_outputs(const context& c, const node& n) {
  std::ptrdiff_t uses = 0;
  for (const value_id output : n.outputs) uses += output == value_id::none ? 0 : c.uses.at(output);
  return uses;
}

/// True if the operands are the only readers of one of the viewed values, directly or by parts.
inline bool frees_one(const context& c, const std::vector<operand_below>& operands) {
  std::vector<const node*> parts;  // the node of every operand that is a part
  std::vector<value> read;         // the viewed values, once for each reader that only the operands need
  for (const operand_below& o : operands) {
    if (o.part) parts.push_back(producer(o.part));
    else if (o.x) read.push_back(o.viewed);
  }
  std::ranges::sort(parts, std::less<>());
  for (auto part = parts.begin(); part != parts.end();) {
    const auto end = std::ranges::upper_bound(part, parts.end(), *part, std::less<>());
    if (end - part == uses_of_outputs(c, **part)) read.push_back({c.g, (*part)->inputs[0]});
    part = end;
  }
  std::ranges::sort(read, {}, &value::id);
  for (auto v = read.begin(); v != read.end();) {
    const auto end = std::ranges::upper_bound(v, read.end(), v->id(), {}, &value::id);
    if (end - v == c.uses.of(*v)) return true;
    v = end;
  }
  return false;
}

/// x permuted so that a common Transpose by `perm` can follow the operator; absent if that needs another Transpose.
/// Axes of extent 1 move by a Reshape.
inline value before_transpose(const value& x, const ints& perm) {
  if (without_ones(x.dims()).empty()) return x;
  shape wide(perm.size() - x.dims().size(), dim(1));
  wide.insert(wide.end(), x.dims().begin(), x.dims().end());
  const ints back = inverse_permutation(perm);
  shape moved = extents_at(wide, back);
  if (!is_static_reshape(x, moved))  // dropping leading ones can align the extents with those of x
    moved.erase(moved.begin(), std::ranges::find_if_not(moved, [](const dim& d) { return d.is(1); }));
  return moves_no_data(wide, back) && is_static_reshape(x, moved) ? reshape(x, moved) : value();
}

/// The counterpart of before_transpose() for an operand of a Concat. The operand must be a constant that nothing else
/// reads, or an Expand, such as copies of a pixel. Absent for any other operand.
inline value joined_before_transpose(const context& c, const value& v, const ints& perm) {
  if (v.is_constant()) return c.single_use(v) ? transpose(v, inverse_permutation(perm)) : value();
  if (!producer(v, "Expand") || !is_static(v.dims())) return {};
  const value pixel = before_transpose(input_of(v, 0), perm);
  return pixel ? broadcast_to(pixel, extents_at(v.dims(), inverse_permutation(perm))) : value();
}

/// True if the node that makes `v` broadcasts operands that together have at most half as many elements as `v`, so that
/// a Transpose of the operands costs less. False if `v` has few elements, or symbolic extents.
inline bool spreads_operands(const value& v) {
  constexpr std::int64_t least = 4096;
  if (!producer(v) || !has_trait(v, trait::broadcasting) || !is_static(v.dims())) return false;
  const auto count = [](const value& x) { return x.owner().dims().product(x.dims()).extent(); };
  std::int64_t operands = 0;
  for (const value& x : inputs_of(v)) operands += x && is_static(x.dims()) ? count(x) : 0;
  return count(v) >= least && 2 * operands <= count(v);
}

/// True if the node that makes `v` has a Transpose as an operand, which nothing else reads, and broadcasts much smaller
/// operands to it.
inline bool broadcasts_transpose(const context& c, const value& v) {
  constexpr std::int64_t least_ratio = 8;
  if (!producer(v) || !has_trait(v, trait::broadcasting) || !is_static(v.dims())) return false;
  const auto count = [](const value& x) { return x.owner().dims().product(x.dims()).extent(); };
  std::size_t transposes = 0;
  for (const value& x : inputs_of(v)) {
    const bool is_whole = x && x.dims() == v.dims() && transpose_of(x) && c.single_use(x);
    if (is_whole) ++transposes;
    else if (!x || !is_static(x.dims()) || least_ratio * count(x) > count(v)) return false;
  }
  return transposes == 1;
}

/// Transpose(f(op(x, y)), p) -> f(op(Transpose(x, p), Transpose(y, p))) if op broadcasts x and y to many more elements.
/// Also applies if x is a Transpose, which is joined with p, and y is small.
inline outcome raise_transpose(const context& c, const value& root) {
  const auto perm = transpose_of(root);
  std::vector<value> mapped;
  value v = input_of(root, 0);
  for (; maps_one(v) && c.single_use(v); v = input_of(v, 0)) mapped.push_back(v);
  if (!perm || !(spreads_operands(v) || broadcasts_transpose(c, v))) return {};
  if (!c.single_use(v)) return decline("the result is also read untransposed");
  std::vector<value> operands = inputs_of(v);
  for (value& x : operands)
    if (x && x.rank() > 0) {
      shape wide(static_cast<std::size_t>(root.rank() - x.rank()), dim(1));
      wide.append(x.dims());
      x = transpose(reshape(x, wide), *perm);
    }
  value result = with_inputs(v, operands, {v.dtype(), root.dims()});
  for (const value& f : mapped | std::views::reverse) result = with_inputs(f, {result}, {f.dtype(), root.dims()});
  return result;
}

/// Transpose(Softmax(x, axis=a), p) -> Softmax(Transpose(x, p), axis=last) if p brings a to the end: runtimes transpose
/// the operand of a Softmax along another axis, and the result back.
inline outcome softmax_of_last(const context& c, const value& root) {
  const auto perm = transpose_of(root);
  const value v = input_of(root, 0);
  const std::int64_t last = root.rank() - 1;
  if (!perm || !operand_axes_detail::is_softmax(v) || axis_of(v) == last || perm->back() != axis_of(v)) return {};
  if (!c.single_use(v)) return decline("the result is also read untransposed");
  return operand_axes_detail::along(v, transpose(input_of(v, 0), *perm), {last}, root.type());
}

/// op(Transpose(x, p), Transpose(y, p), c) -> Transpose(op(x, y, c'), p) if op broadcasts or is a Concat.
inline outcome sink_transposes(const context& c, const value& root) {
  const operands_below found = look_below(c, transpose_view, root);
  const bool joins = producer(root, "Concat") != nullptr;
  if (!found.first || spreads_operands(root)) return {};
  if (!frees_one(c, found.all)) return decline("the transposed values are read elsewhere too");
  const ints perm = *transpose_of(found.first);
  std::vector<value> before(found.all.size());
  infer::result dims{shape{}};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const value other = input_of(root, i);
    const operand_below& o = found.all[i];
    if (!o.x) before[i] = joins ? joined_before_transpose(c, other, perm) : before_transpose(other, perm);
    if (!o.x && !before[i]) return decline("another operand would need a Transpose");
    if (!joins) dims = infer::broadcast(dims.dims, o.x ? o.dims() : before[i].dims());
  }
  if (!joins && (!dims.ok() || std::ssize(dims.dims) != root.rank())) return {};
  for (std::size_t i = 0; i < before.size(); ++i)
    if (found.all[i].x) before[i] = found.all[i].without_view();
  return transpose(joins ? concat(before, perm[static_cast<std::size_t>(axis_of(root))])
                         : with_inputs(root, before, {root.dtype(), dims.dims}),
                   perm);
}

/// op(Reshape(x), Reshape(y), c) -> Reshape(op(x, y, c)) if op broadcasts.
inline outcome sink_reshapes(const context& c, const value& root) {
  if (!any_input(root, is_reshape)) return {};
  const operands_below found = look_below(c, reshape_view, root);
  if (!found.first || !frees_one(c, found.all)) return {};
  const bool leading = is_leading_ones_reshape(found.first);
  const shape from = input_of(found.first, 0).dims();
  infer::result dims{from};
  std::vector<value> before = inputs_of(root);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (found.all[i].x) continue;
    if (!leading && !without_ones(before[i].dims()).empty()) return {};
    dims = infer::broadcast(dims.dims, before[i].dims());
    if (!dims.ok() || dims.dims != from) return {};
  }
  if (!is_static_reshape(from, root.dims())) return decline(computed_shape);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (found.all[i].x) before[i] = found.all[i].without_view();
  return reshape(with_inputs(root, before, {root.dtype(), from}), root.dims());
}

/// The extents `own`, which broadcast to `after`, as they are before a Reshape from `before` to `after`: the axes that
/// it splits are joined again, and leading ones are dropped. Absent if the Reshape does anything else, or if only some
/// axes of a split have extent 1 in `own`.
inline std::optional<shape> unsplit(shape own, const shape& before, const shape& after) {
  own.insert(own.begin(), after.size() - own.size(), dim(1));
  shape joined;
  std::size_t to = 0;
  for (const dim extent : before) {
    std::int64_t all = 1, own_extent = 1;
    const bool is_whole = to < after.size() && after[to] == extent;
    if (is_whole) joined.push_back(own[to++]);
    else if (!extent.is_constant()) return std::nullopt;
    else {
      for (; to < after.size() && all < extent.extent() && after[to].is_constant(); ++to) {
        all *= after[to].extent();
        own_extent *= own[to].extent();
      }
      if (all != extent.extent() || (own_extent != 1 && own_extent != all)) return std::nullopt;
      joined.push_back(dim(own_extent));
    }
  }
  if (to != after.size()) return std::nullopt;
  auto first = joined.begin();
  while (first != joined.end() && first->is(1)) ++first;
  return shape(first, joined.end());
}

/// The operand `v` of an operator after a Reshape from `before` to `after`, as the operator needs it before that
/// Reshape. `v` is a constant that is stored once, a vector that a Reshape splits, or an elementwise operator on these.
/// Absent for anything else.
inline value unsplit_operand(const context& c, const value& v, const shape& before, const shape& after) {
  const node* n = producer(v);
  const bool computes = n && has_trait(*n, trait::broadcasting);
  const auto dims = c.single_use(v) || v.rank() == 0 ? unsplit(v.dims(), before, after) : std::nullopt;
  if (!dims || !is_static(v.dims())) return {};
  const bool is_vector = is_reshape(v) && input_of(v, 0).rank() == 1;
  if (v.is_constant() || is_vector) return v.rank() == 0 ? v : reshape(v, *dims);
  if (!computes) return {};
  std::vector<value> inputs = inputs_of(v);
  infer::result joined{shape{}};
  for (value& input : inputs) {
    input = unsplit_operand(c, input, before, after);
    if (!input) return {};
    joined = infer::broadcast(joined.dims, input.dims());
  }
  return with_inputs(v, inputs, {v.dtype(), joined.dims});
}

/// op(Reshape(x), c) -> Reshape(op(x, c')) if c' costs nothing.
inline outcome sink_split(const context& c, const value& root) {
  if (!any_input(root, is_reshape)) return {};
  const std::vector<value> operands = inputs_of(root);
  value split;
  for (const value& v : operands)
    if (!split && is_reshape(v) && v.dims() == root.dims() && input_of(v, 0).rank() < v.rank()) split = v;
  if (!split) return {};
  const value x = input_of(split, 0);
  std::vector<value> inputs;
  for (const value& v : operands) {
    inputs.push_back(same_value(v, split) ? x : unsplit_operand(c, v, x.dims(), root.dims()));
    if (inputs.back()) continue;
    const bool is_twice = v.is_constant() && unsplit(v.dims(), x.dims(), root.dims());
    return is_twice ? decline("the weight would be stored twice, in two shapes") : outcome();
  }
  if (!c.single_use(split)) return decline(reshape_view.stays);
  if (!is_static_reshape(x, root.dims())) return decline(computed_shape);
  return reshape(with_inputs(root, inputs, {root.dtype(), x.dims()}), root.dims());
}

}  // namespace jax2onnx::rewrite::detail
