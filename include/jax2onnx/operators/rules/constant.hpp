// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/shape.hpp>

/// Shape rules of operators that make tensors.
namespace jax2onnx::rules {

/// Constant: exactly one of several attributes states the value.
constexpr void constant(inference& c) {
  struct source {
    std::string_view attribute;
    dtype type;
    bool list;
  };
  constexpr source sources[] = {{"value", dtype::undefined, false},     {"sparse_value", dtype::undefined, false},
                                {"value_int", dtype::i64, false},       {"value_ints", dtype::i64, true},
                                {"value_float", dtype::f32, false},     {"value_floats", dtype::f32, true},
                                {"value_string", dtype::string, false}, {"value_strings", dtype::string, true}};
  const source* from = nullptr;
  for (const source& s : sources) {
    if (!c.given(s.attribute)) continue;
    if (!c.expect(from == nullptr, "two attributes state its value")) return;
    from = &s;
  }
  if (!c.expect(from != nullptr || !c.defaults_apply(), "no attribute states its value")) return;
  if (!from) return c.set(0, unranked(dtype::undefined));
  if (from->type == dtype::undefined)
    return c.set(0, c.attribute_type(from->attribute).value_or(unranked(dtype::undefined)));
  shape dims;
  if (from->list) dims.push_back(static_cast<std::int64_t>(c.attribute_size(from->attribute)));
  c.result(0, from->type, std::move(dims));
}

/// ConstantOfShape: the operand is the shape, the attribute a tensor of one element.
constexpr void constant_of_shape(inference& c) {
  if (!holds_counts(c, 0)) return;
  dtype type = c.known("value") ? dtype::f32 : dtype::undefined;
  if (const std::optional<tensor_type> value = c.attribute_type("value")) {
    c.expect_equal(c.product(value->dims), 1, "the value has {} element{|s}, not {}");
    type = value->type;
  }
  const std::optional<shape> dims = c.numbers(0);
  dims ? c.result(0, type, *dims) : c.set(0, unranked(type));
}

/// EyeLike: a matrix of the operand's extents.
constexpr void eye_like(inference& c) {
  if (!c.has_rank(0, 2)) return;
  const dtype own = c.known("dtype") ? c.in(0).type : dtype::undefined;
  c.result(0, c.given("dtype") ? c.type("dtype") : own, c.dims(0));
}

/// Range: from a start to a limit by a step.
constexpr void range(inference& c) {
  for (std::size_t i = 0; i < 3; ++i)
    c.expect_reals(
        i, [](double n) { return n - n == 0; }, "the start, the limit or the step is not finite");
  c.expect_reals(
      2, [](double step) { return step != 0; }, "the step is 0");
  const dim start = c.number(0), limit = c.number(1), step = c.number(2);
  const auto known = [](dim d) { return d.is_constant(); };
  if (!c.expect(!step.is(0) || !is_integer(c.in(2).type), "the step is 0")) return;
  if (!is_integer(c.in(0).type) || !known(step)) return c.result(0, {dim::dyn()});
  const bool forward = step.extent() > 0;
  const dim first = forward ? start : limit, last = forward ? limit : start;
  const std::int64_t width = forward ? step.extent() : -step.extent();
  if (c.at_least(first, last)) return c.result(0, {0});
  c.result(0, {c.at_least(last, first) ? c.ceildiv(c.sub(last, first), width) : dim::dyn()});
}

}  // namespace jax2onnx::rules
