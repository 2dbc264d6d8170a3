// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/traits.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/message.hpp>

/// Converts nodes from their form in one opset to their form in another opset. From lowest_opset on, most operators
/// changed only the types that they allow. In a few operators, attributes became operands, or were renamed or added.
namespace jax2onnx::detail {

/// Adapts one node.
class opset_adapter {
 public:
  /// Converts from the form that the record `from` describes to the form that `to` describes; operands are values of
  /// `g`.
  opset_adapter(graph& g, node& n, const op_record& from, const op_record& to)
      : graph_(g), n_(n), from_(from), to_(to) {}

  /// Adapts the node. Throws a build_error if the other opset cannot express the node.
  void run() {
    struct row {
      operator_name op;
      void (opset_adapter::*adapt)();
    };
    static constexpr row rows[] = {
        {"DFT", &opset_adapter::adapt_axis},
        {"GridSample", &opset_adapter::adapt_mode},
        {"Split", &opset_adapter::adapt_split},
    };
    for (const row& r : rows)
      if (r.op == n_.op) (this->*r.adapt)();
    if (operators::has_trait(n_.op, operators::trait::reduction)) adapt_axes();
    for (const formal_attribute& f : from_.attributes)
      if (!to_.find(f.name)) drop(f);
    while (!n_.inputs.empty() && n_.inputs.back() == value_id::none && n_.inputs.size() > to_.least_inputs)
      n_.inputs.pop_back();
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw build_error(
        message("{} has another form in version {} than in {}: {}", n_.op.text(), from_.since, to_.since, why));
  }
  const attribute* given(std::string_view name) const { return n_.find(name); }
  void erase(std::string_view name) {
    std::erase_if(n_.attributes, [&](const attribute& a) { return a.name == name; });
  }
  void set(std::string_view name, attribute::content v) {
    erase(name);
    n_.attributes.push_back({graph_.intern(name), std::move(v)});
  }
  /// Drops an attribute that the other form lacks. Throws build_error if its value is not the default.
  void drop(const formal_attribute& f) {
    const attribute* const a = given(f.name);
    if (!a) return;
    const bool standard =
        f.given == formal_attribute::need::defaulted &&
        ((std::holds_alternative<std::int64_t>(a->value) && std::get<std::int64_t>(a->value) == f.standard.integer) ||
         (std::holds_alternative<std::string>(a->value) && std::get<std::string>(a->value) == f.standard.text));
    if (!standard) refuse(message("version {} lacks the attribute {}", to_.since, f.name));
    erase(f.name);
  }

  void put_operand(std::size_t i, const value& v) {
    n_.inputs.resize(std::max(n_.inputs.size(), i + 1), value_id::none);
    n_.inputs[i] = v.id();
  }
  /// Removes operand i and returns the integers in it; nullopt if the operand is absent. Throws build_error for an
  /// operand that is not a constant.
  std::optional<ints> take_operand(std::size_t i) {
    if (i >= n_.inputs.size() || n_.inputs[i] == value_id::none) return std::nullopt;
    std::optional<ints> numbers = constant_integers(value(graph_, std::exchange(n_.inputs[i], value_id::none)));
    if (!numbers) refuse(message("{} is not a constant", from_.inputs[i].name));
    return numbers;
  }

  /// Before opset 18, the axes of most reductions are an attribute; later they are an operand. Without axes, all axes
  /// are reduced.
  void adapt_axes() {
    const bool attribute_before = from_.find("axes") != nullptr;
    if (attribute_before == (to_.find("axes") != nullptr)) return;
    if (attribute_before) {
      const attribute* const a = given("axes");
      if (a) put_operand(1, int64s(graph_, std::get<ints>(a->value)));
      return erase("axes");
    }
    const std::optional<ints> axes = take_operand(1);
    if (axes && !axes->empty()) set("axes", *axes);
    if (axes && !axes->empty()) erase("noop_with_empty_axes");
  }

  /// Before opset 18, a Split without sizes makes equal parts. Since opset 18, a Split without sizes states the number
  /// of parts, and the last part may be smaller.
  void adapt_split() {
    if (n_.inputs.size() > 1 && n_.inputs[1] != value_id::none) return;
    const auto parts = std::ssize(n_.outputs);
    if (to_.find("num_outputs")) return set("num_outputs", std::int64_t{parts});
    const tensor_type& type = graph_.at(n_.inputs[0]).type;
    const attribute* const a = given("axis");
    std::int64_t axis = a ? std::get<std::int64_t>(a->value) : 0;
    if (type.ranked && axis < 0) axis += std::ssize(type.dims);
    const dim extent = type.ranked && axis >= 0 && axis < std::ssize(type.dims)
                           ? type.dims[static_cast<std::size_t>(axis)]
                           : dim::dyn();
    if (!extent.is_constant() || extent.extent() % parts != 0) refuse("its parts may be unequal");
    erase("num_outputs");
  }

  /// The axis of DFT is an attribute with default 1; since opset 20 it is an operand, by default the second-to-last
  /// axis.
  void adapt_axis() {
    if (from_.find("axis")) {
      const attribute* const a = given("axis");
      put_operand(2, scalar(graph_, dtype::i64, a ? std::get<std::int64_t>(a->value) : std::int64_t{1}));
      return erase("axis");
    }
    const std::optional<ints> axis = take_operand(2);
    set("axis", axis ? (*axis)[0] : std::int64_t{-2});
  }

  /// Since opset 20 the modes of GridSample, its default included, have shorter names.
  void adapt_mode() {
    const attribute* const a = given("mode");
    if (!a) return;
    const std::string mode = std::get<std::string>(a->value);
    constexpr std::pair<std::string_view, std::string_view> names[] = {{"bilinear", "linear"}, {"bicubic", "cubic"}};
    for (const auto& [old_name, new_name] : names) {
      if (mode == old_name && to_.since >= 20) return set("mode", std::string(new_name));
      if (mode == new_name && to_.since < 20) return set("mode", std::string(old_name));
    }
  }

  graph& graph_;
  node& n_;
  const op_record &from_, &to_;
};

}  // namespace jax2onnx::detail
