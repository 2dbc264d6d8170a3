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

/// Products with transposed operands, and products that absorb a bias.
namespace jax2onnx::rewrite::detail {

inline outcome fuse_gemm(const context& c, const value& root) {
  value product, a, b, bias;
  if (!match(root, m_commutes("Add", m_bind(product, m_op("MatMul", m_value(a), m_value(b))), m_value(bias))))
    return {};
  if (a.rank() != 2 || b.rank() != 2) return decline("the operands are not matrices");
  if (!is_floating(root.dtype())) return decline("the element type is not floating-point");
  if (bias.rank() > 2 || product.dims() != root.dims()) return decline("the product is broadcast to the bias");
  if (!c.single_use(product)) return decline("the product is also read without the bias");
  return c.g.emit("Gemm", {a, b, bias}, root.type());
}

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

inline outcome fuse_conv_bias(const context& c, const value& root) {
  value conv, x, w, bias;
  if (!match(root, m_commutes("Add", m_bind(conv, m_op("Conv", m_value(x), m_value(w))), m_value(bias)))) return {};
  const dim channels = conv.extent(1);
  shape per_channel(static_cast<std::size_t>(conv.rank()) - 1, dim(1));
  per_channel.front() = channels;
  shape given = bias.dims();
  if (given.size() > per_channel.size() && given.front().is(1)) given.erase(given.begin());
  if (given != per_channel || conv.dims() != root.dims()) return decline("the bias is not one number per channel");
  if (!c.single_use(conv)) return decline("the convolution is also read without the bias");
  return with_inputs(conv, {x, w, reshape(bias, {channels})}, root.type());
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

/// ONNX Runtime 1.31 fuses the transpose of the former into a product that reads the vector wrongly.
inline outcome vector_product(const context&, const value& root) {
  value a, v, x;
  ints perm;
  if (!match(root, m_op("MatMul", m_value(a), m_value(v))) || (a.rank() == 1) == (v.rank() == 1)) return {};
  const bool vector_first = a.rank() == 1;
  if (vector_first) std::swap(a, v);
  if (!match(a, m_transpose(perm, m_value(x))) || perm != swap_last(a.rank())) return {};
  return vector_first ? matmul(x, v) : matmul(v, x);
}

/// v[k] times the transpose of a[m,k], and a bias[m], as a Gemm of one row.
inline value gemm_of_vector(const value& a, const value& v, const value& bias = {}) {
  const value row = unsqueeze(v, {0});
  std::vector<value> inputs{row, a};
  if (bias) inputs.push_back(bias);
  const tensor_type type{a.dtype(), {1, a.extent(0)}};
  return squeeze(a.owner().emit("Gemm", inputs, type, {{"transB", std::int64_t{1}}}), {0});
}

inline bool is_matrix_by_vector(const value& a, const value& v) {
  return a.rank() == 2 && v.rank() == 1 && is_floating(a.dtype());
}

inline outcome fuse_gemm_of_vector(const context&, const value& root) {
  value a, v;
  if (!match(root, m_op("MatMul", m_value(a), m_value(v))) || !is_matrix_by_vector(a, v)) return {};
  return gemm_of_vector(a, v);
}

inline outcome fuse_gemm_of_vector_and_bias(const context& c, const value& root) {
  value product, a, v, bias;
  if (!match(root, m_commutes("Add", m_bind(product, m_op("MatMul", m_value(a), m_value(v))), m_value(bias))))
    return {};
  if (!is_matrix_by_vector(a, v)) return {};
  if (bias.dims() != product.dims()) return decline("the bias has other extents than the product");
  if (!c.single_use(product)) return decline("the product is also read without the bias");
  return gemm_of_vector(a, v, bias);
}

inline constexpr rule product_rules[] = {
    {"turn-matmul", "Transpose(MatMul(a, b), p) -> Transpose(MatMul(b', a'), p'), ' exchanges the last two axes",
     "fewer Transposes than before; a and b have the same rank", ops<"Transpose", "MatMul">, swap_matmul, stage::tidy},
    {"vector-product", "MatMul(Transpose(a), v) -> MatMul(v, a), MatMul(v, Transpose(a)) -> MatMul(a, v)",
     "a vector v; the Transpose exchanges the last two axes", ops<"MatMul">, vector_product, stage::tidy},
    {"Gemm", "MatMul(a, b) + c -> Gemm(a, b, c)", "floating-point matrices; the product is read once", ops<"Add">,
     fuse_gemm, stage::fuse},
    {"Gemm-vector-bias", "MatMul(a, v) + b -> Gemm(v, a, b, transB=1)",
     "a floating-point matrix, vectors v and b; the product is read once", ops<"Add">, fuse_gemm_of_vector_and_bias,
     stage::fuse},
    {"Gemm-vector", "MatMul(a, v) -> Gemm(v, a, transB=1)", "a floating-point matrix, a vector v", ops<"MatMul">,
     fuse_gemm_of_vector, stage::late},
    {"Gemm-transposed",
     "Gemm(Transpose(a), b, c) -> Gemm(a, b, c, transA=1), Gemm(a, Transpose(b), c) -> Gemm(a, b, c, transB=1)", "",
     ops<"Gemm">, gemm_of_transposed, stage::fuse},
    {"bias-vector", "Gemm(a, b, c) -> Gemm(a, b, c'), MatMul(a, b) + c -> MatMul(a, b) + c'",
     "only the last extent of c is not 1; c is a Reshape of the vector c', or a constant that is stored once",
     ops<"Gemm", "Add">, vector_bias, stage::weights},
    {"Conv-bias", "Conv(x, w) + b -> Conv(x, w, b)", "b is one number per output channel; the convolution is read once",
     ops<"Add">, fuse_conv_bias, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
