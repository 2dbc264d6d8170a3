// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/ops/constant_folding.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/joined_source.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Constant folding of small tensors in the arithmetic of the dtype: integers wrap, and floats round to nearest even.
/// Weights of float32 and float64 are folded in double.
namespace jax2onnx::rewrite::detail {

/// Computes the elements of `v`, in type `t`, from the elements `in` of its first operands. nullopt if runtimes may
/// compute different results. All extents are constant.
inline std::optional<elements> mapped_elements(const value& v, const element_row& row, std::span<const elements> in,
                                               dtype t, std::size_t count) {
  std::vector<single_element> operands(row.operands);
  elements out{t, std::vector<std::uint64_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < row.operands; ++k)
      operands[k] = in[k][broadcast_index(i, v.dims(), input_of(v, k).dims())];
    const auto bits = row.rule(operands, t);
    if (!bits) return std::nullopt;
    out.bits[i] = *bits;
  }
  return out;
}

/// Returns whether the constant `v` is a floating-point tensor, not a scalar, and either has a name or was computed in
/// double from other constants.
inline bool is_weight(const context& c, const value& v) {
  if (!is_floating(v.dtype()) || v.rank() == 0) return false;
  return !c.g.at(v.id()).name.empty() || is_computed(v);
}

/// Folds `root` if its operands are small constants. If `of_weights` is true, at least one operand must be a weight;
/// otherwise, none may be a weight.
inline outcome fold_elements(const context& c, const value& root, bool of_weights) {
  const element_row* row = element_row_of(*producer(root));
  const auto count = small_count(root.type());
  const std::vector<value> operands = inputs_of(root);
  const auto is_constant = [](const value& v) { return v.is_constant(); };
  if (!row || !count || !item_loops::all_of(operands, is_constant)) return {};
  if (item_loops::any_of(operands, [&](const value& v) { return is_weight(c, v); }) != of_weights) return {};
  std::vector<elements> in;
  for (const value& v : operands) {
    auto e = read_elements(v);
    if (!e) return {};
    in.push_back(std::move(*e));
  }
  const auto folded = mapped_elements(root, *row, in, root.dtype(), *count);
  return folded ? outcome(constant_of_elements(c.g, root.type(), folded->bits)) : outcome();
}

inline outcome fold_elementwise(const context& c, const value& root) { return fold_elements(c, root, false); }

/// The number of elements of a tensor; nullopt if an extent is not constant, or if an extent or the number of elements
/// exceeds `most_numbers`.
inline std::optional<std::size_t> count_of_numbers(const tensor_type& t) {
  std::uint64_t n = 1;
  for (const dim d : t.dims) {
    if (!d.is_constant() || d.extent() < 0 || static_cast<std::uint64_t>(d.extent()) > most_numbers)
      return std::nullopt;
    n = std::min(n * static_cast<std::uint64_t>(d.extent()), most_numbers + 1);
  }
  return n <= most_numbers ? std::optional(static_cast<std::size_t>(n)) : std::nullopt;
}

/// The elements of a constant as f64; nullopt if numbers_of cannot read it.
inline std::optional<elements> wide_elements_of(const value& v) {
  const auto numbers = numbers_of(v);
  if (!numbers) return std::nullopt;
  elements out{dtype::f64, {}};
  for (const double number : *numbers) out.bits.push_back(std::bit_cast<std::uint64_t>(number));
  return out;
}

/// `e`, of f64, with each number rounded to type `t`, f32 or f64.
inline elements rounded_elements(elements e, dtype t) {
  if (t == dtype::f64) return e;
  for (std::uint64_t& bits : e.bits)
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(std::bit_cast<double>(bits))));
  return e;
}

/// Computes the elements of `root` in double, from operands that are not rounded. Floor and Ceil read operands that are
/// rounded to the type of `root`, and so do sums and differences whose magnitude is less than half of the largest
/// magnitude of an operand: a small change of an operand can change such a result much. nullopt if runtimes may compute
/// different results.
inline std::optional<elements> elements_in_double(const value& root, const element_row& row,
                                                  const std::vector<elements>& in, std::size_t count) {
  const bool is_step = producer(root, "Floor") || producer(root, "Ceil");
  const bool may_cancel = producer(root, "Add") || producer(root, "Sub");
  std::optional<elements> exact = is_step ? std::nullopt : mapped_elements(root, row, in, dtype::f64, count);
  if (!is_step && (!exact || !may_cancel)) return exact;
  std::vector<elements> read;
  for (const elements& e : in) read.push_back(rounded_elements(e, root.dtype()));
  std::optional<elements> rounded = mapped_elements(root, row, read, dtype::f64, count);
  if (is_step || !rounded) return rounded;
  for (std::size_t i = 0; i < count; ++i) {
    const auto operand = [&](std::size_t k) {
      return in[k][broadcast_index(i, root.dims(), input_of(root, k).dims())];
    };
    const double largest = std::max(std::abs(operand(0).number()), std::abs(operand(1).number()));
    if (std::abs((*exact)[i].number()) < largest / 2) exact->bits[i] = rounded->bits[i];
  }
  return exact;
}

/// Folds an operator on at most two constants, at least one of which is a weight, in double. Operators that are folded
/// later read the result before it is rounded.
inline outcome fold_numbers(const context& c, const value& root) {
  const element_row* row = element_row_of(*producer(root));
  const auto count = count_of_numbers(root.type());
  if (!row || !count || row->operands > 2 || !is_computed_in_double(root.dtype())) return {};
  if (producer(root)->inputs.size() != row->operands) return {};
  std::vector<elements> in;
  bool any_weight = false;
  for (std::size_t k = 0; k < row->operands; ++k) {
    const value v = input_of(root, k);
    auto e = v.dtype() == root.dtype() ? wide_elements_of(v) : std::nullopt;
    if (!e) return {};
    any_weight = any_weight || is_weight(c, v);
    in.push_back(std::move(*e));
  }
  const auto folded = any_weight ? elements_in_double(root, *row, in, *count) : std::nullopt;
  if (!folded) return {};
  std::vector<double> numbers(*count);
  for (std::size_t i = 0; i < *count; ++i) numbers[i] = (*folded)[i].number();
  return constant_of_numbers(c.g, root.type(), std::move(numbers));
}

/// Folds operators on weights. Runs in the late stage, so that the rules of normalizations still see variances and
/// scales.
inline outcome fold_weights(const context& c, const value& root) {
  const outcome folded = fold_numbers(c, root);
  return folded.replacement ? folded : fold_elements(c, root, true);
}

inline outcome fold_range(const context& c, const value& root) {
  const auto count = small_count(root.type());
  const auto start = read_elements(input_of(root, 0)), step = read_elements(input_of(root, 2));
  if (!count || !start || !step || !is_integer(root.dtype())) return {};
  const std::int64_t first = (*start)[0].integer(), by = (*step)[0].integer();
  std::vector<std::uint64_t> numbers(*count);
  for (std::size_t i = 0; i < *count; ++i)
    numbers[i] = of_elements::encode(root.dtype(), first + static_cast<std::int64_t>(i) * by);
  return constant_of_elements(c.g, root.type(), numbers);
}

inline outcome fold_concat(const context& c, const value& root) {
  if (root.dtype() != dtype::i64 || root.rank() != 1) return {};
  ints joined;
  for (std::size_t i = 0; i < producer(root)->inputs.size(); ++i) {
    const auto part = constant_integers(input_of(root, i));
    if (!part) return {};
    joined.insert(joined.end(), part->begin(), part->end());
  }
  return joined.size() * sizeof(std::int64_t) <= folding_limit ? outcome(int64s(c.g, joined)) : outcome();
}

/// Joins constants, at least one of which is a weight, into one constant. If the result is large, its bytes are joined
/// when the model is written.
inline outcome fold_concat_of_weights(const context& c, const value& root) {
  const std::vector<value> operands = inputs_of(root);
  const auto is_constant = [](const value& v) { return v && v.is_constant(); };
  const auto is_a_weight = [&](const value& v) { return is_weight(c, v); };
  if (!item_loops::all_of(operands, is_constant) || item_loops::none_of(operands, is_a_weight)) return {};
  if (bits(root.dtype()) % 8 != 0) return {};
  std::uint64_t blocks = 1;
  for (std::int64_t i = 0, axis = axis_of(root); i < axis; ++i)
    blocks *= static_cast<std::uint64_t>(root.extent(i).extent());
  std::vector<bytes> parts;
  for (const value& v : operands) {
    if (v.data().size() > folding_limit && !c.single_use(v))
      return decline("the weight would be stored twice, joined and by itself");
    parts.push_back(v.data());
  }
  if (blocks == 0) return {};
  const auto source = joined(parts, blocks);
  if (source->size() > folding_limit) return computed_constant(c.g, root.type(), source);
  return c.g.constant(root.type(), bytes(in_memory(*source)));
}

/// The operators that these rules can compute.
inline constexpr auto foldable_ops = [] {
  std::array<operator_name, std::size(element_rows)> names;
  std::ranges::transform(element_rows, names.begin(), &element_row::op);
  return names;
}();

inline constexpr rule constant_folding_rules[] = {
    {"fold-elementwise", "op(c, d) -> e",
     "op is elementwise; constants of at most 4 KiB that are not weights; all runtimes give the same result",
     foldable_ops, fold_elementwise},
    {"fold-weights", "op(c, d) -> e",
     "op is elementwise; constants, one of them a weight, of at most 4 KiB, or of at most 65536 elements of float32 or "
     "float64; float32 is computed in double, and only Floor, Ceil and differences that cancel read rounded operands; "
     "all runtimes give the same result",
     foldable_ops, fold_weights, stage::late},
    equation<"fold-sum", "ReduceSum(c, r) -> summed(c, r) for constant(c) within 1 ulps 'added in double'">(),
    {"fold-range", "Range(c, d, e) -> f", "integer constants of at most 4 KiB", ops<"Range">, fold_range},
    equation<"fold-transpose", "Transpose(c, *) -> permuted(c) for constant(c) if whole_bytes(c), small_or_once(c)">(),
    {"fold-concat", "Concat(c, d) -> e", "int64 vectors, together at most 4 KiB", ops<"Concat">, fold_concat},
    {"fold-concat-of-weights", "Concat(c, d, axis) -> e",
     "constants, one of them a weight, that are read once or have at most 4 KiB; elements of whole bytes",
     ops<"Concat">, fold_concat_of_weights, stage::weights},
    equation<"fold-shape", "Shape(x, *) -> extents(x)">(),
};

}  // namespace jax2onnx::rewrite::detail
