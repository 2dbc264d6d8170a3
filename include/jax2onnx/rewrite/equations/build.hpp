// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/functions.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>

/// The interpreter of right sides.
namespace jax2onnx::rewrite::equations {

/// Adds a node, and returns its result, whose type is inferred by the shape rule of the record. Throws a build_error if
/// the operands do not fit.
inline value emit_inferred(graph& g, operator_name op, const op_record& record, const std::vector<value>& operands,
                           std::vector<attribute> attributes) {
  std::vector<value_id> ids;
  for (const value& v : operands) ids.push_back(v.id());
  std::vector<tensor_type> result = infer_types(g, g.dims(), record, ids, attributes, 1);
  return g.emit(op, operands, std::move(result[0]), std::move(attributes));
}

/// Adds the nodes of a term. The types of results are not stated, but inferred and checked.
class builder {
 public:
  explicit builder(const bindings& b) : b_(b), e_(b.of()), g_(b.root().owner()) {}

  /// The value of a term; a number that is not an operand of a node gets the type `expected`. If a function builds no
  /// value, throws `declined` with the reason of the function. If the function has no reason, returns an absent value
  /// instead. Throws `declined` if the opset lacks an operator, and a build_error if operands do not fit.
  value run(std::size_t i, dtype expected) {
    const term& t = e_.terms[i];
    switch (t.kind) {
      case term_kind::variable: return variable_at(t.id);
      case term_kind::number: return number(expected, e_.numbers[static_cast<std::size_t>(t.id)]);
      case term_kind::function: return function_at(i, expected);
      case term_kind::product: {
        const std::size_t p = i + 1, q = e_.terms[p].next, r = e_.terms[q].next;
        return binary("Mul", binary("Mul", run(p, expected), run(q, expected)), run(r, expected));
      }
      default: return node_at(i, expected);
    }
  }

 private:
  static constexpr std::size_t most_types = 16;
  using types = std::array<dtype, most_types>;

  /// The value of a variable. If the variable is a scalar, its constant gets rank 0 and keeps its bits.
  value variable_at(int i) {
    const value v = b_.at(i);
    if (b_.kind(i) != variable_kind::scalar || v.rank() == 0) return v;
    return g_.constant({v.dtype(), {}}, v.data());
  }
  value number(dtype t, double n) {
    if (t == dtype::undefined) throw build_error("the type of a number is not known");
    return is_floating(t) ? scalar(g_, t, n) : scalar(g_, t, static_cast<std::int64_t>(n));
  }
  value function_at(std::size_t i, dtype expected) {
    const term& t = e_.terms[i];
    const function& f = functions[static_cast<std::size_t>(t.id)];
    std::array<value, 4> values;
    std::array<int, 4> ids{};
    std::size_t c = i + 1;
    for (std::size_t k = 0; k < t.operands; ++k, c = e_.terms[c].next) {
      ids[k] = e_.terms[c].kind == term_kind::variable ? e_.terms[c].id : -1;
      if (ids[k] >= 0 && b_.kind(ids[k]) == variable_kind::axes) continue;
      values[k] = run(c, expected);
      if (!values[k]) return {};
    }
    const value made = f.build({b_, {values.data(), t.operands}, {ids.data(), t.operands}});
    if (!made && !f.reason.empty()) throw declined{f.reason};
    return made;
  }

  value node_at(std::size_t i, dtype expected) {
    const term& t = e_.terms[i];
    const operator_name op = operator_name::unchecked(records::names[static_cast<std::size_t>(t.id)]);
    const op_record* const record = find_record({}, op, g_.opset());
    if (!record) throw declined{"the opset lacks an operator of the replacement"};
    types of{};
    std::vector<value> operands(t.operands);
    if (t.id == cast_number) return cast(run(i + 1, dtype::undefined), expected);
    of[record->outputs[0].type] = expected;
    for (const bool numbers : {false, true})
      if (!build_operands(i, *record, numbers, of, operands)) return {};
    if (operators::has_trait(op, trait::reduction)) return reduced(op, operands[0], e_.attributes[t.attributes]);
    return emit_inferred(g_, op, *record, operands, attributes_of(t));
  }
  /// Builds the operands that are numbers, or all other operands. Numbers are built last, since they take the types of
  /// the other operands. Returns false if an operand is absent.
  bool build_operands(std::size_t i, const op_record& record, bool numbers, types& of, std::vector<value>& operands) {
    std::size_t c = i + 1;
    for (std::size_t k = 0; k < operands.size(); ++k, c = e_.terms[c].next) {
      if ((e_.terms[c].kind == term_kind::number) != numbers) continue;
      const formal& f = *op_record::at(record.inputs, k);
      operands[k] = run(c, of[f.type]);
      if (!operands[k]) return false;
      of[f.type] = operands[k].dtype();
    }
    return true;
  }
  value reduced(operator_name op, const value& x, const attribute_term& axes) {
    const reduction r = b_.axes(axes.id);
    return reduce(op, x, r.axes, r.keep);
  }

  std::vector<attribute> attributes_of(const term& t) const {
    std::vector<attribute> out;
    if (t.flag) out = producer(b_.starred())->attributes;
    for (std::size_t k = 0; k < t.attribute_count; ++k) {
      const attribute_term& a = e_.attributes[t.attributes + k];
      std::erase_if(out, [&](const attribute& given) { return given.name == a.formal->name; });
      out.push_back({a.formal->name, content_of_term(a)});
    }
    return out;
  }
  attribute::content content_of_term(const attribute_term& a) const {
    if (a.kind == attribute_term::content::text) return std::string(a.text);
    if (a.kind == attribute_term::content::number) return as_content(a, e_.numbers[static_cast<std::size_t>(a.id)]);
    if (b_.kind(a.id) == variable_kind::axes)
      return a.formal->kind == attribute_kind::integer ? attribute::content(b_.axes(a.id).axes.front())
                                                       : attribute::content(b_.axes(a.id).axes);
    if (b_.kind(a.id) == variable_kind::attribute) return *b_.content(a.id);
    return as_content(a, b_.number(a.id));
  }
  static attribute::content as_content(const attribute_term& a, double n) {
    if (a.formal->kind == attribute_kind::real) return static_cast<float>(n);
    return static_cast<std::int64_t>(n);
  }

  const bindings& b_;
  const equation& e_;
  graph& g_;
};

}  // namespace jax2onnx::rewrite::equations
