// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/facts/known_numbers.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/rules/inference.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

namespace detail {

inline std::string_view name(attribute_kind kind) {
  constexpr std::string_view names[] = {
      "an integer", "a number", "a string", "a list of integers", "a list of numbers", "a list of strings",
      "a tensor",   "a body",   "a type",   "a sparse tensor"};
  return names[static_cast<std::size_t>(kind)];
}

inline attribute_kind kind_of(const attribute::content& value) {
  constexpr attribute_kind kinds[] = {attribute_kind::integer,  attribute_kind::real,   attribute_kind::text,
                                      attribute_kind::integers, attribute_kind::reals,  attribute_kind::body,
                                      attribute_kind::texts,    attribute_kind::tensor, attribute_kind::type};
  return kinds[value.index()];
}

/// The name of operand i; the operands of a variadic parameter are numbered.
inline std::string operand_label(const op_record& record, std::size_t i) {
  const formal* const f = op_record::at(record.inputs, i);
  if (!f) return "?";
  if (f->count != presence::variadic) return std::string(f->name);
  std::string_view name = f->name;
  if (name.ends_with("_0")) name.remove_suffix(2);
  return message("{}_{}", name, i + 1 - record.inputs.size());
}

/// An application of an operator to values of a graph.
class application final : public inference {
 public:
  application(const graph& g, dim_table& dims, const op_record& record, std::span<const value_id> inputs,
              std::span<const attribute> attributes, std::size_t results, elements_of_constants compared)
      : inference(record),
        graph_(g),
        dims_(dims),
        inputs_(inputs),
        attributes_(attributes),
        results_(results),
        compared_(compared) {}

  /// Checks operands and attributes, runs the operator's shape rule, and returns the types of the results.
  std::vector<tensor_type> types();

  std::size_t arity() const override { return inputs_.size(); }
  std::optional<shape> numbers(std::size_t i) const override { return known_numbers(graph_, dims_, inputs_[i]); }
  std::optional<shape> elements(std::size_t i) const override {
    return compared_ == elements_of_constants::compared ? known_elements(graph_, inputs_[i]) : std::nullopt;
  }
  std::optional<std::vector<double>> reals(std::size_t i) const override {
    return has(i) ? known_reals(graph_, inputs_[i]) : std::nullopt;
  }
  bool given(std::string_view attribute) const override { return find(attribute) != nullptr; }
  std::optional<tensor_type> attribute_type(std::string_view name) const override {
    if (const auto* t = content<tensor_type>(name)) return *t;
    const auto* t = content<tensor_constant>(name);
    return t ? std::optional(t->type()) : std::nullopt;
  }
  std::size_t attribute_size(std::string_view name) const override {
    if (const auto* list = content<std::vector<float>>(name)) return list->size();
    if (const auto* list = content<std::vector<std::string>>(name)) return list->size();
    return integers(name).size();
  }
  std::string_view text_at(std::string_view name, std::size_t i) const override {
    const auto* const list = content<std::vector<std::string>>(name);
    return list ? std::string_view((*list)[i]) : std::string_view();
  }
  std::optional<std::size_t> body_arity(std::string_view name) const override {
    const auto* const body = content<block_id>(name);
    return body ? std::optional(graph_.at(*body).inputs.size()) : std::nullopt;
  }
  std::vector<tensor_type> body_results(std::string_view name) const override {
    std::vector<tensor_type> out;
    if (const auto* body = content<block_id>(name))
      for (value_id v : graph_.at(*body).outputs) out.push_back(graph_.at(v).type);
    return out;
  }
  dim add(dim a, dim b) const override { return dims_.add(a, b); }
  dim sub(dim a, dim b) const override { return dims_.sub(a, b); }
  dim mul(dim a, dim b) const override { return dims_.mul(a, b); }
  dim floordiv(dim a, dim b) const override { return dims_.floordiv(a, b); }
  bool at_least(dim a, dim b) const override { return dims_.known_nonnegative(dims_.sub(a, b)); }
  std::size_t result_count() const override { return results_; }

 private:
  const tensor_type* operand(std::size_t i) const override {
    return inputs_[i] == value_id::none ? nullptr : &graph_.at(inputs_[i]).type;
  }
  std::optional<std::int64_t> given_integer(std::string_view name) const override {
    const auto* n = content<std::int64_t>(name);
    return n ? std::optional(*n) : std::nullopt;
  }
  std::optional<std::string_view> given_text(std::string_view name) const override {
    const auto* s = content<std::string>(name);
    return s ? std::optional<std::string_view>(*s) : std::nullopt;
  }
  std::optional<std::span<const std::int64_t>> given_integers(std::string_view name) const override {
    const auto* list = content<ints>(name);
    return list ? std::optional<std::span<const std::int64_t>>(*list) : std::nullopt;
  }

  const attribute* find(std::string_view name) const {
    for (const attribute& a : attributes_)
      if (a.name == name) return &a;
    return nullptr;
  }
  template <class T>
  const T* content(std::string_view name) const {
    const attribute* const a = find(name);
    return a ? std::get_if<T>(&a->value) : nullptr;
  }
  [[noreturn]] void refuse(const std::string& problem) const {
    throw build_error(message("{}: {}", call_text(graph_, record(), inputs_), problem));
  }
  void check_counts() const;
  void check_operands() const;
  void check_attributes() const;
  bool takes_all_operands() const;
  void check_result(std::size_t i, const tensor_type& type) const;

  const graph& graph_;
  dim_table& dims_;
  std::span<const value_id> inputs_;
  std::span<const attribute> attributes_;
  std::size_t results_;
  elements_of_constants compared_;
};

inline std::string dtype_list(std::uint32_t set) {
  std::string out;
  for (const dtype_traits& t : dtype_table)
    if (t.type != dtype::undefined && (set >> static_cast<unsigned>(t.type) & 1))
      out += (out.empty() ? "" : ", ") + std::string(t.name);
  return out;
}

/// `f32, f64`, or `sequence of f32`, for messages.
inline std::string allowed_text(const type_set& allowed) {
  const std::pair<std::string_view, std::uint32_t> kinds[] = {{"", allowed.tensors},
                                                              {"sequence of ", allowed.sequences},
                                                              {"optional ", allowed.optionals},
                                                              {"optional sequence of ", allowed.optional_sequences}};
  std::string out;
  for (const auto& [kind, set] : kinds)
    if (set) out += (out.empty() ? "" : ", ") + std::string(kind) + dtype_list(set);
  return out;
}

inline void application::check_counts() const {
  const auto least = static_cast<std::size_t>(record().least_inputs);
  const bool endless = !record().inputs.empty() && record().inputs.back().count == presence::variadic;
  if (inputs_.size() < least || (inputs_.size() > record().inputs.size() && !endless))
    refuse(message("it has {} operand{|s} instead of {}{}", inputs_.size(), least,
                   endless                          ? " or more"
                   : record().inputs.size() > least ? message(" to {}", record().inputs.size())
                                                    : ""));
  const bool many = !record().outputs.empty() && record().outputs.back().count == presence::variadic;
  if (results_ < record().least_outputs || (results_ > record().outputs.size() && !many))
    refuse(message("{} result{ is|s are} requested; it has {}", results_, record().outputs.size()));
}

inline void application::check_operands() const {
  std::vector<const tensor_type*> bound(record().constraints.size());
  std::vector<std::size_t> binders(record().constraints.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const formal& f = *op_record::at(record().inputs, i);
    const tensor_type* const type = operand(i);
    if (!type) {
      if (f.count != presence::optional) refuse(message("the operand {} is absent", f.name));
      continue;
    }
    const type_constraint& constraint = record().constraints[f.type];
    if (type->type != dtype::undefined && !constraint.allowed.has(*type))
      refuse(message("{} is {}; it must be one of {}", f.name, jax2onnx::text(graph_, *type),
                     allowed_text(constraint.allowed)));
    if (!f.homogeneous) continue;
    const tensor_type*& first = bound[f.type];
    if (first && (first->type != type->type || first->kind != type->kind) && type->type != dtype::undefined &&
        first->type != dtype::undefined)
      refuse(message("{} is {} and {} is {}; they must have the same type", operand_label(record(), binders[f.type]),
                     jax2onnx::text(graph_, *first), operand_label(record(), i), jax2onnx::text(graph_, *type)));
    if (!first) first = type, binders[f.type] = i;
  }
}

/// Integer attributes that are flags, sorted. Runtimes disagree on what numbers other than 0 and 1 mean.
inline constexpr std::string_view flags[] = {"align_corners",
                                             "allowzero",
                                             "antialias",
                                             "ceil_mode",
                                             "center_point_box",
                                             "count_include_pad",
                                             "detect_negative",
                                             "detect_positive",
                                             "exclude_outside",
                                             "exclusive",
                                             "fmod",
                                             "input_forget",
                                             "interleaved",
                                             "inverse",
                                             "is_case_sensitive",
                                             "is_causal",
                                             "keepdims",
                                             "largest",
                                             "layout",
                                             "linear_before_reset",
                                             "new_axis",
                                             "noop_with_empty_axes",
                                             "one_class",
                                             "onesided",
                                             "periodic",
                                             "reverse",
                                             "saturate",
                                             "select_last_index",
                                             "sorted",
                                             "storage_order",
                                             "training_mode",
                                             "transA",
                                             "transB",
                                             "upper",
                                             "zeros"};

inline void application::check_attributes() const {
  for (const attribute& a : attributes_) {
    const formal_attribute* const f = record().find(a.name);
    if (!f) refuse(message("it has no attribute '{}' in this opset", a.name));
    if (f->kind != kind_of(a.value))
      refuse(message("its attribute '{}' is {} instead of {}", a.name, name(kind_of(a.value)), name(f->kind)));
    if (find(a.name) != &a) refuse(message("its attribute '{}' is given twice", a.name));
    const auto* const number = std::get_if<std::int64_t>(&a.value);
    if (number && *number != 0 && *number != 1 && std::ranges::binary_search(flags, a.name))
      refuse(message("its attribute '{}' is {}; it must be 0 or 1", a.name, *number));
  }
  for (const formal_attribute& f : record().attributes)
    if (f.given == formal_attribute::need::required && !find(f.name))
      refuse(message("its attribute '{}' is missing", f.name));
}

inline bool application::takes_all_operands() const {
  if (record().rule.any_type) return true;
  return std::all_of(inputs_.begin(), inputs_.end(), [&](value_id v) {
    return v == value_id::none || (graph_.at(v).type.is_plain() && graph_.at(v).type.type != dtype::undefined);
  });
}

inline void application::check_result(std::size_t i, const tensor_type& type) const {
  const formal& f = *op_record::at(record().outputs, i);
  const type_constraint& constraint = record().constraints[f.type];
  if (type.type != dtype::undefined && !constraint.allowed.has(type))
    refuse(message("its result {} would be {}; it must be one of {}", f.name, jax2onnx::text(graph_, type),
                   allowed_text(constraint.allowed)));
}

inline std::vector<tensor_type> application::types() {
  check_counts();
  check_operands();
  check_attributes();
  if (takes_all_operands()) record().rule.apply(*this);
  if (failed()) refuse(filled_problem(dims_, problem(), details()));
  std::vector<tensor_type> out = results();
  for (std::size_t i = out.size(); i < results_; ++i) out.push_back(unranked(result_dtype(i)));
  out.resize(results_);
  for (std::size_t i = 0; i < out.size(); ++i) check_result(i, out[i]);
  return out;
}

}  // namespace detail

JAX2ONNX_INLINE std::vector<tensor_type> infer_types(const graph& g, dim_table& dims, const op_record& record,
                                                     std::span<const value_id> inputs,
                                                     std::span<const attribute> attributes, std::size_t results,
                                                     elements_of_constants compared) {
  return detail::application(g, dims, record, inputs, attributes, results, compared).types();
}

JAX2ONNX_INLINE std::string call_text(const graph& g, const op_record& record, std::span<const value_id> inputs) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t i = 0; i < inputs.size() && i < most; ++i) {
    if (inputs[i] == value_id::none) continue;
    const value_record& v = g.at(inputs[i]);
    out += (out.empty() ? "" : ", ") + detail::operand_label(record, i) + ": " + text(g, v.type);
    if (!v.name.empty()) out += detail::message(" '{}'", v.name);
  }
  return detail::message("{}({}{})", record.name, out, inputs.size() > most ? ", ..." : "");
}

JAX2ONNX_INLINE std::string filled_problem(const dim_table& dims, std::string_view problem,
                                           std::span<const dim> details) {
  std::string out;
  const dim* next = details.data();
  detail::fill_pattern(
      problem, [&](std::string_view piece) { out.append(piece); },
      [&] {
        out.append(dims.text(*next));
        return next++->is(1);
      });
  return out;
}

JAX2ONNX_INLINE void throw_no_operator(std::string_view domain, std::string_view op, int opset) {
  const auto known = records_of(domain, op);
  if (!known.empty() && known.front()->since > domain_version(domain, opset))
    throw opset_error(op, known.front()->since);
  const std::string_view similar = similar_operator(op);
  throw build_error(detail::message("ONNX has no operator '{}'{}{}{}", op, similar.empty() ? "" : "; did you mean '",
                                    similar, similar.empty() ? "" : "'?"));
}

}  // namespace jax2onnx
