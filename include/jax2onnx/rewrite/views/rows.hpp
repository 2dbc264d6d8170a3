// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>
#include <jax2onnx/rewrite/views/absorb.hpp>
#include <jax2onnx/rewrite/views/broadcasts.hpp>
#include <jax2onnx/rewrite/views/fuse.hpp>
#include <jax2onnx/rewrite/views/move.hpp>
#include <jax2onnx/rewrite/views/split_rows.hpp>

/// Rules that move views, in the direction and in the cases in which that pays.
namespace jax2onnx::rewrite::detail {

inline outcome move_reshape(const context& c, const value& root) { return move_view(c, root, reshape_view); }
inline outcome move_transpose(const context& c, const value& root) { return move_view(c, root, transpose_view); }
inline outcome move_expand(const context& c, const value& root) { return move_view(c, root, expand_view); }
/// Moves a Gather of one index before a Transpose, even if the transposed value has other readers.
inline outcome pick_before_transpose(const context& c, const value& root) {
  return move_view(c, root, transpose_view, true);
}
/// Moves a Softmax along the last axis before a Transpose or a Reshape that keeps this axis.
inline outcome softmax_of_merged(const context& c, const value& root) {
  if (axis_of(root) != root.rank() - 1) return {};
  const value x = input_of(root, 0);
  const bool keeps_rows = transpose_view.is(x) && transpose_of(x)->back() == root.rank() - 1;
  return move_view(c, root, keeps_rows ? transpose_view : reshape_view);
}

inline constexpr rule view_rules[] = {
    equation<"drop-identity", "Identity(x) -> x">(),
    equation<"join-transposes", "Transpose(t, *) -> composed(x, t) where t = Transpose(x, *)">(),
    equation<"transpose-of-ones", "Transpose(x, *) -> fitted(x, root) for moves_no_data(root)">(),
    equation<"drop-reshape", "reshaped(x) -> x if keeps_extents(x)">(),
    equation<"reshape-constant", "reshaped(c) -> stored(c) for constant(c), static(root) if stored_once(c)">(),
    equation<"join-reshapes", "reshaped(reshaped(x)) -> fitted(x, root)">(),
    {"keep-reduced", "Reshape(op(x, axes, keepdims=0)) -> op(x, axes, keepdims=1)",
     "op is a Reduce operator that is read once; the Reshape restores the axes", operators_with<trait::reshapes>,
     keep_reduced},
    {"drop-reduced", "Reshape(op(x, axes, keepdims=1)) -> op(x, axes, keepdims=0)",
     "op is a Reduce operator that is read once; the Reshape removes the axes", operators_with<trait::reshapes>,
     drop_reduced},
    {"slice-of-concat", "Slice(Concat(x, y, axis), i, j, axis) -> y", "constants i and j; the slice is all of y",
     ops<"Slice">, slice_of_concat},
    {"slice-of-slice", "Slice(Slice(x, i : j, axis), k : l, axis) -> Slice(x, i + k : i + l, axis)",
     "constant bounds, and a known number of elements", ops<"Slice">, slice_of_slice},
    {"pick-slice", "Reshape(Slice(x, i : i + 1, axis)) -> Gather(x, i, axis)",
     "a constant i >= 0; the Reshape removes the axis; the Slice is read once", operators_with<trait::reshapes>,
     pick_slice},
    {"transpose-before-ones", "Transpose(Reshape(x), p) -> Reshape(Transpose(x, p'))",
     "the Reshape only moves extents of 1, and is read once unless p' moves nothing; the shape is static",
     ops<"Transpose">, transpose_before_ones},
    {"join-transposes-across", "Transpose(Reshape(Transpose(x, p)), q) -> Reshape(Transpose(x, p'))",
     "q moves whole axes of Transpose(x, p), which is read once; the shape is static", ops<"Transpose">,
     join_across_reshape},
    {"join-reshapes-around",
     "Reshape(Transpose(Reshape(x), p)) -> Reshape(Transpose(x, p')), or Transpose(Reshape(x), p')",
     "p moves whole axes of x, or the outer Reshape only moves extents of 1 and the inner one is read once; the "
     "Transpose is read once; the shapes are static",
     operators_with<trait::reshapes>, join_around_transpose},
    {"sink-leading-ones", "op(Reshape(x), Expand(c), y) -> Reshape(op(x, c, y))",
     "op broadcasts; the Reshapes prepend extents of 1; c is a scalar; "
     "y has a lower rank; one of them is read once; the shape is static",
     operators_with<trait::broadcasting>, sink_leading_ones},
    {"drop-broadcast", "op(Expand(x), y) -> op(x, y), op(Reshape(x), y) -> op(x, y)",
     "op broadcasts x and y to the same shape; the Reshape prepends extents of 1", operators_with<trait::broadcasting>,
     drop_broadcast},
    {"one-number", "op(c, y) -> op(c[0], y)",
     "all elements of the constant c are equal, and c is not a named weight; "
     "op broadcasts c[0] and y to the same shape",
     operators_with<trait::broadcasting>, one_number},
    {"reduce-of-ones", "op(Reshape(x), axes) -> Reshape(op(x, axes'))",
     "op is a Reduce operator; the Reshape only moves extents of 1; as reduce-of-reshaped",
     operators_with<trait::reduction>, reduce_of_ones},
    {"sink-reshape", "op(Reshape(x)) -> Reshape(op(x))",
     "op is elementwise, with one operand; the Reshape is read once; the shape is static", operators_with<trait::unary>,
     move_reshape},
    {"sink-reshapes", "op(Reshape(x), f(Reshape(y)), c) -> Reshape(op(x, f(y), c))",
     "op broadcasts; f is elementwise, with one operand; the Reshapes are equal, and only op reads one of them; "
     "c has one element, or is any value if the Reshapes prepend extents of 1; the shape is static",
     operators_with<trait::broadcasting>, sink_reshapes},
    {"sink-split", "op(Reshape(x), c) -> Reshape(op(x, c'))",
     "op broadcasts; the Reshape splits axes of x, and is read once; c is a constant, a reshaped vector, "
     "or computed from these; all are read once; c has all axes that are split, or none; constant extents",
     operators_with<trait::broadcasting>, sink_split, stage::late},
    {"sink-expand", "op(Expand(x)) -> Expand(op(x))",
     "op is elementwise, with one operand that is not a scalar constant; the Expand is read once",
     operators_with<trait::unary>, move_expand},
    {"sink-expands", "op(Expand(x), y) -> Expand(op(x, y))",
     "op broadcasts x and y to a smaller shape; the Expand is read once; the shape is static or that of x",
     operators_with<trait::broadcasting>, sink_expands},
    equation<"join-expands",
             "Expand(e, s) -> broadcast(x); Expand(v, s) -> broadcast(x) where e = Expand(x, t), v = reshaped(x) "
             "for leading_ones(v)">(),
};

/// Rules that would hide the patterns of other rules.
inline constexpr rule late_view_rules[] = {
    equation<"matmul-of-merged",
             "MatMul(v, w) -> fitted(MatMul(x, y), root) where v = reshaped(x), w = reshaped(y) for merge_alike(v, w) "
             "if one_once(v, w) 'the merged values are read elsewhere too' within 2 ulps 'added in another order'">(
        stage::late),
    {"transpose-of-merged", "Transpose(Reshape(x), p) -> Reshape(Transpose(x, p'))",
     "p moves only last axes, which the Reshape keeps; the Reshape is read once; the shape is static", ops<"Transpose">,
     transpose_of_merged, stage::late},
    {"matmul-of-split", "MatMul(view(x), w) -> view(MatMul(view'(x), w))",
     "view is a Reshape that splits rows of x, or a Transpose of that; w has none of the axes that are split; "
     "the views are read once, and view' has fewer of them; constant extents",
     ops<"MatMul">, matmul_of_split, stage::late},
    {"softmax-of-merged", "op(view(x)) -> view(op(x)), op is Softmax or LogSoftmax",
     "view is a Reshape or a Transpose; over the last axis, which the view keeps; it is read once; the shape is static",
     ops<"Softmax", "LogSoftmax">, softmax_of_merged, stage::late},
    {"pick-before-transpose", "Gather(Transpose(x, p), i, axis) -> Transpose(Gather(x, i, p[axis]), p')", "one index i",
     ops<"Gather">, pick_before_transpose, stage::late},
    {"drop-double-reverse", "reverse(Transpose(reverse(x), p)) -> Transpose(x, p), reverse(reverse(x)) -> x",
     "reverse is a Slice of whole axes with step -1; along the same axes", ops<"Slice">, drop_double_reverse},
    {"sink-unary", "op(Transpose(x, p)) -> Transpose(op(x), p)",
     "op is elementwise, with one operand; the Transpose is read once", operators_with<trait::unary>, move_transpose,
     stage::late},
    {"sink-broadcast", "op(Transpose(x, p), f(Transpose(y, p)), c) -> Transpose(op(x, f(y), c'), p)",
     "op broadcasts; f is elementwise, with one operand; c' is a Reshape of c; "
     "one of the Transposes is read only by op; a Slice, a Pad, a Tile or a Split may be between them; "
     "the result is not as in raise-transpose",
     operators_with<trait::broadcasting>, sink_transposes, stage::late},
    {"raise-transpose", "Transpose(f(op(x, y)), p) -> f(op(Transpose(x, p), Transpose(y, p)))",
     "op broadcasts x and y to at least 4096 elements, at least twice as many as both have, or x is a Transpose and y "
     "has "
     "at most an eighth of its elements; f is elementwise, with one operand; each is read once; "
     "constant extents",
     ops<"Transpose">, raise_transpose, stage::late},
    {"softmax-of-last", "Transpose(op(x, axis), p) -> op(Transpose(x, p), axis=last), op is Softmax or LogSoftmax",
     "p brings the axis, which is not the last one of x, to the end; the Transpose is the only reader",
     ops<"Transpose">, softmax_of_last, stage::late},
    {"sink-concat", "Concat(Transpose(x, p), Transpose(y, p), axis) -> Transpose(Concat(x, y, p[axis]), p)",
     "as sink-broadcast; operands may also be constants and Expands", ops<"Concat">, sink_transposes, stage::late},
    {"sink-axes", "op(Transpose(x, p), axes) -> Transpose(op(x, p[axes]), p)",
     "op is a CumSum, a Slice, a Pad or a Tile, with constant axes; the Transpose is read once",
     ops<"CumSum", "Slice", "Pad", "Tile">, move_transpose, stage::late},
    {"join-transposes-around", "Transpose(op(Transpose(x, p), axes), q) -> op(x, p[axes])",
     "op is a Slice, a Pad, a Tile or a Split, with constant axes; q is the inverse of p", ops<"Transpose">,
     join_around_axes, stage::late},
    {"sink-views", "Reshape(Transpose(Reshape(Transpose(x, p)), q)) -> Transpose(Reshape(Transpose(Reshape(x), r)), p)",
     "every axis of the result corresponds to one axis of x; each value in between is read once", ops<"Reshape">,
     sink_through_views, stage::late},
    {"reduce-of-reshaped", "op(Reshape(x), axes) -> op(x, axes') or Reshape(op(x, axes'))",
     "op is a Reduce operator; the axes are whole axes of x; "
     "if a Reshape remains, the original one is read once and the shape is static",
     operators_with<trait::reduction>, reduce_of_reshaped, stage::late},
    {"join-reductions", "op(op(x, r), s) -> op(x, r + s), op(Reshape(op(x, r)), s) -> Reshape(op(x, r))",
     "op is ReduceSum, ReduceMean, ReduceMax, ReduceMin or ReduceProd; the inner one is read once; the Reshape adds "
     "the axes s; constant extents for ReduceMean",
     ops<"ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum">, join_reductions, stage::late},
    {"reduce-transposed", "op(Transpose(x, p), axes) -> op(x, p[axes]), or a Transpose or Reshape of that",
     "op is a Reduce operator; if a Transpose remains, the original one is read once", operators_with<trait::reduction>,
     move_transpose, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
