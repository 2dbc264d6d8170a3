#pragma once

#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// ragged_dot_general: products of groups of rows that lie one after another. Source: jax.lax.ragged_dot_general.
namespace jax2onnx::lower {

struct ragged_form {
  dot_axes axes{{{{1}, {1}}, {{}, {}}}};  // of the older ragged_dot
  std::int64_t ragged = 0;                ///< the lhs dimension whose elements are in groups
  ints group{0};                          ///< the rhs dimension with a matrix for every group, or none

  explicit ragged_form(const site& s) {
    const jaxpr::value* d = s.find("ragged_dot_dimension_numbers");
    if (!d) return;
    axes = dot_axes(s.argument_or<std::vector<std::vector<ints>>>(*d, "dot_dimension_numbers", {}));
    ragged = s.argument_or<ints>(*d, "lhs_ragged_dimensions", {}).at(0);
    group = s.argument_or<ints>(*d, "rhs_group_dimensions", {});
  }
};

/// Which element of the ragged dimension is in which group: bool [groups, n], or [batch..., groups, n].
inline value group_mask(const value& sizes, dim n) {
  graph& g = sizes.owner();
  const std::int64_t axis = sizes.rank() - 1;
  const value wide = cast(sizes, dtype::i64);
  const value ends = g.emit("CumSum", {wide, scalar(g, dtype::i64, axis)}, wide.type());
  const value place = range(g, n);
  const value after_start = greater_equal(place, unsqueeze(sub(ends, wide), {axis + 1}));
  return logical_and(after_start, less(place, unsqueeze(ends, {axis + 1})));
}

/// lhs with a trailing dimension of groups, and zeros in all but an element's own group.
inline value split_into_groups(const site& s, const value& lhs, const ragged_form& f) {
  const value sizes = s.in(2);
  const std::int64_t batch = sizes.rank() - 1, rank = lhs.rank();
  if (batch != 0 && batch != std::ssize(f.axes.lhs_batch)) s.unsupported("group sizes with these leading dimensions");
  const value mask = group_mask(sizes, lhs.extent(f.ragged));
  // [batch..., groups, n] to lhs's dimensions and the groups
  ints labels = batch > 0 ? f.axes.lhs_batch : ints{}, order;
  labels.push_back(rank);
  labels.push_back(f.ragged);
  for (std::int64_t label = 0; label <= rank; ++label)
    if (const auto at = std::ranges::find(labels, label); at != labels.end()) order.push_back(at - labels.begin());
  const ints absent = complement(rank + 1, labels);
  const value placed = unsqueeze(jax2onnx::transpose(mask, order), absent);
  return where(placed, unsqueeze(lhs, {rank}), scalar(s.g, lhs.dtype(), 0));
}

inline value ragged_dot(const site& s, const value& lhs, const value& rhs, const ragged_form& f) {
  const auto contains = [](const ints& list, std::int64_t n) { return std::ranges::find(list, n) != list.end(); };
  dot_axes d = f.axes;
  if (contains(d.lhs_batch, f.ragged)) return dot(lhs, rhs, d);
  const value grouped = split_into_groups(s, lhs, f);
  if (contains(d.lhs_contract, f.ragged)) {
    // Groups of what is contracted: a product for each, on a leading dimension.
    const value y = dot(grouped, rhs, d);
    const std::int64_t at = lhs.rank() - std::ssize(d.lhs_contract);
    return jax2onnx::transpose(y, joined(ints{at}, complement(y.rank(), ints{at})));
  }
  // Groups of rows: contracting the groups as well leaves each row its own matrix.
  d.lhs_contract.push_back(lhs.rank());
  d.rhs_contract.push_back(f.group.at(0));
  return dot(grouped, rhs, d);
}

inline jax_values ragged_dot_general(const site& s) {
  const ragged_form f(s);
  return bilinear(s, [&](const value& a, const value& b) { return ragged_dot(s, a, b, f); });
}

inline constexpr lowering ragged_dot_rows[] = {
    {"ragged_dot_general", ragged_dot_general, "CumSum, Where, MatMul", parts_rule::own,
     ignores{"group_offset=None out_sharding precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
