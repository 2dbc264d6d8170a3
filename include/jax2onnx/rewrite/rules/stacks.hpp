// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules for reads of elements of stacked arrays, and for stacks of elements.
namespace jax2onnx::rewrite::detail {

/// The operands of a Concat along `axis`, if each operand has extent 1 along this axis. Empty for any other value.
inline std::vector<value> unit_parts(const value& v, std::int64_t axis) {
  if (!producer(v, "Concat") || axis_of(v) != axis) return {};
  std::vector<value> parts = inputs_of(v);
  const auto is_unit = [&](const value& part) { return part.extent(axis).is(1); };
  return item_loops::all_of(parts, is_unit) ? parts : std::vector<value>();
}

/// The elements x, y, ... of `v` along `axis`, if `v` is Concat(x, y, ...) and each operand has extent 1 along `axis`,
/// or if `axis` is 0 and `v` is Reshape(Concat(x, y, ...)) with a new first axis. Empty for any other value.
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

/// Replaces an element of a stack by the value that was stacked. Unrolled loops stack their results, and later loops
/// read single elements of these stacks.
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

/// Returns whether `v` is known to have no true element.
inline bool is_never_true(value v) {
  while (is_reshape(v) || producer(v, "Expand")) v = input_of(v, 0);
  return splat_number(v) == 0;
}

/// To find the first condition that holds, jnp.select takes the ArgMax of stacked conditions. The first condition in
/// the stack is always false. If there is only one other condition, the index is this condition as an integer.
inline outcome first_of_two(const context&, const value& root) {
  const std::int64_t axis = axis_of(root);
  value stacked = input_of(root, 0);
  if (producer(stacked, "Cast")) stacked = input_of(stacked, 0);
  if (!is_boolean(stacked.dtype()) || flag_of(root, "select_last_index")) return {};
  const std::vector<value> conditions = unit_parts(stacked, axis);
  if (conditions.size() != 2 || !is_never_true(conditions[0])) return {};
  return cast(flag_of(root, "keepdims") ? conditions[1] : squeeze(conditions[1], {axis}), root.dtype());
}

/// Rewrites programs that pick elements of arrays, compute with these elements, and join the results by a Concat, as
/// equations of motion are often written. The computing nodes keep the axis of the Concat, with extent 1, so that fewer
/// nodes have to insert this axis.
class elements_with_axis {
 public:
  elements_with_axis(const context& c, const value& root) : context_(c), root_(root), axis_(axis_of(root)) {
    for (const value& part : inputs_of(root)) {
      const value element = has_trait(part, trait::reshapes) && context_.single_use(part) ? input_of(part, 0) : value();
      parts_.push_back(is_element(element) ? element : value());
      if (parts_.back()) note(parts_.back());
    }
    for (std::size_t i = 0; i < nodes_.size() && nodes_.size() <= most; ++i)
      for (const value& operand : inputs_of(nodes_[i])) note(operand);
    for (std::size_t i = nodes_.size(); i-- > 0;) add(nodes_[i]);
  }

  /// Returns whether fewer nodes insert the axis than before; false if there are no nodes, or too many.
  bool pays() const {
    if (nodes_.empty() || nodes_.size() > most) return false;
    std::size_t before = 0, after = inserted_;
    for (const value& part : parts_) {
      before += part ? 1 : 0;
      after += part && !kept_.contains(part.id()) && !is_picked(part) ? 1 : 0;
    }
    return after < before;
  }
  value emit() {
    for (std::size_t i = nodes_.size(); i-- > 0;)
      if (kept_.contains(nodes_[i].id())) kept_[nodes_[i].id()] = on_elements(nodes_[i]);
    std::vector<value> parts = inputs_of(root_);
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts_[i]) parts[i] = with_axis(parts_[i]);
    return concat(parts, axis_);
  }

 private:
  static constexpr std::size_t most = 256;

  shape with_extent_1(const value& v) const {
    shape dims = v.dims();
    dims.insert(dims.begin() + axis_, dim(1));
    return dims;
  }
  bool is_element(const value& v) const {
    if (!v || v.rank() + 1 != root_.rank()) return false;
    shape dims = root_.dims();
    dims.drop(axis_);
    return v.dims() == dims;
  }
  /// Returns whether `v` is Gather(x, k, axis) of one constant index k.
  bool is_picked(const value& v) const {
    return producer(v, "Gather") && axis_of(v) == axis_ && input_of(v, 0).rank() == root_.rank() &&
           input_of(v, 1).rank() == 0 && constant_integer(input_of(v, 1));
  }
  /// Counts a read of `v`. After the last read, adds the node of `v` if this node computes elements: then only the
  /// Concat depends on the node.
  void note(const value& v) {
    if (!is_element(v) || ++reads_[v.id()] != context_.uses.of(v)) return;
    const node* n = producer(v);
    const bool maps = n && n->outputs.size() == 1 && v.record().home == root_.record().home &&
                      (has_trait(v, trait::unary) || has_trait(v, trait::broadcasting));
    const auto fits = [&](const value& operand) { return operand && (operand.rank() == 0 || is_element(operand)); };
    if (maps && item_loops::all_of(inputs_of(v), fits)) nodes_.push_back(v);
  }
  bool has_axis(const value& v) const { return kept_.contains(v.id()) || is_picked(v); }
  /// The indices of the operands that need the axis: all operands, or the first one of a unary operator, but no scalars
  /// except values that are computed or picked with the axis.
  std::vector<std::size_t> operands_with_axis(const value& v) const {
    std::vector<std::size_t> found;
    const std::size_t count = has_trait(v, trait::unary) ? 1 : producer(v)->inputs.size();
    for (std::size_t i = 0; i < count; ++i)
      if (input_of(v, i).rank() > 0 || has_axis(input_of(v, i))) found.push_back(i);
    return found;
  }
  /// Keeps the axis in a node if an operand has it, and counts the operands into which it has to be inserted.
  void add(const value& v) {
    const std::vector<std::size_t> operands = operands_with_axis(v);
    if (item_loops::none_of(operands, [&](std::size_t i) { return has_axis(input_of(v, i)); })) return;
    kept_[v.id()] = {};
    for (const std::size_t i : operands) count(input_of(v, i));
  }
  void count(const value& x) {
    if (kept_.contains(x.id()) || !counted_.insert(x.id()).second) return;
    if (!is_picked(x) || reads_.at(x.id()) != context_.uses.of(x)) ++inserted_;
  }
  value with_axis(const value& v) {
    if (const auto at = kept_.find(v.id()); at != kept_.end()) return at->second;
    if (!is_picked(v)) return unsqueeze(v, {axis_});
    const value& again = kept_[v.id()] =
        gather(input_of(v, 0), int64s(v.owner(), {*constant_integer(input_of(v, 1))}), axis_);
    return again;
  }
  value on_elements(const value& v) {
    std::vector<value> operands = inputs_of(v);
    for (const std::size_t i : operands_with_axis(v)) operands[i] = with_axis(operands[i]);
    return with_inputs(v, operands, {v.dtype(), with_extent_1(v)});
  }

  const context& context_;
  value root_;
  std::int64_t axis_;
  std::vector<value> parts_ = {};  ///< the root's operands without the axis; absent if an operand stays as it is
  std::vector<value> nodes_ = {};  ///< readers before operands
  std::unordered_map<value_id, std::uint32_t> reads_ = {};
  std::unordered_map<value_id, value> kept_ = {};  ///< values with the axis
  std::unordered_set<value_id> counted_ = {};
  std::size_t inserted_ = 0;
};

inline outcome stack_of_elements(const context& c, const value& root) {
  constexpr std::uint64_t small = 256;
  if (!is_static(root.dims()) || root.rank() == 0) return {};
  // For ONNX Runtime, elements along the last axis of larger arrays are picked by a Split, which keeps the axis.
  const bool is_last = is_onnx_runtime(c.runtime) && axis_of(root) == root.rank() - 1;
  if (element_count(root.type()) > small && !is_last) return {};
  elements_with_axis elements(c, root);
  return elements.pays() ? outcome(elements.emit()) : outcome();
}

/// A stack of stacks becomes one stack. Matrices that are written row by row are stacks of stacks.
inline outcome stack_of_stacks(const context& c, const value& root) {
  const std::int64_t axis = axis_of(root);
  std::vector<value> elements;
  for (const value& part : inputs_of(root)) {
    const value inner = is_reshape(part) ? input_of(part, 0) : value();
    if (!inner || !producer(inner, "Concat") || axis_of(inner) != axis) return {};
    shape dims = inner.dims();
    dims.insert(dims.begin() + axis, dim(1));
    if (part.dims() != dims) return {};
    if (!c.single_use(part) || !c.single_use(inner)) return decline("a row is read elsewhere too");
    for (const value& element : inputs_of(inner)) elements.push_back(element);
  }
  shape joined = elements[0].dims();
  joined[static_cast<std::size_t>(axis)] = c.g.dims().product({root.extent(axis), root.extent(axis + 1)});
  if (elements.size() < 2 || !is_static_reshape(joined, root.dims())) return {};
  return reshape(concat(elements, axis), root.dims());
}

inline constexpr rule stack_rules[] = {
    {"pick-of-stack",
     "Gather(Concat(x, ..., y), k, axis) -> x or y, Gather(Reshape(Concat(x, ..., y)), k, 0) -> x or y",
     "a constant k; each of x, ..., y is one element along the axis", ops<"Gather">, pick_of_stack},
    {"first-of-two", "ArgMax(Concat(a, b, axis), axis) -> Cast(b), ArgMax(Cast(Concat(a, b, axis)), axis) -> Cast(b)",
     "a and b are bool, with extent 1 along the axis; a is always false", ops<"ArgMax">, first_of_two},
    {"stack-of-stacks", "Concat(Unsqueeze(Concat(x, ..., axis), axis), ..., axis) -> Reshape(Concat(x, ..., axis))",
     "nothing else reads the inner Concats", ops<"Concat">, stack_of_stacks, stage::late},
    {"stack-of-elements",
     "Concat(Unsqueeze(f(Gather(x, i, axis), ...), axis), ..., axis) -> Concat(f(Gather(x, [i], axis), ...), ..., "
     "axis)",
     "f is elementwise, and nothing else reads its results; there are fewer Unsqueezes afterwards; the result has at "
     "most 256 elements, or, for ONNX Runtime, the axis is the last one",
     ops<"Concat">, stack_of_elements, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
