#pragma once

#include <string_view>

#include <jax2onnx/lower/control/call.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/libraries/lineax.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Primitives that libraries on top of JAX define.
namespace jax2onnx::lower {

/// Equinox's unvmap_any, unvmap_all, unvmap_max: over all elements, to a scalar. Source: equinox/internal/_unvmap.py.
template <reducer Kind>
jax_values over_all(const site& s) {
  return {reduce_or_identity(Kind, s.in(0), iota_axes(s.in(0).rank()))};
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
  std::int64_t axis = 0;    ///< 1 with a batch dimension
  bool obeys_pred = false;  ///< otherwise the predicate is taken for true

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
inline jax_values maybe_set_with(const site& s, const jaxpr::value* i_static, const jaxpr::value* i_tree,
                                 const jaxpr::value* kwargs, const jaxpr::value* false_steps, buffer_write write) {
  const bool scalar_index = s.arity() == 4 && i_static && i_static->tag == jaxpr::value::kind::none && i_tree &&
                            i_tree->text == "PyTreeDef(*)";
  if (!scalar_index || !kwargs || !kwargs->items.empty()) s.unsupported("an index that is no single number");
  write.obeys_pred = write.obeys_pred || !false_steps || false_steps->flag;
  const value written = write.result();
  return {written.rank() == std::ssize(s.out_dims()) ? broadcast_to(written, s.out_dims())
                                                     : jax2onnx::reshape(written, s.out_dims())};
}
inline jax_values maybe_set(const site& s) {
  return maybe_set_with(s, s.find("i_static"), s.find("i_treedef"), s.find("kwargs"), s.find("makes_false_steps"),
                        {s.in(0), s.in(1), s.in(2), s.in(3)});
}

/// What a vprim is of, and where its operands have their batch dimensions: one for every vmap, the outermost first.
struct mapped_primitive {
  std::string_view name;
  const jaxpr::value* params = nullptr;
  std::vector<const jaxpr::value*> axes;  ///< for every vmap: a number or None for every operand
  std::vector<dim> sizes;

  explicit mapped_primitive(const site& s) : name(s.param<std::string_view>("prim")), params(s.find("params")) {
    add(s, s.find("__batch_axes"), s.find("__axis_size"));
    while (name == "vprim" && params) {
      const jaxpr::value *inner = entry(*params, "prim"), *axes_of = entry(*params, "__batch_axes"),
                         *size = entry(*params, "__axis_size");
      if (!inner) break;
      name = inner->text;
      add(s, axes_of, size);
      params = entry(*params, "'params'");
    }
  }
  bool is_known() const {
    return params && std::ranges::all_of(axes, [](const jaxpr::value* v) { return v != nullptr; });
  }
  bool is_mapped(std::size_t i) const {
    return std::ranges::any_of(axes,
                               [&](const jaxpr::value* v) { return v->items[i].tag == jaxpr::value::kind::integer; });
  }

  /// Operand i with one batch dimension in front, for all of them; of extent 1 where a single vmap does not map it.
  jax_value batched(const site& s, std::size_t i) const {
    const jax_value& o = s.in_parts(i);
    ints order, left = iota_axes(o.re().rank());
    std::vector<std::int64_t> missing;
    for (std::size_t level = 0; level < axes.size(); ++level) {
      const jaxpr::value& axis = axes[level]->items[i];
      if (axis.tag != jaxpr::value::kind::integer) {
        missing.push_back(static_cast<std::int64_t>(level));
        continue;
      }
      if (axis.integer < 0 || axis.integer >= std::ssize(left)) s.unsupported("its batch axes do not fit its operands");
      order.push_back(left[static_cast<std::size_t>(axis.integer)]);
      left.erase(left.begin() + axis.integer);
    }
    order.insert(order.end(), left.begin(), left.end());
    return cx::map(o, [&](const value& v) {
      const value front = unsqueeze(transpose(v, order), missing);
      if (axes.size() == 1) return front;
      shape full = front.dims(),
            merged(front.dims().begin() + static_cast<std::ptrdiff_t>(axes.size()), front.dims().end());
      dim all = 1;
      for (std::size_t level = 0; level < axes.size(); ++level) {
        full[level] = sizes[level];
        all = s.g.dims().mul(all, sizes[level]);
      }
      merged.insert(merged.begin(), all);
      return jax2onnx::reshape(broadcast_to(front, full), merged);
    });
  }

 private:
  void add(const site& s, const jaxpr::value* batch_axes, const jaxpr::value* size) {
    const bool fits = batch_axes && batch_axes->items.size() == s.arity() && size;
    axes.push_back(fits ? batch_axes : nullptr);
    sizes.push_back(fits ? s.decoder().decode<dim>(*size) : dim(1));
  }
};

/// Equinox's vprim: another primitive of its own under vmap, which adds axis 0 to the result.
inline jax_values vprim(const site& s) {
  const mapped_primitive mapped(s);
  if (mapped.is_known() && mapped.name == "linear_solve") {
    const jaxpr::value *treedef = entry(*mapped.params, "treedef"), *leaves = entry(*mapped.params, "static");
    if (!treedef || !leaves) s.unsupported("it lacks linear_solve's parameters");
    std::vector<jax_value> operands;
    for (std::size_t i = 0; i < s.arity(); ++i)
      operands.push_back(s.is_ambiguous(i) ? jax_value() : mapped.batched(s, i));
    return solve(s, *treedef, *leaves, std::move(operands), mapped.axes.size()).answer();
  }
  s.require_operands();
  if (!mapped.is_known() || mapped.name != "maybe_set" || s.arity() != 4)
    s.unsupported(fmt::format("the primitive '{}' under vmap", mapped.name));
  const auto batched = [&](std::size_t i) { return mapped.batched(s, i).re(); };
  return maybe_set_with(s, entry(*mapped.params, "i_static"), entry(*mapped.params, "i_treedef"),
                        entry(*mapped.params, "kwargs"), entry(*mapped.params, "makes_false_steps"),
                        {batched(0), batched(1), batched(2), batched(3), 1, mapped.is_mapped(0)});
}

/// Equinox's nonbatchable, nondifferentiable, …: they make some transformation of a value an error.
inline constexpr lowering library_rows[] = {
    {"announce_jaxpr", same_values, "", parts_rule::own, ignores{"announce intermediates name stack"}},
    {"maybe_set", maybe_set, "Where", parts_rule::plain, "indices that are no single number"},
    {"nonbatchable", same_values, "", parts_rule::own, ignores{"allow_constant_across_batch msg"}},
    {"nondifferentiable", same_values, "", parts_rule::own, ignores{"msg"}},
    {"nondifferentiable_backward", same_values, "", parts_rule::own, ignores{"msg symbolic"}},
    {"nontraceable", same_values, "", parts_rule::own, ignores{"name"}},
    {"select_if_vmap", second_value, "", parts_rule::own},
    {"unvmap_all", over_all<reducer::minimum>, "ReduceMin"},
    {"unvmap_any", over_all<reducer::maximum>, "ReduceMax"},
    {"unvmap_max", over_all<reducer::maximum>, "ReduceMax"},
    {"vprim", vprim, "Where, Loop", parts_rule::lazy, "primitives other than maybe_set and linear_solve",
     ignores{"__axis_name"}},
};

}  // namespace jax2onnx::lower
