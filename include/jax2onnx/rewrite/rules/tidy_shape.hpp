#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Rules that leave out reshapes, transposes and broadcasts which nothing needs.
namespace jax2onnx::rewrite {

/// A Reshape to `target` needs no extents that are computed at run time.
inline bool is_static_reshape(const value& x, const shape& target) {
  int unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool copied = i < x.dims().size() && target[i] == x.dims()[i];
    if (!target[i].is_constant() && !copied && ++unknown > 1) return false;
    if (target[i].is(0)) return false;
  }
  return true;
}

/// `wide` is `narrow` with extents of 1 before it.
inline bool adds_leading_ones(const shape& narrow, const shape& wide) {
  if (wide.size() < narrow.size()) return false;
  const auto extra = static_cast<std::ptrdiff_t>(wide.size() - narrow.size());
  return std::all_of(wide.begin(), wide.begin() + extra, [](dim d) { return d.is(1); }) &&
         std::equal(narrow.begin(), narrow.end(), wide.begin() + extra);
}

// Pattern: Identity(x) -> x
inline outcome drop_identity(const context&, const value& root) { return operand(root, 0); }

// Pattern: Transpose(Transpose(x, p), q) -> Transpose(x, p[q])
inline outcome join_transposes(const context&, const value& root) {
  value x;
  ints inner, outer;
  if (!match(root, m_transpose(outer, m_transpose(inner, m_value(x))))) return {};
  for (std::int64_t& axis : outer) axis = inner[static_cast<std::size_t>(axis)];
  return transpose(x, outer);
}

// Pattern: Transpose(x) -> Reshape(x)   where only extents of 1 change places; a Reshape moves no data
inline outcome transpose_of_ones(const context&, const value& root) {
  ints perm;
  value x;
  if (!match(root, m_transpose(perm, m_value(x)))) return {};
  std::erase_if(perm, [&](std::int64_t axis) { return x.extent(axis).is(1); });
  if (!std::ranges::is_sorted(perm)) return {};
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  return reshape(x, root.dims());
}

// Pattern: Reshape(Reshape(x)) -> Reshape(x)
inline outcome join_reshapes(const context&, const value& root) {
  value x;
  if (!match(root, m_reshape(m_reshape(m_value(x))))) return {};
  if (x.dims() != root.dims() && !is_static_reshape(x, root.dims()))
    return decline("the shape would have to be computed");
  return reshape(x, root.dims());
}

// Pattern: Reshape(x) -> x   to the same shape
inline outcome drop_reshape(const context&, const value& root) {
  if (is_reshape(root) && operand(root, 0).dims() == root.dims()) return operand(root, 0);
  return {};
}

// Pattern: Reshape(c) -> c'   of a constant: the same bytes in another shape
inline outcome reshape_constant(const context& c, const value& root) {
  value x;
  if (!match(root, m_reshape(m_constant(x)))) return {};
  constexpr std::uint64_t small = 1024;
  if (x.data().size() > small && !c.single_use(x))
    return decline("a weight that is used in two shapes would be stored twice");
  if (!std::ranges::all_of(root.dims(), [](dim d) { return d.is_constant(); })) return {};
  return c.g.constant(root.type(), x.data(), c.g.at(x.id()).name);
}

// Pattern: op(.., Expand(x), ..) -> op(.., x, ..)   where op broadcasts x to the same shape; so does a Reshape that adds
// leading ones
inline outcome drop_broadcast(const context& c, const value& root) {
  const node& n = *producer(root);
  std::vector<value> operands;
  for (std::size_t i = 0; i < n.inputs.size(); ++i) operands.push_back(operand(root, i));
  bool changed = false;
  for (value& v : operands) {
    const node* made = producer(v);
    if (!made || !made->domain.empty()) continue;
    const bool expands = made->op == "Expand";
    if (!expands && !(is_reshape(v) && adds_leading_ones(operand(v, 0).dims(), v.dims()))) continue;
    const value wide = std::exchange(v, operand(v, 0));
    infer::result r{operands[0].dims()};
    for (std::size_t i = 1; r.ok() && i < operands.size(); ++i) r = infer::broadcast(r.dims, operands[i].dims());
    if (r.ok() && r.dims == root.dims()) changed = true;
    else v = wide;
  }
  if (!changed) return {};
  std::vector<attribute> attributes = n.attributes;
  return c.g.emit(n.op, std::span<const value>(operands), root.type(), std::move(attributes));
}

/// The scalar of which a computed constant is full; none for weights, which keep their place in the graph.
inline value scalar_of(const context& c, const value& v) {
  if (!v.is_constant() || v.rank() == 0 || !v.data().in_place() || !c.g.at(v.id()).name.empty() || !splat_number(v))
    return {};
  const auto first = v.data().view().first(static_cast<std::size_t>(bits(v.dtype())) / 8);
  return c.g.constant({v.dtype(), {}}, bytes(std::string(reinterpret_cast<const char*>(first.data()), first.size())));
}

// Pattern: op(.., c, ..) -> op(.., c[0], ..)   of a constant with one number everywhere, where op broadcasts it
inline outcome one_number(const context& c, const value& root) {
  const node& n = *producer(root);
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    const value number = scalar_of(c, operand(root, i));
    if (!number) continue;
    infer::result r{shape{}};
    for (std::size_t k = 0; r.ok() && k < n.inputs.size(); ++k)
      if (k != i) r = infer::broadcast(r.dims, operand(root, k).dims());
    if (!r.ok() || r.dims != root.dims()) continue;
    std::vector<value> operands;
    for (std::size_t k = 0; k < n.inputs.size(); ++k) operands.push_back(k == i ? number : operand(root, k));
    std::vector<attribute> attributes = n.attributes;
    return c.g.emit(n.op, std::span<const value>(operands), root.type(), std::move(attributes));
  }
  return {};
}

// Pattern: Expand(Expand(x)) -> Expand(x), Expand(Reshape(x)) -> Expand(x)   where the Reshape adds leading ones
inline outcome join_expands(const context&, const value& root) {
  const value inner = operand(root, 0);
  const node* made = producer(inner);
  if (!made) return {};
  const bool expands = made->op == "Expand" && made->domain.empty();
  if (!expands && !(is_reshape(inner) && adds_leading_ones(operand(inner, 0).dims(), inner.dims()))) return {};
  return broadcast_to(operand(inner, 0), root.dims());
}

// Pattern: Reshape(Reduce(x, axes, keepdims=0)) -> Reduce(x, axes, keepdims=1)   where the Reshape puts the axes back
inline outcome keep_reduced(const context& c, const value& root) {
  value reduced;
  if (!match(root, m_reshape(m_value(reduced)))) return {};
  const auto r = reduction_of(reduced);
  if (!r || r->keep) return {};
  const value x = operand(reduced, 0);
  if (infer::reduce(x.dims(), r->axes, true).dims != root.dims()) return {};
  if (!c.single_use(reduced)) return decline("the reduced value is read without its axes too");
  return reduce(producer(reduced)->op, x, r->axes, true);
}

// Pattern: Reshape(Slice(x, i : i + 1, axis)) -> Gather(x, i, axis)   where the Reshape removes the axis
inline outcome pick_slice(const context& c, const value& root) {
  value sliced;
  if (!match(root, m_reshape(m_value(sliced))) || !producer(sliced, "Slice")) return {};
  const auto starts = constant_int64s(operand(sliced, 1)), axes = constant_int64s(operand(sliced, 3));
  if (!starts || !axes || axes->size() != 1 || starts->front() < 0 || axes->front() < 0) return {};
  const value x = operand(sliced, 0);
  const std::int64_t axis = axes->front();
  if (!sliced.extent(axis).is(1) || infer::reduce(x.dims(), *axes, false).dims != root.dims()) return {};
  if (!c.single_use(sliced)) return decline("the slice is read with its axis too");
  return pick(x, starts->front(), axis);
}

/// The axis of x at which `axis` of a Reshape of x is, where that only puts in or takes out extents of 1 and the extent is
/// no 1; -1 where there is none.
inline std::int64_t axis_before_ones(const shape& before, const shape& after, std::int64_t axis) {
  const auto solid = [](const shape& s, std::int64_t end) {
    return std::count_if(s.begin(), s.begin() + end, [](dim d) { return !d.is(1); });
  };
  if (after[static_cast<std::size_t>(axis)].is(1)) return -1;
  const auto rank = solid(after, axis);
  for (std::int64_t i = 0; i < std::ssize(before); ++i)
    if (!before[static_cast<std::size_t>(i)].is(1) && solid(before, i) == rank) return i;
  return -1;
}
inline bool moves_only_ones(const shape& before, const shape& after) {
  const auto solid = [](shape s) {
    std::erase_if(s, [](dim d) { return d.is(1); });
    return s;
  };
  return solid(before) == solid(after);
}

// Pattern: Reduce(Reshape(x), axes) -> Reshape(Reduce(x, axes'))   where the Reshape only moves extents of 1
inline outcome reduce_of_ones(const context& c, const value& root) {
  const auto r = reduction_of(root);
  const value inner = operand(root, 0);
  if (!r || !is_reshape(inner)) return {};
  const value x = operand(inner, 0);
  if (!moves_only_ones(x.dims(), inner.dims())) return {};
  ints axes;
  for (std::int64_t axis : r->axes) {
    if (inner.extent(axis).is(1)) continue;
    axes.push_back(axis_before_ones(x.dims(), inner.dims(), axis));
    if (axes.back() < 0) return {};
  }
  if (axes.empty()) return {};
  const shape kept = infer::reduce(x.dims(), axes, true).dims;
  if (kept != root.dims() && !is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  if (kept != root.dims() && !c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  return reshape(reduce(producer(root)->op, x, axes, true), root.dims());
}

// Pattern: op(Expand(x), c) -> Expand(op(x, c))   of one operand, the others are numbers
inline outcome sink_expand(const context& c, const value& root) {
  const node& n = *producer(root);
  std::vector<value> operands;
  value wide;
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    operands.push_back(operand(root, i));
    value& v = operands.back();
    if (!v || (v.is_constant() && v.rank() == 0)) continue;
    if (wide || !producer(v, "Expand") || v.dims() != root.dims()) return {};
    wide = std::exchange(v, operand(v, 0));
  }
  if (!wide) return {};
  if (!c.single_use(wide)) return decline("the broadcast value is read elsewhere too");
  std::vector<attribute> attributes = n.attributes;
  const value narrow =
      c.g.emit(n.op, std::span<const value>(operands), {root.dtype(), operand(wide, 0).dims()}, std::move(attributes));
  return c.g.emit("Expand", {narrow, operand(wide, 1)}, root.type());
}

// Pattern: op(Reshape(x)) -> Reshape(op(x))   of one operand
inline outcome sink_reshape(const context& c, const value& root) {
  const value inner = operand(root, 0);
  if (!is_reshape(inner)) return {};
  const value x = operand(inner, 0);
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  const node& n = *producer(root);
  std::vector<value> operands{x};
  for (std::size_t i = 1; i < n.inputs.size(); ++i) operands.push_back(operand(root, i));
  std::vector<attribute> attributes = n.attributes;
  return reshape(c.g.emit(n.op, std::span<const value>(operands), {root.dtype(), x.dims()}, std::move(attributes)),
                 root.dims());
}

// Pattern: op(Reshape(x), Reshape(y), c) -> Reshape(op(x, y, c))   where c is one number, and the Reshapes are the same or
// add leading ones
inline outcome sink_reshapes(const context& c, const value& root) {
  const node& n = *producer(root);
  std::vector<value> before;
  shape from;
  bool single = false, leading = true;
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    const value v = operand(root, i);
    before.push_back(v);
    if (!is_reshape(v) || v.dims() != root.dims() || (!from.empty() && operand(v, 0).dims() != from)) continue;
    before.back() = operand(v, 0);
    from = before.back().dims();
    single = single || c.single_use(v);
    leading = leading && adds_leading_ones(from, v.dims());
  }
  if (from.empty() || !single) return {};
  infer::result dims{from};
  for (const value& v : before) {
    const bool number = std::ranges::all_of(v.dims(), [](dim d) { return d.is(1); });
    if (v.dims() != from && !(leading || number)) return {};
    dims = infer::broadcast(dims.dims, v.dims());
    if (!dims.ok() || dims.dims != from) return {};
  }
  if (!is_static_reshape(before[0], root.dims())) return decline("the shape would have to be computed");
  std::vector<attribute> attributes = n.attributes;
  return reshape(c.g.emit(n.op, std::span<const value>(before), {root.dtype(), from}, std::move(attributes)),
                 root.dims());
}

// Pattern: op(Reshape(x), Reshape(y), z) -> Reshape(op(x, y, z))   where the Reshapes add leading ones or one is
// an Expand of a number, and z has fewer dimensions
inline outcome sink_leading_ones(const context& c, const value& root) {
  const node& n = *producer(root);
  std::vector<value> before;
  bool single = false;
  infer::result dims{shape{}};
  for (std::size_t i = 0; dims.ok() && i < n.inputs.size(); ++i) {
    const value v = operand(root, i);
    before.push_back(v);
    if (v.rank() == root.rank()) {
      const bool number = producer(v, "Expand") && operand(v, 0).rank() == 0;
      if (!number && (!is_reshape(v) || !adds_leading_ones(operand(v, 0).dims(), v.dims()))) return {};
      before.back() = operand(v, 0);
      single = single || c.single_use(v);
    }
    dims = infer::broadcast(dims.dims, before.back().dims());
  }
  if (!single || !dims.ok() || !adds_leading_ones(dims.dims, root.dims()) || dims.dims.size() == root.dims().size())
    return {};
  if (!is_static_reshape(before[0], root.dims())) return decline("the shape would have to be computed");
  std::vector<attribute> attributes = n.attributes;
  return reshape(c.g.emit(n.op, std::span<const value>(before), {root.dtype(), dims.dims}, std::move(attributes)),
                 root.dims());
}

// Pattern: Transpose(Reshape(x), p) -> Reshape(Transpose(x, p'))   where the Reshape only moves extents of 1
inline outcome transpose_before_ones(const context& c, const value& root) {
  ints perm;
  value inner;
  if (!match(root, m_transpose(perm, m_value(inner))) || !is_reshape(inner)) return {};
  const value x = operand(inner, 0);
  if (!moves_only_ones(x.dims(), inner.dims())) return {};
  ints order;
  for (std::int64_t axis : perm)
    if (!inner.extent(axis).is(1)) order.push_back(axis_before_ones(x.dims(), inner.dims(), axis));
  for (std::int64_t axis = 0; axis < x.rank(); ++axis)  // the ones stay where they are
    if (x.extent(axis).is(1)) order.insert(order.begin() + std::min<std::ptrdiff_t>(axis, std::ssize(order)), axis);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  if (!c.single_use(inner) && !std::ranges::is_sorted(order))
    return decline("the reshaped value is read elsewhere too");
  return reshape(transpose(x, order), root.dims());
}

inline constexpr rule tidy_shape_rules[] = {
    {"drop-identity", "Identity(x) -> x", ops<"Identity">, drop_identity},
    {"join-transposes", "Transpose(Transpose(x, p), q) -> Transpose(x, p[q])", ops<"Transpose">, join_transposes},
    {"transpose-of-ones", "Transpose(x) -> Reshape(x), only extents of 1 move", ops<"Transpose">, transpose_of_ones},
    {"drop-reshape", "Reshape(x) -> x, to the same shape", reshape_ops, drop_reshape},
    {"reshape-constant", "Reshape(c) -> c'", reshape_ops, reshape_constant},
    {"join-reshapes", "Reshape(Reshape(x)) -> Reshape(x)", reshape_ops, join_reshapes},
    {"keep-reduced", "Reshape(Reduce(x, keepdims=0)) -> Reduce(x, keepdims=1)", reshape_ops, keep_reduced},
    {"pick-slice", "Reshape(Slice(x, i : i + 1)) -> Gather(x, i)", reshape_ops, pick_slice},
    {"transpose-before-ones", "Transpose(Reshape(x)) -> Reshape(Transpose(x)), the Reshape only moves extents of 1",
     ops<"Transpose">, transpose_before_ones},
    {"sink-leading-ones", "op(Reshape(x), Reshape(y)) -> Reshape(op(x, y)), the Reshapes add leading ones",
     broadcasting_ops, sink_leading_ones},
    {"drop-broadcast", "op(Expand(x), y) -> op(x, y), where op broadcasts x as far", broadcasting_ops, drop_broadcast},
    {"one-number", "op(c, y) -> op(c[0], y), c has one number everywhere", broadcasting_ops, one_number},
    {"reduce-of-ones", "Reduce(Reshape(x)) -> Reshape(Reduce(x)), only extents of 1 move", reduce_ops, reduce_of_ones},
    {"sink-reshape", "op(Reshape(x)) -> Reshape(op(x))", unary_ops, sink_reshape},
    {"sink-reshapes", "op(Reshape(x), Reshape(y)) -> Reshape(op(x, y))", broadcasting_ops, sink_reshapes},
    {"sink-expand", "op(Expand(x)) -> Expand(op(x))", unary_ops, sink_expand},
    {"sink-expand-of-numbers", "op(Expand(x), c) -> Expand(op(x, c)), c is a number", broadcasting_ops, sink_expand},
    {"join-expands", "Expand(Expand(x)) -> Expand(x)", ops<"Expand">, join_expands},
};

}  // namespace jax2onnx::rewrite
