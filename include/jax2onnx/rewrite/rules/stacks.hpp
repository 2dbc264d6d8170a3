#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arrays that were stacked along a new axis: what is read of them again.
namespace jax2onnx::rewrite::detail {

/// The `count` operands of a Concat along `axis`, each of extent 1 there. Empty for any other value.
inline std::vector<value> unit_parts(const value& v, std::int64_t axis) {
  if (!producer(v, "Concat") || axis_of(v) != axis) return {};
  std::vector<value> parts = inputs_of(v);
  const auto is_unit = [&](const value& part) { return part.extent(axis).is(1); };
  return item_loops::all_of(parts, is_unit) ? parts : std::vector<value>();
}

/// The elements of `v` along `axis`: of Concat(x, y, ...) where each has the extent 1, or of Reshape(Concat(x, y, ...))
/// along a new first axis. Empty for any other value.
inline std::vector<value> elements_of_stack(const value& v, std::int64_t axis) {
  if (!is_reshape(v)) return unit_parts(v, axis);
  const value joined = input_of(v, 0);
  if (axis != 0 || !producer(joined, "Concat") || axis_of(joined) != 0) return {};
  std::vector<value> parts = inputs_of(joined);
  shape dims = v.dims();
  if (!dims[0].is(std::ssize(parts))) return {};
  dims.drop(0);
  const auto is_element = [&](const value& part) { return part.dims() == dims; };
  return item_loops::all_of(parts, is_element) ? parts : std::vector<value>();
}

/// Loops that were unrolled stack results, of which later ones read elements.
inline outcome pick_of_stack(const context&, const value& root) {
  const value x = input_of(root, 0), index = input_of(root, 1);
  const std::int64_t axis = axis_of(root);
  const auto number = single_number(index);
  if (!number) return {};
  const std::vector<value> elements = elements_of_stack(x, axis);
  if (elements.empty()) return {};
  const std::int64_t k = static_cast<std::int64_t>(*number), last = std::ssize(elements) - 1;
  if (k < -1 - last || k > last) return decline("the index is out of bounds");
  const value& element = elements[static_cast<std::size_t>(k < 0 ? k + last + 1 : k)];
  const std::int64_t added = root.rank() - element.rank();
  const value y = added == 1 ? unsqueeze(element, {axis}) : added == -1 ? squeeze(element, {axis}) : element;
  return y.dims() == root.dims() ? outcome(y) : outcome();
}

/// Whether no element of `v` is true.
inline bool is_never_true(value v) {
  while (is_reshape(v) || producer(v, "Expand")) v = input_of(v, 0);
  return splat_number(v) == 0;
}

/// The number of the first condition that holds: jnp.select stacks conditions behind one that never does.
inline outcome first_of_two(const context&, const value& root) {
  const std::int64_t axis = axis_of(root);
  value stacked = input_of(root, 0);
  if (producer(stacked, "Cast")) stacked = input_of(stacked, 0);
  if (!is_boolean(stacked.dtype()) || flag_of(root, "select_last_index")) return {};
  const std::vector<value> conditions = unit_parts(stacked, axis);
  if (conditions.size() != 2 || !is_never_true(conditions[0])) return {};
  return cast(flag_of(root, "keepdims") ? conditions[1] : squeeze(conditions[1], {axis}), root.dtype());
}

inline constexpr rule stack_rules[] = {
    {"pick-of-stack",
     "Gather(Concat(x, ..., y), k, axis) -> x or y, Gather(Reshape(Concat(x, ..., y)), k, 0) -> x or y",
     "a constant k; each of x, ..., y is one element along the axis", ops<"Gather">, pick_of_stack},
    {"first-of-two", "ArgMax(Concat(a, b, axis), axis) -> Cast(b), ArgMax(Cast(Concat(a, b, axis)), axis) -> Cast(b)",
     "conditions a and b, each of extent 1 along the axis; a is never true", ops<"ArgMax">, first_of_two},
};

}  // namespace jax2onnx::rewrite::detail
