// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include <climits>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE node_builder::node_builder(std::string_view op, std::initializer_list<operand> inputs,
                                           std::string_view domain)
    : op_(op), domain_(domain) {
  take({inputs.begin(), inputs.size()});
}
JAX2ONNX_INLINE node_builder::node_builder(std::string_view op, std::span<const operand> inputs,
                                           std::string_view domain)
    : op_(op), domain_(domain) {
  take(inputs);
}
JAX2ONNX_INLINE node_builder::node_builder(graph& g, std::string_view op, std::string_view domain)
    : op_(op), domain_(domain), graph_(&g) {}

JAX2ONNX_INLINE void node_builder::take(std::span<const operand> inputs) {
  for (const operand& o : inputs) {
    const value v = o.as_value();
    v.require_graph();
    if (v && !graph_) graph_ = &v.owner();
    if (o && !v) numbers_.emplace_back(inputs_.size(), o);
    inputs_.push_back(v);
  }
}

JAX2ONNX_INLINE void node_builder::add(const operands& more) {
  for (const value& v : more.get()) {
    v.require_graph();
    if (v && !graph_) graph_ = &v.owner();
    inputs_.push_back(v);
  }
}

JAX2ONNX_INLINE node_builder::~node_builder() = default;

JAX2ONNX_INLINE void node_builder::put(attribute a) { attributes_.push_back(std::move(a)); }
JAX2ONNX_INLINE void node_builder::put(std::string_view name, attribute::content v) {
  attributes_.push_back({name, std::move(v)});
}
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, std::int64_t v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, float v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const std::string& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const ints& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const std::vector<float>& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const std::vector<std::string>& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const tensor_constant& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, const tensor_type& v) { put(name, v); }
JAX2ONNX_INLINE void node_builder::put_one(std::string_view name, block_id v) { put(name, v); }

/// The dtype of a number: the dtype of the values with the same type variable. Without such values, bool for a truth
/// value, and else a dtype that the operator takes, preferably i64 for integers and f32 for other numbers.
JAX2ONNX_INLINE dtype node_builder::dtype_for(const op_record& newest, std::size_t i,
                                              const operand::content& number) const {
  const formal* const f = op_record::at(newest.inputs, i);
  if (!f) return dtype::i64;
  for (std::size_t j = 0; j < inputs_.size(); ++j) {
    const formal* const other = op_record::at(newest.inputs, j);
    if (inputs_[j] && other && other->type == f->type) return inputs_[j].dtype();
  }
  const std::uint32_t allowed = newest.constraints[f->type].allowed.tensors;
  const auto takes = [&](dtype t) { return allowed >> static_cast<unsigned>(t) & 1; };
  if (std::holds_alternative<bool>(number)) return dtype::boolean;
  if (std::holds_alternative<double>(number)) return takes(dtype::f32) ? dtype::f32 : dtype::f64;
  return takes(dtype::i64) ? dtype::i64 : dtype::f32;
}

namespace detail {

/// Returns whether a nonzero number becomes 0 in a floating-point type of 8 bits or more.
inline bool vanishes(dtype t, double number) {
  if (number == 0 || bits(t) < 8) return false;
  return decode_float(t, scalar_pattern(t, number)) == 0;
}

/// Returns whether a tensor of dtype t can hold the number.
inline bool holds(dtype t, const operand::content& number) {
  if (std::holds_alternative<bool>(number)) return is_boolean(t);
  if (const auto* d = std::get_if<double>(&number)) return is_floating(t) && holds(t, *d) && !vanishes(t, *d);
  if (is_boolean(t)) return false;
  if (const auto* n = std::get_if<std::int64_t>(&number)) return holds(t, *n);
  for (const std::int64_t n : std::get<ints>(number))
    if (!holds(t, n)) return false;
  return true;
}

/// Returns whether the type has numbers of this kind, even if it cannot hold this number.
inline bool is_of_kind(dtype t, const operand::content& number) {
  if (std::holds_alternative<std::int64_t>(number)) return is_integer(t) || is_floating(t);
  return std::holds_alternative<double>(number) && is_floating(t);
}

inline std::string number_text(const operand::content& number) {
  if (const auto* b = std::get_if<bool>(&number)) return *b ? "true" : "false";
  if (const auto* d = std::get_if<double>(&number)) return message("{}", *d);
  if (const auto* n = std::get_if<std::int64_t>(&number)) return std::to_string(*n);
  return "the list of integers";
}

inline value constant_of(graph& g, dtype t, const operand::content& number) {
  if (const auto* list = std::get_if<ints>(&number))
    return array(g, t, {std::ssize(*list)}, std::span<const std::int64_t>(*list));
  if (const auto* b = std::get_if<bool>(&number)) return scalar(g, t, std::int64_t{*b});
  if (const auto* d = std::get_if<double>(&number)) return scalar(g, t, *d);
  return scalar(g, t, std::get<std::int64_t>(number));
}

/// The first version of an operator whose record satisfies `has`; 0 if there is none.
template <class Has>
int first_version(const op_record& newest, const Has& has) {
  for (const op_record* r : records_of(newest.domain, newest.name))
    if (has(*r)) return r->since;
  return 0;
}

}  // namespace detail

namespace detail {

/// A check of operators whose operand 1 must not be certain integers.
struct number_check {
  operator_name op;
  bool (*senseless)(std::int64_t number, dtype t);
  std::string_view problem;
};
inline constexpr number_check number_checks[] = {
    {"BitShift", [](std::int64_t n, dtype t) { return n >= bits(t); },
     "the shift amount is not less than the type's width"},
    {"Div", [](std::int64_t n, dtype) { return n == 0; }, "the divisor is 0"},
    {"Mod", [](std::int64_t n, dtype) { return n == 0; }, "the divisor is 0"},
};
inline constexpr operator_name makers_of_parts[] = {"Slice", "Split"};
inline constexpr operator_name one_sided = "STFT";

/// Returns whether the size of a tensor in bytes overflows 64 bits, provided that its unknown extents are not 0.
inline bool is_beyond_memory(const tensor_type& t) {
  std::int64_t bytes = std::max(bits(t.type) / 8, 1);
  bool beyond = false;
  for (const dim d : t.dims) {
    if (d.is(0)) return false;
    beyond = beyond || (d.is_constant() && mul_overflows(bytes, d.extent(), bytes));
  }
  return beyond;
}

}  // namespace detail

/// Refuses integer divisors of 0, and shift amounts that are not less than the width.
JAX2ONNX_INLINE void node_builder::check_number(std::size_t i, const operand::content& number, dtype t) const {
  const auto* const n = std::get_if<std::int64_t>(&number);
  if (!n || i != 1 || !is_integer(t)) return;
  for (const detail::number_check& c : detail::number_checks)
    if (c.op == op_ && c.senseless(*n, t)) throw build_error(detail::message("{}: {}", op_, c.problem));
}

/// Refuses results with negative extents or sizes beyond memory. Refuses empty results of Slice and Split along an axis
/// that is not known to be empty.
JAX2ONNX_INLINE void node_builder::check_extents(const std::vector<tensor_type>& results) const {
  for (const tensor_type& t : results)
    for (const dim d : t.dims)
      if (d.is_constant() && d.extent() < 0)
        throw build_error(detail::message("{}: its result would have the negative extent {}", op_, d.extent()));
  for (const tensor_type& t : results)
    if (detail::is_beyond_memory(t))
      throw build_error(detail::message("{}: its result {} is too large for any memory", op_, text(*graph_, t)));
  bool of_parts = false;
  for (const operator_name op : detail::makers_of_parts) of_parts = of_parts || op == op_;
  if (!of_parts || !inputs_[0].type().ranked) return;
  const shape& whole = inputs_[0].dims();
  for (const tensor_type& part : results)
    for (std::size_t axis = 0; axis < part.dims.size() && axis < whole.size(); ++axis)
      if (part.dims[axis].is(0) && !whole[axis].is(0))
        throw build_error(detail::message("{} of {}: a part is empty along axis {}", op_, text(inputs_[0]), axis));
}

JAX2ONNX_INLINE void node_builder::place_numbers(const op_record& newest) {
  for (const auto& [i, number] : numbers_) {
    const dtype t = dtype_for(newest, i, number.get());
    if (!detail::holds(t, number.get()))
      throw build_error(detail::message(
          "{}: {} {} {}", op_, detail::number_text(number.get()),
          detail::is_of_kind(t, number.get()) ? "cannot be represented in" : "cannot be combined with a tensor of",
          name(t)));
    check_number(i, number.get(), t);
    inputs_[i] = detail::constant_of(*graph_, t, number.get());
  }
}

/// Turns the last operand into the attribute of the same name. Throws unless the form has that attribute and the
/// operand is constant.
JAX2ONNX_INLINE void node_builder::move_operand(const op_record& form, const op_record& newest) {
  const std::string_view parameter = newest.inputs[inputs_.size() - 1].name;
  const formal_attribute* const a = form.find(parameter);
  const int since =
      detail::first_version(newest, [&](const op_record& r) { return r.inputs.size() >= inputs_.size(); });
  if (!a) throw opset_error(detail::message("the operand {} of {}", parameter, op_), since);
  const auto numbers = constant_integers(inputs_.back());
  if (!numbers) throw build_error(detail::message("{}: {} must be constant before opset {}", op_, parameter, since));
  if (a->kind == attribute_kind::integer) put(a->name, numbers->front());
  else put(a->name, *numbers);
  inputs_.pop_back();
}

JAX2ONNX_INLINE void node_builder::fit_attribute(const op_record& form, attribute& a) const {
  if (op_ == "GridSample" && form.since < 20 && a.name == "mode") {  // other names for the same modes
    const auto& mode = std::get<std::string>(a.value);
    if (mode != "nearest") a.value = mode == "linear" ? std::string("bilinear") : std::string("bicubic");
  }
  if (form.find(a.name)) return;
  const auto* newest = find_record(domain_, op_, INT_MAX);
  const int since = detail::first_version(*newest, [&](const op_record& r) { return r.find(a.name) != nullptr; });
  if (since > form.since) throw opset_error(detail::message("the attribute {} of {}", a.name, op_), since);
}

JAX2ONNX_INLINE void node_builder::fit(const op_record& form, const op_record& newest) {
  const bool endless = !form.inputs.empty() && form.inputs.back().count == presence::variadic;
  for (std::size_t i = form.inputs.size() - 1; endless && i < inputs_.size(); ++i)
    if (!inputs_[i]) throw build_error(detail::message("{}: item {} of its list is absent", op_, i));
  while (!inputs_.empty() && !inputs_.back() && inputs_.size() > form.least_inputs) inputs_.pop_back();
  while (!endless && inputs_.size() > form.inputs.size() && inputs_.size() <= newest.inputs.size())
    move_operand(form, newest);
  if (form.name == detail::one_sided.text() &&
      std::ranges::find(attributes_, "onesided", &attribute::name) == attributes_.end())
    put("onesided", std::int64_t{1});               // onnx's shape inference takes a missing attribute as two-sided
  if (op_ == "Split" && !form.find("num_outputs"))  // the number of results implies it
    std::erase_if(attributes_, [](const attribute& a) { return a.name == "num_outputs"; });
  for (attribute& a : attributes_) {
    fit_attribute(form, a);
    a.name = graph_->intern(a.name);
    if (!a.reference.empty()) a.reference = graph_->intern(a.reference);
  }
}

/// The types of the results. Adds the operator's name to errors about limits of extents.
JAX2ONNX_INLINE std::vector<tensor_type> node_builder::types_of(const op_record& form, std::span<const value_id> ids,
                                                                std::size_t results) const {
  try {
    return infer_types(*graph_, graph_->dims(), form, ids, attributes_, results, elements_of_constants::compared);
  } catch (const limit_error& e) {
    throw build_error(detail::message("{}: {}", op_, e.what()));
  }
}

JAX2ONNX_INLINE value node_builder::build() { return build(1)[0]; }

JAX2ONNX_INLINE std::vector<value> node_builder::build(std::size_t results) {
  if (!graph_) throw build_error(detail::message("{}: at least one operand must be a value of a graph", op_));
  const op_record* const newest = find_record(domain_, op_, INT_MAX);
  const op_record* const form = find_record(domain_, op_, version_in(*graph_, domain_));
  if (!form) throw_no_operator(domain_, op_, graph_->opset());
  place_numbers(*newest);
  fit(*form, *newest);
  std::vector<value_id> ids;
  for (const value& v : inputs_) {
    if (v && &v.owner() != graph_) throw build_error(detail::message("{}: the operands are of two graphs", op_));
    ids.push_back(v.id());
  }
  const std::vector<tensor_type> types = types_of(*form, ids, results);
  check_extents(types);
  return graph_->emit_many(operator_name::unchecked(form->name), inputs_, types, std::move(attributes_), form->domain);
}

JAX2ONNX_INLINE std::vector<value> op(graph& g, std::string_view name, const operands& inputs,
                                      std::vector<attribute> attributes, std::size_t results) {
  node_builder node(g, name);
  node.add(inputs);
  for (attribute& a : attributes) node.put(std::move(a));
  return node.build(results);
}

}  // namespace jax2onnx
