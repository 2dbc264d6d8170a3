// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/equations/apply.hpp>
#include <jax2onnx/rewrite/equations/build.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>
#include <jax2onnx/rewrite/passes/canonical_order.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/legalize.hpp>

/// Models of both sides of an equation, made from its text alone, to be compared by running them: for every element
/// type; for shapes that broadcast, are empty, have one element, or are symbolic; and for every alternative in the
/// equation.
namespace jax2onnx::rewrite {

/// The bounds of sampling.
struct sample_options {
  int opset = 23;
  target runtime = target::ort;
  bool assume_finite = false;
};

/// Left sides of one element type in one graph, and the same graph after the rule was applied: equal inputs must give
/// equal outputs.
struct sampled_pair {
  dtype type = dtype::undefined;
  graph left, right;
  std::vector<std::string> names;  ///< the scenario of each output
};

/// The results for one form of an equation and one element type.
struct sampled_form {
  std::size_t form = 0;
  dtype type = dtype::undefined;
  std::size_t applied = 0;     ///< the number of left sides that were replaced
  std::string_view reason;     ///< why the simplest left side was not replaced
  bool built = false;          ///< whether there is a left side of this type
  bool matches_itself = true;  ///< whether the left side, built from its text, matches the text
};

/// All samples of an equation.
struct sampled_equation {
  std::vector<sampled_pair> pairs;
  std::vector<sampled_form> forms;
};

namespace detail {

/// The scenario of one left side.
struct scenario {
  std::size_t form = 0;
  dtype type = dtype::f32, other = dtype::f32;  ///< of the result; of values that are cast or compared
  shape base = {};                              ///< of all operands not in `shapes`
  std::map<int, shape> shapes = {};             ///< by variable
  std::vector<std::size_t> choices = {};        ///< of alternatives, in the order of the equation; default: the first
  std::size_t numbers = 0;                      ///< selects the scalars
  std::size_t axes = 0;                         ///< selects the axes

  std::string text(const graph& g) const {
    std::string out = "form " + std::to_string(form + 1) + " " + jax2onnx::text(g, {type, base});
    for (const auto& [v, s] : shapes) out += " #" + std::to_string(v) + " " + jax2onnx::text(g, {type, s});
    for (const std::size_t c : choices) out += " |" + std::to_string(c);
    return out + " numbers " + std::to_string(numbers) + " axes " + std::to_string(axes);
  }
};

/// Returns whether a term is boolean, whatever its operands are.
inline bool is_truth(const equations::equation& e, std::size_t i) {
  const equations::term& t = e.terms[i];
  if (t.kind == equations::term_kind::choice || t.kind == equations::term_kind::define) return is_truth(e, i + 1);
  const op_record* const r = t.kind == equations::term_kind::apply ? equations::record_numbered(t.id) : nullptr;
  return r && r->constraints[r->outputs[0].type].allowed.tensors == records::types({dtype::boolean});
}

/// Builds the left side of a form in a graph.
class left_builder {
 public:
  left_builder(graph& g, const equations::equation& e, const scenario& s) : g_(g), e_(e), s_(s) {}

  /// The left side; throws a build_error if the scenario has none.
  value run() {
    const dtype t = is_truth(e_, e_.forms[s_.form].left) ? dtype::boolean : s_.type;
    return build(e_.forms[s_.form].left, t);
  }
  /// The number of alternatives of each choice.
  const std::vector<std::size_t>& radices() const { return radices_; }
  /// The variables that became inputs.
  const std::vector<int>& inputs() const { return inputs_; }

 private:
  using kind = equations::term_kind;

  const equations::term& at(std::size_t i) const { return e_.terms[i]; }
  std::size_t pick(std::size_t count) {
    const std::size_t i = radices_.size();
    radices_.push_back(count);
    return i < s_.choices.size() ? s_.choices[i] % count : 0;
  }
  value build(std::size_t i, dtype expected) {
    const equations::term& t = at(i);
    switch (t.kind) {
      case kind::any: throw build_error("anything");
      case kind::variable: return variable(t.id, expected);
      case kind::define: {
        if (const auto known = values_.find(t.id); known != values_.end()) return known->second;
        const value v = build(i + 1, expected);
        values_.emplace(t.id, v);
        return v;
      }
      case kind::number:
      case kind::filled: return number(t, expected);
      case kind::choice: {
        std::size_t c = i + 1;
        for (std::size_t k = pick(t.operands); k > 0; --k) c = at(c).next;
        return build(c, expected);
      }
      case kind::product: {
        const std::size_t p = i + 1, q = at(p).next, r = at(q).next;
        const bool first = pick(2) == 0;
        const value a = build(p, expected), b = build(q, expected), c = build(r, expected);
        return first ? binary("Mul", binary("Mul", a, b), c) : binary("Mul", a, binary("Mul", b, c));
      }
      case kind::ones: return with_ones(build(i + 1, expected));
      case kind::reshaped: return reshaped(build(i + 1, expected));
      case kind::casts: {
        if (pick(2) == 0 || expected == dtype::f64) return build(i + 1, expected);
        return cast(build(i + 1, expected == dtype::f32 ? s_.type : dtype::f32), expected);
      }
      default: return apply(i, expected);
    }
  }

  value with_ones(const value& v) {
    const std::size_t how = pick(3);
    if (how == 0) return v;
    if (how == 1) return unsqueeze(v, {0});
    for (std::int64_t a = 0; a < v.rank(); ++a)
      if (v.extent(a).is(1)) return squeeze(v, {a});
    throw build_error("no extent is 1");
  }
  value reshaped(const value& v) {
    switch (pick(4)) {
      case 0: return unsqueeze(v, {0});
      case 1: {  // merges the first two axes
        if (v.rank() < 2) throw build_error("no two axes");
        shape merged = v.dims();
        merged.drop(0);
        merged[0] = v.owner().dims().mul(v.extent(0), v.extent(1));
        return reshape(v, merged);
      }
      case 2: return reshape(v, {v.owner().dims().product(v.dims())});
      default: {  // keeps the shape
        return g_.emit("Reshape", {v, extents_of(v.dims())}, v.type());
      }
    }
  }
  value number(const equations::term& t, dtype expected) {
    if (expected == dtype::undefined) throw build_error("the type of a number is not known");
    double n = e_.numbers[static_cast<std::size_t>(t.id)];
    if (n == 0 && !t.flag && is_floating(expected) && pick(2) == 1) n = -n;
    const value v = is_floating(expected) || is_boolean(expected) ? scalar(g_, expected, n)
                                                                  : scalar(g_, expected, static_cast<std::int64_t>(n));
    switch (pick(t.kind == kind::filled ? 3 : 2)) {
      case 0: return v;
      case 1: return reshape(v, {dim(1)});
      default: return broadcast_to(v, s_.base);
    }
  }
  value variable(int id, dtype expected) {
    if (const auto known = values_.find(id); known != values_.end()) return known->second;
    const dtype t = expected == dtype::undefined ? s_.other : expected;
    const auto own = s_.shapes.find(id);
    const shape& dims = own == s_.shapes.end() ? s_.base : own->second;
    const equations::variable_kind what = e_.variables[static_cast<std::size_t>(id)].kind;
    const value v = what == equations::variable_kind::scalar     ? scalar_of(id, t)
                    : what == equations::variable_kind::constant ? constant_of(t, dims)
                                                                 : input(t, dims, id);
    if (what == equations::variable_kind::tensor) inputs_.push_back(id);
    values_.emplace(id, v);
    return v;
  }
  /// A bf16 input is passed as f32, since the runtime may lack bf16.
  value input(dtype t, const shape& dims, int id) {
    const std::string name(e_.variables[static_cast<std::size_t>(id)].name);
    return cast(g_.input({t == dtype::bf16 ? dtype::f32 : t, dims}, name + std::to_string(g_.value_count())), t);
  }
  value scalar_of(int id, dtype t) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double list[] = {0.5, 2, 3, -1, 0, 6, 1, 0.25, 7, 5, 4, -infinity, infinity, -0.0};
    // Neighbouring variables are equal, ascending or descending.
    const auto which = [&](int v) {
      return list[(s_.numbers / 3 + static_cast<std::size_t>(v) * (s_.numbers % 3)) % std::size(list)];
    };
    const auto above = one_more_.find(id);
    const double number = above == one_more_.end() ? which(id) : which(above->second) + 1;
    if (is_floating(t)) return scalar(g_, t, number);
    if (number == infinity) return scalar(g_, t, static_cast<std::int64_t>(largest_integer(t)));
    if (number == -infinity) return scalar(g_, t, smallest_integer(t));
    return scalar(g_, t, static_cast<std::int64_t>(number));
  }
  value constant_of(dtype t, const shape& dims) {
    ints extents;
    std::int64_t count = 1;
    for (const dim d : dims) {
      if (!d.is_constant()) throw build_error("a constant has no symbolic extents");
      extents.push_back(d.extent());
      count *= d.extent();
    }
    ints numbers(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      numbers[static_cast<std::size_t>(i)] = is_boolean(t) ? i % 2 : i * 3 % 7 - 2;
    return array(g_, t, extents, std::span<const std::int64_t>(numbers));
  }

  value apply(std::size_t i, dtype expected) {
    const equations::term& t = at(i);
    const operator_name op = operator_name::unchecked(records::names[static_cast<std::size_t>(t.id)]);
    const op_record* const record = find_record({}, op, g_.opset());
    if (!record) throw build_error("the opset lacks the operator");
    if (t.id == equations::cast_number) return cast_of(i + 1, expected);
    std::array<dtype, 16> types{};
    for (std::size_t k = 0; k < record->constraints.size() && k < types.size(); ++k)
      if (record->constraints[k].allowed.tensors == records::types({dtype::boolean})) types[k] = dtype::boolean;
    dtype& result = types[record->outputs[0].type];
    if (result == dtype::undefined) result = expected;
    std::vector<value> operands(t.operands);
    for (const bool numbers : {false, true}) {
      std::size_t c = i + 1;
      for (std::size_t k = 0; k < operands.size(); ++k, c = at(c).next) {
        if (is_number(c) != numbers) continue;
        const formal& f = *op_record::at(record->inputs, k);
        if (f.name == "shape" && at(c).kind == kind::variable) values_.try_emplace(at(c).id, extents_of(s_.base));
        dtype& own = types[f.type];
        operands[k] = build(c, own == dtype::undefined ? s_.other : own);
        own = operands[k].dtype();
      }
    }
    if (operators::has_trait(op, trait::reduction)) return reduced(op, operands[0], e_.attributes[t.attributes]);
    return equations::emit_inferred(g_, op, *record, operands, attributes_of(t));
  }
  value extents_of(const shape& dims) {
    ints extents;
    for (const dim d : dims) extents.push_back(d.is_constant() ? d.extent() : throw build_error("no constant"));
    return int64s(g_, extents);
  }
  value cast_of(std::size_t i, dtype expected) {
    const dtype from = pick(2) == 1 ? dtype::boolean : expected == s_.other ? s_.type : s_.other;
    if (from == expected) throw build_error("nothing is cast");
    return cast(build(i, from), expected);
  }
  bool is_number(std::size_t i) const {
    const equations::term& t = at(i);
    return t.kind == kind::number || t.kind == kind::filled ||
           (t.kind == kind::variable &&
            e_.variables[static_cast<std::size_t>(t.id)].kind == equations::variable_kind::scalar);
  }
  value reduced(operator_name op, const value& x, const equations::attribute_term& a) {
    if (x.rank() == 0) throw build_error("no axis");
    auto& r = axes_[a.id];
    if (!r) r = axes_of(x.rank(), s_.axes + (s_.axes >= 6 ? static_cast<std::size_t>(a.id) : 0));
    for (const std::int64_t axis : r->axes)
      if (axis >= x.rank()) throw build_error("no such axis");
    return reduce(op, x, r->axes, r->keep);
  }
  static reduction axes_of(std::int64_t rank, std::size_t which) {
    const bool keep = which % 2 == 0;
    switch (which / 2 % 3) {
      case 0: return {{rank - 1}, keep};
      case 1: return {iota_axes(rank), keep};
      default: return {{0}, keep};
    }
  }
  std::vector<attribute> attributes_of(const equations::term& t) {
    std::vector<attribute> out;
    for (std::size_t k = 0; k < t.attribute_count; ++k) {
      const equations::attribute_term& a = e_.attributes[t.attributes + k];
      if (!a.formal) continue;
      out.push_back({a.formal->name, content_of(a)});
    }
    return out;
  }
  /// The permutation that swaps the last two axes, or a window of two elements along each axis.
  ints integers_of(std::string_view name) const {
    const auto rank = s_.base.size();
    if (name != "perm") return rank > 2 ? ints(rank - 2, 2) : throw build_error("no axes of windows");
    ints perm = iota_axes(static_cast<std::int64_t>(rank));
    if (perm.size() >= 2) std::swap(perm.end()[-1], perm.end()[-2]);
    return perm;
  }
  attribute::content content_of(const equations::attribute_term& a) {
    using content = equations::attribute_term::content;
    const bool real = a.formal->kind == attribute_kind::real;
    if (a.kind == content::text) return std::string(a.text);
    double n = a.kind == content::number ? e_.numbers[static_cast<std::size_t>(a.id)] : 0;
    if (a.kind == content::variable) {
      if (a.formal->kind == attribute_kind::integers) return integers_of(a.formal->name);
      const double other[] = {real ? a.formal->standard.real : double(a.formal->standard.integer), real ? 0.3 : 0.0,
                              real ? 1e-5 : 1.0};
      const auto wanted = wanted_.find(a.id);
      n = wanted != wanted_.end() ? wanted->second : other[s_.numbers % 3];
    }
    if (real) return static_cast<float>(n);
    return static_cast<std::int64_t>(n);
  }

 public:
  /// The value that an attribute must have for a condition to hold.
  std::map<int, double> wanted_ = {};
  /// Numbers that must be one more than other ones.
  std::map<int, int> one_more_ = {};

 private:
  graph& g_;
  const equations::equation& e_;
  const scenario& s_;
  std::map<int, value> values_;
  std::map<int, std::optional<reduction>> axes_;
  std::vector<std::size_t> radices_;
  std::vector<int> inputs_;
};

/// Tries scenarios and collects those in which the rule applies.
class sampler {
 public:
  sampler(const rule& r, sample_options o) : e_(*r.text), o_(o) {
    for (const equations::condition& c : e_.conditions)
      if (c.predicate >= 0 && equations::predicates[static_cast<std::uint8_t>(c.predicate)].name == "rounded")
        wanted_.emplace(c.operands[0].a, c.operands[1].number);
      else if (c.predicate >= 0 && equations::predicates[static_cast<std::uint8_t>(c.predicate)].name == "one_more")
        one_more_.emplace(c.operands[0].a, c.operands[1].a);
  }

  sampled_equation run() {
    for (const dtype t : types) {
      found_.clear();
      for (std::size_t f = 0; f < e_.forms.size(); ++f) try_form(f, t);
      if (!found_.empty()) join(t);
    }
    return std::move(out_);
  }

 private:
  static constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::f16,    dtype::bf16, dtype::i8,
                                    dtype::i16, dtype::i32, dtype::i64,    dtype::u8,   dtype::u16,
                                    dtype::u32, dtype::u64, dtype::boolean};
  static constexpr std::size_t most_found = 40, most_attempts = 2000;  // for one form and type

  struct trial {
    bool built = false;
    bool applied = false;
    std::string_view reason = {};
    std::vector<std::size_t> radices = {};
    std::vector<int> inputs = {};
  };

  /// Makes the value an output, after a node that no equation matches: a rule may replace the value by an input.
  static void output_of(const value& v) {
    const value kept = v.owner().emit("Transpose", {v}, v.type(), {{"perm", iota_axes(v.rank())}});
    const std::string name = "result" + std::to_string(kept.owner().value_count());
    output(kept.dtype() == dtype::bf16 ? cast(kept, dtype::f32) : kept, name);
  }
  /// Applies the equation once to the nodes below each output.
  std::size_t apply_once(graph& g, std::string_view& reason) {
    use_counts uses;
    uses.count(g);
    const context c{g, uses, o_.runtime, 0, o_.assume_finite};
    std::size_t applied = 0;
    for (const value_id v : std::vector(g.at(block_id::main).outputs)) {
      node_id last = g.at(v).producer;
      if (g.at(last).op.number() == equations::cast_number) last = g.at(g.at(last).inputs.front()).producer;
      const outcome o = replaced(c, {g, g.at(last).inputs.front()});
      if (!o.reason.empty()) reason = o.reason;
      if (!o.replacement) continue;
      g.at(last).inputs.front() = o.replacement.id();
      ++applied;
    }
    canonical_order(g).run();
    dead_code(g).run();
    return applied;
  }
  outcome replaced(const context& c, const value& root) {
    try {
      return equations::apply(e_, c, root);
    } catch (const declined& d) {
      return decline(d.reason);
    }
  }
  bool is_done() const { return found_.size() >= before_ + most_found; }
  trial attempt(const scenario& s) {
    if (is_done() || ++attempts_ > most_attempts) return {};
    graph g(o_.opset);
    g.dims().symbol("N");  // the same as in bases()
    trial out;
    try {
      left_builder left(g, e_, s);
      left.wanted_ = wanted_;
      left.one_more_ = one_more_;
      const value v = left.run();
      output_of(v);
      out.built = true;
      out.radices = left.radices();
      out.inputs = left.inputs();
      out.applied = apply_once(g, out.reason) > 0;
    } catch (const error&) {
      out.built = false;
    }
    if (out.applied) found_.push_back(s);
    return out;
  }

  /// Extents of the simplest left side: the first ones that fit.
  std::vector<shape> bases() {
    graph g;
    const dim n = g.dims().symbol("N");
    return {{5}, {5, 5}, {4, 5}, {}, {1}, {0}, {n}, {2, 3, 4}, {1, 5}, {n, 4}, {0, 4}, {2, 4, 3, 3}, {1, 1}};
  }
  /// Other shapes for one operand, combined with the shape `base` of the others.
  static std::vector<shape> others(const shape& base) {
    std::vector<shape> out{{}, {1}};
    if (base.empty()) return {{1}, {5}};
    if (!is_static(base)) return {{}, {base.back()}};
    out.push_back({base.back()});
    out.push_back({1, base.back()});
    out.push_back({base.back(), 1});
    if (base.size() > 1) {
      out.push_back({base.front(), 1});
      shape ones = base;
      ones.back() = 1;
      out.push_back(ones);
      ones = base;
      ones.front() = 1;
      out.push_back(ones);
    }
    shape longer = base;
    longer.insert(longer.begin(), dim(1));
    out.push_back(longer);
    longer.front() = 2;
    out.push_back(longer);
    std::erase(out, base);
    return out;
  }

  void try_form(std::size_t f, dtype t) {
    sampled_form found;
    found.form = f;
    found.type = t;
    varied_ = false;
    before_ = found_.size();
    attempts_ = 0;
    for (const dtype other : others_of(f, t))
      for (const shape& base : bases()) {
        if (is_empty(base) && has_places()) continue;  // no index would be in range
        if (is_done() || (!found.reason.empty() && found_.size() == before_ && base.size() > 2)) break;
        const scenario plain{.form = f, .type = t, .other = other, .base = base};
        try_shapes(plain, found);
      }
    found.applied = found_.size() - before_;
    if (found.built) out_.forms.push_back(found);
  }
  /// The types of values that are cast to the type, or compared: the type itself if there is no Cast.
  std::vector<dtype> others_of(std::size_t form, dtype t) const {
    const bool casts = std::ranges::any_of(e_.terms, [](const equations::term& term) {
      return term.kind == equations::term_kind::apply && term.id == equations::cast_number;
    });
    if (!casts && !(t == dtype::boolean && is_truth(e_, e_.forms[form].left))) return {t};
    return {dtype::f32, dtype::i32, dtype::i64, dtype::boolean, dtype::u8, dtype::i8, dtype::f16, dtype::f64};
  }
  void try_shapes(const scenario& plain, sampled_form& found) {
    const trial first = attempt(plain);
    if (first.built) {
      found.built = true;
      if (!first.applied && found.reason.empty()) found.reason = first.reason;
    }
    const std::vector<int> inputs = first.built ? first.inputs : all_inputs();
    const bool first_one = first.built && !std::exchange(varied_, true);
    for (std::size_t n = 1; n < 42 && first_one && has_numbers(); ++n) {
      scenario s = plain;
      s.numbers = n;
      attempt(s);
    }
    for (std::size_t i = 0; first_one && i < first.radices.size(); ++i)
      for (std::size_t k = 1; k < first.radices[i]; ++k) try_choice(plain, i, k);
    if (first.built && first.radices.size() > 1) try_all_choices(plain, first.radices.size());
    for (std::size_t a = 1; a < 12 && first.built && has_axes(); ++a) {
      scenario s = plain;
      s.axes = a;
      attempt(s);
      if (a < 6) try_operands(s, inputs);
    }
    if (all_inputs().size() > 1) try_operands(plain, inputs);
    for (std::size_t i = 0; found_.size() == before_ && i < first.radices.size(); ++i)
      for (std::size_t k = 1; k < first.radices[i]; ++k) {
        scenario s = plain;
        s.choices.assign(i + 1, 0);
        s.choices[i] = k;
        try_operands(s, inputs);
      }
  }
  void try_choice(const scenario& plain, std::size_t i, std::size_t k) {
    scenario s = plain;
    s.choices.assign(i + 1, 0);
    s.choices[i] = k;
    const trial t = attempt(s);
    for (std::size_t j = i + 1; t.built && j < t.radices.size(); ++j) {  // nested choices
      scenario inner = s;
      inner.choices.resize(j + 1, 0);
      inner.choices[j] = 1;
      attempt(inner);
    }
  }
  void try_all_choices(const scenario& plain, std::size_t count) {
    scenario s = plain;
    s.choices.assign(count + 8, 1);
    attempt(s);
  }
  void try_operands(const scenario& plain, const std::vector<int>& inputs) {
    for (const int v : inputs)
      for (const shape& other : others(plain.base)) {
        scenario s = plain;
        s.shapes[v] = other;
        attempt(s);
        if (plain.base.size() != 2 && plain.base.size() != 1) continue;
        for (const int w : inputs)
          if (w > v)
            for (const shape& second : others(plain.base)) {
              scenario two = s;
              two.shapes[w] = second;
              attempt(two);
            }
      }
  }
  /// The variables that are values, except names of terms.
  std::vector<int> all_inputs() const {
    std::vector<int> out;
    for (std::size_t i = 1; i < e_.variables.size(); ++i) {
      const auto is_name = [i](const equations::term& t) {
        return t.kind == equations::term_kind::define && t.id == static_cast<int>(i);
      };
      const equations::variable_kind k = e_.variables[i].kind;
      if ((k == equations::variable_kind::tensor || k == equations::variable_kind::constant) &&
          std::ranges::none_of(e_.terms, is_name))
        out.push_back(static_cast<int>(i));
    }
    return out;
  }
  bool has(equations::variable_kind k) const {
    return std::ranges::find(e_.variables, k, &equations::variable::kind) != e_.variables.end();
  }
  bool has_places() const {
    return std::ranges::any_of(e_.terms, [](const equations::term& t) {
      return t.kind == equations::term_kind::apply && equations::has_trait(t.id, trait::reads_places);
    });
  }
  bool has_numbers() const { return has(equations::variable_kind::scalar) || has(equations::variable_kind::attribute); }
  bool has_axes() const { return has(equations::variable_kind::axes); }

  /// All left sides that were found, in one graph.
  graph joined(std::vector<std::string>& names) {
    graph g(o_.opset);
    g.dims().symbol("N");  // the same as in bases()
    for (const scenario& s : found_) {
      left_builder one(g, e_, s);
      one.wanted_ = wanted_;
      one.one_more_ = one_more_;
      output_of(one.run());
      names.push_back(s.text(g));
    }
    return g;
  }
  void join(dtype t) {
    std::vector<std::string> names, same;
    graph left = joined(names), right = joined(same);
    std::string_view reason;
    apply_once(right, reason);
    try {  // for the runtime that runs them, whatever the rule's target is
      legalize(left, target::ort);
    } catch (const error&) {
      return;  // the runtime has no kernels for the left side
    }
    legalize(right, target::ort);
    out_.pairs.push_back({t, std::move(left), std::move(right), std::move(names)});
  }

  const equations::equation& e_;
  sample_options o_;
  std::map<int, double> wanted_;
  std::map<int, int> one_more_;
  std::vector<scenario> found_;
  std::size_t attempts_ = 0;
  std::size_t before_ = 0;  // their number before the form
  bool varied_ = false;     // whether numbers and choices of the form were varied, which is done for one shape only
  sampled_equation out_;
};

}  // namespace detail

/// Models of both sides of a rule that is an equation.
inline sampled_equation samples_of(const rule& r, sample_options o = {}) { return detail::sampler(r, o).run(); }

}  // namespace jax2onnx::rewrite
