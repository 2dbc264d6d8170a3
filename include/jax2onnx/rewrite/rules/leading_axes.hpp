#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Reshapes that merge batch axes, such as the examples and heads of an attention, and split them later. Operators of
/// the last axes do not need them.
namespace jax2onnx::rewrite::detail {

/// Whether two shapes have the same extents except for the last two.
inline bool same_batch(const shape& a, const shape& b) {
  return a.size() == b.size() && a.size() >= 2 && std::equal(a.begin(), a.end() - 2, b.begin());
}

inline outcome matmul_of_merged(const context& c, const value& root) {
  const value a = input_of(root, 0), b = input_of(root, 1);
  if (a.rank() != b.rank() || a.rank() < 3 || !keeps_last(a, 2) || !keeps_last(b, 2)) return {};
  const value x = input_of(a, 0), y = input_of(b, 0);
  if (x.rank() <= a.rank() || !same_batch(x.dims(), y.dims()) || !same_batch(a.dims(), b.dims())) return {};
  if (!c.single_use(a) && !c.single_use(b)) return decline("the merged values are read elsewhere too");
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  return reshape(matmul(x, y), root.dims());
}

inline outcome transpose_of_merged(const context& c, const value& root) {
  ints perm;
  value inner;
  if (!match(root, m_transpose(perm, m_value(inner)))) return {};
  std::size_t fixed = 0;
  while (fixed < perm.size() && perm[fixed] == static_cast<std::int64_t>(fixed)) ++fixed;
  const std::size_t moved = perm.size() - fixed;
  if (fixed == 0 || moved < 2 || !keeps_last(inner, moved)) return {};
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  const value x = input_of(inner, 0);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  const std::int64_t shift = x.rank() - inner.rank();
  ints order = iota_axes(x.rank());
  for (std::size_t i = fixed; i < perm.size(); ++i)
    order[static_cast<std::size_t>(static_cast<std::int64_t>(i) + shift)] = perm[i] + shift;
  return reshape(transpose(x, order), root.dims());
}

inline outcome softmax_of_merged(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!keeps_last(inner, 1) || axis_of(root) != root.rank() - 1) return {};
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  const value x = input_of(inner, 0);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would be computed at run time");
  return reshape(c.g.emit(producer(root)->op, {x}, x.type(), {{"axis", x.rank() - 1}}), root.dims());
}

inline constexpr rule leading_axes_rules[] = {
    {"matmul-of-merged", "MatMul(Reshape(x), Reshape(y)) -> Reshape(MatMul(x, y))",
     "both Reshapes merge the same leading axes and keep the last two; one of them is read once; the shape is static",
     ops<"MatMul">, matmul_of_merged, stage::late},
    {"transpose-of-merged", "Transpose(Reshape(x), p) -> Reshape(Transpose(x, p'))",
     "p moves only last axes, which the Reshape keeps; the Reshape is read once; the shape is static", ops<"Transpose">,
     transpose_of_merged, stage::late},
    {"softmax-of-merged", "op(Reshape(x)) -> Reshape(op(x)), op is Softmax or LogSoftmax",
     "over the last axis, which the Reshape keeps; the Reshape is read once; the shape is static",
     ops<"Softmax", "LogSoftmax">, softmax_of_merged, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
