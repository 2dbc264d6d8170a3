#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// A Gather of one position of a sequence, such as the class token of a vision transformer or the last token of a
/// prompt, moves before the products that compute all positions.
namespace jax2onnx::rewrite::detail {

/// Gather(x, index, axis) for one index, which removes the axis.
struct selection {
  value index;
  std::int64_t axis = 0;

  value of(const value& x) const { return gather(x, index, axis); }
};
inline std::optional<selection> selection_of(const value& root) {
  const value index = input_of(root, 1);
  if (index.rank() != 0) return std::nullopt;
  return selection{index, axis_of(root)};
}

/// An operand of an operator with a result of rank `rank`, without the result's axis that is selected along.
inline value selected_operand(const selection& s, const value& operand, const value& result) {
  const std::int64_t axis = s.axis - (result.rank() - operand.rank());
  if (axis < 0) return operand;
  if (operand.extent(axis) == result.extent(s.axis)) return gather(operand, s.index, axis);
  shape rest = operand.dims();
  rest.erase(rest.begin() + axis);
  return reshape(operand, rest);
}

/// Whether the node that makes `v` maps each element along `axis` of its first operand to one of `v`, whatever its
/// other operands are.
inline bool maps_along(const value& v, std::int64_t axis) {
  const node& n = *producer(v);
  if (has_trait(n, trait::unary)) return true;
  return has_trait(n, trait::normalization) && axis < axis_of(v);
}

/// Whether `v` is a product of rows along `axis` and a matrix.
inline bool is_product_of_rows(const value& v, std::int64_t axis) {
  return producer(v, "MatMul") && axis + 1 < v.rank() && input_of(v, 0).rank() == v.rank() &&
         input_of(v, 1).rank() == 2;
}

/// Whether `v` is an attention whose queries, a (batch, position, feature), are along `axis`.
inline bool is_attention_of_queries(const value& v, std::int64_t axis) {
  if (!producer(v, "Attention") || axis != 1 || v.rank() != 3 || producer(v)->outputs.size() != 1) return false;
  return !flag_of(v, "is_causal") && producer(v)->inputs.size() <= 4;
}

/// Whether only the selection along `axis` reads `v`, and the selection can go in front of its node with no node more,
/// or in front of a product or an attention, which may lie behind sums and other operators that broadcast.
inline bool computes_in_vain(const context& c, const value& v, std::int64_t axis, int depth = 5) {
  const node* n = producer(v);
  if (depth == 0 || !n || !c.single_use(v) || !has_only(c.g, *n, is_known)) return false;
  if (is_product_of_rows(v, axis) || is_attention_of_queries(v, axis) || maps_along(v, axis)) return true;
  if (!has_trait(*n, trait::broadcasting)) return false;
  const std::vector<value> inputs = inputs_of(v);
  return item_loops::any_of(
      inputs, [&](const value& x) { return x.dims() == v.dims() && computes_in_vain(c, x, axis, depth - 1); });
}

/// The node that makes `v` on one query.
inline value attention_of_query(const selection& s, const value& v) {
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = unsqueeze(s.of(inputs[0]), {s.axis});
  if (value& mask = inputs.back(); inputs.size() == 4 && mask && !mask.extent(mask.rank() - 2).is(1))
    mask = unsqueeze(gather(mask, s.index, mask.rank() - 2), {mask.rank() - 2});
  shape dims = v.dims();
  dims[1] = 1;
  return squeeze(with_inputs(v, inputs, {v.dtype(), dims}), {s.axis});
}

/// The node that makes `v` on selected operands: on the first one, or all that broadcast.
inline value computed_of_selected(const selection& s, const value& v, const tensor_type& type) {
  std::vector<value> inputs = inputs_of(v);
  const std::size_t count = has_trait(v, trait::broadcasting) ? inputs.size() : 1;
  for (std::size_t i = 0; i < count; ++i) inputs[i] = selected_operand(s, inputs[i], v);
  std::vector<attribute> attributes = producer(v)->attributes;
  if (has_trait(v, trait::normalization))
    for (attribute& a : attributes)
      if (std::int64_t* axis = std::get_if<std::int64_t>(&a.value); a.name == "axis" && *axis > 0) --*axis;
  return v.owner().emit(producer(v)->op, inputs, type, std::move(attributes));
}

inline outcome select_early(const context& c, const value& root) {
  const std::optional<selection> s = selection_of(root);
  const value x = input_of(root, 0);
  if (!s || !computes_in_vain(c, x, s->axis)) return {};
  if (is_attention_of_queries(x, s->axis)) return attention_of_query(*s, x);
  return computed_of_selected(*s, x, root.type());
}

/// The axis of `x` that a Reshape to `target` splits so that `axis` is its outer part; -1 where it splits another one.
inline std::int64_t split_axis(const value& x, const shape& target, std::int64_t axis) {
  if (axis >= x.rank() || !std::equal(x.dims().begin(), x.dims().begin() + axis, target.begin())) return -1;
  const std::int64_t behind = x.rank() - axis - 1, inner = std::ssize(target) - axis - 1;
  if (inner <= behind || !std::equal(x.dims().end() - behind, x.dims().end(), target.end() - behind)) return -1;
  return axis;
}

inline outcome pick_of_split(const context&, const value& root) {
  const value split = input_of(root, 0);
  const std::optional<selection> s = selection_of(root);
  const std::optional<double> k = s ? single_number(s->index) : std::nullopt;
  if (!k || *k < 0 || !is_reshape(split)) return {};
  const value x = input_of(split, 0);
  const std::int64_t axis = split_axis(x, split.dims(), s->axis);
  if (axis < 0 || !x.extent(axis).is_constant() || !split.extent(axis).is_constant()) return {};
  const std::int64_t count = split.extent(axis).extent(), each = count > 0 ? x.extent(axis).extent() / count : 0;
  const auto first = static_cast<std::int64_t>(*k) * each;
  if (each < 2 || *k >= static_cast<double>(count)) return {};
  const value part = slice(x, axis, dim(first), dim(first + each));
  return is_static_reshape(part, root.dims()) ? outcome(reshape(part, root.dims())) : outcome();
}

/// The length of a sequence is often read off the running count of a mask. Floating-point numbers would be added in
/// another order.
inline outcome last_of_cumsum(const context& c, const value& root) {
  const value sums = input_of(root, 0);
  const std::optional<selection> s = producer(sums, "CumSum") ? selection_of(root) : std::nullopt;
  if (!s || !is_integer(sums.dtype()) || !sums.extent(s->axis).is_constant()) return {};
  const std::optional<std::int64_t> along = constant_integer(input_of(sums, 1)), index = constant_integer(s->index);
  if (!along || !index || from_front(*along, sums.rank()) != s->axis) return {};
  if (flag_of(sums, "exclusive")) return {};
  const std::int64_t n = sums.extent(s->axis).extent();
  if (from_front(*index, n) != (flag_of(sums, "reverse") ? 0 : n - 1))
    return decline("the index is not that of the sum of all");
  if (!c.single_use(sums)) return decline("the running sums are also read");
  return reduce("ReduceSum", input_of(sums, 0), {s->axis}, false);
}

inline constexpr rule selection_rules[] = {
    {"pick-of-split", "Gather(Reshape(x), k, axis) -> Reshape(Slice(x, k m : (k + 1) m, axis))",
     "a constant k; the Reshape splits an axis into `axis`, of m elements each, and others; the shape is static",
     ops<"Gather">, pick_of_split, stage::late},
    {"select-early", "Gather(op(x, c), i, axis) -> op(Gather(x, i, axis), c')",
     "one index i; op is a product with a matrix, an attention of queries, a normalization, maps elements of one "
     "operand, or broadcasts and has such an operand; nothing else reads it",
     ops<"Gather">, select_early, stage::late},
    {"last-of-cumsum", "Gather(CumSum(x, axis), n - 1, axis) -> ReduceSum(x, axis)",
     "integers; n elements along the axis, all of which are added last; the CumSum is read once", ops<"Gather">,
     last_of_cumsum, stage::tidy},
};

}  // namespace jax2onnx::rewrite::detail
