#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/tidy_shape.hpp>

/// Products that take their bias along.
namespace jax2onnx::rewrite {

// Pattern: MatMul(a, b) + c -> Gemm(a, b, c)   of matrices
inline outcome fuse_gemm(const context& c, const value& root) {
  value product, a, b, bias;
  if (!match(root, m_commutes<"Add">(m_bind(product, m_op<"MatMul">(m_value(a), m_value(b))), m_value(bias))))
    return {};
  if (a.rank() != 2 || b.rank() != 2) return decline("the operands are no matrices");
  if (!is_floating(root.dtype())) return decline("ONNX Runtime's Gemm is for floating-point types");
  if (bias.rank() > 2 || product.dims() != root.dims()) return decline("the bias broadcasts the product");
  if (!c.single_use(product)) return decline("the product is read without the bias too");
  return c.g.emit("Gemm", {a, b, bias}, root.type());
}

// Pattern: Gemm(Transpose(a), b, c) -> Gemm(a, b, c, transA=1), and so for b
inline outcome gemm_of_transposed(const context& c, const value& root) {
  const node& n = *producer(root);
  std::vector<value> operands;
  for (std::size_t i = 0; i < n.inputs.size(); ++i) operands.push_back(operand(root, i));
  std::vector<attribute> attributes = n.attributes;
  bool changed = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view flag = i == 0 ? "transA" : "transB";
    ints perm;
    value x;
    if (n.find(flag) || !match(operands[i], m_transpose(perm, m_value(x)))) continue;
    operands[i] = x;
    attributes.push_back({flag, std::int64_t{1}});
    changed = true;
  }
  return changed ? outcome(c.g.emit("Gemm", std::span<const value>(operands), root.type(), std::move(attributes)))
                 : outcome();
}

// Pattern: Conv(x, w) + b -> Conv(x, w, b)   where b is one number for every output channel
inline outcome fuse_conv_bias(const context& c, const value& root) {
  value conv, x, w, bias;
  if (!match(root, m_commutes<"Add">(m_bind(conv, m_op<"Conv">(m_value(x), m_value(w))), m_value(bias)))) return {};
  const dim channels = conv.extent(1);
  shape per_channel(static_cast<std::size_t>(conv.rank()) - 1, dim(1));
  per_channel.front() = channels;
  shape given = bias.dims();
  if (given.size() > per_channel.size() && given.front().is(1)) given.erase(given.begin());
  if (given != per_channel || conv.dims() != root.dims())
    return decline("the bias is not one number for every channel");
  if (!c.single_use(conv)) return decline("the convolution is read without the bias too");
  std::vector<attribute> attributes = producer(conv)->attributes;
  return c.g.emit("Conv", {x, w, reshape(bias, {channels})}, root.type(), std::move(attributes));
}

/// A permutation that exchanges the last two of `rank` axes.
inline ints swap_last(std::int64_t rank) {
  ints perm = iota_axes(rank);
  if (rank >= 2) std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return perm;
}

/// v with its last two axes exchanged, through a transpose that is there.
struct swapped {
  value base;
  ints perm;
  bool free() const { return std::ranges::is_sorted(perm); }
  explicit swapped(const value& v) : base(v), perm(swap_last(v.rank())) {
    ints inner;
    value x;
    if (!match(v, m_transpose(inner, m_value(x)))) return;
    base = x;
    for (std::int64_t& axis : perm) axis = inner[static_cast<std::size_t>(axis)];
  }
};

// Pattern: Transpose(MatMul(a, b), p) -> Transpose(MatMul(b', a'), p')   with the last two axes exchanged everywhere, where
// that takes fewer transposes
inline outcome turn_matmul(const context& c, const value& root) {
  value product = root, a, b;
  ints perm = iota_axes(root.rank());
  const bool transposed = match(root, m_transpose(perm, m_value(product)));
  if (!match(product, m_op<"MatMul">(m_value(a), m_value(b))) || a.rank() != b.rank() || a.rank() < 2) return {};
  const swapped left(b), right(a);
  const ints last = swap_last(root.rank());
  ints after = perm;
  for (std::int64_t& axis : after) axis = last[static_cast<std::size_t>(axis)];
  const auto costs = [&](value v) {
    if (is_reshape(v) && c.single_use(v) && moves_only_ones(operand(v, 0).dims(), v.dims())) v = operand(v, 0);
    return producer(v, "Transpose") && c.single_use(v) ? 1 : 0;
  };
  const int before_count = (transposed ? 1 : 0) + costs(a) + costs(b);
  const int after_count = (std::ranges::is_sorted(after) ? 0 : 1) + !left.free() + !right.free();
  if (after_count >= before_count) return {};
  if (transposed && !c.single_use(product)) return decline("the product is read as it is too");
  const value turned = matmul(transpose(left.base, left.perm), transpose(right.base, right.perm));
  return transpose(turned, after);
}

// Pattern: MatMul(Transpose(a), v) -> MatMul(v, a), MatMul(v, Transpose(a)) -> MatMul(a, v)   of a vector v
// ONNX Runtime 1.31 fuses the former's transpose into a product that reads the vector wrongly.
inline outcome vector_product(const context&, const value& root) {
  value a, v, x;
  ints perm;
  if (!match(root, m_op<"MatMul">(m_value(a), m_value(v))) || (a.rank() == 1) == (v.rank() == 1)) return {};
  const bool vector_first = a.rank() == 1;
  if (vector_first) std::swap(a, v);
  if (!match(a, m_transpose(perm, m_value(x))) || perm != swap_last(a.rank())) return {};
  return vector_first ? matmul(x, v) : matmul(v, x);
}

inline constexpr rule product_rules[] = {
    {"turn-matmul", "Transpose(MatMul(a, b)) -> MatMul(b', a'), with fewer transposes", ops<"Transpose", "MatMul">,
     turn_matmul, stage::tidy},
    {"vector-product", "MatMul(Transpose(a), v) -> MatMul(v, a)   of a vector v", ops<"MatMul">, vector_product,
     stage::tidy},
    {"Gemm", "MatMul(a, b) + c -> Gemm(a, b, c)", ops<"Add">, fuse_gemm, stage::fuse},
    {"Gemm-transposed", "Gemm(Transpose(a), b, c) -> Gemm(a, b, c, transA=1)", ops<"Gemm">, gemm_of_transposed,
     stage::fuse},
    {"Conv-bias", "Conv(x, w) + b -> Conv(x, w, b)", ops<"Add">, fuse_conv_bias, stage::fuse},
};

}  // namespace jax2onnx::rewrite
