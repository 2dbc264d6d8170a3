// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Values of a loop's body, computed for all steps at once.
namespace jax2onnx::rewrite {

/// `v` with `rank` axes: missing axes are inserted at `first`, with extent 1.
inline value with_rank(const value& v, std::int64_t rank, std::int64_t first) {
  ints axes;
  for (std::int64_t axis = first; v.rank() + std::ssize(axes) < rank; ++axis) axes.push_back(axis);
  return unsqueeze(v, axes);
}

/// The values of a Scan's body that are known for all steps at once, stacked along a new leading axis: elements of
/// sequences, values passed to `give`, and results of operators on these. Operators are recorded first (`add_node`),
/// and emitted when `of` asks for them.
class whole_steps {
 public:
  explicit whole_steps(const recurrence& r) : body_(r.body()) {
    for (std::size_t i = 0; i < r.sequence_count(); ++i) give(r.element(i), r.sequence(i));
  }

  /// States that `sequence` has the values of `v` in all steps.
  void give(const value& v, const value& sequence) { whole_[v.id()] = sequence; }
  /// Promises that `give` will be called for `v` before `of`.
  void promise(const value& v) { whole_.try_emplace(v.id()); }

  bool has(const value& v) const { return whole_.contains(v.id()); }
  bool is_outer(const value& v) const { return v.owner().at(v.id()).home != body_; }

  /// Records a node whose operands are known for all steps, if it can be computed for all of them at once in little
  /// memory. Returns false for any other node.
  bool add_node(const node& n, graph& g) {
    if (n.outputs.size() != 1 || n.outputs[0] == value_id::none || !has_only(g, n, is_known)) return false;
    const value v(g, n.outputs[0]);
    if (!(has_trait(n, trait::product) ? can_be_stored(v) : is_small(v)) || !has_operands(v) || !can_lift(v))
      return false;
    whole_.try_emplace(v.id());
    return true;
  }
  /// True if the product of the Gemm `v`, without its bias, can be computed for all steps.
  bool has_product(const value& v) const {
    const auto gemm = gemm_of(v);
    return gemm && has(gemm->a) && is_outer(gemm->b) && gemm->is_unscaled() && !gemm->transposes_a && can_be_stored(v);
  }
  /// True if computing the product of the Gemm `v` for all steps first saves time: the bias is a MatMul, so that one
  /// Gemm remains in each step, or the matrix is large.
  bool has_useful_product(const value& v) const {
    constexpr std::int64_t large = 16384;
    return has_product(v) && (producer(input_of(v, 2), "MatMul") || number_count(input_of(v, 1)) >= large);
  }

  /// The values of `v` in all steps.
  value of(const value& v) {
    if (!whole_.at(v.id())) whole_[v.id()] = lifted(v);
    return whole_.at(v.id());
  }
  /// The products of the Gemm `v` in all steps.
  value product_of(const value& v) {
    const gemm_view gemm = *gemm_of(v);
    return matmul(of(gemm.a), gemm.transposes_b ? transpose(gemm.b, {1, 0}) : gemm.b);
  }

  /// True if a step has so few elements that all steps of a product or state may be stored. Symbolic extents count as
  /// 1.
  static bool can_be_stored(const value& v) { return number_count(v) <= 65536; }

  /// True if a step has so few elements that computing the steps one by one, in a cache, is not faster.
  static bool is_small(const value& v) { return number_count(v) <= 4096; }

 private:
  static std::int64_t number_count(const value& v) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    std::int64_t numbers = 1;
    for (const dim d : v.dims())
      if (d.is_constant()) numbers = std::min(most, numbers * std::min(most, d.extent()));
    return numbers;
  }
  /// True if a matrix from outside times a value of each step is one product for all steps.
  static bool is_product_of_outer(const value& matrix, const value& x) {
    return matrix.rank() == 1 || (x.rank() == 1 ? matrix.rank() == 2 : is_stack_for(matrix, x));
  }
  /// True if a matrix, or a batch of matrices, broadcasts to the values of all steps as it does to the values of one
  /// step.
  static bool is_stack_for(const value& matrices, const value& x) {
    return matrices.rank() == 2 || (matrices.rank() > 2 && matrices.rank() <= x.rank());
  }
  /// True if a and b have so few elements that it pays to store both for all steps and to multiply them at once.
  static bool are_vectors(const value& a, const value& b) {
    constexpr std::int64_t most = 512;
    return number_count(a) <= most && number_count(b) <= most;
  }
  bool has_operands(const value& v) const {
    bool any = false;
    for (const value& operand : inputs_of(v)) {
      if (!operand) continue;
      any = any || has(operand);
      if (!has(operand) && !is_outer(operand)) return false;
    }
    return any;
  }
  bool can_lift(const value& v) const {
    const node& n = *producer(v);
    if (has_trait(n, trait::broadcasting)) return true;
    if (producer(v, "Concat")) return item_loops::all_of(inputs_of(v), [this](const value& x) { return has(x); });
    if (!has(input_of(v, 0))) {
      if (producer(v, "Gather")) return true;
      return producer(v, "MatMul") && is_product_of_outer(input_of(v, 0), input_of(v, 1));
    }
    if (producer(v, "Gemm")) return has_product(v);
    if (producer(v, "MatMul") && has(input_of(v, 1))) return are_vectors(input_of(v, 0), input_of(v, 1));
    if (producer(v, "MatMul"))
      return is_outer(input_of(v, 1)) && (input_of(v, 1).rank() == 1 || is_stack_for(input_of(v, 1), input_of(v, 0)));
    for (std::size_t i = 1; i < n.inputs.size(); ++i)
      if (input_of(v, i) && !is_outer(input_of(v, i))) return false;
    if (is_reshape(v)) return is_static_reshape(input_of(v, 0), v.dims());
    if (producer(v, "Slice")) return slice_axes_of(v).has_value();
    if (has_trait(n, trait::reduction)) return reduction_of(v).has_value();
    return has_trait(n, trait::unary) || producer(v, "Gather") || producer(v, "Transpose");
  }

  value lifted(const value& v) {
    const node& n = *producer(v);
    if (producer(v, "Gemm")) return lifted_gemm(v);
    if (producer(v, "MatMul") && has(input_of(v, 0)) && has(input_of(v, 1))) return lifted_products(v);
    if (producer(v, "Gather") && !has(input_of(v, 0))) return lifted_lookup(v);
    std::vector<value> operands = inputs_of(v);
    dim steps;
    for (value& operand : operands)
      if (operand && has(operand)) {
        operand = has_trait(n, trait::broadcasting) ? aligned(operand, v.rank()) : of(operand);
        steps = operand.extent(0);
      }
    tensor_type type = v.type();
    type.dims.put(0, steps);
    if (is_reshape(v)) return reshape(operands[0], type.dims);
    if (const auto perm = transpose_of(v)) return transpose(operands[0], moved(*perm));
    if (has_trait(n, trait::reduction)) {
      const reduction r = *reduction_of(v);
      return reduce(n.op, operands[0], moved_axes(r.axes), r.keep);
    }
    if (const auto axes = slice_axes_of(v)) return with_slice_axes(v, operands[0], moved_axes(*axes), std::move(type));
    if (producer(v, "Concat") || (producer(v, "Gather") && has(input_of(v, 0))))
      return v.owner().emit(n.op, operands, type, {{"axis", axis_of(v) + 1}});
    if (producer(v, "MatMul"))
      return is_outer(input_of(v, 0)) && input_of(v, 1).rank() == 1 ? product_of_rows(operands[0], operands[1])
                                                                    : matmul(operands[0], operands[1]);
    return with_inputs(v, operands, std::move(type));
  }
  /// A matrix or vector from outside, times the vector of each step.
  static value product_of_rows(const value& matrix, const value& vectors) {
    return matmul(vectors, matrix.rank() == 1 ? matrix : transpose(matrix, {1, 0}));
  }
  /// Elements of a value from outside, by the indices of all steps. The axis of steps comes first.
  value lifted_lookup(const value& v) {
    const std::int64_t axis = axis_of(v);
    const value found = gather(input_of(v, 0), of(input_of(v, 1)), axis);
    ints perm = iota_axes(found.rank());
    std::rotate(perm.begin(), perm.begin() + axis, perm.begin() + axis + 1);
    return transpose(found, perm);
  }
  value lifted_gemm(const value& v) {
    const value product = product_of(v), bias = input_of(v, 2);
    if (!bias) return product;
    return add(product, has(bias) ? aligned(bias, v.rank()) : bias);
  }
  /// A product of two values of each step: a vector becomes a matrix of one row or column.
  value lifted_products(const value& v) {
    const value a = input_of(v, 0), b = input_of(v, 1);
    const std::int64_t rank = std::max({a.rank(), b.rank(), std::int64_t{2}});
    const value columns = b.rank() == 1 ? unsqueeze(of(b), {2}) : of(b);
    const value rows = aligned(a, rank);
    const value product = matmul(rows, with_rank(columns, rank + 1, 1));
    ints ones;
    if (a.rank() == 1) ones.push_back(rank - 1);
    if (b.rank() == 1) ones.push_back(rank);
    return squeeze(product, ones);
  }
  /// All steps of an operand, with as many axes in each step as the result has.
  value aligned(const value& operand, std::int64_t rank) { return with_rank(of(operand), rank + 1, 1); }
  static ints moved_axes(ints axes) {
    for (std::int64_t& axis : axes) ++axis;
    return axes;
  }
  static ints moved(const ints& perm) {
    ints all{0};
    for (const std::int64_t axis : perm) all.push_back(axis + 1);
    return all;
  }

  block_id body_;
  std::unordered_map<value_id, value> whole_;  // the values for all steps; an absent value is not emitted yet
};

}  // namespace jax2onnx::rewrite
