// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of operators with bodies.
namespace jax2onnx::rules {

/// True if two types may belong to one value: they have the same kind and, as far as known, the same dtype.
constexpr bool same_elements(const tensor_type& a, const tensor_type& b) {
  return a.kind == b.kind && (a.type == b.type || a.type == dtype::undefined || b.type == dtype::undefined);
}

/// If: both branches give results of the same types, whose shapes may differ.
constexpr void if_(inference& c) {
  c.number(0);
  const std::vector<tensor_type> then = c.body_results("then_branch"), other = c.body_results("else_branch");
  const auto count = std::ssize(then);
  if (!c.expect_body_arity("then_branch", 0) || !c.expect_body_arity("else_branch", 0)) return;
  if (!c.expect(count == std::ssize(other), "the branches have {} and {} results", count, std::ssize(other))) return;
  if (count > 0)
    c.expect(std::ssize(then) == static_cast<std::ptrdiff_t>(c.result_count()),
             "the branches have {} result{|s}, not {}", count, static_cast<std::int64_t>(c.result_count()));
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (!c.expect(same_elements(then[i], other[i]), "result {} has different types in the branches",
                  static_cast<std::int64_t>(i)))
      return;
    c.set(i, common_type(then[i], other[i]));
  }
}

/// The type of a stack of `count` tensors of type `t` along a new axis.
constexpr tensor_type stacked(tensor_type t, dim count, std::int64_t axis) {
  if (t.ranked) t.dims.put(axis, count);
  return t;
}

/// Loop: a limit, a condition, and carried values. Its body returns the condition, the carried values, and an element
/// for each stacked result.
constexpr void loop(inference& c) {
  for (std::size_t i = 0; i < 2; ++i)
    if (c.has(i)) c.number(i);
  const std::vector<tensor_type> body = c.body_results("body");
  const std::size_t carried = c.arity() - 2;
  if (!c.expect_body_arity("body", c.arity()) || body.empty()) return;
  if (!c.expect(body.size() >= 1 + carried, "the body has {} result{|s}; it needs a condition and {} carried value{|s}",
                std::ssize(body), static_cast<std::int64_t>(carried)) ||
      !c.expect(body.size() == 1 + c.result_count(), "the body has {} result{|s} after its condition, not {}",
                std::ssize(body) - 1, static_cast<std::int64_t>(c.result_count())))
    return;
  const bool condition =
      body[0].kind == value_kind::tensor && (body[0].type == dtype::boolean || body[0].type == dtype::undefined);
  if (!c.expect(condition, "the body's first result is not a bool")) return;
  for (std::size_t i = 0; i + 1 < body.size(); ++i) {
    const tensor_type& after = body[i + 1];
    const auto place = static_cast<std::int64_t>(i);
    if (i >= carried) {
      c.expect(after.kind == value_kind::tensor, "the body's value for the stacked result {} is not a tensor", place);
      c.set(i, stacked(after, dim::dyn(), 0));
    } else if (!c.has(i + 2) || c.in(i + 2).kind != after.kind) {
      c.set(i, after);  // an optional that the first iteration fills
    } else {
      c.expect(same_elements(c.in(i + 2), after), "carried value {} changes its type", place);
      c.set(i, common_type(after, c.in(i + 2)));
    }
  }
}

/// The axis of scan input or output i: the one that an attribute states, or else 0.
constexpr std::int64_t scan_axis(inference& c, std::string_view attribute, std::size_t i, std::int64_t rank) {
  const std::span<const std::int64_t> axes = c.integers(attribute);
  return c.axis(i < axes.size() ? axes[i] : 0, rank);
}

/// Fails unless the lists of axes and directions, if given, have `count` entries, and every direction is 0 or 1.
constexpr bool scan_lists(inference& c, std::string_view axes, std::string_view directions, std::size_t count) {
  for (std::string_view name : {axes, directions})
    c.expect(!c.given(name) || c.integers(name).size() == count,
             "a list of axes or directions has {} entr{y|ies} for {} scanned value{|s}", std::ssize(c.integers(name)),
             static_cast<std::int64_t>(count));
  for (std::int64_t d : c.integers(directions)) c.expect(d == 0 || d == 1, "a direction is {}; it must be 0 or 1", d);
  return !c.failed();
}

/// The type of a state, from its types before and after a step, which must agree.
constexpr tensor_type scan_state(inference& c, const tensor_type& before, tensor_type after, std::size_t i) {
  c.expect(same_elements(before, after), "state {} changes its type", static_cast<std::int64_t>(i));
  if (!before.ranked) return after;
  if (!after.ranked) return before;
  if (!c.expect(before.dims.size() == after.dims.size(), "a state has {} dimension{|s}, then {}",
                std::ssize(before.dims), std::ssize(after.dims)))
    return after;
  for (std::size_t j = 0; j < after.dims.size(); ++j) {
    c.expect_equal(before.dims[j], after.dims[j], "a state has an extent of {}, then {}");
    after.dims[j] = c.either(before.dims[j], after.dims[j]);
  }
  return after;
}

/// Scan: states and scanned tensors. Its body returns the next states, and an element of each stacked result.
constexpr void scan(inference& c) {
  const std::int64_t scanned = c.integer("num_scan_inputs");
  const std::vector<tensor_type> body = c.body_results("body");
  if (!c.expect_body_arity("body", c.arity()) || body.empty() || !c.known("num_scan_inputs")) return;
  if (!c.expect(scanned > 0 && scanned <= static_cast<std::int64_t>(c.arity()),
                "the node has {} operand{|s}, but num_scan_inputs is {}; it must be from 1 to the number of operands",
                static_cast<std::int64_t>(c.arity()), scanned))
    return;
  const std::size_t states = c.arity() - static_cast<std::size_t>(scanned);
  if (!c.expect(body.size() >= states, "the body has {} result{|s} for {} state{|s}", std::ssize(body),
                static_cast<std::int64_t>(states)) ||
      !c.expect(body.size() == c.result_count(), "the body has {} result{|s}, not {}", std::ssize(body),
                static_cast<std::int64_t>(c.result_count())) ||
      !scan_lists(c, "scan_input_axes", "scan_input_directions", c.arity() - states) ||
      !scan_lists(c, "scan_output_axes", "scan_output_directions", body.size() - states))
    return;
  dim length = dim::dyn();
  for (std::size_t i = states; i < c.arity(); ++i) {
    if (!c.in(i).is_plain()) continue;
    const std::int64_t axis = scan_axis(c, "scan_input_axes", i - states, c.rank(i));
    if (c.failed()) return;
    const dim extent = c.dims(i)[static_cast<std::size_t>(axis)];
    c.expect_equal(length, extent, "scanned tensors have {} and {} elements");
    length = c.either(length, extent);
  }
  for (std::size_t i = 0; i < body.size() && !c.failed(); ++i) {
    if (i < states) {
      c.set(i, scan_state(c, c.in(i), body[i], i));
    } else {
      std::int64_t axis = 0;
      if (body[i].ranked) axis = scan_axis(c, "scan_output_axes", i - states, std::ssize(body[i].dims) + 1);
      if (!c.failed()) c.set(i, stacked(body[i], length, axis));
    }
  }
}

}  // namespace jax2onnx::rules
