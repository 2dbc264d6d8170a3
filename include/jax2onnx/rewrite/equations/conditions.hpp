// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <jax2onnx/facts/casts.hpp>
#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/operators/infer.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>

/// The conditions that an equation can state about the values that it matched.
namespace jax2onnx::rewrite::equations {

/// The operands of a predicate.
class arguments {
 public:
  arguments(const bindings& b, const condition& c) : b_(b), c_(c) {}
  value at(std::size_t i) const { return b_.at(c_.operands[i].a); }
  dtype type(std::size_t i) const { return at(i).dtype(); }
  const shape& dims(std::size_t i) const { return at(i).type().dims; }
  double number(std::size_t i) const {
    return c_.operands[i].what == quantity::kind::literal ? c_.operands[i].number : b_.number(c_.operands[i].a);
  }
  reduction axes(std::size_t i) const { return b_.axes(c_.operands[i].a); }
  const context& where() const { return b_.where(); }
  const value& root() const { return b_.root(); }

 private:
  const bindings& b_;
  const condition& c_;
};

/// A condition by name.
struct predicate {
  std::string_view name;
  std::uint8_t operands;
  std::string_view reason;  ///< why the rule declines; an equation may give another reason
  std::string_view says;    ///< the condition in words
  bool (*holds)(const arguments&);
};

/// True if `v` is not a constant, and belongs to a block with inputs, such as the body of a loop: `v` may differ from
/// step to step.
inline bool is_computed_in_steps(const value& v) {
  const graph& g = v.owner();
  const block_id home = g.at(v.id()).home;
  return home != block_id::main && !g.at(home).inputs.empty() && !v.is_constant();
}

/// True if every opset and runtime has Clip for the type. Only some opsets and runtimes have Clip for integers other
/// than int32 and int64.
constexpr bool has_clip(dtype t) { return is_floating(t) || t == dtype::i32 || t == dtype::i64; }

/// Every predicate, by name.
inline constexpr predicate predicates[] = {
    {"boolean", 1, "the element type is not boolean", "truth values",
     [](const arguments& a) { return is_boolean(a.type(0)); }},
    {"floating", 1, "the element type is not floating-point", "floating-point numbers",
     [](const arguments& a) { return is_floating(a.type(0)); }},
    {"integer", 1, "the element type is not an integer", "integers",
     [](const arguments& a) { return is_integer(a.type(0)); }},
    {"signed", 1, "the element type is not a signed integer", "signed integers",
     [](const arguments& a) { return is_signed_integer(a.type(0)); }},
    {"at_most_f32", 1, "ONNX Runtime has no float64 kernel", "no float64",
     [](const arguments& a) { return a.type(0) != dtype::f64; }},
    {"at_least_f32", 1, "the element type is not float32 or float64", "float32 or float64",
     [](const arguments& a) { return a.type(0) == dtype::f32 || a.type(0) == dtype::f64; }},
    {"has_clip", 1, "some runtimes have no Clip of this element type", "floating-point, int32 or int64",
     [](const arguments& a) { return has_clip(a.type(0)); }},
    {"exact", 2, "the inner cast loses values", "every number of the first type is one of the second type",
     [](const arguments& a) { return casts_exactly(a.type(0), a.type(1)); }},
    {"once", 1, "the value is read elsewhere too", "nothing else reads it",
     [](const arguments& a) { return a.where().single_use(a.at(0)); }},
    {"lasting", 1, "the value is computed in each step of a loop", "not computed in a body of a loop",
     [](const arguments& a) { return !is_computed_in_steps(a.at(0)); }},
    {"one_row", 1, "the matrix has several rows", "a matrix of one row",
     [](const arguments& a) { return a.dims(0).size() == 2 && a.dims(0)[0].is(1); }},
    {"same_shape", 2, "an operand is broadcast", "both have the same shape",
     [](const arguments& a) { return a.dims(0) == a.dims(1); }},
    {"same_axes", 2, "the reductions are over different axes", "reductions over the same axes",
     [](const arguments& a) { return a.axes(0).axes == a.axes(1).axes; }},
    {"alike", 2, "the reductions differ in their axes or in keepdims",
     "reductions over the same axes, with the same keepdims",
     [](const arguments& a) { return a.axes(0) == a.axes(1); }},
    {"one_axis", 1, "the reduction is over more than one axis", "one axis",
     [](const arguments& a) { return a.axes(0).axes.size() == 1; }},
    {"kept", 1, "the reduced axis is not kept", "the reduction keeps its axes",
     [](const arguments& a) { return a.axes(0).keep; }},
    {"rounded", 3, "the number is not the number that the rule needs",
     "the first number is the second one, up to a rounding in the type of the third value",
     [](const arguments& a) { return equal_when_rounded(a.type(2), a.number(0), a.number(1)); }},
    {"one_more", 2, "the first number is not the second number plus 1", "the first number is the second one plus 1",
     [](const arguments& a) { return a.number(0) == a.number(1) + 1 && std::abs(a.number(0)) < 0x1p53; }},
    {"extent", 3, "the number added is not the extent", "the extent of the value along the axis, which is constant",
     [](const arguments& a) {
       const value x = a.at(0);
       const double axis = a.number(1) + (a.number(1) < 0 ? static_cast<double>(x.rank()) : 0);
       const dim extent = x.extent(static_cast<std::int64_t>(axis));
       return extent.is_constant() && static_cast<double>(extent.extent()) == a.number(2);
     }},
    {"trailing", 2, "the statistics are not over the last axes", "a reduction over the last axes",
     [](const arguments& a) { return are_trailing(a.axes(0).axes, a.at(1)); }},
    {"in_place", 3, "a statistic is broadcast along another axis",
     "a statistic is broadcast back to the axes of its own inputs",
     [](const arguments& a) { return is_in_place(a.at(0), a.at(1), a.axes(2).axes); }},
    {"per_channel", 3, "the statistics are not one number per channel",
     "one number per channel of the third value, along the same axis as the second value",
     [](const arguments& a) {
       const std::int64_t axis = channels_along(a.at(1), a.at(2));
       return axis >= 0 && lies_along(a.at(0), a.at(2), axis);
     }},
    {"moves_no_data", 1, "the Transpose moves elements", "a Transpose that moves only extents of 1",
     [](const arguments& a) {
       const auto perm = transpose_of(a.at(0));
       return perm && moves_no_data(input_of(a.at(0), 0).dims(), *perm);
     }},
    {"keeps_extents", 1, "a Loop without iterations loses symbolic extents",
     "constant extents, or not a result of a Loop",
     [](const arguments& a) { return is_static(a.dims(0)) || !producer(a.at(0), "Loop"); }},
    {"static", 1, "an extent is symbolic", "constant extents", [](const arguments& a) { return is_static(a.dims(0)); }},
    {"stored_once", 1, "the weight would be stored twice, in two shapes",
     "a constant that is read once, is computed from constants, or has at most 1 KiB (4 KiB if it has no name)",
     [](const arguments& a) { return is_stored_once_reshaped(a.where(), a.at(0)); }},
    {"whole_bytes", 1, "the elements are smaller than a byte", "elements of whole bytes",
     [](const arguments& a) { return bits(a.type(0)) % 8 == 0; }},
    {"small_or_once", 1, "the weight would be stored twice, in two layouts",
     "a constant that is read once or has at most 4 KiB",
     [](const arguments& a) { return a.at(0).data().size() <= folding_limit || a.where().single_use(a.at(0)); }},
    {"one_once", 2, "both values are read elsewhere too", "at least one of the two values is read once",
     [](const arguments& a) { return a.where().single_use(a.at(0)) || a.where().single_use(a.at(1)); }},
    {"merge_alike", 2, "the Reshapes merge other axes",
     "Reshapes that merge the same leading axes and keep the last two",
     [](const arguments& a) { return merge_alike(a.at(0), a.at(1)); }},
    {"window", 2, "the number is not the number of elements of a window",
     "a pooling, and the number of a window's elements",
     [](const arguments& a) {
       double elements = 1;
       for (const std::int64_t extent : attribute_of<ints>(a.at(0), "kernel_shape").value_or(ints()))
         elements *= static_cast<double>(extent);
       return elements == a.number(1);
     }},
    {"swaps_last", 1, "the Transpose moves other axes", "a Transpose that exchanges the last two axes",
     [](const arguments& a) {
       const std::optional<ints> perm = attribute_of<ints>(a.at(0), "perm");
       ints wanted = iota_axes(a.at(0).rank());
       if (wanted.size() >= 2) std::swap(wanted.end()[-1], wanted.end()[-2]);
       return perm == wanted;
     }},
    {"leading_ones", 1, "the Reshape does more than prepend extents of 1", "a Reshape that only prepends extents of 1",
     [](const arguments& a) { return is_leading_ones_reshape(a.at(0)); }},
    {"finite", 1, "the number is not finite", "a finite number",
     [](const arguments& a) { return std::isfinite(a.number(0)); }},
    {"onnx_runtime", 0, "the target is not ONNX Runtime", "the target is ONNX Runtime",
     [](const arguments& a) { return is_onnx_runtime(a.where().runtime); }},
    {"not_onnx_runtime", 0, "ONNX Runtime computes the replacement wrongly", "the target is not ONNX Runtime",
     [](const arguments& a) { return !is_onnx_runtime(a.where().runtime); }},
    {"squares_fit", 1, "squares of float16 are infinite from 256 on (assume_finite permits the rule)",
     "not float16, except with assume_finite",
     [](const arguments& a) { return squares_in_f16(a.where(), a.at(0)).empty(); }},
    {"finite_or_not_f64", 1, "ONNX Runtime's float64 kernel returns numbers for NaN (assume_finite permits the rule)",
     "not float64, except with assume_finite",
     [](const arguments& a) { return a.type(0) != dtype::f64 || a.where().assume_finite; }},
};

/// The index of a predicate; -1 if there is none.
constexpr std::int8_t predicate_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(predicates); ++i)
    if (predicates[i].name == name) return static_cast<std::int8_t>(i);
  return -1;
}

}  // namespace jax2onnx::rewrite::equations
