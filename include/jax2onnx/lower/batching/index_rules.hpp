// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/batching/local_rules.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules of gather, scatter and slices with computed starts. A slice whose starts vary becomes a gather or scatter, and
/// leading axes may become batch axes of a gather or scatter (operand_batching_dims, since JAX 0.4.31).
namespace jax2onnx::lower::batching {

inline ints leading(std::int64_t k) {
  ints out(static_cast<std::size_t>(k));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// The dimension numbers of gather and scatter, with changes to the members that name axes.
class dimension_members {
 public:
  dimension_members(equation_view& e, std::string_view key) : e_(e) {
    if (const jaxpr::value* v = e.find(key)) value_ = *v;
    else e.unsupported(detail::message("it lacks its parameter '{}'", key));
  }
  /// Shifts the list of axes in member `key` by k and prepends `before`.
  void move(std::string_view key, std::int64_t k, const ints& before = {}) {
    ints list = before;
    if (const jaxpr::value* v = keyword(value_, key))
      for (std::int64_t d : e_.driver().decoder().decode<ints>(*v)) list.push_back(d + k);
    changed_.push_back({key, e_.store().value_of(parameter(list))});
  }
  jaxpr::value made() {
    std::vector<jaxpr::keyword_value> members = changed_;
    for (const jaxpr::keyword_value& m : value_.keywords)
      if (item_loops::none_of(changed_, [&](const auto& c) { return c.key == m.key; })) members.push_back(m);
    return e_.store().structure_of(value_, std::move(members));
  }

 private:
  equation_view& e_;
  jaxpr::value value_;
  std::vector<jaxpr::keyword_value> changed_;
};

inline varyings gather(equation_view& e) {
  const axis_set along = e.along();
  const std::int64_t k = count(along);
  varying x = e.operands()[0], i = e.operands()[1];
  dimension_members numbers(e, "dimension_numbers");
  std::vector<jaxpr::param> params = e.params();
  if (x.along == 0) {  // the leading axes of the indices come first in the result
    i = e.full(i, along);
    numbers.move("offset_dims", k);
    numbers.move("start_indices_batching_dims", k);
  } else {
    const bool both = i.along != 0;
    x = e.full(x, along);
    if (both) i = e.full(i, along);
    numbers.move("offset_dims", k, both ? ints{} : leading(k));
    numbers.move("collapsed_slice_dims", k);
    numbers.move("start_index_map", k);
    numbers.move("operand_batching_dims", k, both ? leading(k) : ints{});
    numbers.move("start_indices_batching_dims", both ? k : 0, both ? leading(k) : ints{});
    params = e.with(std::move(params), "slice_sizes",
                    led(e, e.find("slice_sizes"), both ? lead::ones : lead::extents, along));
  }
  params = e.with(std::move(params), "dimension_numbers", numbers.made());
  const std::array ins{x, i};
  return e.emit(e.equation().primitive, ins, std::move(params), prefixed_types(e, along), along);
}

inline varyings scatter(equation_view& e) {
  const axis_set along = e.along();
  const std::int64_t k = count(along);
  varying i = e.operands()[1];
  const bool each = i.along != 0;  // indices differ between devices
  if (each) i = e.full(i, along);
  dimension_members numbers(e, "dimension_numbers");
  numbers.move("update_window_dims", k, each ? ints{} : leading(k));
  numbers.move("inserted_window_dims", k);
  numbers.move("scatter_dims_to_operand_dims", k);
  numbers.move("operand_batching_dims", k, each ? leading(k) : ints{});
  numbers.move("scatter_indices_batching_dims", each ? k : 0, each ? leading(k) : ints{});
  const std::array ins{e.full(e.operands()[0], along), i, e.full(e.operands()[2], along)};
  return e.emit(e.equation().primitive, ins, e.with("dimension_numbers", numbers.made()), prefixed_types(e, along),
                along);
}

/// The starts of a slice as one index vector for each device.
inline varying start_vectors(equation_view& e, std::span<const varying> starts, axis_set along) {
  varyings columns;
  for (const varying& s : starts) columns.push_back(e.reshape(e.full(s, along), along, {dim(1)}));
  return e.concatenate(columns, count(along), along);
}
inline axis_set along_of(std::span<const varying> list) {
  axis_set s = 0;
  for (const varying& v : list) s |= v.along;
  return s;
}
/// Appends zeros for the leading axes, then the given starts.
inline void append_starts(equation_view& e, varyings& ins, std::int64_t k, std::span<const varying> starts) {
  if (starts.empty()) e.unsupported("it has no starts");
  for (std::int64_t i = 0; i < k; ++i) ins.push_back(e.literal("0", e.type(starts[0])));
  ins.insert(ins.end(), starts.begin(), starts.end());
}
inline jaxpr::value axes_structure(equation_view& e, std::string_view callee,
                                   std::initializer_list<std::pair<const char*, ints>> members) {
  parameters all;
  for (const auto& [key, list] : members) all.add(key, parameter(list));
  jaxpr::value v = e.store().value_of(parameter(std::move(all)));
  v.callee = callee;
  return v;
}
inline jaxpr::param clip_mode(equation_view& e) {
  return {"mode", e.store().value_of(parameter("GatherScatterMode.CLIP"))};
}

inline varyings dynamic_slice(equation_view& e) {
  const varying& x = e.operands()[0];
  const std::span<const varying> starts = e.operands_from(1);
  const axis_set along = e.along(), of_starts = along_of(starts);
  const std::int64_t k = count(along), rank = e.rank(x);
  if (of_starts == 0) {
    varyings ins{x};
    append_starts(e, ins, k, starts);
    return e.emit(e.equation().primitive, ins,
                  e.with("slice_sizes", led(e, e.find("slice_sizes"), lead::extents, along)), prefixed_types(e, along),
                  along);
  }
  const bool both = x.along != 0;
  const std::int64_t own = both ? k : 0;
  ints offsets, map;
  for (std::int64_t d = 0; d < rank; ++d) offsets.push_back(k + d), map.push_back(own + d);
  const axis_set axes_of_indices = both ? along : of_starts;
  const std::array ins{both ? e.full(x, along) : x, start_vectors(e, starts, axes_of_indices)};
  const jaxpr::value numbers = axes_structure(e, "GatherDimensionNumbers",
                                              {{"offset_dims", offsets},
                                               {"collapsed_slice_dims", {}},
                                               {"start_index_map", map},
                                               {"operand_batching_dims", leading(own)},
                                               {"start_indices_batching_dims", leading(own)}});
  shape sizes(static_cast<std::size_t>(own), dim(1));
  const shape local = e.out_type().dims;
  sizes.insert(sizes.end(), local.begin(), local.end());
  return e.emit("gather", ins, {{"dimension_numbers", numbers}, e.extents("slice_sizes", sizes), clip_mode(e)},
                prefixed_types(e, along), along);
}

inline varyings dynamic_update_slice(equation_view& e) {
  const std::span<const varying> starts = e.operands_from(2);
  const axis_set along = e.along();
  const std::int64_t k = count(along), rank = e.rank(e.operands()[0]);
  varyings ins{e.full(e.operands()[0], along), e.full(e.operands()[1], along)};
  if (along_of(starts) == 0) {
    append_starts(e, ins, k, starts);
    return e.emit(e.equation().primitive, ins, e.params(), prefixed_types(e, along), along);
  }
  ints all;
  for (std::int64_t d = 0; d < rank; ++d) all.push_back(k + d);
  const jaxpr::value numbers = axes_structure(e, "ScatterDimensionNumbers",
                                              {{"update_window_dims", all},
                                               {"inserted_window_dims", {}},
                                               {"scatter_dims_to_operand_dims", all},
                                               {"operand_batching_dims", leading(k)},
                                               {"scatter_indices_batching_dims", leading(k)}});
  const std::array operands{ins[0], start_vectors(e, starts, along), ins[1]};
  return e.emit("scatter", operands, {{"dimension_numbers", numbers}, clip_mode(e)}, prefixed_types(e, along), along);
}

}  // namespace jax2onnx::lower::batching
