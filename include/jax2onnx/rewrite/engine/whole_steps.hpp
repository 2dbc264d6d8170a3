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

/// Values of a loop's body, computed for all steps at once.
namespace jax2onnx::rewrite {

/// The values of a Scan's body that exist for all steps, stacked along a first axis: elements of sequences, what is
/// given, and what operators make of these. Operators are noted first (`add_node`), and emitted when they are asked
/// for.
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
  /// memory. False for any other node.
  bool add_node(const node& n, graph& g) {
    if (n.outputs.size() != 1 || n.outputs[0] == value_id::none || !has_only(g, n, is_known)) return false;
    const value v(g, n.outputs[0]);
    if (!(has_trait(n, trait::product) ? can_be_stored(v) : is_small(v)) || !has_operands(v) || !can_lift(v))
      return false;
    whole_.try_emplace(v.id());
    return true;
  }
  /// Whether all steps have the product of the Gemm `v` without its bias.
  bool has_product(const value& v) const {
    const auto gemm = gemm_of(v);
    return gemm && has(gemm->a) && is_outer(gemm->b) && gemm->is_unscaled() && !gemm->transposes_a && can_be_stored(v);
  }
  /// Whether it pays to add that product to the bias in each step: the two become one Gemm, or the matrix is large.
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

  /// Whether the numbers of a step are few enough that all steps of a product or state may be stored. Symbolic extents
  /// count as 1.
  static bool can_be_stored(const value& v) { return number_count(v) <= 65536; }

 private:
  /// Whether they are so few that the steps one by one, in a cache, are not faster.
  static bool is_small(const value& v) { return number_count(v) <= 4096; }
  static std::int64_t number_count(const value& v) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    std::int64_t numbers = 1;
    for (const dim d : v.dims())
      if (d.is_constant()) numbers = std::min(most, numbers * std::min(most, d.extent()));
    return numbers;
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
    if (producer(v, "Concat")) return std::ranges::all_of(inputs_of(v), [this](const value& x) { return has(x); });
    if (!has(input_of(v, 0))) {
      if (producer(v, "Gather")) return axis_of(v) == 0;
      return producer(v, "MatMul") && input_of(v, 0).rank() == 2 && input_of(v, 1).rank() == 1;
    }
    if (producer(v, "Gemm")) return has_product(v);
    for (std::size_t i = 1; i < n.inputs.size(); ++i)
      if (input_of(v, i) && !is_outer(input_of(v, i))) return false;
    if (producer(v, "MatMul")) return input_of(v, 1).rank() == 2;
    if (is_reshape(v)) return is_static_reshape(input_of(v, 0), v.dims());
    if (producer(v, "Slice")) return slice_axes_of(v).has_value();
    if (has_trait(n, trait::reduction)) return reduction_of(v).has_value();
    return has_trait(n, trait::unary) || producer(v, "Gather") || producer(v, "Transpose");
  }

  value lifted(const value& v) {
    const node& n = *producer(v);
    if (producer(v, "Gemm")) return lifted_gemm(v);
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
      return is_outer(input_of(v, 0)) ? matmul(operands[1], transpose(operands[0], {1, 0}))
                                      : matmul(operands[0], operands[1]);
    return with_inputs(v, operands, std::move(type));
  }
  value lifted_gemm(const value& v) {
    const value product = product_of(v), bias = input_of(v, 2);
    if (!bias) return product;
    return add(product, has(bias) ? aligned(bias, v.rank()) : bias);
  }
  /// All steps of an operand, with as many axes in each step as the result has.
  value aligned(const value& operand, std::int64_t rank) {
    ints axes;
    for (std::int64_t axis = 1; axis <= rank - operand.rank(); ++axis) axes.push_back(axis);
    return unsqueeze(of(operand), axes);
  }
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
  std::unordered_map<value_id, value> whole_;  // absent: not emitted yet
};

}  // namespace jax2onnx::rewrite
