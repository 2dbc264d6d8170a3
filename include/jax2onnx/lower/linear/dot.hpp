// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/shape/merge_dims.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/support/function_ref.hpp>

/// Lowers dot_general to one MatMul, or to one Mul if nothing is contracted. Source: jax.lax.dot_general.
namespace jax2onnx::lower {

/// The dimension numbers ((lhs_contract, rhs_contract), (lhs_batch, rhs_batch)). The pairs of contracted dimensions are
/// sorted by the left operand's dimension, which saves a Transpose of the left operand.
struct dot_axes {
  ints lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  explicit dot_axes(const dot_numbers& d) : lhs_batch(d.at(1).at(0)), rhs_batch(d.at(1).at(1)) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::size_t i = 0; i < d.at(0).at(0).size(); ++i) pairs.emplace_back(d[0][0][i], d.at(0).at(1).at(i));
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [l, r] : pairs) {
      lhs_contract.push_back(l);
      rhs_contract.push_back(r);
    }
  }
  /// The dimension numbers after exchanging the operands.
  dot_axes turned() const {
    dot_axes d = *this;
    std::swap(d.lhs_contract, d.rhs_contract);
    std::swap(d.lhs_batch, d.rhs_batch);
    return d;
  }
};

/// Returns whether the product is W x[..., feature] with a matrix W, as from vmap of a layer W x. If the operands are
/// exchanged, x needs no Transpose, and the Transpose of the result can cancel with the next Transpose.
inline bool is_transposed_dense(const dot_axes& d, const ints& lhs_free, const ints& rhs_free) {
  return d.lhs_batch.empty() && d.rhs_contract.size() == 1 && lhs_free.size() == 1 && rhs_free.size() >= 2 &&
         d.rhs_contract.front() == std::ssize(rhs_free);
}

/// The product without a contraction, by broadcasting: [batch..., free of lhs..., free of rhs...].
inline value outer_product(const value& lhs, const value& rhs, const dot_axes& d) {
  const ints lhs_free = complement(lhs.rank(), d.lhs_batch), rhs_free = complement(rhs.rank(), d.rhs_batch);
  const auto batch = std::ssize(d.lhs_batch), left = std::ssize(lhs_free), right = std::ssize(rhs_free);
  ints after, between;  // axes of extent 1 for the other operand's free dimensions, unless they are leading
  for (std::int64_t i = 0; i < right; ++i) after.push_back(batch + left + i);
  for (std::int64_t i = 0; i < left && batch > 0; ++i) between.push_back(batch + i);
  const value a = transpose(lhs, joined_axes(d.lhs_batch, lhs_free));
  const value b = transpose(rhs, joined_axes(d.rhs_batch, rhs_free));
  return mul(unsqueeze(a, after), unsqueeze(b, between));
}

/// The product of operands of one dtype, which is also the dtype of the result: [batch..., free of lhs..., free of
/// rhs...].
inline value dot(const value& lhs, const value& rhs, const dot_axes& d) {
  if (d.lhs_contract.empty()) return outer_product(lhs, rhs, d);
  const ints lhs_free = complement(lhs.rank(), d.lhs_batch, d.lhs_contract);
  const ints rhs_free = complement(rhs.rank(), d.rhs_batch, d.rhs_contract);
  const auto batch = std::ssize(d.lhs_batch), contract = std::ssize(d.lhs_contract);
  if (is_transposed_dense(d, lhs_free, rhs_free)) {
    ints last_first = {std::ssize(rhs_free)};
    for (std::int64_t i = 0; i < last_first.front(); ++i) last_first.push_back(i);
    return transpose(dot(rhs, lhs, d.turned()), last_first);
  }
  value a = transpose(lhs, joined_axes(d.lhs_batch, lhs_free, d.lhs_contract));
  value b = transpose(rhs, joined_axes(d.rhs_batch, d.rhs_contract, rhs_free));
  shape result = extents_at(lhs.dims(), joined_axes(d.lhs_batch, lhs_free));
  for (dim e : extents_at(rhs.dims(), rhs_free)) result.push_back(e);
  a = merge_dims(a, batch + std::ssize(lhs_free), contract);
  // Without batch dimensions, MatMul accepts vectors on either side, and any number of leading dimensions on the left.
  if (batch > 0 || !rhs_free.empty()) b = merge_dims(b, batch + contract, std::ssize(rhs_free));
  b = merge_dims(b, batch, contract);
  if (batch > 0) a = merge_dims(a, batch, std::ssize(lhs_free));
  return reshape(matmul(a, b), result);
}

/// The dtype to accumulate in: the wider dtype of operands and result, or the floating-point dtype if only one of them
/// is floating-point. MatMul lacks booleans and integers narrower than int32: they become int32; floats of less than 16
/// bits become float32.
inline dtype accumulation_dtype(dtype in, dtype out) {
  const bool alike = is_floating(in) == is_floating(out);
  const dtype wide = (alike && bits(in) > bits(out)) || (is_floating(in) && !is_floating(out)) ? in : out;
  if (is_boolean(wide) || (is_integer(wide) && bits(wide) < 32)) return dtype::i32;
  return bits(wide) < 16 ? dtype::f32 : wide;
}

/// The parts of x in another dtype. A missing imaginary part stays absent; if `to` is real, the imaginary part is
/// dropped.
inline jax_value parts_as(const jax_value& x, const element& to) {
  return from_parts(std::min(x.count, to.parts),
                    [&](std::size_t i) { return convert_element_type(x.parts[i], to.part); });
}

/// Returns whether the operands are first converted to the result's type: they have different types, and at least one
/// is not a float of at most 8 bits.
inline bool converts_operands(const element& a, const element& b) {
  return a != b && (!is_floating(a.part) || !is_floating(b.part) || bits(a.part) > 8 || bits(b.part) > 8);
}

using real_product = function_ref<value(const value& lhs, const value& rhs)>;

/// An array with its element type.
struct typed_operand {
  jax_value parts;
  element elem;
};

/// A product of elements of type `out` that is linear in both operands, which may be complex. `real` computes the
/// product of real tensors of the accumulation dtype.
inline jax_value bilinear(const typed_operand& lhs, const typed_operand& rhs, const element& out, real_product real) {
  jax_value a = lhs.parts, b = rhs.parts;
  if (converts_operands(lhs.elem, rhs.elem)) a = parts_as(a, out), b = parts_as(b, out);
  const dtype t = accumulation_dtype(a.re().dtype(), out.part);
  const auto product = [&](const value& x, const value& y) { return real(cast(x, t), cast(y, t)); };
  jax_value y = product(a.re(), b.re());
  if (a.count == 2 && b.count == 2)
    y = {sub(y.re(), product(a.im(), b.im())), add(product(a.re(), b.im()), product(a.im(), b.re()))};
  else if (b.count == 2) y = {y.re(), product(a.re(), b.im())};
  else if (a.count == 2) y = {y.re(), product(a.im(), b.re())};
  y = parts_as(y, out);
  if (y.count < out.parts) y = {y.re(), filled(y.re().owner(), out.part, y.re().dims(), 0)};
  return y;
}
/// A product of operands 0 and 1 that is linear in both.
inline jax_values bilinear(const site& s, real_product real) {
  return {bilinear({s.in_parts(0), s.in_type(0).elem}, {s.in_parts(1), s.in_type(1).elem}, s.out_type().elem, real)};
}

inline jax_values dot_general(const site& s) {
  const dot_axes d(s.param<dot_numbers>("dimension_numbers"));
  return bilinear(s, [&](const value& a, const value& b) { return dot(a, b, d); });
}

inline constexpr lowering dot_rows[] = {
    {"dot_general", dot_general, "Transpose, Reshape, MatMul, Mul", dot_general_signature, parts_rule::own,
     ignores{"out_sharding precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
