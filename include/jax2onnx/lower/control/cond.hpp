// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/control/ref_state.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/refused.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jaxpr/walk.hpp>

/// Lowers cond to ONNX's If, whose branches capture their operands. Lowers platform_index, the index of a cond over
/// platforms, to a constant. Source: jax.lax.cond, jax.lax.switch, jax.lax.platform_dependent.
namespace jax2onnx::lower {

using branch_list = std::span<const jaxpr::body* const>;

/// The value of the integer or bool v if v is constant, or computed from a constant by the casts and the clamp of
/// jax.lax.switch; otherwise nullopt.
inline std::optional<std::int64_t> known_integer(const value& v, int depth = 4) {
  using operators::producer;
  if (v.is_constant()) return constant_integer(v);
  if (is_floating(v.dtype()) || depth == 0) return std::nullopt;
  const bool is_cast = producer(v, "Cast") && is_integer(v.dtype());
  if (!is_cast && !producer(v, "Clip") && !producer(v, "Max") && !producer(v, "Min")) return std::nullopt;
  const facts::element_row* row = facts::element_row_of(*producer(v));
  if (!row || producer(v)->inputs.size() != row->operands) return std::nullopt;
  std::vector<facts::single_element> in;
  for (const value& operand : operators::inputs_of(v)) {
    const auto known = known_integer(operand, depth - 1);
    if (!known) return std::nullopt;
    in.push_back({operand.dtype(), facts::of_elements::encode(operand.dtype(), *known)});
  }
  const auto bits = row->rule(in, v.dtype());
  return bits ? std::optional(decode_integer(v.dtype(), *bits)) : std::nullopt;
}

/// The items that `wanted` selects.
template <class Item>
std::vector<Item> selected(std::span<const Item> items, const selection& wanted) {
  std::vector<Item> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (wants(wanted, i)) out.push_back(items[i]);
  return out;
}

/// The inverse of `selected`: `count` results; unwanted ones are empty.
inline jax_values with_unwanted(const jax_values& items, const selection& wanted, std::size_t count) {
  jax_values out(count);
  for (std::size_t i = 0, next = 0; i < count; ++i)
    if (wants(wanted, i)) out[i] = items[next++];
  return out;
}

/// The If nodes of one cond.
class conditional {
 public:
  conditional(const site& s, std::span<const jax_value> args) : s_(s), args_(args), refs_(s) {
    types_ = selected(s.out_types(), s.wanted());
    append(types_, refs_.types);
  }

  /// The wanted results of branches[index - first], then the contents of the references.
  jax_values choose(const value& index, branch_list branches, std::int64_t first) {
    if (branches.size() == 1) return inline_branch(*branches[0]);
    const auto half = std::ssize(branches) / 2;
    const branch_list low = branches.first(static_cast<std::size_t>(half)), high = branches.subspan(low.size());
    // An index that is too large selects the last branch, as in XLA. With two branches, every index except 0 selects
    // the last branch.
    const bool as_truth = branches.size() == 2 && first == 0;
    const value above = as_truth ? cast(index, dtype::boolean) : greater_equal(index, first + half);
    const jax_values before = refs_.contents(s_);
    const auto branch = [&](branch_list some, std::int64_t number) {
      refs_.assign(s_, before);
      return tensors_of(choose(index, some, number));
    };
    const std::vector<value> out = if_(
        above, [&] { return branch(high, first + half); }, [&] { return branch(low, first); }, tensor_types_of(types_));
    return tensor_reader(out).take(types_);
  }

  /// The results of the equation, from the values that `choose` returned.
  jax_values finish(const jax_values& chosen) {
    const std::size_t values = types_.size() - refs_.refs.size();
    refs_.assign(s_, std::span(chosen).subspan(values));
    return with_unwanted(chosen, s_.wanted(), s_.out_count());
  }

 private:
  jax_values inline_branch(const jaxpr::body& branch) {
    jax_values out = selected<jax_value>(s_.inline_body(branch, args_, s_.wanted()), s_.wanted());
    append(out, refs_.contents(s_));
    return out;
  }

  const site& s_;
  std::span<const jax_value> args_;
  ref_state refs_;
  std::vector<aval> types_;
};

/// Returns whether the branch calls a Python function that raises an exception, as Equinox's error_if does. Source:
/// equinox/_errors.py.
inline bool raises(const jaxpr::body& branch) {
  for (const jaxpr::equation& e : branch.equations) {
    const jaxpr::value* callback = e.primitive == "pure_callback" ? e.find("callback") : nullptr;
    if (callback && callback->text.find(".raises at ") != callback->text.npos) return true;
  }
  return false;
}
/// The branch that does not raise, if there are two branches and the other one raises; otherwise null.
inline const jaxpr::body* only_returning(branch_list branches) {
  if (branches.size() != 2 || raises(*branches[0]) == raises(*branches[1])) return nullptr;
  return branches[raises(*branches[0]) ? 1 : 0];
}

/// Returns whether a jaxpr has a primitive that no model can compute, such as a callback.
inline bool is_refused(const jaxpr::body& body) {
  std::vector<const jaxpr::body*> bodies{&body};
  std::unordered_set<const jaxpr::body*> seen{&body};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const jaxpr::equation& e : bodies[i]->equations) {
      if (find_refusal(compat::primitive(e.primitive))) return true;
      for (const jaxpr::body* inner : jaxpr::bodies_of(e))
        if (seen.insert(inner).second) bodies.push_back(inner);
    }
  return false;
}
/// The branch of jax.lax.platform_dependent to lower: `chosen`, unless a model cannot compute this branch but can
/// compute the default branch. The default branch gives the same values on all platforms.
inline std::size_t computable_branch(const site& s, branch_list branches, std::size_t chosen) {
  const jaxpr::value* platforms = s.find("branches_platforms");
  if (!platforms || platforms->items.size() != branches.size() || !is_refused(*branches[chosen])) return chosen;
  for (std::size_t i = 0; i < branches.size(); ++i)
    if (platforms->items[i].tag == jaxpr::value::kind::none && !is_refused(*branches[i])) return i;
  return chosen;
}

/// Returns whether the integer or bool v is known not to be negative, as after the clamp of jax.lax.switch.
inline bool is_not_negative(const value& v, int depth = 4) {
  using operators::input_of, operators::producer;
  if (is_boolean(v.dtype())) return true;
  if (const auto known = known_integer(v, depth)) return *known >= 0;
  if (!is_signed_integer(v.dtype())) return is_integer(v.dtype());
  if (depth == 0) return false;
  const auto has = [&](std::size_t i) { return is_not_negative(input_of(v, i), depth - 1); };
  if (producer(v, "Cast")) return bits(input_of(v, 0).dtype()) < bits(v.dtype()) && has(0);
  if (producer(v, "Clip")) return input_of(v, 1) && has(1) && (!input_of(v, 2) || has(2));
  if (producer(v, "Max") && producer(v)->inputs.size() == 2) return has(0) || has(1);
  return producer(v, "Min") && producer(v)->inputs.size() == 2 && has(0) && has(1);
}

/// cond index operands…: false selects branch 0. More than two branches become a binary tree of Ifs.
inline jax_values cond(const site& s) {
  const auto bodies = s.param<std::vector<const jaxpr::body*>>("branches");
  const branch_list branches(bodies);
  if (branches.empty()) throw build_error("it has no branches");
  const value index = s.in(0);
  conditional c(s, s.ins().subspan(1));
  if (const auto known = known_integer(index)) {
    const bool in_range = *known >= 0 && *known < std::ssize(branches);
    const std::size_t chosen = in_range ? static_cast<std::size_t>(*known) : branches.size() - 1;
    return c.finish(c.choose(index, branches.subspan(computable_branch(s, branches, chosen), 1), 0));
  }
  if (const jaxpr::body* rest = only_returning(branches)) {
    s.warn("lower.dropped", "a check that raises an exception is dropped: an ONNX model only computes values");
    return c.finish(c.choose(index, {&rest, 1}, 0));
  }
  if (branches.size() <= 2 || is_not_negative(index)) return c.finish(c.choose(index, branches, 0));
  const value last = scalar(s.g, index.dtype(), branches.size() - 1);  // a negative index also selects the last branch
  return c.finish(c.choose(where(less(index, 0), last, index), branches, 0));
}

/// The index of the first entry of `platforms` that lists 'cpu', the platform whose results the model reproduces, or
/// that is None, the default branch. Without this entry, the index is the number of entries: before JAX 0.6, the
/// default branch comes after all entries (has_default).
inline jax_values platform_index(const site& s) {
  const jaxpr::value* platforms = s.find("platforms");
  if (!platforms) s.unsupported("it lacks its parameter 'platforms'");
  std::size_t i = 0;
  for (; i < platforms->items.size(); ++i) {
    const jaxpr::value& entry = platforms->items[i];
    if (entry.tag == jaxpr::value::kind::none || entry.text.find("'cpu'") != entry.text.npos) break;
  }
  return {scalar(s.g, s.out_dtype(), i)};
}

inline constexpr lowering cond_rows[] = {
    {"cond", cond, "If",
     signature{or_more(1),
               {},
               cond_types,
               {{"branches", param_form::bodies},
                {"branches_platforms", param_form::structure, "the platforms of each branch"}}},
     parts_rule::own, ignores{"linear"}},
    {"platform_index", platform_index, "(a constant)",
     signature{0, 1, nullptr, {{"platforms", param_form::list, "lists of names; None means all other platforms"}}},
     ignores{"has_default"}},
};

}  // namespace jax2onnx::lower
