#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>

/// The scatter family in every form. Source: jax.lax.scatter, ScatterDimensionNumbers.
namespace jax2onnx::lower {

/// How an update changes an element.
enum class scatter_kind : std::uint8_t { set, add, mul, minimum, maximum, other };

/// Windows of updates and where they go in the operand.
struct scatter_form {
  ints update_window, inserted, map, operand_batch, index_batch;
  shape operand, updates, sizes;  ///< sizes: the window's extents along the operand's dimensions

  explicit scatter_form(const site& s) : operand(s.in_type(0).dims), updates(s.in_type(2).dims) {
    const jaxpr::value& d = s.tree("dimension_numbers");
    update_window = s.argument_or<ints>(d, "update_window_dims", {});
    inserted = s.argument_or<ints>(d, "inserted_window_dims", {});
    map = s.argument_or<ints>(d, "scatter_dims_to_operand_dims", {});
    operand_batch = s.argument_or<ints>(d, "operand_batching_dims", {});
    index_batch = s.argument_or<ints>(d, "scatter_indices_batching_dims", {});
    sizes.assign(operand.size(), dim(1));
    const ints kept = complement(std::ssize(operand), inserted, operand_batch);
    for (std::size_t i = 0; i < kept.size(); ++i)
      sizes[static_cast<std::size_t>(kept[i])] = updates[static_cast<std::size_t>(update_window[i])];
  }
  dim size(std::int64_t d) const { return sizes[static_cast<std::size_t>(d)]; }
  dim extent(std::int64_t d) const { return operand[static_cast<std::size_t>(d)]; }
  shape limits(graph& g) const {
    shape out;
    for (std::int64_t d : map) out.push_back(g.dims().sub(extent(d), size(d)));
    return out;
  }
  ints update_batch() const { return complement(std::ssize(updates), update_window); }
};

/// What changes nothing: for sums the zero that leaves -0 alone.
inline value neutral(graph& g, scatter_kind k, dtype t) {
  if (k == scatter_kind::add) return is_floating(t) ? scalar(g, t, -0.0) : scalar(g, t, 0);
  return identity_element(g,
                          k == scatter_kind::mul       ? reducer::product
                          : k == scatter_kind::minimum ? reducer::minimum
                                                       : reducer::maximum,
                          t);
}

inline value combine(scatter_kind k, const value& x, const value& update) {
  switch (k) {
    case scatter_kind::add: return add(x, update);
    case scatter_kind::mul: return mul(x, update);
    case scatter_kind::minimum: return extreme("Min", x, update);
    case scatter_kind::maximum: return extreme("Max", x, update);
    default: return update;
  }
}

inline std::string reduction_of(const site& s, scatter_kind k) {
  if (k == scatter_kind::set) return "none";
  if (k == scatter_kind::add) return "add";
  if (k == scatter_kind::mul) return "mul";
  if (s.g.opset() < 18) s.unsupported("scatter-min and scatter-max need opset 18 or newer");
  return k == scatter_kind::minimum ? "min" : "max";
}

/// One window: it is combined with the slice that it meets, then spliced in.
inline value scatter_one(scatter_kind k, const value& x, const value& update, const start_indices& starts,
                         const scatter_form& f) {
  graph& g = x.owner();
  const value window = jax2onnx::reshape(update, f.sizes);
  std::vector<slice_start> at;
  for (std::int64_t d = 0; d < x.rank(); ++d) {
    if (f.size(d) == f.extent(d)) continue;
    slice_start start{d, f.size(d), 0, {}};
    const auto column = std::ranges::find(f.map, d) - f.map.begin();
    if (column < std::ssize(f.map)) {
      const value computed = starts.column(static_cast<std::size_t>(column));
      const auto known = constant_integers(starts.vectors);
      if (known && !starts.valid) start.known = (*known)[static_cast<std::size_t>(column)];
      else start.computed = computed;
    }
    at.push_back(start);
  }
  const bool points = !at.empty() && std::ranges::all_of(at, [&](const slice_start& s) {
    return s.computed && s.size.is(1) && s.axis == &s - at.data();
  });
  value out;
  if (k == scatter_kind::set && points) {
    shape row{1};
    row.append(x.dims().tail(std::ssize(at)));
    out = scatter_nd(x, unsqueeze(starts_vector(g, at), {0}), jax2onnx::reshape(update, row));
  } else {
    out = splice(x, k == scatter_kind::set ? window : combine(k, slice_at(x, at), window), at);
  }
  return starts.valid ? where(starts.valid, out, x) : out;
}

/// What ScatterND needs: the operand's indexed dimensions first, index vectors for them, updates to match.
struct scatter_plan {
  ints operand_perm;
  value indices;      ///< [batch..., window of the indexed dimensions..., k]
  ints update_perm;   ///< batch, window of the indexed dimensions, the others
  shape update_dims;  ///< after that permutation, with extents of 1 for what the updates lack
  std::int64_t batch_rank = 0;
};

inline scatter_plan plan_scatter(graph& g, const start_indices& starts, const scatter_form& f) {
  ints indexed, rest;
  for (std::int64_t d = 0; d < std::ssize(f.operand); ++d) {
    const bool whole = f.size(d) == f.extent(d) && std::ranges::find(f.operand_batch, d) == f.operand_batch.end();
    (whole ? rest : indexed).push_back(d);
  }
  if (indexed.empty()) {  // every update covers the operand; ScatterND wants one index at least
    indexed.push_back(rest.front());
    rest.erase(rest.begin());
  }
  scatter_plan plan{joined(indexed, rest), {}, f.update_batch(), starts.batch(), starts.batch_rank()};
  std::vector<value> bases;
  shape windows;
  bool all_columns = true;
  ints columns;
  for (std::int64_t d : indexed) {
    const auto column = std::ranges::find(f.map, d), batch = std::ranges::find(f.operand_batch, d);
    windows.push_back(f.size(d));
    all_columns = all_columns && column != f.map.end();
    if (column != f.map.end()) {
      columns.push_back(column - f.map.begin());
    } else if (batch != f.operand_batch.end()) {
      const auto axis = f.index_batch[static_cast<std::size_t>(batch - f.operand_batch.begin())];
      shape along(static_cast<std::size_t>(starts.batch_rank() - axis), dim(1));
      along[0] = f.extent(d);
      shape lead(static_cast<std::size_t>(axis), dim(1));
      lead.insert(lead.end(), along.begin(), along.end());
      bases.push_back(jax2onnx::reshape(range(g, f.extent(d)), lead));
      continue;
    }
    bases.push_back(column != f.map.end() ? starts.column(static_cast<std::size_t>(column - f.map.begin()))
                                          : scalar(g, dtype::i64, 0));
  }
  plan.indices = all_columns ? window_indices(starts, columns, windows) : index_grid(g, starts.batch(), bases, windows);
  const ints kept = complement(std::ssize(f.operand), f.inserted, f.operand_batch);
  for (std::int64_t d : plan.operand_perm)
    if (const auto at = std::ranges::find(kept, d); at != kept.end())
      plan.update_perm.push_back(f.update_window[static_cast<std::size_t>(at - kept.begin())]);
  const bool points = std::ranges::all_of(windows, [](dim d) { return d.is(1); });
  if (!points) plan.update_dims.insert(plan.update_dims.end(), windows.begin(), windows.end());
  for (std::int64_t d : rest) plan.update_dims.push_back(f.extent(d));
  return plan;
}

/// A tensor whose first `rank` dimensions are merged.
inline value merge_leading(const value& x, std::int64_t rank) {
  shape merged{x.owner().dims().product(x.dims().head(rank))};
  merged.append(x.dims().tail(rank));
  return jax2onnx::reshape(x, merged);
}

inline value scatter_many(const site& s, scatter_kind k, const value& x, const value& updates,
                          const start_indices& starts, const scatter_form& f) {
  const scatter_plan plan = plan_scatter(s.g, starts, f);
  value indices = plan.indices,
        changes = jax2onnx::reshape(jax2onnx::transpose(updates, plan.update_perm), plan.update_dims);
  if (starts.valid && k != scatter_kind::set) {
    ints window;
    for (std::int64_t axis = plan.batch_rank; axis < changes.rank(); ++axis) window.push_back(axis);
    changes = where(unsqueeze(starts.valid, window), changes, neutral(s.g, k, changes.dtype()));
  } else if (starts.valid) {
    const value keep = merge_leading(starts.valid, plan.batch_rank);
    indices = compress(merge_leading(indices, plan.batch_rank), keep);
    changes = compress(merge_leading(changes, plan.batch_rank), keep);
  }
  const value y = scatter_nd(jax2onnx::transpose(x, plan.operand_perm), indices, changes, reduction_of(s, k));
  return jax2onnx::transpose(y, inverse(plan.operand_perm));
}

/// One update for every position of all dimensions but one: ScatterElements; nothing where the form is another one.
inline std::optional<value> scatter_along(const site& s, scatter_kind k, const value& x, const value& updates,
                                          const start_indices& starts, const scatter_form& f) {
  const bool droppable = !starts.valid || k != scatter_kind::set;
  if (f.map.size() != 1 || std::ssize(f.operand_batch) != x.rank() - 1 || starts.batch_rank() != x.rank() || !droppable)
    return std::nullopt;
  const ints free = complement(starts.batch_rank(), f.index_batch);
  if (!f.size(f.map[0]).is(1) || !f.update_window.empty()) return std::nullopt;
  ints perm(static_cast<std::size_t>(x.rank()), free[0]);
  for (std::size_t i = 0; i < f.operand_batch.size(); ++i)
    perm[static_cast<std::size_t>(f.operand_batch[i])] = f.index_batch[i];
  const value changes = starts.valid ? where(starts.valid, updates, neutral(s.g, k, updates.dtype())) : updates;
  std::vector<attribute> attributes{{"axis", f.map[0]}};
  if (k != scatter_kind::set) attributes.push_back({"reduction", reduction_of(s, k)});
  return s.g.emit("ScatterElements", {x, jax2onnx::transpose(starts.vectors, perm), jax2onnx::transpose(changes, perm)},
                  x.type(), std::move(attributes));
}

/// Any computation, applied window by window.
inline jax_value scatter_computed(const site& s, const jaxpr::body& body, const start_indices& starts,
                                  const scatter_form& f) {
  const scatter_plan plan = plan_scatter(s.g, starts, f);
  jax_value x = s.in_parts(0), changes = s.in_parts(2);
  for (std::size_t p = 0; p < x.count; ++p) {
    x.parts[p] = jax2onnx::transpose(x.parts[p], plan.operand_perm);
    changes.parts[p] = merge_leading(
        jax2onnx::reshape(jax2onnx::transpose(changes.parts[p], plan.update_perm), plan.update_dims), plan.batch_rank);
  }
  jax_values sequences{changes, jax_value(merge_leading(plan.indices, plan.batch_rank))};
  if (starts.valid) sequences.push_back(merge_leading(starts.valid, plan.batch_rank));
  jax_value y = scan_axis(s.g, {x}, sequences, 0, false, false, [&](const jax_values& acc, const jax_values& element) {
                  const value at = element[1].re();
                  jax_value current = acc[0], out = acc[0];
                  for (std::size_t p = 0; p < current.count; ++p) current.parts[p] = gather_nd(acc[0].parts[p], at);
                  jax_value next = s.inline_elementwise(body, jax_values{current, element[0]}, current.re().dims())[0];
                  for (std::size_t p = 0; p < next.count; ++p) {
                    if (starts.valid) next.parts[p] = where(element[2].re(), next.parts[p], current.parts[p]);
                    out.parts[p] = scatter_nd(acc[0].parts[p], at, next.parts[p]);
                  }
                  return jax_values{out};
                }).last[0];
  for (std::size_t p = 0; p < y.count; ++p) y.parts[p] = jax2onnx::transpose(y.parts[p], inverse(plan.operand_perm));
  return y;
}

/// The kind of a plain scatter's computation: the second operand replaces the first, or something else.
inline scatter_kind set_kind(const jaxpr::body* body) {
  const bool replaces =
      !body || (body->equations.empty() && body->results.size() == 1 && body->results[0].slot == body->invars[1].slot);
  return replaces ? scatter_kind::set : scatter_kind::other;
}

inline jax_values scatter_as(const site& s, scatter_kind k, const jaxpr::body* body, bool negate = false) {
  const scatter_form f(s);
  const auto empty = [](const shape& dims) { return std::ranges::any_of(dims, [](dim d) { return d.is(0); }); };
  const bounds_mode mode = bounds_mode_of(s);
  if (empty(f.operand) || empty(f.updates)) return {s.in_parts(0)};
  const start_indices starts = read_starts(s.in(1), f.limits(s.g), mode);
  const bool complex = s.is_complex() && k != scatter_kind::set && k != scatter_kind::add;
  if (k == scatter_kind::other || complex) {
    if (!body) s.unsupported("a scatter of complex numbers without its computation");
    return {scatter_computed(s, *body, starts, f)};
  }
  const bool logical = is_boolean(s.in_dtype()) && k != scatter_kind::set;  // or and and, as maximum and minimum
  if (logical && k == scatter_kind::add) k = scatter_kind::maximum;
  if (logical && k == scatter_kind::mul) k = scatter_kind::minimum;
  jax_value out;
  for (std::size_t p = 0; p < s.in_parts(0).count; ++p) {
    value x = s.in_parts(0).parts[p], updates = s.in_parts(2).parts[p];
    if (negate) updates = sub(scalar(s.g, updates.dtype(), 0), updates);
    if (logical) x = cast(x, dtype::i32), updates = cast(updates, dtype::i32);
    value y;
    if (starts.batch_rank() == 0) y = scatter_one(k, x, updates, starts, f);
    else if (const auto along = scatter_along(s, k, x, updates, starts, f)) y = *along;
    else y = scatter_many(s, k, x, updates, starts, f);
    out.parts[out.count++] = logical ? cast(y, dtype::boolean) : y;
  }
  return {out};
}

inline const jaxpr::body* update_body(const site& s) {
  const jaxpr::value* v = s.find("update_jaxpr");
  return v && v->tag == jaxpr::value::kind::body ? v->body : nullptr;
}

inline jax_values scatter(const site& s) {
  const jaxpr::body* body = update_body(s);
  return scatter_as(s, set_kind(body), body);
}
template <scatter_kind Kind>
jax_values scatter_combining(const site& s) {
  return scatter_as(s, Kind, update_body(s));
}
inline jax_values scatter_sub(const site& s) { return scatter_as(s, scatter_kind::add, update_body(s), true); }

inline constexpr lowering scatter_rows[] = {
    {"scatter", scatter, "ScatterND, ScatterElements, Slice, Concat, Compress; Scan", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-add", scatter_combining<scatter_kind::add>, "ScatterND, ScatterElements", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-max", scatter_combining<scatter_kind::maximum>, "ScatterND, ScatterElements", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-min", scatter_combining<scatter_kind::minimum>, "ScatterND, ScatterElements", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-mul", scatter_combining<scatter_kind::mul>, "ScatterND, ScatterElements", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-sub", scatter_sub, "Sub, ScatterND, ScatterElements", parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
};

}  // namespace jax2onnx::lower
