#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Products with transposed operands, and products that absorb a bias.
namespace jax2onnx::rewrite::detail {

/// The bias as a vector if only its last extent is not 1; absent if a weight would be stored twice, in two shapes.
inline value bias_vector(const context& c, const value& bias) {
  if (!bias || bias.rank() < 2) return {};
  const shape vector{bias.dims().back()};
  if (!adds_leading_ones(vector, bias.dims())) return {};
  if (is_reshape(bias) && input_of(bias, 0).dims() == vector) return input_of(bias, 0);
  if (!bias.is_constant() || !is_stored_once_reshaped(c, bias)) return {};
  return c.g.constant({bias.dtype(), vector}, bias.data(), c.g.at(bias.id()).name);
}

/// Quantizers take only vectors for biases.
inline outcome vector_bias(const context& c, const value& root) {
  std::vector<value> inputs = inputs_of(root);
  const bool is_gemm = producer(root, "Gemm");
  for (std::size_t i = is_gemm ? 2 : 0; i < inputs.size(); ++i) {
    if (!is_gemm && (!producer(inputs[1 - i], "MatMul") || inputs[1 - i].dims() != root.dims())) continue;
    const value vector = bias_vector(c, inputs[i]);
    if (!vector) continue;
    inputs[i] = vector;
    return with_inputs(root, inputs, root.type());
  }
  return {};
}

inline outcome gemm_of_transposed(const context& c, const value& root) {
  std::vector<value> inputs = inputs_of(root);
  std::vector<attribute> attributes = producer(root)->attributes;
  bool changed = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view flag = i == 0 ? "transA" : "transB";
    ints perm;
    value x;
    if (flag_of(root, flag) || !match(inputs[i], m_transpose(perm, m_value(x)))) continue;
    inputs[i] = x;
    std::erase_if(attributes, [&](const attribute& a) { return a.name == flag; });
    attributes.push_back({flag, std::int64_t{1}});
    changed = true;
  }
  return changed ? outcome(c.g.emit("Gemm", inputs, root.type(), std::move(attributes))) : outcome();
}

/// The permutation of `rank` axes that exchanges the last two.
inline ints swap_last(std::int64_t rank) {
  ints perm = iota_axes(rank);
  if (rank >= 2) std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return perm;
}

/// v with its last two axes exchanged, as a transpose of `base`: where v is a transpose itself, `base` is its operand.
struct last_axes_swapped {
  value base;
  ints perm;
  bool is_free() const { return std::is_sorted(perm.begin(), perm.end()); }
  explicit last_axes_swapped(const value& v) : base(v), perm(swap_last(v.rank())) {
    ints inner;
    value x;
    if (!match(v, m_transpose(inner, m_value(x)))) return;
    base = x;
    for (std::int64_t& axis : perm) axis = inner[static_cast<std::size_t>(axis)];
  }
};

/// Whether a Transpose goes away with its reader v, also one below a Reshape that only moves extents of 1.
inline bool frees_transpose(const context& c, value v) {
  if (is_reshape(v) && c.single_use(v) && moves_only_ones(input_of(v, 0).dims(), v.dims())) v = input_of(v, 0);
  return producer(v, "Transpose") && c.single_use(v);
}

inline outcome swap_matmul(const context& c, const value& root) {
  value product = root, a, b;
  ints perm = iota_axes(root.rank());
  const bool transposed = match(root, m_transpose(perm, m_value(product)));
  if (!match(product, m_op("MatMul", m_value(a), m_value(b))) || a.rank() != b.rank() || a.rank() < 2) return {};
  const int before_count = int(transposed) + int(frees_transpose(c, a)) + int(frees_transpose(c, b));
  if (before_count == 0) return {};
  const last_axes_swapped left(b), right(a);
  const ints last = swap_last(root.rank());
  ints after = perm;
  for (std::int64_t& axis : after) axis = last[static_cast<std::size_t>(axis)];
  const bool sorted = std::is_sorted(after.begin(), after.end());
  const int after_count = int(!sorted) + int(!left.is_free()) + int(!right.is_free());
  if (after_count >= before_count) return {};
  if (transposed && !c.single_use(product)) return decline("the product is also read untransposed");
  const value swapped = matmul(transpose(left.base, left.perm), transpose(right.base, right.perm));
  return transpose(swapped, after);
}

inline constexpr rule product_rules[] = {
    {"turn-matmul", "Transpose(MatMul(a, b), p) -> Transpose(MatMul(b', a'), p'), ' exchanges the last two axes",
     "fewer Transposes than before; a and b have the same rank", ops<"Transpose", "MatMul">, swap_matmul, stage::tidy},
    // ONNX Runtime 1.31 fuses the Transpose into a product that reads the vector wrongly.
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
             "if same_shape(b, p) 'the bias has other extents than the product', "
             "once(p) 'the product is also read without the bias' within 4 ulps of ordinary numbers 'float16 is added "
             "in float32'">(stage::fuse),
    equation<"Gemm-vector",
             "MatMul(a, v) -> vector(Gemm(row(v), a, transB=1)) for rank(a) = 2, rank(v) = 1, floating(a) "
             "within 4 ulps of ordinary numbers 'float16 is added in float32'">(stage::late),
    {"Gemm-transposed",
     "Gemm(Transpose(a), b, c) -> Gemm(a, b, c, transA=1), Gemm(a, Transpose(b), c) -> Gemm(a, b, c, transB=1)", "",
     ops<"Gemm">, gemm_of_transposed, stage::fuse},
    {"bias-vector", "Gemm(a, b, c) -> Gemm(a, b, c'), MatMul(a, b) + c -> MatMul(a, b) + c'",
     "only the last extent of c is not 1; c is a Reshape of the vector c', or a constant that is stored once",
     ops<"Gemm", "Add">, vector_bias, stage::weights},
    equation<"Conv-bias",
             "v + b -> Conv(x, w, channels(b, v), *) where v = Conv(x, w, *) "
             "if same_shape(v, root) 'the bias is not one number per channel', "
             "once(v) 'the convolution is also read without the bias' within 4 ulps of ordinary numbers 'float16 is "
             "added in float32'">(stage::fuse),
};

}  // namespace jax2onnx::rewrite::detail
