// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/visible_rows.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Masks of an attention as numbers that are added to its logits (docs/decisions/0035).
namespace jax2onnx::rewrite {

/// A step between the product of queries and keys and the Softmax: Where(visible, x, number), x + added, or
/// Where(hidden, number, x).
struct logit_mask {
  value visible = {}, added = {}, hidden = {};
  double number = 0;  ///< the number that masks a logit, at most highest_masked_logit
};

/// The greatest number that counts as a masked logit. JAX's libraries replace masked logits by numbers that are no
/// greater. Logits that are not masked are assumed to be greater.
constexpr double highest_masked_logit = -1e8;

/// The number for masked logits. It makes the weight of a hidden key 0. In a row that sees no key, it makes all weights
/// equal, as in JAX; with the lowest number or -inf, ONNX Runtime would treat the keys as missing.
constexpr double masked_logit = -0x1p127;

/// The lowest number that ONNX Runtime does not read as the absence of a key.
constexpr double lowest_masked_logit = -0x1.fffffcp127;

/// Returns whether a float32 constant of up to 1 MiB has neither -inf nor the lowest number of float32; false for any
/// other constant. NaN is allowed.
inline bool is_above_lowest(const value& constant) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  if (constant.dtype() != dtype::f32 || constant.data().size() > longest) return false;
  std::string all;
  constant.data().stream([&all](std::span<const std::byte> piece) {
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  for (std::size_t i = 0; i + sizeof(float) <= all.size(); i += sizeof(float)) {
    float element = 0;
    std::memcpy(&element, all.data() + i, sizeof element);
    if (element <= std::numeric_limits<float>::lowest()) return false;
  }
  return true;
}

/// Returns whether v is Where(c, 0, NaN), possibly reshaped. A Gather that fills with NaN is lowered to a difference
/// with such a value.
inline bool is_zero_or_nan(const value& v) {
  value visible;
  double kept = 0, filled = 0;
  const value choice = is_reshape(v) ? input_of(v, 0) : v;
  return match(choice, m_op("Where", m_value(visible), m_scalar(kept), m_scalar(filled))) && kept == 0 &&
         std::isnan(filled);
}

/// The mask v with masked_logit instead of the lowest number; absent if other elements of v may be as low, or -inf.
inline value finite_mask(const context& c, const value& v, int depth = 8) {
  constexpr double lowest = std::numeric_limits<float>::lowest();
  if (const auto number = splat_number(v); number && *number == lowest)
    return broadcast_to(scalar(c.g, v.dtype(), masked_logit), v.dims());
  if (v.is_constant()) return is_above_lowest(v) ? v : value();
  const node* n = producer(v);
  if (!n || !n->domain.empty() || depth == 0) return {};
  std::vector<value> inputs = inputs_of(v);
  const std::size_t first = producer(v, "Where") ? 1 : 0;
  const std::size_t last = producer(v, "Add") || first == 1                  ? inputs.size()
                           : is_made_of_first(v)                             ? 1
                           : producer(v, "Sub") && is_zero_or_nan(inputs[1]) ? 1
                                                                             : 0;
  if (last == 0) {
    constexpr double far_from_lowest = 1e37;
    return lower_bound_of(v) == lower_bound::zero || magnitude_of(v) < far_from_lowest ? v : value();
  }
  bool changed = false;
  for (std::size_t i = first; i < last; ++i) {
    const value finite = finite_mask(c, inputs[i], depth - 1);
    if (!finite) return {};
    changed = changed || !same_value(finite, inputs[i]);
    inputs[i] = finite;
  }
  return changed ? with_inputs(v, inputs, v.type()) : v;
}

/// Returns whether models for the target avoid subnormal weights of masked keys (docs/decisions/0110-masked-scores.md).
constexpr bool avoids_subnormals(const target& t) {
  return t.runtime == runtime::ort || t.runtime == runtime::ort_contrib;
}

/// Returns whether there are so many scores that subnormal weights cost more time than avoiding them. Symbolic extents
/// count as many.
inline bool are_many_scores(const shape& dims) {
  constexpr std::uint64_t fewest = 16384;
  return !is_static(dims) || element_count({dtype::f32, dims}) >= fewest;
}

/// A mask hides a key if it replaces the key's logit by a number <= subnormal_logit, or adds such a number to the
/// logit. The exponential of subnormal_logit is subnormal in float32.
constexpr double subnormal_logit = -100;

/// Returns whether a floating-point constant of at most 1 MiB has a number that hides a key; false for any other
/// constant.
inline bool has_subnormal_logit(const value& constant) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  const auto all = is_floating(constant.dtype()) ? elements_of(constant, longest) : std::nullopt;
  for (std::size_t i = 0; all && i < all->bits.size(); ++i)
    if ((*all)[i].number() <= subnormal_logit) return true;
  return false;
}

/// Returns whether the last few nodes of `v` show that a mask hides some keys. `v` has logits, or numbers that are
/// added to logits.
inline bool hides_keys(const value& v, int depth = 4) {
  if (!v) return false;
  if (v.is_constant()) return has_subnormal_logit(v);
  if (depth == 0) return false;
  if (is_view(v) || producer(v, "Expand")) return hides_keys(input_of(v, 0), depth - 1);
  if (producer(v, "Where")) {
    const auto hides = [&](std::size_t i) { return uniform_number(input_of(v, i)).value_or(0) <= subnormal_logit; };
    return hides(1) || hides(2);
  }
  return producer(v, "Add") && (hides_keys(input_of(v, 0), depth - 1) || hides_keys(input_of(v, 1), depth - 1));
}

/// Returns whether the mask is known to show at least one key to every query.
inline bool has_key_in_all_rows(const logit_mask& m) {
  if (m.added) return has_above_in_all_rows(m.added, highest_masked_logit);
  return m.visible ? has_in_all_rows(m.visible, true) : has_in_all_rows(m.hidden, false);
}

/// Returns whether a mask that is added, and that finite_mask() accepts, may have numbers <= highest_masked_logit.
inline bool may_hide(const value& v, int depth = 8) {
  if (const auto number = splat_number(v)) return *number <= highest_masked_logit;
  if (lower_bound_of(v) == lower_bound::zero || magnitude_of(v) < -highest_masked_logit) return false;
  const bool adds = producer(v, "Add") != nullptr, chooses = producer(v, "Where") != nullptr;
  if (depth == 0 || !(adds || chooses || is_made_of_first(v))) return true;
  const std::size_t first = chooses ? 1 : 0, last = adds ? 2 : chooses ? 3 : 1;
  for (std::size_t i = first; i < last; ++i)
    if (may_hide(input_of(v, i), depth - 1)) return true;
  return false;
}

/// The finite numbers by which masks replace logits, each once, the greatest first.
inline std::vector<double> masked_numbers(const std::vector<logit_mask>& masks) {
  std::vector<double> numbers;
  for (const logit_mask& m : masks)
    if (!m.added && std::isfinite(m.number)) numbers.push_back(m.number);
  std::ranges::sort(numbers, std::ranges::greater());
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return numbers;
}

/// Returns whether, for a query that sees no key, the keys that are hidden by the greatest number share the weight, as
/// in JAX. Returns false if one mask replaces logits and another one may add numbers <= highest_masked_logit, if two
/// numbers are so close that keys of both would have a weight, or if there are too many numbers. Returns true under
/// `assume_finite`, or if no mask replaces logits by a finite number.
inline bool keeps_order_of_hidden(const context& c, const std::vector<logit_mask>& masks) {
  constexpr std::size_t most = 8;
  constexpr double least_distance = 128;  // exp(-128) is 0 in float32
  const std::vector<double> numbers = masked_numbers(masks);
  if (numbers.empty() || c.assume_finite) return true;
  const auto adds_hidden = [](const logit_mask& m) { return m.added && may_hide(m.added); };
  if (item_loops::any_of(masks, adds_hidden) || numbers.size() > most) return false;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i - 1] - numbers[i] < least_distance) return false;
  return true;
}

/// The sum of all masks, as the operator adds it to logits. Absent if it may be -inf, or if a query might see no key
/// because of a mask of -inf, since JAX's result for such a query is NaN. Under `assume_finite`, a single mask of -inf
/// is assumed to show a key to each query. Numbers keep their order: in a row that sees no key, keys that are hidden by
/// a greater number win.
inline value sum_of_masks(const context& c, const std::vector<logit_mask>& masks) {
  const double floor = c.assume_finite ? lowest_masked_logit : masked_logit;
  const std::vector<double> numbers = masked_numbers(masks);
  const auto lowered = [&](double number) {
    if (numbers.size() < 2 || std::isinf(number)) return std::clamp(number, floor, masked_logit);
    const auto greater = std::ranges::find(numbers, number) - numbers.begin();
    return masked_logit * (2 - std::ldexp(1.0, -static_cast<int>(greater)));
  };
  value sum = scalar(c.g, dtype::f32, 0);
  for (std::size_t i = masks.size(); i-- > 0;) {
    const logit_mask& m = masks[i];
    const bool sees = masks.size() == 1 && (c.assume_finite || has_key_in_all_rows(m));
    if (!m.added && std::isinf(m.number) && !sees) return {};
    if (m.added) {
      value added = finite_mask(c, m.added);
      if (!added && !sees && !c.assume_finite) return {};
      if (!added) added = maximum(m.added, scalar(c.g, dtype::f32, floor));
      sum = uniform_number(sum) ? added : add(sum, added);
    } else {
      const value lowest = scalar(c.g, dtype::f32, lowered(m.number));
      sum = m.visible ? where(m.visible, sum, lowest) : where(m.hidden, lowest, sum);
    }
  }
  return sum;
}

/// Returns whether v is a weight, or the weight of a layer in a scan over layers.
inline bool is_weight_of_layer(const context& c, const value& v) {
  const value weight = without_views(v);
  return weight.is_constant() || c.uses.is_scanned_constant(weight);
}

/// x if v is x times a weight, possibly with a bias and split into heads; else absent. For a row of x that is not
/// finite, no feature of v is finite.
inline value projected(const context& c, value v) {
  constexpr int longest = 8;
  for (int i = 0; v && i < longest; ++i) {
    const node* n = producer(v);
    if (!n) return {};
    const bool weighted = n->inputs.size() > 1 && is_weight_of_layer(c, input_of(v, 1));
    const auto gemm = gemm_of(v);
    if (gemm || producer(v, "MatMul")) return weighted && !(gemm && gemm->transposes_a) ? input_of(v, 0) : value();
    const bool picks = producer(v, "Expand") || producer(v, "Split") || producer(v, "Slice") ||
                       (producer(v, "Gather") && input_of(v, 1).rank() == 0);
    if (producer(v, "Add"))
      v = weighted ? input_of(v, 0) : is_weight_of_layer(c, input_of(v, 0)) ? input_of(v, 1) : value();
    else v = is_view(v) || picks ? input_of(v, 0) : value();
  }
  return {};
}

/// Returns whether the results of an operator are finite if its operands are.
inline bool is_finite_op(const node& n) { return has_trait(n, trait::keeps_finite) || has_trait(n, trait::selects); }
/// Returns whether v is finite if x is finite. Weights are assumed to be finite.
inline bool is_finite_with(const context& c, const value& v, const value& x, int& budget) {
  if (same_value(v, x) || v.is_constant() || c.uses.is_scanned_constant(v) || !is_floating(v.dtype())) return true;
  const node* n = producer(v);
  if (!n || !n->domain.empty() || --budget < 0 || !is_finite_op(*n)) return false;
  double divisor = 0;
  if (producer(v, "Div") && (!match(input_of(v, 1), m_scalar(divisor)) || divisor == 0)) return false;
  const std::size_t count = n->inputs.size();
  for (std::size_t i = 0; i < count; ++i)
    if (const value operand = input_of(v, i); operand && !is_finite_with(c, operand, x, budget)) return false;
  return true;
}

/// Returns whether a value is known to be infinite or NaN if a query or a masked key is infinite or NaN. If both are in
/// one batch, which is not checked, the results of the batch are NaN in JAX as well. Then it makes no difference that
/// the operator adds its mask, which keeps NaN, while JAX replaces the logits of masked keys. `rows` is the number of
/// keys of all batches.
inline bool is_masked_by_sum(const context& c, const value& queries, const value& keys, const value& values, dim rows) {
  const value x = projected(c, values);
  if (!x) return false;
  int budget = 128;
  const shape& dims = x.dims();
  if (dims.empty() || c.g.dims().product(dims.head(std::ssize(dims) - 1)) != rows) return false;
  return is_finite_with(c, keys, x, budget) && is_finite_with(c, queries, x, budget);
}

}  // namespace jax2onnx::rewrite
