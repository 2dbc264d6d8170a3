#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Transposes sink towards the outputs until they meet their inverse. No rule here leaves more nodes than it found: a
/// transpose moves only where it is not read elsewhere too, or where two become one.
namespace jax2onnx::rewrite {

/// x, of which Transpose(.., perm) is an operand beside others, as that transposed operand would be before the transpose:
/// none where that takes a Transpose of its own.
inline value before_transpose(const value& x, const ints& perm) {
  const auto ones = std::ranges::count_if(x.dims(), [](dim d) { return d.is(1); });
  if (ones == x.rank()) return x;
  if (x.rank() - ones > 1 || !x.is_constant()) return value();
  shape wide(perm.size() - x.dims().size(), dim(1)), moved(perm.size());
  wide.insert(wide.end(), x.dims().begin(), x.dims().end());
  for (std::size_t i = 0; i < perm.size(); ++i) moved[static_cast<std::size_t>(perm[i])] = wide[i];
  return reshape(x, moved);
}

// Pattern: op(Transpose(x, p)) -> Transpose(op(x), p)   of one operand
inline outcome sink_through_unary(const context& c, const value& root) {
  ints perm;
  value x;
  const value moved = operand(root, 0);
  if (!match(moved, m_transpose(perm, m_value(x)))) return {};
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  const node& n = *producer(root);
  std::vector<value> operands{x};
  for (std::size_t i = 1; i < n.inputs.size(); ++i) operands.push_back(operand(root, i));
  std::vector<attribute> attributes = n.attributes;
  return transpose(c.g.emit(n.op, std::span<const value>(operands), {root.dtype(), x.dims()}, std::move(attributes)),
                   perm);
}

/// An operand of an op through which a Transpose may sink.
struct sinking_operand {
  value before;                   ///< the operand as it would be without its Transpose; none where it has none
  value transposed;               ///< the Transpose's result
  const node* between = nullptr;  ///< an op of one operand behind the Transpose, as the Sigmoid of x sigmoid(x)
};

inline sinking_operand look_through(const context& c, const value& v, ints& perm) {
  sinking_operand found;
  value moved = v;
  if (const node* n = producer(v); n && n->domain.empty() && n->inputs.size() == 1 &&
                                   std::ranges::find(unary_ops, n->op) != std::end(unary_ops) && c.single_use(v)) {
    moved = operand(v, 0);
    found.between = n;
  }
  ints p;
  value x;
  if (!match(moved, m_transpose(p, m_value(x))) || (!perm.empty() && perm != p)) return {};
  perm = p;
  found.before = x;
  found.transposed = moved;
  return found;
}

// Pattern: op(Transpose(x, p), f(Transpose(y, p)), c) -> Transpose(op(x, f(y), c'), p)   of operands that broadcast
inline outcome sink_through_broadcast(const context& c, const value& root) {
  const std::string_view op = producer(root)->op;
  const std::vector<attribute> attributes = producer(root)->attributes;
  ints perm;
  std::vector<sinking_operand> found;
  for (std::size_t i = 0; i < producer(root)->inputs.size(); ++i) {
    found.push_back(look_through(c, operand(root, i), perm));
    if (found.back().before && found.back().before.rank() != root.rank()) return {};
  }
  const auto reads = [&](const value& v) { return std::ranges::count(found, v, &sinking_operand::transposed); };
  bool any = false, freed = false;
  for (const sinking_operand& o : found)
    if (o.before) any = true, freed = freed || std::cmp_equal(c.uses.of(o.transposed), reads(o.transposed));
  if (!any) return {};
  if (!freed) return decline("the transposed values are read elsewhere too");
  std::vector<value> before;
  infer::result dims{shape{}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    before.push_back(found[i].before ? found[i].before : before_transpose(operand(root, i), perm));
    if (!before[i]) return decline("another operand would have to be transposed");
    dims = infer::broadcast(dims.dims, before[i].dims());
  }
  if (!dims.ok() || static_cast<std::int64_t>(dims.dims.size()) != root.rank()) return {};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].between) continue;
    std::vector<attribute> inner = found[i].between->attributes;
    before[i] =
        c.g.emit(found[i].between->op, {before[i]}, {operand(root, i).dtype(), before[i].dims()}, std::move(inner));
  }
  return transpose(c.g.emit(op, std::span<const value>(before), {root.dtype(), dims.dims}, attributes), perm);
}

// Pattern: Reduce(Transpose(x, p), axes) -> Reduce(x, p[axes])   where the axes that stay are in order
inline outcome reduce_of_transposed(const context& c, const value& root) {
  const auto r = reduction_of(root);
  ints perm;
  value x;
  const value moved = operand(root, 0);
  if (!r || !match(moved, m_transpose(perm, m_value(x)))) return {};
  ints axes, left;
  for (std::size_t i = 0; i < perm.size(); ++i)
    (std::ranges::find(r->axes, static_cast<std::int64_t>(i)) != r->axes.end() ? axes : left).push_back(perm[i]);
  std::ranges::sort(axes);
  const std::string_view op = producer(root)->op;
  if (r->keep) {
    if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
    return transpose(reduce(op, x, axes, true), perm);
  }
  if (std::ranges::is_sorted(left)) return reduce(op, x, axes);
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  ints order;
  for (std::int64_t axis : left)
    order.push_back(std::ranges::count_if(left, [&](std::int64_t other) { return other < axis; }));
  return transpose(reduce(op, x, axes), order);
}

// Pattern: Concat(Transpose(x, p), Transpose(y, p), axis) -> Transpose(Concat(x, y, p[axis]), p)
inline outcome sink_through_concat(const context& c, const value& root) {
  ints perm;
  std::vector<value> before;
  bool single = false;
  for (std::size_t i = 0; i < producer(root)->inputs.size(); ++i) {
    ints p;
    value x;
    if (!match(operand(root, i), m_transpose(p, m_value(x))) || (!perm.empty() && p != perm)) return {};
    perm = p;
    single = single || c.single_use(operand(root, i));
    before.push_back(x);
  }
  if (!single) return decline("the transposed values are read elsewhere too");
  const auto axis = attribute_of<std::int64_t>(root, "axis");
  if (!axis || *axis < 0) return {};
  return transpose(concat(before, perm[static_cast<std::size_t>(*axis)]), perm);
}

/// The axes along which a Slice turns its operand round from end to end; none where it does something else.
inline ints reversed_axes(const value& v) {
  const node* n = producer(v, "Slice");
  if (!n || n->inputs.size() != 5 || operand(v, 0).dims() != v.dims()) return {};
  const auto starts = constant_int64s(operand(v, 1)), ends = constant_int64s(operand(v, 2)),
             steps = constant_int64s(operand(v, 4));
  std::optional<ints> axes = constant_int64s(operand(v, 3));
  if (!starts || !ends || !steps || !axes) return {};
  const auto all = [](const ints& numbers, std::int64_t wanted) {
    return std::ranges::all_of(numbers, [&](std::int64_t k) { return k == wanted; });
  };
  if (!all(*starts, -1) || !all(*ends, INT64_MIN) || !all(*steps, -1)) return {};
  for (std::int64_t& axis : *axes) axis += axis < 0 ? v.rank() : 0;
  std::ranges::sort(*axes);
  return *axes;
}

// Pattern: reverse(Transpose(reverse(x), p)) -> Transpose(x, p)   along the same axes; also without the Transpose
inline outcome drop_double_reverse(const context&, const value& root) {
  ints outer = reversed_axes(root);
  if (outer.empty()) return {};
  value between = operand(root, 0);
  ints perm = iota_axes(root.rank());
  if (producer(between, "Transpose")) {
    const auto found = attribute_of<ints>(between, "perm");
    if (!found) return {};
    perm = *found;
    between = operand(between, 0);
  }
  for (std::int64_t& axis : outer) axis = perm[static_cast<std::size_t>(axis)];
  std::ranges::sort(outer);
  return reversed_axes(between) == outer ? outcome(transpose(operand(between, 0), perm)) : outcome();
}

inline constexpr rule layout_rules[] = {
    {"drop-double-reverse", "reverse(Transpose(reverse(x))) -> Transpose(x), along the same axes", ops<"Slice">,
     drop_double_reverse},
    {"sink-unary", "op(Transpose(x)) -> Transpose(op(x))", unary_ops, sink_through_unary, stage::late},
    {"sink-broadcast", "op(Transpose(x, p), Transpose(y, p)) -> Transpose(op(x, y), p)", broadcasting_ops,
     sink_through_broadcast, stage::late},
    {"sink-concat", "Concat(Transpose(x, p), Transpose(y, p)) -> Transpose(Concat(x, y), p)", ops<"Concat">,
     sink_through_concat, stage::late},
    {"reduce-transposed", "Reduce(Transpose(x, p), axes) -> Reduce(x, p[axes])", reduce_ops, reduce_of_transposed,
     stage::late},
};

}  // namespace jax2onnx::rewrite
