// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/facts/known_numbers.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/operators/views/shape.hpp>

namespace jax2onnx::detail {

/// A search for the integers in a value. It visits a limited number of nodes.
class number_search {
 public:
  number_search(const graph& g, dim_table& dims) : graph_(g), dims_(dims) {}
  std::optional<shape> numbers(value_id v);
  static std::optional<shape> constant(const tensor_type& type, const bytes& data);

 private:
  static constexpr std::size_t most_numbers = 64;
  using unary = dim (dim_table::*)(dim, dim);

  std::optional<shape> computed(const node& n);
  std::optional<shape> operand(const node& n) { return numbers(n.inputs[0]); }
  std::optional<shape> stated(const node& n);
  std::optional<shape> extents(const node& n);
  std::optional<shape> joined(const node& n);
  std::optional<shape> gathered(const node& n);
  std::optional<shape> sliced(const node& n);
  template <dim (dim_table::*Op)(dim, dim)>
  std::optional<shape> combined(const node& n);

  struct step {
    operator_name op;
    std::optional<shape> (number_search::*follow)(const node&);
  };
  static const step steps[];
  static const operators::by_operator<step, 10> rows;

  const graph& graph_;
  dim_table& dims_;
  int steps_left_ = 48;
};

inline std::optional<shape> number_search::constant(const tensor_type& type, const bytes& data) {
  const std::optional<ints> numbers = decoded_integers(type.type, data);
  if (!numbers || numbers->size() > most_numbers) return std::nullopt;
  shape out;
  for (const std::int64_t n : *numbers) out.push_back(dim::nearest(n));
  return out;
}

inline std::optional<shape> number_search::numbers(value_id v) {
  const value_record& r = graph_.at(v);
  const bool integers = r.type.type == dtype::i64 || r.type.type == dtype::i32;
  if (!integers || !r.type.is_plain() || r.type.dims.size() > 1) return std::nullopt;
  if (r.constant >= 0) return constant(r.type, graph_.data(r));
  std::optional<shape> found;
  if (r.producer != node_id::none && steps_left_-- > 0) found = computed(graph_.at(r.producer));
  if (found) return found;
  const dim count = r.type.dims.empty() ? dim(1) : r.type.dims[0];
  if (!count.is_constant() || count.extent() < 0 || count.extent() > std::int64_t{most_numbers}) return std::nullopt;
  return shape(static_cast<std::size_t>(count.extent()), dim::dyn());
}

inline constexpr number_search::step number_search::steps[] = {
    {"Add", &number_search::combined<&dim_table::add>},
    {"Cast", &number_search::operand},
    {"Concat", &number_search::joined},
    {"Constant", &number_search::stated},
    {"Gather", &number_search::gathered},
    {"Identity", &number_search::operand},
    {"Mul", &number_search::combined<&dim_table::mul>},
    {"Shape", &number_search::extents},
    {"Slice", &number_search::sliced},
    {"Sub", &number_search::combined<&dim_table::sub>},
};
inline constexpr operators::by_operator<number_search::step, 10> number_search::rows(number_search::steps);

inline std::optional<shape> number_search::computed(const node& n) {
  if (!n.domain.empty()) return std::nullopt;
  if (operators::has_trait(n.op, operators::trait::reshapes)) return operand(n);
  const step* row = rows.find(n.op);
  return row ? (this->*row->follow)(n) : std::nullopt;
}

inline std::optional<shape> number_search::stated(const node& n) {
  const attribute* a = n.find("value");
  const auto* tensor = a ? std::get_if<tensor_constant>(&a->value) : nullptr;
  if (tensor) return constant(tensor->type(), tensor->data());
  a = n.find("value_ints");
  const auto* list = a ? std::get_if<ints>(&a->value) : nullptr;
  return list ? std::optional(shape(list->begin(), list->end())) : std::nullopt;
}

inline std::optional<shape> number_search::extents(const node& n) {
  const tensor_type& type = graph_.at(n.inputs[0]).type;
  if (!type.is_plain()) return std::nullopt;
  const auto [begin, end] = operators::extents_read_by(n, std::ssize(type.dims));
  return type.dims.head(end).tail(begin);
}

inline std::optional<shape> number_search::joined(const node& n) {
  shape out;
  for (value_id v : n.inputs) {
    const auto part = numbers(v);
    if (!part || out.size() + part->size() > most_numbers) return std::nullopt;
    out.append(*part);
  }
  return out;
}

inline std::optional<shape> number_search::gathered(const node& n) {
  const auto from = numbers(n.inputs[0]), places = numbers(n.inputs[1]);
  if (!from || !places) return std::nullopt;
  shape out;
  for (dim d : *places) {
    const std::int64_t i = d.is_constant() && d.extent() < 0 ? d.extent() + std::ssize(*from) : d.extent();
    const bool inside = d.is_constant() && i >= 0 && i < std::ssize(*from);
    out.push_back(inside ? (*from)[static_cast<std::size_t>(i)] : dim::dyn());
  }
  return out;
}

/// The numbers that a Slice with constant ends takes with a step of 1; nullopt for any other Slice.
inline std::optional<shape> number_search::sliced(const node& n) {
  const auto from = numbers(n.inputs[0]), start = numbers(n.inputs[1]), end = numbers(n.inputs[2]);
  const auto one = [](const std::optional<shape>& s) { return s && s->size() == 1 && (*s)[0].is_constant(); };
  if (!from || !one(start) || !one(end)) return std::nullopt;
  if (n.inputs.size() > 4 && n.inputs[4] != value_id::none && numbers(n.inputs[4]) != shape{1}) return std::nullopt;
  const std::int64_t size = std::ssize(*from);
  const auto place = [&](std::int64_t i) { return std::min(std::max(i < 0 ? i + size : i, std::int64_t{0}), size); };
  const std::int64_t first = place((*start)[0].extent()), last = place((*end)[0].extent());
  return first < last ? from->head(last).tail(first) : shape();
}

template <dim (dim_table::*Op)(dim, dim)>
std::optional<shape> number_search::combined(const node& n) {
  const auto a = numbers(n.inputs[0]), b = numbers(n.inputs[1]);
  if (!a || !b || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return std::nullopt;
  shape out;
  for (std::size_t i = 0; i < std::max(a->size(), b->size()); ++i)
    out.push_back((dims_.*Op)((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  return out;
}

JAX2ONNX_INLINE std::optional<shape> known_numbers(const graph& g, dim_table& dims, value_id v) {
  if (v == value_id::none) return std::nullopt;
  return number_search(g, dims).numbers(v);
}

JAX2ONNX_INLINE std::optional<shape> known_elements(const graph& g, value_id v) {
  if (v == value_id::none || g.at(v).constant < 0) return std::nullopt;
  const value_record& r = g.at(v);
  const bool integers = r.type.type == dtype::i64 || r.type.type == dtype::i32;
  return integers && r.type.is_plain() ? number_search::constant(r.type, g.data(r)) : std::nullopt;
}

JAX2ONNX_INLINE std::optional<std::vector<double>> known_reals(const graph& g, value_id v) {
  if (v == value_id::none) return std::nullopt;
  constexpr std::size_t most = 64;
  const value_record& r = g.at(v);
  const dtype type = r.type.type;
  if (r.constant < 0 || !is_floating(type) || !r.type.is_plain() || r.type.dims.size() > 1) return std::nullopt;
  const std::size_t count = r.type.dims.empty() ? 1 : static_cast<std::size_t>(r.type.dims[0].extent());
  const auto raw = g.data(r).view();
  if (raw.size() != g.data(r).size() || count > most) return std::nullopt;
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = decode_float(type, element_bits(type, raw, i));
  return out;
}

}  // namespace jax2onnx::detail
