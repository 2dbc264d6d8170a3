// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>

/// Lowers Einsum, the primitive of jax.numpy.einsum if it is not decomposed, to products with one operand after
/// another. Source: jax._src.numpy.hijax.Einsum.
namespace jax2onnx::lower {

/// The labels of the axes of each operand and of the result, `ij,jk->ik`.
struct einsum_labels {
  std::vector<std::string> operands;
  std::string result;

  explicit einsum_labels(const site& s) {
    const auto text = s.param<std::string_view>("subscripts");
    const std::size_t arrow = text.find("->");
    if (arrow == std::string_view::npos) s.malformed("its subscripts name no result");
    result = text.substr(arrow + 2);
    operands.emplace_back();
    for (const char c : text.substr(0, arrow))
      if (c == ',') operands.emplace_back();
      else operands.back() += c;
    if (operands.size() != s.arity()) s.malformed("its subscripts do not fit the number of its operands");
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (std::ssize(operands[i]) != s.in_type(i).rank())
        s.malformed(detail::message("its subscripts '{}' do not fit operand {}", operands[i], i));
  }

  /// Returns whether a label is needed after the product with operand `i`.
  bool is_needed_after(char label, std::size_t i) const {
    if (result.find(label) != std::string::npos) return true;
    return std::any_of(operands.begin() + static_cast<std::ptrdiff_t>(i) + 1, operands.end(),
                       [label](const std::string& labels) { return labels.find(label) != std::string::npos; });
  }
};

/// The extents of the result. Each label of the result must have one extent in all operands.
inline shape einsum_shape(const site& s, const einsum_labels& labels) {
  shape out;
  for (const char label : labels.result) {
    const dim* extent = nullptr;
    for (std::size_t i = 0; i < labels.operands.size(); ++i)
      for (std::size_t axis = 0; axis < labels.operands[i].size(); ++axis) {
        if (labels.operands[i][axis] != label) continue;
        const dim& here = s.in_type(i).dims[axis];
        if (extent && *extent != here)
          s.malformed(detail::message("the axes with the label '{}' have different extents", label));
        extent = &here;
      }
    if (!extent) s.malformed(detail::message("no operand has the label '{}' of its result", label));
    out.push_back(*extent);
  }
  return out;
}

inline std::vector<aval> einsum_types(const site& s) {
  element widest = s.in_type(0).elem;
  for (std::size_t i = 0; i < s.arity(); ++i) {
    require_kind(s, i, kinds::data);
    if (product_order(widest) < product_order(s.in_type(i).elem)) widest = s.in_type(i).elem;
  }
  return {{s.param_or<element>("preferred_element_type", widest), einsum_shape(s, einsum_labels(s))}};
}

/// A value whose axes have labels.
struct labeled_operand {
  value x;
  std::string labels;
};

/// Merges axes with the same label. For each pair of these axes, zeroes the elements off the diagonal and sums over the
/// second axis.
inline labeled_operand take_diagonals(labeled_operand a) {
  for (std::size_t second = 0; second < a.labels.size(); ++second) {
    const std::size_t first = a.labels.find(a.labels[second]);
    if (first == second) continue;
    const dim n = a.x.extent(static_cast<std::int64_t>(first));
    const value place = range(a.x.owner(), n);
    ints others;
    for (std::size_t axis = 0; axis < a.labels.size(); ++axis)
      if (axis != first && axis != second) others.push_back(static_cast<std::int64_t>(axis));
    const value on = unsqueeze(equal(unsqueeze(place, {1}), place), others);
    const value kept = where(on, a.x, scalar(a.x.owner(), a.x.dtype(), 0));
    a.x = reduce_exactly("ReduceSum", kept, {static_cast<std::int64_t>(second)});
    a.labels.erase(second, 1);
    --second;
  }
  return a;
}

/// Sums over the axes whose labels `keep` rejects.
template <class Keep>
labeled_operand sum_others(labeled_operand a, const Keep& keep) {
  ints summed;
  std::string kept;
  for (std::size_t axis = 0; axis < a.labels.size(); ++axis)
    if (keep(a.labels[axis])) kept += a.labels[axis];
    else summed.push_back(static_cast<std::int64_t>(axis));
  if (!summed.empty()) a.x = reduce_exactly("ReduceSum", a.x, summed);
  return {a.x, kept};
}

/// The product of two operands. The labels of the product are the shared labels that stay, then the remaining labels of
/// `a` and of `b`.
template <class Needed>
labeled_operand einsum_product(const labeled_operand& a, const labeled_operand& b, const Needed& needed) {
  dot_numbers d{{{}, {}}, {{}, {}}};
  std::string batch, left, right;
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    const std::size_t j = b.labels.find(a.labels[i]);
    if (j == std::string::npos) {
      left += a.labels[i];
      continue;
    }
    std::vector<ints>& pair = d[needed(a.labels[i]) ? 1 : 0];
    pair[0].push_back(static_cast<std::int64_t>(i));
    pair[1].push_back(static_cast<std::int64_t>(j));
    if (needed(a.labels[i])) batch += a.labels[i];
  }
  for (const char label : b.labels)
    if (a.labels.find(label) == std::string::npos) right += label;
  return {dot(a.x, b.x, dot_axes(d)), batch + left + right};
}

inline jax_values einsum(const site& s) {
  const einsum_labels labels(s);
  if (s.is_complex()) s.unsupported("complex operands are not supported");
  const dtype wide = accumulation_dtype(s.in_dtype(), s.out_dtype());
  const auto operand = [&](std::size_t i) {
    const labeled_operand a = take_diagonals({convert_element_type(s.in(i), wide), labels.operands[i]});
    return sum_others(a, [&](char label) {
      return labels.is_needed_after(label, i) ||
             std::any_of(labels.operands.begin(), labels.operands.begin() + static_cast<std::ptrdiff_t>(i),
                         [label](const std::string& before) { return before.find(label) != std::string::npos; });
    });
  };
  labeled_operand y = operand(0);
  for (std::size_t i = 1; i < s.arity(); ++i) {
    const auto needed = [&](char label) { return labels.is_needed_after(label, i); };
    const labeled_operand b = operand(i);
    y = sum_others(einsum_product(y, b, needed), needed);
  }
  ints order;
  for (const char label : labels.result) order.push_back(static_cast<std::int64_t>(y.labels.find(label)));
  return {convert_element_type(transpose(y.x, order), s.out_dtype())};
}

inline constexpr signature einsum_signature{
    or_more(1), 1, einsum_types, {{"subscripts", param_form::name}, {"preferred_element_type", param_form::element}}};

inline constexpr lowering einsum_rows[] = {
    {"Einsum", einsum, "MatMul, ReduceSum, Transpose", einsum_signature, parts_rule::own,
     ignores{"optimize precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
