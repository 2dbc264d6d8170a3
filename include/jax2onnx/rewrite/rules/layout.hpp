#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Transposes sink towards the outputs until they meet their inverse. No rule here leaves more of them than it found:
/// one moves only where nothing else reads it, or where two become one.
namespace jax2onnx::rewrite::detail {

/// x, an operand beside others that are Transpose(..., perm), as it would be before the transpose; absent where that
/// takes a Transpose of its own. Axes of extent 1 move by a Reshape.
inline value before_transpose(const value& x, const ints& perm) {
  const std::size_t rank = x.dims().size();
  if (without_ones(x.dims()).empty()) return x;
  shape wide(perm.size() - rank, dim(1)), moved(perm.size());
  wide.insert(wide.end(), x.dims().begin(), x.dims().end());
  ints origins;  // of the axes with other extents than 1
  for (std::size_t i = 0; i < perm.size(); ++i) {
    moved[static_cast<std::size_t>(perm[i])] = wide[i];
    if (!wide[i].is(1)) origins.push_back(perm[i]);
  }
  return std::is_sorted(origins.begin(), origins.end()) && is_static_reshape(x, moved) ? reshape(x, moved) : value();
}

inline outcome sink_through_unary(const context& c, const value& root) {
  ints perm;
  value x;
  const value moved = input_of(root, 0);
  if (!match(moved, m_transpose(perm, m_value(x)))) return {};
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  return transpose(with_first_input(root, x, {root.dtype(), x.dims()}), perm);
}

/// An operand through which a Transpose may sink.
struct sinking_operand {
  value before;      ///< the operand as it would be without its Transpose; absent where it has none
  value transposed;  ///< the Transpose's result
  value mapped =
      {};  ///< the operand where it is an operator of one operand, applied to `transposed`, as in x Sigmoid(x)
};

inline sinking_operand look_through(const context& c, const value& v, ints& perm) {
  value moved = v;
  const node* n = producer(v);
  const bool mapped = n && n->domain.empty() && n->inputs.size() == 1 && contains(unary_ops, n->op) && c.single_use(v);
  if (mapped) moved = input_of(v, 0);
  ints p;
  value x;
  if (!match(moved, m_transpose(p, m_value(x))) || (!perm.empty() && perm != p)) return {};
  perm = std::move(p);
  return {x, moved, mapped ? v : value()};
}

/// Whether the root is the only reader of one of the transposed values.
inline bool frees_one(const context& c, const std::vector<sinking_operand>& operands) {
  for (const sinking_operand& o : operands) {
    if (!o.before) continue;
    std::uint32_t reads = 0;
    for (const sinking_operand& other : operands) reads += other.transposed == o.transposed ? 1 : 0;
    if (c.uses.of(o.transposed) == reads) return true;
  }
  return false;
}

inline outcome sink_through_broadcast(const context& c, const value& root) {
  ints perm;
  std::vector<sinking_operand> found;
  const std::size_t count = producer(root)->inputs.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    found.push_back(look_through(c, input_of(root, i), perm));
    any = any || found.back().before;
    if (found.back().before && found.back().before.rank() != root.rank()) return {};
  }
  if (!any) return {};
  if (!frees_one(c, found)) return decline("the transposed values are read elsewhere too");
  std::vector<value> before;
  infer::result dims{shape{}};
  for (std::size_t i = 0; i < count; ++i) {
    before.push_back(found[i].before ? found[i].before : before_transpose(input_of(root, i), perm));
    if (!before[i]) return decline("another operand would need a Transpose");
    dims = infer::broadcast(dims.dims, before[i].dims());
  }
  if (!dims.ok() || static_cast<std::int64_t>(dims.dims.size()) != root.rank()) return {};
  for (std::size_t i = 0; i < count; ++i)
    if (const value& m = found[i].mapped) before[i] = with_inputs(m, {before[i]}, {m.dtype(), before[i].dims()});
  return transpose(with_inputs(root, before, {root.dtype(), dims.dims}), perm);
}

/// The position of every axis among `axes` in ascending order.
inline ints positions_of(const ints& axes) {
  ints positions;
  for (const std::int64_t axis : axes) {
    std::int64_t below = 0;
    for (const std::int64_t other : axes) below += other < axis ? 1 : 0;
    positions.push_back(below);
  }
  return positions;
}

inline outcome reduce_of_transposed(const context& c, const value& root) {
  ints perm;
  value x;
  const value moved = input_of(root, 0);
  if (!match(moved, m_transpose(perm, m_value(x)))) return {};
  const auto r = reduction_of(root);
  if (!r) return {};
  ints axes, left;
  for (std::size_t i = 0; i < perm.size(); ++i)
    (std::binary_search(r->axes.begin(), r->axes.end(), static_cast<std::int64_t>(i)) ? axes : left).push_back(perm[i]);
  std::sort(axes.begin(), axes.end());
  const operator_name op = producer(root)->op;
  const bool in_order = std::is_sorted(left.begin(), left.end());
  if (!r->keep && in_order) return reduce(op, x, axes);
  if (const value kept = r->keep && in_order ? reduce(op, x, axes, true) : value();
      kept && is_static_reshape(kept, root.dims()))
    return reshape(kept, root.dims());
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  return r->keep ? transpose(reduce(op, x, axes, true), perm) : transpose(reduce(op, x, axes), positions_of(left));
}

inline outcome sink_through_concat(const context& c, const value& root) {
  ints perm;
  std::vector<value> before;
  bool single = false;
  for (std::size_t i = 0; i < producer(root)->inputs.size(); ++i) {
    ints p;
    value x;
    if (!match(input_of(root, i), m_transpose(p, m_value(x))) || (!perm.empty() && p != perm)) return {};
    perm = std::move(p);
    single = single || c.single_use(input_of(root, i));
    before.push_back(x);
  }
  if (!single) return decline("the transposed values are read elsewhere too");
  const auto axis = attribute_of<std::int64_t>(root, "axis");
  if (!axis || *axis < 0) return {};
  return transpose(concat(before, perm[static_cast<std::size_t>(*axis)]), perm);
}

/// The axes along which a Slice reverses its operand; empty for any other value.
inline ints reversed_axes(const value& v) {
  const node* n = producer(v, "Slice");
  if (!n || n->inputs.size() != 5 || input_of(v, 0).dims() != v.dims()) return {};
  const auto is_all = [&](std::size_t input, std::int64_t wanted) {
    const std::optional<ints> numbers = constant_int64s(input_of(v, input));
    return numbers && std::size_t(std::count(numbers->begin(), numbers->end(), wanted)) == numbers->size();
  };
  constexpr std::int64_t from = -1, to = INT64_MIN, step = -1;
  std::optional<ints> axes = constant_int64s(input_of(v, 3));
  if (!axes || !is_all(1, from) || !is_all(2, to) || !is_all(4, step)) return {};
  for (std::int64_t& axis : *axes) axis += axis < 0 ? v.rank() : 0;
  std::sort(axes->begin(), axes->end());
  return *axes;
}

inline outcome drop_double_reverse(const context&, const value& root) {
  ints outer = reversed_axes(root);
  if (outer.empty()) return {};
  value between = input_of(root, 0);
  ints perm = iota_axes(root.rank());
  value x;
  if (match(between, m_transpose(perm, m_value(x)))) between = x;
  for (std::int64_t& axis : outer) axis = perm[static_cast<std::size_t>(axis)];
  std::sort(outer.begin(), outer.end());
  return reversed_axes(between) == outer ? outcome(transpose(input_of(between, 0), perm)) : outcome();
}

inline constexpr rule layout_rules[] = {
    {"drop-double-reverse", "reverse(Transpose(reverse(x), p)) -> Transpose(x, p), reverse(reverse(x)) -> x",
     "reverse is a Slice of whole axes with step -1; along the same axes", ops<"Slice">, drop_double_reverse},
    {"sink-unary", "op(Transpose(x, p)) -> Transpose(op(x), p)",
     "op maps the elements of one operand; the Transpose is read once", unary_ops, sink_through_unary, stage::late},
    {"sink-broadcast", "op(Transpose(x, p), f(Transpose(y, p)), c) -> Transpose(op(x, f(y), c'), p)",
     "op broadcasts; f maps the elements of one operand; c' is a Reshape of c; one of the Transposes is read only by "
     "op",
     broadcasting_ops, sink_through_broadcast, stage::late},
    {"sink-concat", "Concat(Transpose(x, p), Transpose(y, p), axis) -> Transpose(Concat(x, y, p[axis]), p)",
     "one of the Transposes is read once", ops<"Concat">, sink_through_concat, stage::late},
    {"reduce-transposed", "op(Transpose(x, p), axes) -> op(x, p[axes]), or a Transpose or Reshape of that",
     "op is a Reduce operator; the Transpose is read once where one stays", reduce_ops, reduce_of_transposed,
     stage::late},
};

}  // namespace jax2onnx::rewrite::detail
