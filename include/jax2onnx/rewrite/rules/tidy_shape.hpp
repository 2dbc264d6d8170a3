#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Rules that remove superfluous reshapes, transposes and broadcasts.
namespace jax2onnx::rewrite::detail {

inline outcome join_transposes(const context&, const value& root) {
  value x;
  ints inner, outer;
  if (!match(root, m_transpose(outer, m_transpose(inner, m_value(x))))) return {};
  for (std::int64_t& axis : outer) axis = inner[static_cast<std::size_t>(axis)];
  return transpose(x, outer);
}

/// A Reshape moves no data.
inline outcome transpose_of_ones(const context&, const value& root) {
  ints perm, solid;
  value x;
  if (!match(root, m_transpose(perm, m_value(x)))) return {};
  for (const std::int64_t axis : perm)
    if (!x.extent(axis).is(1)) solid.push_back(axis);
  if (!std::is_sorted(solid.begin(), solid.end())) return {};
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  return reshape(x, root.dims());
}

inline outcome reshape_constant(const context& c, const value& root) {
  value x;
  if (!match(root, m_reshape(m_constant(x)))) return {};
  if (!is_stored_once_reshaped(c, x)) return decline("the weight would be stored twice, in two shapes");
  for (const dim d : root.dims())
    if (!d.is_constant()) return {};
  return c.g.constant(root.type(), x.data(), c.g.at(x.id()).name);
}

/// The shape to which the inputs broadcast, without input `skipped`.
inline infer::result broadcast_shape(std::span<const value> inputs, std::size_t skipped = SIZE_MAX) {
  infer::result r{shape{}};
  for (std::size_t i = 0; r.ok() && i < inputs.size(); ++i)
    if (i != skipped) r = infer::broadcast(r.dims, inputs[i].dims());
  return r;
}
inline bool broadcasts_to(std::span<const value> inputs, const shape& dims, std::size_t skipped = SIZE_MAX) {
  const infer::result r = broadcast_shape(inputs, skipped);
  return r.ok() && r.dims == dims;
}

/// Whether `v` is an Expand, or a Reshape that prepends extents of 1.
inline bool is_broadcast(const value& v) { return producer(v, "Expand") || is_leading_ones_reshape(v); }

/// Whether an input of the node that makes `v` has the property.
inline bool any_input(const value& v, bool (*has)(const value&)) {
  const std::size_t count = producer(v)->inputs.size();
  for (std::size_t i = 0; i < count; ++i)
    if (has(input_of(v, i))) return true;
  return false;
}

inline outcome drop_broadcast(const context&, const value& root) {
  if (!any_input(root, is_broadcast)) return {};
  std::vector<value> inputs = inputs_of(root);
  bool changed = false;
  for (value& v : inputs) {
    if (!is_broadcast(v)) continue;
    const value wide = std::exchange(v, input_of(v, 0));
    if (broadcasts_to(inputs, root.dims())) changed = true;
    else v = wide;
  }
  return changed ? outcome(with_inputs(root, inputs, root.type())) : outcome();
}

/// The scalar that fills a computed constant; absent for weights, which keep their place in the graph.
inline value scalar_of(const context& c, const value& v) {
  if (!v.is_constant() || v.rank() == 0 || !v.data().in_place() || !c.g.at(v.id()).name.empty() || !splat_number(v))
    return {};
  const auto first = v.data().view().first(static_cast<std::size_t>(bits(v.dtype())) / 8);
  return c.g.constant({v.dtype(), {}}, bytes(std::string(reinterpret_cast<const char*>(first.data()), first.size())));
}

inline outcome one_number(const context& c, const value& root) {
  const std::size_t count = producer(root)->inputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const value number = scalar_of(c, input_of(root, i));
    if (!number) continue;
    std::vector<value> inputs = inputs_of(root);
    if (!broadcasts_to(inputs, root.dims(), i)) continue;
    inputs[i] = number;
    return with_inputs(root, inputs, root.type());
  }
  return {};
}

inline outcome join_expands(const context&, const value& root) {
  const value inner = input_of(root, 0);
  return is_broadcast(inner) ? outcome(broadcast_to(input_of(inner, 0), root.dims())) : outcome();
}

/// A reduction by a Reduce operator whose axes a Reshape of it adds (`keep`) or removes, and does nothing else.
struct reshaped_reduction {
  value reduced, x;
  ints axes;
  bool keep = false;

  value without_reshape() const { return reduce(producer(reduced)->op, x, axes, keep); }
};
inline std::optional<reshaped_reduction> reshaped_reduction_of(const value& root, bool keep) {
  value reduced;
  if (!match(root, m_reshape(m_value(reduced)))) return std::nullopt;
  const auto r = reduction_of(reduced);
  if (!r || r->keep == keep) return std::nullopt;
  const value x = input_of(reduced, 0);
  if (infer::reduce(x.dims(), r->axes, keep).dims != root.dims()) return std::nullopt;
  return reshaped_reduction{reduced, x, r->axes, keep};
}

inline outcome keep_reduced(const context& c, const value& root) {
  const auto r = reshaped_reduction_of(root, true);
  if (!r) return {};
  if (!c.single_use(r->reduced)) return decline("the reduced value is also read without its axes");
  return r->without_reshape();
}
inline outcome drop_reduced(const context& c, const value& root) {
  const auto r = reshaped_reduction_of(root, false);
  if (!r) return {};
  if (!c.single_use(r->reduced)) return decline("the reduced value is also read with its axes");
  return r->without_reshape();
}

/// The operand of a Concat of many that lies between these places along the axis; absent where none does.
inline value operand_between(const value& concat, const ints& places, std::int64_t begin, std::int64_t end) {
  const auto found = std::ranges::lower_bound(places, end);
  if (found == places.end() || *found != end || (found == places.begin() ? 0 : *(found - 1)) != begin) return {};
  return input_of(concat, static_cast<std::size_t>(found - places.begin()));
}

/// Cells of recurrent networks join kernels and take the products apart.
inline outcome slice_of_concat(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const ints* places = c.uses.ends_of_operands(x);
  if (!places && !producer(x, "Concat")) return {};
  const auto taken = single_slice_of(root);
  if (!taken || taken->axis != axis_of(x) || taken->step != 1 || !taken->count.is_constant()) return {};
  const std::int64_t wanted = taken->first + taken->count.extent();
  if (places) return operand_between(x, *places, taken->first, wanted);
  std::int64_t begin = 0;
  for (const value& part : inputs_of(x)) {
    const dim extent = part.extent(taken->axis);
    if (!extent.is_constant() || begin > taken->first) return {};
    const std::int64_t end = begin + extent.extent();
    if (begin == taken->first && end == wanted) return part;
    begin = end;
  }
  return {};
}

inline outcome pick_slice(const context& c, const value& root) {
  value sliced;
  if (!match(root, m_reshape(m_value(sliced)))) return {};
  const auto taken = single_slice_of(sliced);
  const value x = taken ? input_of(sliced, 0) : value();
  if (!taken || !taken->count.is(1) || infer::reduce(x.dims(), ints{taken->axis}, false).dims != root.dims()) return {};
  if (!c.single_use(sliced)) return decline("the slice is also read with its axis");
  return pick(x, taken->first, taken->axis);
}

inline outcome reduce_of_ones(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!is_reshape(inner)) return {};
  const auto r = reduction_of(root);
  const value x = input_of(inner, 0);
  if (!r || !moves_only_ones(x.dims(), inner.dims())) return {};
  ints axes;
  for (std::int64_t axis : r->axes)
    if (!inner.extent(axis).is(1)) axes.push_back(axis_before_ones(x.dims(), inner.dims(), axis));
  if (axes.empty()) return {};
  const shape kept = infer::reduce(x.dims(), axes, true).dims;
  if (kept != root.dims() && !is_static_reshape(x, root.dims()))
    return decline("the shape would be computed at run time");
  if (kept != root.dims() && !c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  return reshape(reduce(producer(root)->op, x, axes, true), root.dims());
}

inline bool is_expand(const value& v) { return producer(v, "Expand"); }

inline outcome sink_expand(const context& c, const value& root) {
  if (!any_input(root, is_expand)) return {};
  std::vector<value> inputs = inputs_of(root);
  value wide;
  for (value& v : inputs) {
    if (!v || (v.is_constant() && v.rank() == 0)) continue;
    if (wide || !is_expand(v) || v.dims() != root.dims()) return {};
    wide = std::exchange(v, input_of(v, 0));
  }
  if (!wide) return {};
  if (!c.single_use(wide)) return decline("the broadcast value is read elsewhere too");
  const value narrow = with_inputs(root, inputs, {root.dtype(), input_of(wide, 0).dims()});
  return c.g.emit("Expand", {narrow, input_of(wide, 1)}, root.type());
}

inline outcome sink_expands(const context& c, const value& root) {
  if (!any_input(root, is_expand)) return {};
  std::vector<value> inputs = inputs_of(root);
  value wide;
  for (value& v : inputs) {
    if (!v || !is_expand(v) || v.dims() != root.dims()) continue;
    if (!c.single_use(v)) return decline("the broadcast value is read elsewhere too");
    wide = std::exchange(v, input_of(v, 0));
  }
  if (!wide) return {};
  const infer::result narrow = broadcast_shape(inputs);
  if (!narrow.ok() || narrow.dims == root.dims()) return {};
  const bool is_same_expand = narrow.dims == input_of(wide, 0).dims();
  if (!is_same_expand && !is_static(root.dims())) return decline("the shape would be computed at run time");
  const value result = with_inputs(root, inputs, {root.dtype(), narrow.dims});
  return is_same_expand ? c.g.emit("Expand", {result, input_of(wide, 1)}, root.type())
                        : broadcast_to(result, root.dims());
}

inline outcome sink_reshape(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!is_reshape(inner)) return {};
  const value x = input_of(inner, 0);
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  return reshape(with_first_input(root, x, {root.dtype(), x.dims()}), root.dims());
}

/// An operand through which a Reshape may sink: the Reshape, or an operator of one operand behind it that nothing else
/// reads, as in x Sigmoid(x). Absent for any other.
inline value reshape_below(const context& c, const value& v) {
  if (is_reshape(v)) return v;
  const node* n = producer(v);
  const bool maps = n && n->domain.empty() && n->inputs.size() == 1 && has_trait(*n, trait::unary) && c.single_use(v);
  return maps && is_reshape(input_of(v, 0)) ? input_of(v, 0) : value();
}

/// Whether nothing but these operands reads one of the Reshapes below them.
inline bool frees_reshape(const context& c, const std::vector<value>& below) {
  return std::ranges::any_of(below, [&](const value& v) {
    return v && c.uses.of(v) <= static_cast<std::uint32_t>(std::ranges::count(below, v));
  });
}

inline outcome sink_reshapes(const context& c, const value& root) {
  if (!any_input(root, is_reshape)) return {};
  std::vector<value> before = inputs_of(root), below(before.size());
  shape from;
  bool leading = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const value r = reshape_below(c, before[i]);
    if (!r || r.dims() != root.dims() || (!from.empty() && input_of(r, 0).dims() != from)) continue;
    leading = leading && is_leading_ones_reshape(r);
    below[i] = r;
    from = input_of(r, 0).dims();
  }
  if (from.empty() || !frees_reshape(c, below)) return {};
  infer::result dims{from};
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (below[i]) continue;
    if (!leading && !without_ones(before[i].dims()).empty()) return {};
    dims = infer::broadcast(dims.dims, before[i].dims());
    if (!dims.ok() || dims.dims != from) return {};
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!below[i]) continue;
    const value x = input_of(below[i], 0);
    before[i] = below[i] == before[i] ? x : with_inputs(before[i], {x}, {before[i].dtype(), from});
  }
  if (!is_static_reshape(before[0], root.dims())) return decline("the shape would be computed at run time");
  return reshape(with_inputs(root, before, {root.dtype(), from}), root.dims());
}

/// Whether a Reshape from `before` to `after` splits the last axis, and `weight` has the axes that it makes, maybe
/// behind ones.
inline bool splits_last(const shape& before, const shape& after, const shape& weight) {
  if (before.empty() || before.size() >= after.size()) return false;
  const auto kept = static_cast<std::ptrdiff_t>(before.size() - 1);
  shape parts(after.size() - before.size() + 1, dim(1));
  std::copy(after.begin() + kept, after.end(), parts.begin());
  return std::equal(before.begin(), before.begin() + kept, after.begin()) && adds_leading_ones(parts, weight);
}

inline outcome sink_split(const context& c, const value& root) {
  for (std::size_t i : {0u, 1u}) {
    const value inner = input_of(root, i), weight = input_of(root, 1 - i);
    if (!is_reshape(inner) || !weight.is_constant() || inner.dims() != root.dims()) continue;
    const value x = input_of(inner, 0);
    if (!splits_last(x.dims(), root.dims(), weight.dims())) continue;
    if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
    if (!c.single_use(weight)) return decline("the weight would be stored twice, in two shapes");
    if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
    std::vector<value> inputs = inputs_of(root);
    inputs[i] = x;
    inputs[1 - i] = reshape(weight, {x.dims().back()});
    return reshape(with_inputs(root, inputs, x.type()), root.dims());
  }
  return {};
}

inline bool is_expanded_number(const value& v) { return is_expand(v) && input_of(v, 0).rank() == 0; }

inline outcome sink_leading_ones(const context& c, const value& root) {
  const std::size_t count = producer(root)->inputs.size();
  bool single = false;
  for (std::size_t i = 0; i < count; ++i) {
    const value v = input_of(root, i);
    if (v.rank() != root.rank()) continue;
    if (!is_expanded_number(v) && !is_leading_ones_reshape(v)) return {};
    single = single || c.single_use(v);
  }
  if (!single) return {};
  std::vector<value> before = inputs_of(root);
  for (value& v : before)
    if (v.rank() == root.rank()) v = input_of(v, 0);
  const infer::result r = broadcast_shape(before);
  if (!r.ok() || r.dims.size() == root.dims().size() || !adds_leading_ones(r.dims, root.dims())) return {};
  if (!is_static_reshape(before[0], root.dims())) return decline("the shape would be computed at run time");
  return reshape(with_inputs(root, before, {root.dtype(), r.dims}), root.dims());
}

inline outcome transpose_before_ones(const context& c, const value& root) {
  ints perm;
  value inner;
  if (!match(root, m_transpose(perm, m_value(inner))) || !is_reshape(inner)) return {};
  const value x = input_of(inner, 0);
  if (!moves_only_ones(x.dims(), inner.dims())) return {};
  ints order;
  for (std::int64_t axis : perm)
    if (!inner.extent(axis).is(1)) order.push_back(axis_before_ones(x.dims(), inner.dims(), axis));
  for (std::int64_t axis = 0; axis < x.rank(); ++axis)  // the ones stay where they are
    if (x.extent(axis).is(1)) order.insert(order.begin() + std::min<std::ptrdiff_t>(axis, std::ssize(order)), axis);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  if (!c.single_use(inner) && !std::is_sorted(order.begin(), order.end()))
    return decline("the reshaped value is read elsewhere too");
  return reshape(transpose(x, order), root.dims());
}

inline constexpr rule tidy_shape_rules[] = {
    equation<"drop-identity", "Identity(x) -> x">(),
    {"join-transposes", "Transpose(Transpose(x, p), q) -> Transpose(x, p[q])", "", ops<"Transpose">, join_transposes},
    {"transpose-of-ones", "Transpose(x) -> Reshape(x)", "only extents of 1 move; the shape is static", ops<"Transpose">,
     transpose_of_ones},
    equation<"drop-reshape", "reshaped(x) -> x">(),
    {"reshape-constant", "Reshape(c) -> c'",
     "a constant c that is read once, or of at most 1 KiB (4 KiB where it has no name)",
     operators_with<trait::reshapes>, reshape_constant},
    equation<"join-reshapes", "reshaped(reshaped(x)) -> fitted(x, root)">(),
    {"keep-reduced", "Reshape(op(x, axes, keepdims=0)) -> op(x, axes, keepdims=1)",
     "op is a Reduce operator that is read once; the Reshape restores the axes", operators_with<trait::reshapes>,
     keep_reduced},
    {"drop-reduced", "Reshape(op(x, axes, keepdims=1)) -> op(x, axes, keepdims=0)",
     "op is a Reduce operator that is read once; the Reshape removes the axes", operators_with<trait::reshapes>,
     drop_reduced},
    {"slice-of-concat", "Slice(Concat(x, y, axis), i, j, axis) -> y", "constants i and j; the slice is all of y",
     ops<"Slice">, slice_of_concat},
    {"pick-slice", "Reshape(Slice(x, i : i + 1, axis)) -> Gather(x, i, axis)",
     "a constant i >= 0; the Reshape removes the axis; the Slice is read once", operators_with<trait::reshapes>,
     pick_slice},
    {"transpose-before-ones", "Transpose(Reshape(x), p) -> Reshape(Transpose(x, p'))",
     "the Reshape only moves extents of 1, and is read once unless p' moves nothing; the shape is static",
     ops<"Transpose">, transpose_before_ones},
    {"sink-leading-ones", "op(Reshape(x), Expand(c), y) -> Reshape(op(x, c, y))",
     "op broadcasts; the Reshapes prepend extents of 1; c is a scalar; y has a lower rank; one of them is read once; "
     "the "
     "shape is static",
     operators_with<trait::broadcasting>, sink_leading_ones},
    {"drop-broadcast", "op(Expand(x), y) -> op(x, y), op(Reshape(x), y) -> op(x, y)",
     "op broadcasts x and y to the same shape; the Reshape prepends extents of 1", operators_with<trait::broadcasting>,
     drop_broadcast},
    {"one-number", "op(c, y) -> op(c[0], y)",
     "c is a constant with equal elements, not a named weight; op broadcasts c[0] and y to the same shape",
     operators_with<trait::broadcasting>, one_number},
    {"reduce-of-ones", "op(Reshape(x), axes) -> Reshape(op(x, axes'))",
     "op is a Reduce operator; the Reshape only moves extents of 1 and, where one stays, is read once; the shape is "
     "static",
     operators_with<trait::reduction>, reduce_of_ones},
    {"sink-reshape", "op(Reshape(x)) -> Reshape(op(x))",
     "op maps the elements of one operand; the Reshape is read once; the shape is static", operators_with<trait::unary>,
     sink_reshape},
    {"sink-reshapes", "op(Reshape(x), f(Reshape(y)), c) -> Reshape(op(x, f(y), c))",
     "op broadcasts; f maps the elements of one operand; equal Reshapes, one of them read only by op; c is one number, "
     "or anything where the Reshapes prepend extents of 1; the shape is static",
     operators_with<trait::broadcasting>, sink_reshapes},
    {"sink-split", "op(Reshape(x), c) -> Reshape(op(x, c'))",
     "op is arithmetic; the Reshape splits the last axis of x into the axes of a constant c; both are read once; the "
     "shape is static",
     ops<"Add", "Div", "Mul", "Sub">, sink_split, stage::late},
    {"sink-expand", "op(Expand(x)) -> Expand(op(x))",
     "op maps the elements of one operand, others are scalar constants; the Expand is read once",
     operators_with<trait::unary>, sink_expand},
    {"sink-expands", "op(Expand(x), y) -> Expand(op(x, y))",
     "op broadcasts x and y to a smaller shape; the Expand is read once; the shape is static or that of x",
     operators_with<trait::broadcasting>, sink_expands},
    {"join-expands", "Expand(Expand(x)) -> Expand(x), Expand(Reshape(x)) -> Expand(x)",
     "the Reshape prepends extents of 1", ops<"Expand">, join_expands},
};

}  // namespace jax2onnx::rewrite::detail
