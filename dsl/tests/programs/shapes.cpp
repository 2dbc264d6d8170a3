// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program appends the negated batch to a batch, and returns computed extents.
PROGRAM(mirror_batch) {
  graph g(23);
  const auto x = input<float, "B"_d, "T"_d, 4>(g, "x");
  const tensor<float, "B"_d * 2, "T"_d, 4> both = concat<0>(x, -x);
  const auto rows = reshape<"B"_d * "T"_d * 2, 4>(both);
  const auto first = input<float, 4>(g, "first");
  const auto longer = concat<0>(expand<1, 4>(first), rows);
  const tensor<float, "B"_d * "T"_d * 2 + 1, 4> named = longer;
  const auto halves = split<0, 2>(both);
  const auto back = std::get<0>(halves) + std::get<1>(halves);
  const tensor<float, "B"_d, "T"_d, 4> sum = back;
  const dim pairs = g.dims().mul(g.dims().symbol("B"), g.dims().symbol("T"));
  output(named, "rows");
  output(sum, "sum");
  output(shape_value(g, {g.dims().add(pairs, 1), g.dims().mul(g.dims().symbol("B"), 2), 4}), "extents");
  output(dim_value(g, g.dims().sub(g.dims().symbol("T"), 1)), "shorter");
  output(dim_scalar(g, pairs), "pairs");
  write_model(g, folder / "mirror_batch.onnx");
}

// The program cuts a series into overlapping windows of three steps, and averages the steps of each window.
PROGRAM(sliding_windows) {
  graph g(23);
  const auto x = input<float, "time"_d + 2, 4>(g, "x");
  const auto a = slice<0, 0, "time"_d>(x);
  const auto b = slice<0, 1, "time"_d + 1>(x);
  const auto c = slice<0, 2, to_end>(x);
  const tensor<float, "time"_d, 4> last = c;
  const auto windows = concat<1>(unsqueeze<1>(a), unsqueeze<1>(b), unsqueeze<1>(last));
  const auto known = tensor<float, "time"_d, 3, 4>(windows);
  const auto last_three = slice<-1, -3, to_end>(known);
  const auto backwards = slice<1, 2, -4, -1>(known);
  const auto repeated = tile<1, 2>(last);
  const auto flat = flatten<1>(known);
  output(reduce_mean<1>(known), "means");
  output(last_three, "last_three");
  output(backwards, "backwards");
  output(repeated, "repeated");
  output(flat, "flat");
  write_model(g, folder / "sliding_windows.onnx");
}

// The program reads and writes rows of a table by indices in all ways that ONNX supports.
PROGRAM(table_updates) {
  graph g(24);
  const auto table = input<float, 6, 4>(g, "table");
  const auto rows = input<std::int64_t, "n"_d>(g, "rows");
  const auto updates = input<float, "n"_d, 4>(g, "updates");
  const auto cells = unsqueeze<1>(rows);
  const auto added = scatter_nd<scatter_nd_attributes_of{.reduction = scatter_reduction::add}>(table, cells, updates);
  const auto spread = expand<"n"_d, 4>(cells);
  const value highest = scatter_elements(table, spread, updates, {.axis = 0, .reduction = scatter_reduction::max});
  const auto picked = gather_elements<1>(gather(table, rows), spread % 4);
  const auto diagonal = gather_nd(table, constant<std::int64_t, 3, 2>(g, {0, 0, 1, 1, 5, 3}));
  const auto kept = compress<1>(table, constant<bool, 4>(g, {true, false, false, true}));
  const auto places = non_zero(table > 0.5f);
  const auto [values, first, inverse, counts] = unique(rows, {.sorted = true});
  const auto cache = input<float, 1, 2, 4, 3>(g, "cache");
  const auto ring = tensor_scatter<tensor_scatter_attributes_of{.mode = cache_mode::circular}>(
      cache, input<float, 1, 2, 2, 3>(g, "entry"), constant<std::int64_t, 1>(g, {3}));
  output(added, "added");
  output(highest, "highest");
  output(picked, "picked");
  output(diagonal, "diagonal");
  output(kept, "kept");
  output(places, "places");
  output(values, "values");
  output(first, "first");
  output(inverse, "inverse");
  output(counts, "counts");
  output(ring, "ring");
  write_model(g, folder / "table_updates.onnx");
}

// The program masks and reverses sentences of different lengths, and counts the remaining tokens.
PROGRAM(ragged_mask) {
  graph g(17);
  const value x = g.input({dtype::f32, {g.dims().symbol("time"), g.dims().symbol("batch")}}, "x");
  const value lengths = g.input({dtype::i64, {g.dims().symbol("batch")}}, "lengths");
  const value steps = range(dim_scalar(g, 0), dim_scalar(g, x.extent(0)), dim_scalar(g, 1));
  const value inside = less(unsqueeze(steps, {1}), lengths);
  const value masked = where(inside, x, 0.0);
  const value reversed = reverse_sequence(masked, lengths);
  const value running = cumsum(masked, 0, {.exclusive = true, .reverse = true});
  const value causal = trilu(constant_of_shape(shape_value(g, {x.extent(0), x.extent(0)}),
                                               {.value = tensor_of<float>(dtype::f32, {1}, std::vector<float>{1})}),
                             scalar(g, dtype::i64, -1), {.upper = false});
  const value unit = eye_like(causal, {.dtype = dtype::f32, .k = 1});
  const auto parts = split(masked, {2, 3}, {.axis = 0});
  output(reversed, "reversed");
  output(running, "running");
  output(causal + unit, "neighbours");
  output(parts.at(0), "part");
  output(size(x), "size");
  output(shape_of(x, {.start = -1}), "batch");
  output(reduce_sum(cast(inside, {.to = dtype::i32}), {0}, {.keepdims = false}), "counted");
  write_model(g, folder / "ragged_mask.onnx");
}

// The program gives the statistics of a matrix: norms, extremes, products and positions.
PROGRAM(statistics) {
  graph g(26);
  const auto x = input<float, "n"_d, 5>(g, "x");
  const auto norms = concat<0>(reduce_l1<0>(x), reduce_l2<0>(x), reduce_log_sum<0>(abs(x)), reduce_log_sum_exp<0>(x),
                               reduce_prod<0>(x), reduce_sum_square<0>(x), reduce_min<0>(x));
  const auto mean_of = mean(x, x * 2.0f, clip(x, -0.5f, 0.5f));
  const auto spread = lp_normalization<-1>(x);
  output(norms, "norms");
  output(mean_of, "mean");
  output(spread, "spread");
  output(argmin<1>(x), "least");
  output(cumsum<0>(x), "sums");
  output(cumprod<1>(x), "products");
  output(det(matmul(transpose<1, 0>(x), x)), "det");
  output(min(x, round(x), ceil(x)), "low");
  output(reduce_max(x, {}, {.keepdims = false}), "highest");
  output(reduce_mean(x, {0, 1}), "grand_mean");
  output(sum(x, sign(x), mod(x, 0.25f, {.fmod = true})), "total");
  output(mean_variance_normalization(x, {.axes = {0}}), "standard");
  write_model(g, folder / "statistics.onnx");
}
