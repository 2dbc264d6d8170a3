#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/tidy_shape.hpp>

/// Reshapes that make one axis of several batch axes, such as examples and heads of an attention, and take it apart later:
/// operators that only see the last axes do without.
namespace jax2onnx::rewrite {

/// `v` is a Reshape of `x` that leaves the last `count` axes alone.
inline bool keeps_last(const value& v, std::size_t count) {
  if (!is_reshape(v)) return false;
  const shape &before = operand(v, 0).dims(), &after = v.dims();
  return before.size() >= count && after.size() >= count &&
         std::equal(after.end() - static_cast<std::ptrdiff_t>(count), after.end(),
                    before.end() - static_cast<std::ptrdiff_t>(count));
}

// Pattern: MatMul(Reshape(x), Reshape(y)) -> Reshape(MatMul(x, y))   where both Reshapes merge the same leading axes
inline outcome matmul_of_merged(const context& c, const value& root) {
  const value a = operand(root, 0), b = operand(root, 1);
  if (a.rank() != b.rank() || a.rank() < 3 || !keeps_last(a, 2) || !keeps_last(b, 2)) return {};
  const value x = operand(a, 0), y = operand(b, 0);
  if (x.rank() <= a.rank() || x.rank() != y.rank() ||
      !std::equal(x.dims().begin(), x.dims().end() - 2, y.dims().begin()))
    return {};
  if (!std::equal(a.dims().begin(), a.dims().end() - 2, b.dims().begin())) return {};
  if (!c.single_use(a) && !c.single_use(b)) return decline("the merged values are read elsewhere too");
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  return reshape(matmul(x, y), root.dims());
}

// Pattern: Transpose(Reshape(x)) -> Reshape(Transpose(x))   of the last axes, where the Reshape merges or splits those before
inline outcome transpose_of_merged(const context& c, const value& root) {
  ints perm;
  value inner;
  if (!match(root, m_transpose(perm, m_value(inner)))) return {};
  std::size_t still = 0;
  while (still < perm.size() && perm[still] == static_cast<std::int64_t>(still)) ++still;
  const std::size_t moved = perm.size() - still;
  if (still == 0 || moved < 2 || !keeps_last(inner, moved)) return {};
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  const value x = operand(inner, 0);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  const std::int64_t shift = x.rank() - inner.rank();
  ints order = iota_axes(x.rank());
  for (std::size_t i = still; i < perm.size(); ++i)
    order[static_cast<std::size_t>(static_cast<std::int64_t>(i) + shift)] = perm[i] + shift;
  return reshape(transpose(x, order), root.dims());
}

// Pattern: Softmax(Reshape(x)) -> Reshape(Softmax(x))   over the last axis, which the Reshape leaves alone
inline outcome softmax_of_merged(const context& c, const value& root) {
  const value inner = operand(root, 0);
  const std::int64_t axis = attribute_of<std::int64_t>(root, "axis").value_or(-1);
  if (!keeps_last(inner, 1) || (axis != -1 && axis != root.rank() - 1)) return {};
  if (!c.single_use(inner)) return decline("the reshaped value is read elsewhere too");
  const value x = operand(inner, 0);
  if (!is_static_reshape(x, root.dims())) return decline("the shape would have to be computed");
  return reshape(c.g.emit(producer(root)->op, {x}, x.type(), {{"axis", x.rank() - 1}}), root.dims());
}

inline constexpr rule leading_axes_rules[] = {
    {"matmul-of-merged", "MatMul(Reshape(x), Reshape(y)) -> Reshape(MatMul(x, y)), the Reshapes merge leading axes",
     ops<"MatMul">, matmul_of_merged, stage::late},
    {"transpose-of-merged",
     "Transpose(Reshape(x)) -> Reshape(Transpose(x)), of the last axes, the Reshape leaves them alone",
     ops<"Transpose">, transpose_of_merged, stage::late},
    {"softmax-of-merged", "Softmax(Reshape(x)) -> Reshape(Softmax(x)), the Reshape leaves the last axis alone",
     ops<"Softmax", "LogSoftmax">, softmax_of_merged, stage::late},
};

}  // namespace jax2onnx::rewrite
