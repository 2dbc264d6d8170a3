// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>
#include <jax2onnx/rewrite/views/absorb.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules for products: transposed operands, batch axes, vectors as operands, and biases that products absorb.
namespace jax2onnx::rewrite::detail {

/// A batch of products of few rows with one column becomes a Mul and a ReduceSum: in a MatMul, ONNX Runtime calls its
/// kernel for each product of the batch.
inline outcome batched_dots(const context&, const value& root) {
  constexpr std::int64_t most_rows_of_pair = 4, most_numbers = 256;
  const value a = input_of(root, 0), b = input_of(root, 1);
  if (a.rank() < 3 || a.rank() != b.rank() || !is_static(a.dims()) || !is_static(b.dims())) return {};
  const std::int64_t rank = a.rank(), rows = a.extent(rank - 2).extent(), terms = a.extent(rank - 1).extent();
  if (rows > most_rows_of_pair || !b.extent(rank - 1).is(1)) return {};
  if (a.dims().head(rank - 2) != b.dims().head(rank - 2)) return decline("an operand is broadcast");
  if (!is_floating(root.dtype()) || bits(root.dtype()) < 32)
    return decline("the element type is not float32 or float64");
  const std::int64_t pairs = root.owner().dims().product(a.dims().head(rank - 2)).extent(),
                     least_pairs = rows == 1 ? 8 : 16;
  if (pairs < least_pairs || rows * terms > most_numbers)
    return decline("there are few pairs, or the vectors are long");
  shape turned = b.dims();
  std::swap(turned[static_cast<std::size_t>(rank - 2)], turned[static_cast<std::size_t>(rank - 1)]);
  return reduce("ReduceSum", mul(a, reshape(b, turned)), {rank - 1}, true);
}

/// A Mul of columns and short rows becomes a MatMul: ONNX Runtime's Mul calls a function for every short row.
inline outcome outer_products(const context& c, const value& root) {
  constexpr std::int64_t least_column = 16, longest_row = 32, least_numbers = 16384;
  if (!is_onnx_runtime(c.runtime) || root.dtype() != dtype::f32) return {};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const value column = input_of(root, i), row = input_of(root, 1 - i);
    const std::int64_t rank = root.rank();
    if (rank < 3 || column.rank() != rank || row.rank() != rank || !is_static(root.dims())) return {};
    if (!column.extent(rank - 1).is(1) || !row.extent(rank - 2).is(1)) continue;
    if (column.dims().head(rank - 2) != row.dims().head(rank - 2)) return {};
    const std::int64_t length = root.extent(rank - 1).extent();
    if (root.extent(rank - 2).extent() < least_column || length < 2 || length > longest_row) return {};
    if (root.owner().dims().product(root.dims()).extent() < least_numbers) return {};
    return matmul(column, row);
  }
  return {};
}

/// Merges the batch axes `moved` of `x` into the axis `before`. The moved axes come first within the merged axis.
inline value with_longer_axis(const value& x, const ints& moved, std::int64_t before) {
  ints perm;
  shape dims;
  dim merged = x.extent(before);
  for (const std::int64_t axis : moved) merged = x.owner().dims().product({merged, x.extent(axis)});
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) {
    if (has_axis(moved, axis)) continue;
    if (axis == before) perm.insert(perm.end(), moved.begin(), moved.end());
    perm.push_back(axis);
    dims.push_back(axis == before ? merged : x.extent(axis));
  }
  return reshape(transpose(x, perm), dims);
}

/// If products are summed over batch axes, these axes become part of the contracted axis of one product. Programs for
/// several devices add parts of products in this way.
inline outcome sum_of_products(const context& c, const value& root) {
  const value summed = input_of(root, 0), p = is_reshape(summed) ? input_of(summed, 0) : summed;
  if (!producer(p, "MatMul") || p.rank() < 3) return {};
  const auto sum = reduction_of(root);
  if (!sum) return {};
  const value a = input_of(p, 0), b = input_of(p, 1);
  const ints origins = is_reshape(summed) ? reshape_view.origins(summed) : iota_axes(p.rank());
  ints axes;
  for (const std::int64_t axis : sum->axes) axes.push_back(origins[static_cast<std::size_t>(axis)]);
  if (item_loops::any_of(axes, [&](std::int64_t axis) { return axis < 0 || axis >= p.rank() - 2; })) return {};
  if (a.rank() != p.rank() || b.rank() != p.rank() || a.dims().head(p.rank() - 2) != b.dims().head(p.rank() - 2))
    return decline("an operand is broadcast");
  if (!is_static(a.dims()) || !is_static(b.dims())) return decline(computed_shape);
  if (is_empty(a.dims())) return {};
  if (!c.single_use(summed) || !c.single_use(p)) return decline("the products are read elsewhere too");
  constexpr std::int64_t transposed_for_summed = 4;
  const std::int64_t terms = a.extent(a.rank() - 1).extent(), columns = b.extent(b.rank() - 1).extent();
  if (!is_view(a) && !a.is_constant() && terms > transposed_for_summed * columns)
    return decline("the left operand would be transposed for few columns");
  const value left = with_longer_axis(a, axes, a.rank() - 1), right = with_longer_axis(b, axes, b.rank() - 2);
  return reshape(matmul(left, right), shape(root.dims()));
}

/// Gives the batch axes of a product the order that these axes have before the Transposes of the operands. For example,
/// if heads are divided among devices, the heads would otherwise come before the batch.
inline outcome order_batches(const context& c, const value& root) {
  const std::int64_t batches = root.rank() - 2;
  const value a = input_of(root, 0), b = input_of(root, 1);
  const auto p = batches < 2 || a.rank() != root.rank() ? std::nullopt : transpose_of(a);
  if (!p || std::is_sorted(p->begin(), p->end() - 2)) return {};
  const auto q = b.rank() == root.rank() ? transpose_of(b) : std::nullopt;
  if (!q) return {};
  ints order = iota_axes(batches);
  const auto by = [](const ints& perm) { return [&](std::int64_t i) { return perm[static_cast<std::size_t>(i)]; }; };
  std::ranges::sort(order, {}, by(*p));
  if (!std::ranges::is_sorted(order, {}, by(*q))) return {};
  if (!c.single_use(a) || !c.single_use(b)) return decline("the transposed operands are read elsewhere too");
  order.push_back(batches), order.push_back(batches + 1);
  const auto reordered = [&](const value& v, const ints& perm) {
    ints composed;
    for (const std::int64_t axis : order) composed.push_back(perm[static_cast<std::size_t>(axis)]);
    return transpose(input_of(v, 0), composed);
  };
  return transpose(matmul(reordered(a, *p), reordered(b, *q)), inverse_permutation(order));
}

/// If a Transpose moves the summed axis of the right operand before other axes, and a Reshape merges these other axes
/// to the columns of the product, the product is computed transposed. Then the other axes become the rows of the
/// product, and need not be moved. Grouped queries have such products, since the weights are the second operand of
/// their einsum.
inline outcome rows_in_order(const context& c, const value& root) {
  const value a = input_of(root, 0), b = input_of(root, 1);
  if (!is_reshape(b) || a.rank() != root.rank() || b.rank() != root.rank()) return {};
  const value moved = input_of(b, 0);
  const auto perm = transpose_of(moved);
  const std::int64_t batches = root.rank() - 2;
  if (!perm || moved.rank() <= b.rank() || moved.dims().head(batches + 1) != b.dims().head(batches + 1)) return {};
  const value x = input_of(moved, 0);
  const dim rows = b.extent(b.rank() - 1), terms = b.extent(batches), others = a.extent(batches);
  if (perm->at(static_cast<std::size_t>(batches)) != x.rank() - 1 || !others.is_constant()) return {};
  if (!transpose_of(a) || (terms.is_constant() && others.extent() > terms.extent()))
    return decline("the other operand would be transposed");
  if (!c.single_use(b) || !c.single_use(moved)) return decline("the transposed operand is read elsewhere too");
  ints order(perm->begin() + batches + 1, perm->end()), kept(perm->begin(), perm->begin() + batches), back;
  for (std::int64_t axis = 0; axis < batches; ++axis) back.push_back(axis);
  back.push_back(x.rank() - 1);
  const ints wanted = order;
  std::ranges::sort(order);
  for (const std::int64_t axis : wanted) back.push_back(batches + (std::ranges::find(order, axis) - order.begin()));
  kept.insert(kept.end(), order.begin(), order.end());
  kept.push_back(x.rank() - 1);
  const value left = transpose(x, kept);
  shape merged = left.dims().head(batches), split = left.dims().head(x.rank() - 1);
  merged.push_back(rows), merged.push_back(terms);
  split.push_back(a.extent(batches));
  const value right = transpose(a, swap_last(a.rank())), product = matmul(reshape(left, merged), right);
  return reshape(transpose(reshape(product, split), back), shape(root.dims()));
}

/// The index of the mapped operand of an elementwise operator: the only operand that is not a scalar. nullopt for any
/// other operator, if there are several such operands or none, or if the mapped operand does not have the shape of `v`.
inline std::optional<std::size_t> mapped_operand(const value& v) {
  if (!has_trait(v, trait::unary) && !has_trait(v, trait::broadcasting)) return {};
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < producer(v)->inputs.size(); ++i) {
    const value operand = input_of(v, i);
    if (!operand || operand.rank() == 0) continue;
    if (found || operand.dims() != v.dims()) return {};
    found = i;
  }
  return found;
}

/// A MatMul, and the steps that compute a value from its elements: elementwise operators and Reshapes.
struct mapped_product {
  value product = {};
  /// Each step and the index of its mapped operand; the last step first.
  std::vector<std::pair<value, std::size_t>> steps = {};

  static std::optional<mapped_product> below(const context& c, value v) {
    mapped_product found;
    while (c.single_use(v) && !producer(v, "MatMul")) {
      const std::optional<std::size_t> operand = is_reshape(v) ? std::optional<std::size_t>(0) : mapped_operand(v);
      if (!operand) return {};
      found.steps.emplace_back(v, *operand);
      v = input_of(v, *operand);
    }
    if (!producer(v, "MatMul") || !c.single_use(v) || v.rank() < 2) return {};
    found.product = v;
    return found;
  }
  std::int64_t batches() const { return product.rank() - 2; }
  /// True if the results of all steps begin with the batch axes and the rows of the product, unchanged.
  bool keeps_rows() const {
    const shape kept = product.dims().head(batches() + 1);
    return item_loops::all_of(steps, [&](const auto& step) {
      return step.first.rank() > batches() + 1 && step.first.dims().head(batches() + 1) == kept;
    });
  }
  /// The extents [batches, columns..., rows] of a product with the extents [batches, rows, columns...].
  shape rows_last(shape dims) const {
    std::rotate(dims.begin() + batches(), dims.begin() + batches() + 1, dims.end());
    return dims;
  }
  /// The result of the steps if the operands of the product are exchanged and transposed, so that the rows of the
  /// product are last.
  value turned() const {
    const value left = transpose(input_of(product, 1), swap_last(product.rank()));
    const value right = transpose(input_of(product, 0), swap_last(product.rank()));
    value v = matmul(left, right);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const auto& [before, operand] = *step;
      if (is_reshape(before)) {
        v = reshape(v, rows_last(before.dims()));
        continue;
      }
      std::vector<value> inputs;
      for (std::size_t i = 0; i < producer(before)->inputs.size(); ++i)
        inputs.push_back(i == operand ? v : input_of(before, i));
      v = with_inputs(before, inputs, {before.dtype(), v.dims()});
    }
    return v;
  }
};

/// True if exchanging the last two axes of `v` needs no further Transpose: `v` is a constant, a Transpose, or a Reshape
/// of a Transpose.
inline bool turns_freely(const value& v) {
  return v.is_constant() || transpose_of(is_reshape(v) ? input_of(v, 0) : v).has_value();
}

/// True if `part` and `whole` have constant extents, and `part` has at most half as many elements as `whole`.
inline bool is_half_of(const value& part, const value& whole) {
  const auto count = [](const value& v) { return v.owner().dims().product(v.dims()).extent(); };
  return is_static(part.dims()) && is_static(whole.dims()) && 2 * count(part) <= count(whole);
}

/// A Transpose that brings the rows of a product to the end moves whole rows if the product is computed transposed.
/// The scores of grouped queries are such products, since the keys are the first operand of their einsum.
inline outcome bring_rows_last(const context& c, const value& root) {
  const auto perm = transpose_of(root);
  const auto mapped = perm ? mapped_product::below(c, input_of(root, 0)) : std::nullopt;
  if (!mapped || mapped->steps.empty() || perm->back() != mapped->batches()) return {};
  const value a = input_of(mapped->product, 0), b = input_of(mapped->product, 1);
  if (a.rank() != b.rank() || !mapped->keeps_rows()) return {};
  for (const value& operand : {a, b})
    if (!turns_freely(operand) && !is_half_of(operand, root))
      return decline("an operand that is not much smaller than the product would be transposed");
  ints order;
  for (const std::int64_t axis : *perm)
    order.push_back(axis < mapped->batches() ? axis : axis == mapped->batches() ? root.rank() - 1 : axis - 1);
  return transpose(mapped->turned(), order);
}

inline constexpr rule product_rules[] = {
    {"turn-matmul", "Transpose(MatMul(a, b), p) -> Transpose(MatMul(b', a'), p'), ' exchanges the last two axes",
     "there are fewer Transposes afterwards; a and b have the same rank", ops<"Transpose", "MatMul">, swap_matmul,
     stage::tidy},
    // ONNX Runtime 1.31 fuses the Transpose into the product, and then reads the vector wrongly.
    equation<"vector-product",
             "MatMul(t, v) -> MatMul(v, x); MatMul(v, t) -> MatMul(x, v) where t = Transpose(x, perm=p) "
             "for rank(v) = 1, 2 <= rank(t), swaps_last(t) within 2 ulps 'added in another order'">(),
    equation<"Gemm",
             "p + c -> Gemm(a, b, c) where p = MatMul(a, b) "
             "if rank(a) = 2 'the operands are not matrices', rank(b) = 2 'the operands are not matrices', "
             "floating(root), rank(c) <= 2 'the product is broadcast to the bias', "
             "same_shape(p, root) 'the product is broadcast to the bias', "
             "once(p) 'the product is also read without the bias' within 4 ulps of ordinary numbers 'float16 is added "
             "in float32'">(stage::fuse),
    equation<"Gemm-vector-bias",
             "p + b -> vector(Gemm(row(v), a, b, transB=1)) where p = MatMul(a, v) "
             "for rank(a) = 2, rank(v) = 1, floating(a) "
             "if lasting(a), same_shape(b, p) 'the bias has other extents than the product', "
             "once(p) 'the product is also read without the bias' within 4 ulps of ordinary numbers 'float16 is added "
             "in float32'">(stage::fuse),
    equation<"Gemm-vector",
             "MatMul(a, v) -> vector(Gemm(row(v), a, transB=1)) for rank(a) = 2, rank(v) = 1, floating(a) "
             "within 4 ulps of ordinary numbers 'float16 is added in float32'">(stage::late),
    equation<"Gemm-vector-rows",
             "MatMul(a, v) -> fitted(Gemm(row(v), rows(a), transB=1), root) "
             "for 3 <= rank(a), rank(v) = 1, floating(a) within 16 ulps of ordinary numbers 'added in another order'">(
        stage::late),
    equation<"Gemm-row-bias",
             "p + b -> vector(Gemm(x, a, row(b), *)) where p = reshaped(q), q = Gemm(x, a, *) "
             "for rank(p) = 1, same_shape(p, root), one_row(q) "
             "if once(p) 'the product is also read without the bias', once(q) 'the product is also read without the "
             "bias' within 4 ulps of ordinary numbers 'added in another order'">(stage::late),
    {"sum-of-products", "ReduceSum(MatMul(a, b), axes) -> MatMul(a', b')",
     "the axes are batch axes, and become part of the contracted axis; a Reshape that keeps them may lie between; "
     "constant extents; a is a view, a constant, or has at most four times as many columns as b",
     ops<"ReduceSum">, sum_of_products, stage::fuse},
    {"order-batches",
     "MatMul(Transpose(x, p), Transpose(y, q)) -> Transpose(MatMul(Transpose(x, p'), Transpose(y, q')), r)",
     "the batches are in ascending order of the axes of x in p', and of the axes of y in q'; the Transposes are read "
     "once",
     ops<"MatMul">, order_batches, stage::late},
    {"rows-in-order",
     "MatMul(Transpose(a), Reshape(Transpose(x, p))) -> Reshape(Transpose(MatMul(Reshape(Transpose(x, q)), a), r))",
     "p brings the last axis of x, which is summed, before axes that the Reshape merges, and q leaves all axes in "
     "place; "
     "at least as many terms as rows, whose number is constant; the operands are read once",
     ops<"MatMul">, rows_in_order, stage::late},
    {"rows-last", "Transpose(f(MatMul(a, b)), p) -> Transpose(f(MatMul(b', a')), p'), ' exchanges the last two axes",
     "p brings the rows of the product to the end; f is elementwise, with scalars, or a Reshape that divides the "
     "columns; a and b are Transposes, constants, or have at most half as many elements as the product; each value in "
     "between is read once",
     ops<"Transpose">, bring_rows_last, stage::late},
    {"outer-product", "x[..., :, None] y[..., None, :] -> MatMul(x, y)",
     "only for ONNX Runtime; float32; x has at least 16 elements, y 2 to 32, the result at least 16384; signs of zeros "
     "may differ; constant extents",
     ops<"Mul">, outer_products, stage::late},
    {"dot-batch", "MatMul(a, b) -> ReduceSum(a b') for few rows a and columns b",
     "at least 8 pairs of a row and a column, or 16 pairs of 2 to 4 rows and a column; "
     "the rows of a pair have at most 256 elements; float32 or float64; constant extents",
     ops<"MatMul">, batched_dots, stage::late},
    equation<"Gemm-transposed",
             "Gemm(t, b, c, transA=0, *) -> Gemm(x, b, c, transA=1, *); Gemm(a, t, c, transB=0, *) -> "
             "Gemm(a, x, c, transB=1, *); Gemm(t, b, transA=0, *) -> Gemm(x, b, transA=1, *); "
             "Gemm(a, t, transB=0, *) -> Gemm(a, x, transB=1, *) where t = Transpose(x, perm=p) for swaps_last(t) "
             "within 4 ulps of ordinary numbers 'added in another order'">(stage::fuse),
    // Quantizers accept only vectors as biases.
    equation<
        "bias-vector",
        "Gemm(a, b, w, *) -> Gemm(a, b, v, *); Gemm(a, b, c, *) -> Gemm(a, b, stored_vector(c), *); p + w -> p + v; "
        "p + c -> p + stored_vector(c) where p = MatMul(a, b), w = reshaped(v) "
        "for constant(c), rank(v) = 1, 2 <= rank(w), leading_ones(w), same_shape(p, root)">(stage::weights),
    equation<"Conv-bias",
             "v + b -> Conv(x, w, channels(b, v), *) where v = Conv(x, w, *) "
             "if same_shape(v, root) 'the bias is not one number per channel', "
             "once(v) 'the convolution is also read without the bias' within 4 ulps of ordinary numbers 'float16 is "
             "added in float32'">(stage::fuse),
};

}  // namespace jax2onnx::rewrite::detail
