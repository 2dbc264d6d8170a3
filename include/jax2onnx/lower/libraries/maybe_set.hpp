// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Equinox's maybe_set pred buffer x i: buffer.at[i].set(x) if pred, as a Where. Source:
/// equinox/internal/_loop/common.py.
namespace jax2onnx::lower {

/// A write of one element of a buffer along an axis, under a predicate. All operands may have a leading batch
/// dimension.
struct buffer_write {
  value pred, index, buffer = {}, element = {};
  std::int64_t axis = 0;    ///< the axis of the buffer; 1 if there is a batch dimension
  bool obeys_pred = false;  ///< false if the predicate is known to be true

  /// The buffer after the write.
  value result() const {
    graph& g = buffer.owner();
    const dim length = buffer.extent(axis);
    const value wrapped = where(less(index, 0), add(index, dim_scalar(g, length, index.dtype())), index);
    value here = equal(cast(range(g, length), index.dtype()), over_elements(wrapped, 0));
    if (obeys_pred) here = logical_and(here, over_elements(pred, 0));
    return where(over_elements(here, buffer.rank() - axis - 1), unsqueeze(element, {axis}), buffer);
  }

 private:
  /// x with `trailing` axes of extent 1 appended, and before them one for the buffer's axis if x lacks that axis.
  value over_elements(const value& x, std::int64_t trailing) const {
    shape dims = x.dims();
    if (dims.size() == static_cast<std::size_t>(axis) && axis > 0) dims.push_back(1);
    dims.insert(dims.end(), static_cast<std::size_t>(trailing), dim(1));
    return reshape(x, dims);
  }
};

/// The parameters of maybe_set. A pointer is null if the text lacks the parameter.
struct maybe_set_parameters {
  const jaxpr::value *i_static, *i_treedef, *kwargs, *makes_false_steps;

  /// Returns whether the index is one scalar operand.
  bool has_scalar_index() const {
    return i_static && i_static->tag == jaxpr::value::kind::none && i_treedef && i_treedef->text == "PyTreeDef(*)";
  }
};

/// Writes the parts of `element` to the parts of `buffer`. `write` has the remaining operands.
inline jax_values lower_maybe_set(const site& s, const maybe_set_parameters& parameters, const jax_value& buffer,
                                  const jax_value& element, buffer_write write) {
  const jaxpr::value* kwargs = parameters.kwargs;
  if (s.arity() != 4 || !parameters.has_scalar_index() || !kwargs || !kwargs->items.empty())
    s.unsupported("it takes more than a buffer and one index");
  write.obeys_pred = write.obeys_pred || !parameters.makes_false_steps || parameters.makes_false_steps->flag;
  return {each_part(buffer, element, [&](const value& b, const value& e) {
    write.buffer = b;
    write.element = e;
    const value written = write.result();
    return written.rank() == std::ssize(s.out_dims()) ? broadcast_to(written, s.out_dims())
                                                      : reshape(written, s.out_dims());
  })};
}

inline jax_values maybe_set(const site& s) {
  return lower_maybe_set(s, {s.find("i_static"), s.find("i_treedef"), s.find("kwargs"), s.find("makes_false_steps")},
                         s.in_parts(1), s.in_parts(2), {.pred = s.in(0), .index = s.in(3)});
}

inline constexpr lowering maybe_set_rows[] = {
    {"maybe_set", maybe_set, "Where",
     signature{or_more(3),
               1,
               nullptr,
               {{"i_static", param_form::other},
                {"i_treedef", param_form::other},
                {"kwargs", param_form::list},
                {"makes_false_steps", param_form::flag}}},
     parts_rule::own, "indices that are not a single number"},
};

}  // namespace jax2onnx::lower
