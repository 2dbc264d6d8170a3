#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Transposes sink towards the outputs until they meet their inverse. No rule here leaves more of them than it found:
/// one moves only where nothing else reads it, or where two become one.
namespace jax2onnx::rewrite::detail {

/// x permuted so that a common Transpose by `perm` can follow the operator; absent if that needs another Transpose.
/// Axes of extent 1 move by a Reshape.
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

/// Reshape(Transpose(Reshape(x))): x with the parts of each axis in another order. Absent where an order is not known,
/// or the Reshapes need extents that are computed.
inline value reordered_within_axes(const value& x, const axis_layout& layout) {
  shape split;
  ints order;
  for (std::size_t axis = 0; axis < layout.size(); ++axis) {
    const axis_parts& parts = layout[axis];
    if (parts.size() < 2) {
      order.push_back(std::ssize(split));
      split.push_back(x.dims()[axis]);
      continue;
    }
    axis_parts before = parts;
    const auto is_constant = [](const axis_part& p) { return p.step.is_constant(); };
    if (!std::ranges::all_of(parts, is_constant)) return {};
    std::ranges::sort(before, std::greater<>(), [](const axis_part& p) { return p.step.extent(); });
    for (const axis_part& p : parts)
      order.push_back(std::ssize(split) + (std::ranges::find(before, p) - before.begin()));
    for (const axis_part& p : before) split.push_back(p.extent);
  }
  if (!is_static_reshape(x, split)) return {};
  const value moved = transpose(reshape(x, split), order);
  return is_static_reshape(moved, x.dims()) ? reshape(moved, x.dims()) : value();
}

/// The shuffle of channels that stand last.
inline outcome sink_through_views(const context& c, const value& root) {
  ints outer, perm;
  value x, split;
  const value joined = input_of(root, 0);
  if (!match(joined, m_transpose(outer, m_value(split))) || !is_reshape(split)) return {};
  const value moved = input_of(split, 0);
  if (!match(moved, m_transpose(perm, m_value(x))) || root.dims() != moved.dims()) return {};
  if (!c.single_use(joined) || !c.single_use(split) || !c.single_use(moved))
    return decline("the transposed value is read elsewhere too");
  axis_layout layout;
  for (std::int64_t i = 0; i < x.rank(); ++i) layout.push_back(whole_axis(i, x.extent(i)));
  for (const value& step : {moved, split, joined, root}) {
    std::optional<axis_layout> next = layout_after(step, layout);
    if (!next) return {};
    layout = std::move(*next);
  }
  axis_layout before(layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const auto is_of_another = [&](const axis_part& p) { return p.axis != perm[i]; };
    if (std::ranges::any_of(layout[i], is_of_another)) return {};
    before[static_cast<std::size_t>(perm[i])] = std::move(layout[i]);
  }
  const value within = reordered_within_axes(x, before);
  return within ? outcome(transpose(within, perm)) : decline("the result needs extents that are computed");
}

inline outcome sink_through_unary(const context& c, const value& root) {
  ints perm;
  value x;
  const value moved = input_of(root, 0);
  if (!match(moved, m_transpose(perm, m_value(x)))) return {};
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  return transpose(with_first_input(root, x, {root.dtype(), x.dims()}), perm);
}

/// Whether `v` is of an operator that names constant axes of its first input, and leaves the others alone. Every reader
/// of a Split copies it at first: one with more outputs stays.
inline bool names_axes(const value& v) {
  constexpr std::size_t most_outputs = 16;
  const node* n = producer(v);
  if (!n || !n->domain.empty()) return false;
  if (producer(v, "Split")) return n->outputs.size() <= most_outputs;
  if (producer(v, "Tile")) return constant_integers(input_of(v, 1)).has_value();
  return slice_axes_of(v) || (pad_of(v) && !input_of(v, 3));
}

/// The extents of x, of which `dims` are those of Transpose(x, perm).
inline shape extents_before(const shape& dims, const ints& perm) {
  shape before(dims.size());
  for (std::size_t i = 0; i < perm.size(); ++i) before[static_cast<std::size_t>(perm[i])] = dims[i];
  return before;
}

/// The axes of x that are `axes` of Transpose(x, perm).
inline ints axes_before(ints axes, const ints& perm) {
  for (std::int64_t& axis : axes) axis = perm[static_cast<std::size_t>(axis)];
  return axes;
}

/// The numbers of a Tile or a Pad for x that are `numbers` for Transpose(x, perm): one or two for each axis.
inline ints numbers_before(const ints& numbers, const ints& perm) {
  ints before(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t first = i / perm.size() * perm.size();
    before[first + static_cast<std::size_t>(perm[i - first])] = numbers[i];
  }
  return before;
}

/// An output of the Split that makes `v` of Transpose(x, perm), of x.
inline value split_before(const value& v, const value& x, const ints& perm) {
  const node& n = *producer(v);
  const auto index = std::ranges::find(n.outputs, v.id()) - n.outputs.begin();
  std::vector<tensor_type> types(n.outputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const tensor_type& type = x.owner().at(n.outputs[i] == value_id::none ? v.id() : n.outputs[i]).type;
    types[i] = {type.type, extents_before(type.dims, perm)};
  }
  std::vector<attribute> attributes = n.attributes;
  std::erase_if(attributes, [](const attribute& a) { return a.name == "axis"; });
  attributes.push_back({"axis", axes_before({axis_of(v)}, perm)[0]});
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = x;
  return x.owner().emit_many("Split", inputs, types, std::move(attributes))[static_cast<std::size_t>(index)];
}

/// What `v`, which names axes of Transpose(x, perm), is of x: v is its Transpose.
inline value on_axes_before(const value& v, const value& x, const ints& perm) {
  if (producer(v, "Split")) return split_before(v, x, perm);
  const tensor_type type{v.dtype(), extents_before(v.dims(), perm)};
  if (const auto axes = slice_axes_of(v)) return with_slice_axes(v, x, axes_before(*axes, perm), type);
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = x;
  inputs[1] = int64s(x.owner(), numbers_before(*constant_integers(inputs[1]), perm));
  return with_inputs(v, inputs, type);
}

inline outcome sink_through_axes(const context& c, const value& root) {
  ints perm;
  value x;
  const value moved = input_of(root, 0);
  if (!match(moved, m_transpose(perm, m_value(x))) || !names_axes(root)) return {};
  if (!c.single_use(moved)) return decline("the transposed value is read elsewhere too");
  return transpose(on_axes_before(root, x, perm), perm);
}

/// For what is transposed for other readers, too: those of the root need no Transpose.
inline outcome join_around_axes(const context&, const value& root) {
  ints outer, perm;
  value x, v;
  if (!match(root, m_transpose(outer, m_value(v))) || !names_axes(v)) return {};
  if (!match(input_of(v, 0), m_transpose(perm, m_value(x)))) return {};
  return axes_before(outer, perm) == iota_axes(root.rank()) ? outcome(on_axes_before(v, x, perm)) : outcome();
}

/// An operand through which a Transpose may sink: Transpose(x, perm), or what names axes of it, or an operator of one
/// operand on either, as in Sigmoid(Slice(Transpose(x, perm))).
struct sinking_operand {
  value x = {};           ///< absent where the operand is no such
  value transposed = {};  ///< Transpose(x, perm)
  value part = {};        ///< the Slice, the Pad, the Tile or the output of a Split
  value mapped = {};      ///< the operator of one operand
  shape before = {};      ///< the operand's extents without the Transpose
};

inline sinking_operand look_through(const context& c, const value& v, ints& perm) {
  sinking_operand o;
  value moved = v;
  const node* n = producer(v);
  if (n && n->domain.empty() && n->inputs.size() == 1 && has_trait(*n, trait::unary) && c.single_use(v)) {
    o.mapped = v;
    moved = input_of(v, 0);
  }
  if (names_axes(moved)) {
    o.part = moved;
    moved = input_of(moved, 0);
  }
  ints p;
  value x;
  if (!match(moved, m_transpose(p, m_value(x))) || (!perm.empty() && perm != p)) return {};
  perm = std::move(p);
  o.x = x;
  o.transposed = moved;
  o.before = extents_before(v.dims(), perm);
  return o;
}

/// The operand without its Transpose.
inline value without_transpose(const sinking_operand& o, const ints& perm) {
  const value x = o.part ? on_axes_before(o.part, o.x, perm) : o.x;
  return o.mapped ? with_inputs(o.mapped, {x}, {o.mapped.dtype(), o.before}) : x;
}

/// How often the outputs of the node are read.
inline std::ptrdiff_t uses_of_outputs(const context& c, const node& n) {
  std::ptrdiff_t uses = 0;
  for (const value_id output : n.outputs) uses += output == value_id::none ? 0 : c.uses.at(output);
  return uses;
}

/// Whether the operands are the only readers of one of the transposed values, directly or by parts.
inline bool frees_one(const context& c, const std::vector<sinking_operand>& operands) {
  std::vector<const node*> parts;  // the node of every operand that is a part
  std::vector<value> read;         // a transposed value once for each reader that only the operands have
  for (const sinking_operand& o : operands) {
    if (o.part) parts.push_back(producer(o.part));
    else if (o.x) read.push_back(o.transposed);
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

inline outcome sink_through_broadcast(const context& c, const value& root) {
  ints perm;
  std::vector<sinking_operand> found;
  const std::size_t count = producer(root)->inputs.size();
  for (std::size_t i = 0; i < count; ++i) found.push_back(look_through(c, input_of(root, i), perm));
  if (perm.empty() || std::ssize(perm) != root.rank()) return {};
  if (!frees_one(c, found)) return decline("the transposed values are read elsewhere too");
  std::vector<value> before(count);
  infer::result dims{shape{}};
  for (std::size_t i = 0; i < count; ++i) {
    if (!found[i].x) before[i] = before_transpose(input_of(root, i), perm);
    if (!found[i].x && !before[i]) return decline("another operand would need a Transpose");
    dims = infer::broadcast(dims.dims, found[i].x ? found[i].before : before[i].dims());
  }
  if (!dims.ok() || std::ssize(dims.dims) != root.rank()) return {};
  for (std::size_t i = 0; i < count; ++i)
    if (found[i].x) before[i] = without_transpose(found[i], perm);
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

/// An operand of Concat beside others that are Transpose(..., perm), as it would be before the transpose: a constant,
/// or copies of pixels. Absent for any other value.
inline value joined_before_transpose(const context& c, const value& v, const ints& perm) {
  if (v.is_constant()) return c.single_use(v) ? transpose(v, inverse_permutation(perm)) : value();
  const auto is_symbolic = [](dim d) { return !d.is_constant(); };
  if (!producer(v, "Expand") || std::ranges::any_of(v.dims(), is_symbolic)) return {};
  const value pixel = before_transpose(input_of(v, 0), perm);
  return pixel ? broadcast_to(pixel, extents_before(v.dims(), perm)) : value();
}

inline outcome sink_through_concat(const context& c, const value& root) {
  ints perm;
  std::vector<sinking_operand> found;
  for (const value& operand : inputs_of(root)) found.push_back(look_through(c, operand, perm));
  if (perm.empty()) return {};
  if (!frees_one(c, found)) return decline("the transposed values are read elsewhere too");
  std::vector<value> before;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const sinking_operand& o = found[i];
    before.push_back(o.x ? value() : joined_before_transpose(c, input_of(root, i), perm));
    if (!o.x && !before[i]) return decline("another operand would need a Transpose");
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].x) before[i] = without_transpose(found[i], perm);
  return transpose(concat(before, axes_before({axis_of(root)}, perm)[0]), perm);
}

/// The axes along which a Slice reverses its operand; empty for any other value.
inline ints reversed_axes(const value& v) {
  const auto axes = slice_axes_of(v), steps = slice_steps_of(v);
  if (!axes || !steps || input_of(v, 0).dims() != v.dims()) return {};
  if (!std::ranges::all_of(*steps, [](std::int64_t step) { return step == -1; })) return {};
  ints sorted = *axes;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
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
     "op maps the elements of one operand; the Transpose is read once", operators_with<trait::unary>,
     sink_through_unary, stage::late},
    {"sink-broadcast", "op(Transpose(x, p), f(Transpose(y, p)), c) -> Transpose(op(x, f(y), c'), p)",
     "op broadcasts; f maps the elements of one operand; c' is a Reshape of c; one of the Transposes is read only by "
     "op; a Slice, a Pad, a Tile or a Split may be between them",
     operators_with<trait::broadcasting>, sink_through_broadcast, stage::late},
    {"sink-concat", "Concat(Transpose(x, p), Transpose(y, p), axis) -> Transpose(Concat(x, y, p[axis]), p)",
     "as sink-broadcast; operands may also be constants and Expands", ops<"Concat">, sink_through_concat, stage::late},
    {"sink-axes", "op(Transpose(x, p), axes) -> Transpose(op(x, p[axes]), p)",
     "op is a Slice, a Pad or a Tile, with constant axes; the Transpose is read once", ops<"Slice", "Pad", "Tile">,
     sink_through_axes, stage::late},
    {"join-transposes-around", "Transpose(op(Transpose(x, p), axes), q) -> op(x, p[axes])",
     "op is a Slice, a Pad, a Tile or a Split, with constant axes; q is the inverse of p", ops<"Transpose">,
     join_around_axes, stage::late},
    {"sink-views", "Reshape(Transpose(Reshape(Transpose(x, p)), q)) -> Transpose(Reshape(Transpose(Reshape(x), r)), p)",
     "every axis of the result has the elements of one axis of x; each value in between is read once", ops<"Reshape">,
     sink_through_views, stage::late},
    {"reduce-transposed", "op(Transpose(x, p), axes) -> op(x, p[axes]), or a Transpose or Reshape of that",
     "op is a Reduce operator; the Transpose is read once where one stays", operators_with<trait::reduction>,
     reduce_of_transposed, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
