// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <jax2onnx/lower/libraries/linear_solve.hpp>
#include <jax2onnx/lower/libraries/maybe_set.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Equinox's vprim, which applies another primitive of Equinox or Lineax under vmap. Source:
/// equinox/internal/_primitive.py.
namespace jax2onnx::lower {

/// The value of `name` among the rows of a tuple such as (('i_static', None), ('kwargs', ())); null if there is none.
inline const jaxpr::value* entry(const jaxpr::value& rows, std::string_view name) {
  for (const jaxpr::value& row : rows.items)
    if (row.items.size() == 2 && row.items[0].text.find(name) != name.npos) return &row.items[1];
  return nullptr;
}

/// The primitive that a vprim applies, and the batch dimensions of its operands. Nested vmaps are nested vprims; the
/// lists begin with the outermost vprim.
struct mapped_primitive {
  std::string_view name;
  const jaxpr::value* params = nullptr;
  std::vector<const jaxpr::value*> axes;  ///< for every vmap, a list with a number or None for each operand
  std::vector<dim> sizes;                 ///< for every vmap, the size of its axis

  explicit mapped_primitive(const site& s) : name(s.param<std::string_view>("prim")), params(s.find("params")) {
    append_vmap(s, s.find("__batch_axes"), s.find("__axis_size"));
    while (name == "vprim" && params) {
      const jaxpr::value *inner = entry(*params, "prim"), *axes_of = entry(*params, "__batch_axes"),
                         *size = entry(*params, "__axis_size");
      if (!inner) break;
      name = inner->text;
      append_vmap(s, axes_of, size);
      params = entry(*params, "'params'");
    }
  }
  /// Returns whether the text states the parameters and all batch axes.
  bool is_known() const {
    return params && item_loops::all_of(axes, [](const jaxpr::value* v) { return v != nullptr; });
  }
  bool is_mapped(std::size_t i) const {
    return item_loops::any_of(axes,
                              [&](const jaxpr::value* v) { return v->items[i].tag == jaxpr::value::kind::integer; });
  }

  /// Operand i with one leading batch dimension for all vmaps. The extent is 1 if there is a single vmap that does not
  /// map the operand.
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
    return each_part(o, [&](const value& v) { return merged_batch(unsqueeze(transpose(v, order), missing)); });
  }

 private:
  void append_vmap(const site& s, const jaxpr::value* batch_axes, const jaxpr::value* size) {
    const bool fits = batch_axes && batch_axes->items.size() == s.arity() && size;
    axes.push_back(fits ? batch_axes : nullptr);
    sizes.push_back(fits ? s.decoder().decode<dim>(*size) : dim(1));
  }
  /// Merges the leading dimensions of v, one for each vmap, into one dimension.
  value merged_batch(const value& v) const {
    if (axes.size() == 1) return v;
    graph& g = v.owner();
    shape full = v.dims(), merged(v.dims().begin() + static_cast<std::ptrdiff_t>(axes.size()), v.dims().end());
    dim all = 1;
    for (std::size_t level = 0; level < axes.size(); ++level) {
      full[level] = sizes[level];
      all = g.dims().mul(all, sizes[level]);
    }
    merged.insert(merged.begin(), all);
    return reshape(broadcast_to(v, full), merged);
  }
};

/// Applies the mapped primitive to batched operands; the batch dimensions are the first axes of the results.
inline jax_values vprim(const site& s) {
  const mapped_primitive mapped(s);
  if (mapped.is_known() && mapped.name == "linear_solve") {
    const jaxpr::value *treedef = entry(*mapped.params, "treedef"), *leaves = entry(*mapped.params, "static");
    if (!treedef || !leaves) s.unsupported("it lacks the parameters of linear_solve");
    jax_values operands;
    for (std::size_t i = 0; i < s.arity(); ++i)
      operands.push_back(s.is_ambiguous(i) ? jax_value() : mapped.batched(s, i));
    return linear_solver(s, *treedef, *leaves, std::move(operands), mapped.axes.size()).answer();
  }
  s.require_operands();
  if (!mapped.is_known() || mapped.name != "maybe_set" || s.arity() != 4)
    s.unsupported(detail::message("the primitive '{}' is not supported under vmap", mapped.name));
  const auto batched = [&](std::size_t i) { return mapped.batched(s, i); };
  const jaxpr::value& params = *mapped.params;
  return lower_maybe_set(
      s,
      {entry(params, "i_static"), entry(params, "i_treedef"), entry(params, "kwargs"),
       entry(params, "makes_false_steps")},
      batched(1), batched(2),
      {.pred = batched(0).re(), .index = batched(3).re(), .axis = 1, .obeys_pred = mapped.is_mapped(0)});
}

inline constexpr lowering vprim_rows[] = {
    {"vprim", vprim, "Where, Loop",
     signature{{},
               {},
               nullptr,
               {{"prim", param_form::name},
                {"params", param_form::list},
                {"__batch_axes", param_form::list},
                {"__axis_size", param_form::extent}}},
     parts_rule::lazy, "primitives other than maybe_set and linear_solve", ignores{"__axis_name"}},
};

}  // namespace jax2onnx::lower
