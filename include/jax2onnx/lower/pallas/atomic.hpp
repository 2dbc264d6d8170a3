// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/control/cond.hpp>
#include <jax2onnx/lower/control/ref.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers atomic_rmw of kernels for GPUs to a read, a computation and a write, since programs run one after another.
/// Source: jax/_src/pallas/triton/primitives.py.
namespace jax2onnx::lower {
namespace pallas {

/// Reads an index that JAX prints as a tree of the operands: `*` is an element, and Slice[(start, size, stride)] a
/// slice, whose start may be an operand. Example: PyTreeDef((*, (CustomNode(NDIndexer[(PyTreeDef((*, CustomNode(
/// Slice[(0, 4, 1)], [None, None]))), (4, 4), ())], [*]),), *, None)).
class tree_index_reader {
 public:
  explicit tree_index_reader(const site& s) : s_(s), text_(s.param<std::string_view>("args_tree")) {}

  std::vector<ref_axis> read() {
    constexpr std::string_view indexer = "NDIndexer[(PyTreeDef((", slice = "CustomNode(Slice[(";
    const std::size_t begin = text_.find(indexer);
    if (begin == text_.npos || text_.find(indexer, begin + 1) != text_.npos) refuse();
    std::vector<ref_axis> out;
    for (std::string_view rest = text_.substr(begin + indexer.size()); !rest.starts_with(')');) {
      if (rest.starts_with('*')) {
        out.push_back(element());
        rest.remove_prefix(1);
      } else if (rest.starts_with(slice)) {
        const std::size_t end = rest.find("])");
        if (end == rest.npos) refuse();
        out.push_back(sliced(rest.substr(slice.size(), end - slice.size())));
        rest.remove_prefix(end + 2);
      } else {
        refuse();
      }
      while (rest.starts_with(',') || rest.starts_with(' ')) rest.remove_prefix(1);
    }
    return out;
  }
  /// The position of the first operand after the operands of the index.
  std::size_t next() const { return next_; }

 private:
  [[noreturn]] void refuse() const {
    s_.unsupported(detail::message("the index '{}' is not supported", text_.substr(0, 80)),
                   "index with integers and slices");
  }
  ref_axis element() {
    const value at = s_.in(next_++);
    if (const auto known = known_integer(at)) return {*known, {}, {}};
    return {{}, at, {}};
  }
  /// Parses `0, 4, 1)], [None, None` or `None, 2, 1)], [*, None`.
  ref_axis sliced(std::string_view text) {
    std::vector<std::optional<std::int64_t>> numbers;
    while (numbers.size() < 3) {
      std::int64_t n = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
      numbers.push_back(error == std::errc{} ? std::optional(n) : std::nullopt);
      text.remove_prefix(std::min(text.find_first_of(",)"), text.size() - 1) + 1);
      while (text.starts_with(' ')) text.remove_prefix(1);
    }
    if (!numbers[1] || numbers[2] != 1) refuse();
    ref_axis out = numbers[0] ? ref_axis{numbers[0], {}, {}} : element();
    out.size = numbers[1];
    return out;
  }

  const site& s_;
  std::string_view text_;
  std::size_t next_ = 1;
};

/// atomic_rmw ref index… value (mask): returns the previous content.
inline jax_values atomic_rmw(const site& s) {
  tree_index_reader reader(s);
  aval shown = s.in_type(0);
  shown.ref = false;
  ref_step step{shown, shown, place_of(s, reader.read(), shown.dims, past_end::moved)};
  step.after.dims = step.place->dims;
  if (reader.next() >= s.arity()) s.malformed("it lacks an operand with the value");
  jax_value& held = s.content(s.in_parts(0));
  const value old = step.read(held.re()), operand = s.in(reader.next());
  const auto kind = s.param<std::string_view>("atomic_type");
  value made;
  if (kind.ends_with(".ADD")) made = add(old, operand);
  else if (kind.ends_with(".MAX")) made = maximum(old, operand);
  else if (kind.ends_with(".MIN")) made = minimum(old, operand);
  else if (kind.ends_with(".XCHG")) made = broadcast_to(operand, old.dims());
  else s.unsupported(detail::message("the operation {} is not supported; ADD, MAX, MIN and XCHG are", kind));
  if (reader.next() + 1 < s.arity()) made = where(s.in(reader.next() + 1), made, old);
  held = step.write(held.re(), made);
  return {old};
}

}  // namespace pallas

inline constexpr lowering atomic_rows[] = {
    {"atomic_rmw", pallas::atomic_rmw, "Add, Max, Min",
     signature{or_more(2), 1, nullptr, {{"args_tree", param_form::other}, {"atomic_type", param_form::name}}},
     parts_rule::own},
};

}  // namespace jax2onnx::lower
