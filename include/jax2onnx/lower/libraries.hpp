#pragma once

#include <string_view>

#include <jax2onnx/build/indexing.hpp>
#include <jax2onnx/lower/calls.hpp>
#include <jax2onnx/lower/elementwise.hpp>
#include <jax2onnx/lower/linalg_lineax.hpp>
#include <jax2onnx/lower/reduce.hpp>

/// Primitives that libraries on top of JAX define.
namespace jax2onnx::lower {

/// Equinox's unvmap_any, unvmap_all, unvmap_max: over all elements, to a scalar. Source: equinox/internal/_unvmap.py.
template <op_name Op>
results over_all(const site& s) {
  return {reduced(Op.view(), s.in(0), iota_axes(s.in(0).rank()))};
}

/// What stands before the name in the rows of a tuple such as (('i_static', None), ('kwargs', ())); null without it.
inline const jaxpr::value* entry(const jaxpr::value& rows, std::string_view name) {
  for (const jaxpr::value& row : rows.items)
    if (row.items.size() == 2 && row.items[0].text.find(name) != name.npos) return &row.items[1];
  return nullptr;
}

/// One element of a buffer along an axis is written, where a predicate says so; all may have a batch dimension in front.
struct buffer_write {
  value pred, buffer, element, index;
  std::int64_t axis = 0;     ///< 1 with a batch dimension
  bool obeys_pred = false;   ///< otherwise the predicate is taken for true

  value result() const {
    graph& g = buffer.owner();
    const dim length = buffer.extent(axis);
    const value wrapped = where(less(index, 0), add(index, dim_scalar(g, length, index.dtype())), index);
    value here = equal(cast(range(g, length), index.dtype()), over_elements(wrapped, 0));
    if (obeys_pred) here = logical_and(here, over_elements(pred, 0));
    return where(over_elements(here, buffer.rank() - axis - 1), unsqueeze(element, {axis}), buffer);
  }

 private:
  /// x with `trailing` axes of extent 1 after it, and one for the buffer's axis where x lacks it.
  value over_elements(const value& x, std::int64_t trailing) const {
    shape dims = x.dims();
    if (dims.size() == static_cast<std::size_t>(axis) && axis > 0) dims.push_back(1);
    dims.insert(dims.end(), static_cast<std::size_t>(trailing), dim(1));
    return jax2onnx::reshape(x, dims);
  }
};

/// Equinox's maybe_set pred buffer x i: buffer.at[i].set(x) if pred. Source: equinox/internal/_loop/common.py.
inline results maybe_set_with(const site& s, const jaxpr::value* i_static, const jaxpr::value* i_tree, const jaxpr::value* kwargs,
                              const jaxpr::value* false_steps, buffer_write write) {
  const bool scalar_index = s.arity() == 4 && i_static && i_static->tag == jaxpr::value::kind::none && i_tree && i_tree->text == "PyTreeDef(*)";
  if (!scalar_index || !kwargs || !kwargs->items.empty()) s.unsupported("an index that is no single number");
  write.obeys_pred = write.obeys_pred || !false_steps || false_steps->flag;
  return {broadcast_to(write.result(), s.out_dims())};
}
inline results maybe_set(const site& s) {
  return maybe_set_with(s, s.find("i_static"), s.find("i_treedef"), s.find("kwargs"), s.find("makes_false_steps"),
                        {s.in(0), s.in(1), s.in(2), s.in(3)});
}

/// Lineax's linear_solve with a batch of operators or right-hand sides.
inline results mapped_linear_solve(const site& s, const jaxpr::value& params, const jaxpr::value& batch_axes) {
  const jaxpr::value *treedef = entry(params, "treedef"), *leaves = entry(params, "static");
  if (!treedef || !leaves) s.unsupported("it lacks linear_solve's parameters");
  ints axes;
  for (const jaxpr::value& axis : batch_axes.items) axes.push_back(axis.tag == jaxpr::value::kind::integer ? axis.integer : -1);
  return solve(s, *treedef, *leaves, axes).answer();
}

/// Equinox's vprim: another primitive of its own under vmap, which adds axis 0 to the result.
inline results vprim(const site& s) {
  const auto primitive = s.param<std::string_view>("prim");
  const jaxpr::value *params = s.find("params"), *batch_axes = s.find("__batch_axes");
  s.accept_parameters();
  if (primitive == "linear_solve" && params && batch_axes) return mapped_linear_solve(s, *params, *batch_axes);
  s.require_operands();
  if (primitive != "maybe_set" || !params || !batch_axes || batch_axes->items.size() != 4)
    s.unsupported(fmt::format("the primitive '{}' under vmap", primitive));
  const auto batched = [&](std::size_t i, std::int64_t rank) {
    const jaxpr::value& axis = batch_axes->items[i];
    const value x = s.in(i);
    if (axis.tag != jaxpr::value::kind::integer) return x.rank() < rank ? unsqueeze(x, {0}) : x;
    if (axis.integer < 0 || axis.integer >= x.rank()) s.unsupported("its batch axes do not fit its operands");
    ints perm = iota_axes(x.rank());
    std::rotate(perm.begin(), perm.begin() + axis.integer, perm.begin() + axis.integer + 1);
    return transpose(x, perm);
  };
  const std::int64_t rank = std::ssize(s.out_dims());
  return maybe_set_with(s, entry(*params, "i_static"), entry(*params, "i_treedef"), entry(*params, "kwargs"),
                        entry(*params, "makes_false_steps"),
                        {batched(0, 1), batched(1, rank), batched(2, rank - 1), batched(3, 1), 1,
                         batch_axes->items[0].tag == jaxpr::value::kind::integer});
}

/// Equinox's nonbatchable, nondifferentiable, …: they make some transformation of a value an error.
inline constexpr lowering library_rows[] = {
    {"announce_jaxpr", same_values, "", parts_rule::own},
    {"maybe_set", maybe_set, "Where", parts_rule::plain, "indices that are no single number"},
    {"nonbatchable", same_values, "", parts_rule::own},
    {"nondifferentiable", same_values, "", parts_rule::own},
    {"nondifferentiable_backward", same_values, "", parts_rule::own},
    {"nontraceable", same_values, "", parts_rule::own},
    {"select_if_vmap", second_value, "", parts_rule::own},
    {"unvmap_all", over_all<"ReduceMin">, "ReduceMin"},
    {"unvmap_any", over_all<"ReduceMax">, "ReduceMax"},
    {"unvmap_max", over_all<"ReduceMax">, "ReduceMax"},
    {"vprim", vprim, "Where, Loop", parts_rule::lazy, "primitives other than maybe_set and linear_solve"},
};

}  // namespace jax2onnx::lower
