// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of operators that pick elements by index, order or condition.
namespace jax2onnx::rules {

/// Fails for an index that is known to be out of range; negative indices count from the end.
constexpr void expect_index(inference& c, dim index, dim extent) {
  if (!index.is_constant() || !extent.is_constant()) return;
  c.expect(index.extent() >= -extent.extent() && index.extent() < extent.extent(),
           "the index {} is out of range for an extent of {}", index, extent);
}

/// Fails if an index in operand i is known to be out of range.
constexpr bool expect_indices(inference& c, std::size_t i, dim extent) {
  for (const dim k : c.elements(i).value_or(shape())) expect_index(c, k, extent);
  return !c.failed();
}

/// Fails if a tuple of indices in operand 1, which indexes the data from `axis` on, is known to be out of range.
constexpr bool expect_tuples(inference& c, std::size_t axis) {
  const shape indices = c.elements(1).value_or(shape());
  const auto length = static_cast<std::size_t>(c.dims(1).back().extent());
  for (std::size_t i = 0; i < indices.size(); ++i) expect_index(c, indices[i], c.dims(0)[axis + i % length]);
  return !c.failed();
}

/// Gather: the indices' shape replaces one axis of the data.
constexpr void gather(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  if (!c.known("axis")) return c.result(0, c.unknown(c.rank(0) - 1 + c.rank(1)));
  if (expect_indices(c, 1, c.dims(0)[static_cast<std::size_t>(axis)]))
    c.result(0, infer::gather(c.dims(0), c.dims(1), axis));
}

/// Fails unless operand i has the data's rank and, except along `axis`, no extent larger than the data's extent.
constexpr bool fits_beside(inference& c, std::size_t i, std::int64_t axis) {
  if (!c.expect(c.rank(i) == c.rank(0), "operands have {} and {} dimensions", c.rank(0), c.rank(i))) return false;
  for (std::size_t j = 0; j < c.dims(0).size() && c.known("axis"); ++j) {
    const dim data = c.dims(0)[j], other = c.dims(i)[j];
    const bool longer = data.is_constant() && other.is_constant() && other.extent() > data.extent();
    c.expect(!longer || static_cast<std::int64_t>(j) == axis, "an extent of {} exceeds the data's extent of {}", other,
             data);
  }
  return !c.failed();
}

/// GatherElements: the result has an element for each index.
constexpr void gather_elements(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (!fits_beside(c, 1, axis)) return;
  if (c.known("axis") && !expect_indices(c, 1, c.dims(0)[static_cast<std::size_t>(axis)])) return;
  c.result(0, c.dims(1));
}

/// GatherND: the last axis of the indices holds tuples; the first `batch_dims` axes are shared.
constexpr void gather_nd(inference& c) {
  const std::int64_t batch = c.integer("batch_dims"), rank = c.rank(0);
  if (!c.expect(rank > 0 && c.rank(1) > 0, "data and indices have {} and {} dimensions; both need at least one", rank,
                c.rank(1)) ||
      !c.expect(batch >= 0 && batch < rank && batch < c.rank(1),
                "batch_dims is {}; the data and the indices must have more dimensions", batch))
    return;
  const shape& indices = c.dims(1);
  const dim length = indices.back();
  if (!length.is_constant() || !c.known("batch_dims")) return c.unranked_result(0);
  if (!c.expect(length.extent() <= rank - batch, "the index tuples have {} entr{y|ies} for {} dimension{|s}", length,
                rank - batch))
    return;
  shape out = indices.head(std::ssize(indices) - 1);
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
    c.expect_equal(c.dims(0)[i], indices[i], "a batch dimension has the extent {} in the data and {} in the indices");
    out[i] = c.either(c.dims(0)[i], indices[i]);
  }
  out.append(c.dims(0).tail(batch + length.extent()));
  if (expect_tuples(c, static_cast<std::size_t>(batch))) c.result(0, std::move(out));
}

/// Fails unless the operator's version knows the value of the attribute `reduction`.
constexpr bool has_reduction(inference& c) {
  const std::string_view reduction = c.text("reduction");
  c.expect(c.since() >= 18 || (reduction != "max" && reduction != "min"),
           "the reductions max and min exist from opset 18 on");
  return c.expect_choice("reduction", {"none", "add", "mul", "max", "min"},
                         "reduction must be none, add, mul, max or min");
}

/// ScatterElements: the indices have the data's rank, and each index has an update.
constexpr void scatter_elements(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (!has_reduction(c) || !fits_beside(c, 1, axis)) return;
  if (!c.expect(c.rank(1) == c.rank(2), "indices and updates have {} and {} dimensions", c.rank(1), c.rank(2))) return;
  for (std::size_t i = 0; i < c.dims(1).size(); ++i)
    c.expect_equal(c.dims(1)[i], c.dims(2)[i], "indices and updates have extents of {} and {}");
  if (c.known("axis")) expect_indices(c, 1, c.dims(0)[static_cast<std::size_t>(axis)]);
  c.result(0, c.dims(0));
}

/// ScatterND: each tuple of indices has an update.
constexpr void scatter_nd(inference& c) {
  if (!has_reduction(c)) return;
  const std::int64_t rank = c.rank(0);
  if (!c.expect(rank > 0 && c.rank(1) > 0, "data and indices have {} and {} dimensions; both need at least one", rank,
                c.rank(1)))
    return;
  const dim length = c.dims(1).back();
  if (!length.is_constant()) return c.result(0, c.dims(0));
  if (!c.expect(length.extent() <= rank, "the index tuples have {} entr{y|ies} for {} dimension{|s}", length, rank))
    return;
  shape updates = c.dims(1).head(c.rank(1) - 1);
  updates.append(c.dims(0).tail(length.extent()));
  if (!c.expect(std::ssize(updates) == c.rank(2), "the updates have {} dimension{|s} instead of {}", c.rank(2),
                std::ssize(updates)))
    return;
  for (std::size_t i = 0; i < updates.size(); ++i)
    c.expect_equal(c.dims(2)[i], updates[i], "the updates have an extent of {} instead of {}");
  if (expect_tuples(c, 0)) c.result(0, c.dims(0));
}

/// TensorScatter: the cache and the update may differ along one axis.
constexpr void tensor_scatter(inference& c) {
  const std::int64_t rank = c.rank(0), axis = c.axis(c.integer("axis"), rank);
  if (c.failed() || !c.expect(axis != 0 || !c.known("axis"), "the axis must not be 0, which is the batch") ||
      !c.expect(c.rank(1) == rank, "cache and update have {} and {} dimensions", rank, c.rank(1)) ||
      !c.expect_choice("mode", {"linear", "circular"}, "mode must be linear or circular"))
    return;
  for (std::size_t i = 0; i < c.dims(0).size() && c.known("axis"); ++i) {
    const dim cache = c.dims(0)[i], update = c.dims(1)[i];
    if (static_cast<std::int64_t>(i) != axis)
      c.expect_equal(cache, update, "cache and update have extents of {} and {}");
    else if (cache.is_constant() && update.is_constant())
      c.expect(update.extent() <= cache.extent(), "the update has {} entr{y|ies}, the cache {}", update, cache);
  }
  if (!c.expect_rank(2, 1, "the indices have {} dimension{|s}; they must be a list")) return;
  if (c.has(2)) c.expect_equal(c.dims(2)[0], c.dims(0)[0], "it has {} ind{ex|ices} for a batch of {}");
  if (c.failed()) return;
  if (c.known("axis") && c.known("mode")) {
    const dim cache = c.dims(0)[static_cast<std::size_t>(axis)], update = c.dims(1)[static_cast<std::size_t>(axis)];
    const bool wraps = c.text("mode") == "circular";
    c.expect_elements(2, 0, c.sub(cache, wraps ? dim(1) : update),
                      "an update begins at {}; it must begin at {} at most");
  }
  c.result(0, c.dims(0));
}

/// Compress: keeps the elements, or the slices of an axis, for which the condition holds.
constexpr void compress(inference& c) {
  if (!c.expect_rank(1, 1, "the condition has {} dimension{|s}; it must be a list") ||
      !c.expect(c.rank(0) > 0, "the operand is a scalar"))
    return;
  if (!c.known("axis")) return c.unranked_result(0);
  if (!c.given("axis")) return c.result(0, {dim::dyn()});
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  shape out = c.dims(0);
  const dim whole = out[static_cast<std::size_t>(axis)], listed = c.dims(1)[0];
  const bool longer = whole.is_constant() && listed.is_constant() && listed.extent() > whole.extent();
  if (!c.expect(!longer, "it has {} condition{|s} for an extent of {}", listed, whole)) return;
  out[static_cast<std::size_t>(axis)] = dim::dyn();
  c.result(0, std::move(out));
}

/// NonZero: the result has a row for each dimension.
constexpr void non_zero(inference& c) { c.result(0, {c.rank(0), dim::dyn()}); }

/// OneHot: adds an axis, whose extent is the number in operand 1.
constexpr void one_hot(inference& c) {
  const std::int64_t rank = c.rank(0) + 1, axis = c.axis(c.integer("axis"), rank);
  const dim depth = c.number(1);
  if (depth.is_constant()) c.expect(depth.extent() >= 0, "the depth is {}; it must not be negative", depth);
  c.expect_reals(
      1, [](double n) { return n >= 0 && n - n == 0; }, "the depth is negative or not finite");
  if (!c.expect_rank(2, 1, "the values have {} dimension{|s}; they must be a pair") ||
      !c.expect_equal(c.dims(2)[0], 2, "it has {} value{|s}, not {}"))
    return;
  if (!c.known("axis")) return c.result(0, c.unknown(rank));
  shape out = c.dims(0);
  out.put(axis, depth);
  c.result(0, std::move(out));
}

/// TopK: values and indices; operand 1 is their extent along the axis.
constexpr void top_k(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (!c.expect_rank(1, 1, "k has {} dimension{|s}; it must be a list of one number")) return;
  const dim k = c.number(1);
  if (c.failed()) return;
  shape out = c.dims(0);
  if (!c.known("axis")) out = c.unknown(c.rank(0));
  dim& extent = out[static_cast<std::size_t>(axis)];
  if (k.is_constant()) c.expect(k.extent() >= 0, "k is {}; it must not be negative", k);
  if (k.is_constant() && extent.is_constant())
    c.expect(k.extent() <= extent.extent(), "k is {}, but the axis has {} element{|s}", k, extent);
  if (c.known("axis")) extent = k;
  c.result(0, out);
  c.result(1, std::move(out));
}

/// Unique: the distinct elements or slices, the indices of their first occurrences, the index of each element of the
/// operand among the distinct ones, and the counts of the distinct ones.
constexpr void unique(inference& c) {
  const bool flat = !c.given("axis");
  const std::int64_t axis = flat ? 0 : c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  dim elements = dim::dyn();
  if (!c.known("axis")) {
    c.unranked_result(0);
  } else if (flat) {
    elements = c.product(c.dims(0));
    c.result(0, {dim::dyn()});
  } else {
    shape out = c.dims(0);
    elements = out[static_cast<std::size_t>(axis)];
    out[static_cast<std::size_t>(axis)] = dim::dyn();
    c.result(0, std::move(out));
  }
  c.result(1, {dim::dyn()});
  c.result(2, {elements});
  c.result(3, {dim::dyn()});
}

/// NonMaxSuppression: boxes[n, k, 4] and scores[n, classes, k]; the result has a row for each box that is kept.
constexpr void non_max_suppression(inference& c) {
  if (!c.expect_rank(0, 3, "the boxes have {} dimension{|s}, not 3") ||
      !c.expect_rank(1, 3, "the scores have {} dimension{|s}, not 3"))
    return;
  c.expect_equal(c.dims(0)[2], 4, "a box has {} number{|s}, not {}");
  c.expect_equal(c.dims(0)[0], c.dims(1)[0], "the boxes are of {} image{|s}, the scores of {}");
  c.expect_equal(c.dims(0)[1], c.dims(1)[2], "it has {} box{|es} and {} score{|s}");
  for (std::size_t i = 2; i < c.arity(); ++i)
    if (c.has(i)) c.number(i);
  c.expect_reals(
      3, [](double share) { return share >= 0 && share <= 1; }, "iou_threshold is not from 0 to 1");
  const std::int64_t format = c.integer("center_point_box");
  c.expect(format == 0 || format == 1, "center_point_box is {}; it must be 0 or 1", format);
  c.result(0, {dim::dyn(), 3});
}

}  // namespace jax2onnx::rules
