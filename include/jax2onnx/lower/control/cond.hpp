#pragma once

#include <algorithm>
#include <optional>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/table.hpp>

/// cond: branches become subgraphs that capture their operands.
namespace jax2onnx::lower {

using branch_list = std::span<const jaxpr::body* const>;

/// An integer or bool that is known while lowering; looks through what jax.lax.switch puts around a constant index.
inline std::optional<std::int64_t> known_integer(const value& v, int depth = 4) {
  if (v.is_constant()) return constant_integer(v);
  const value_record& r = v.owner().at(v.id());
  if (r.producer == node_id::none || depth == 0) return std::nullopt;
  const node& n = v.owner().at(r.producer);
  const auto operand_of = [&](std::size_t i) { return known_integer(value(v.owner(), n.inputs[i]), depth - 1); };
  if (n.op == "Cast" && is_integer(v.dtype())) return operand_of(0);
  if ((n.op != "Max" && n.op != "Min") || n.inputs.size() != 2) return std::nullopt;
  const auto a = operand_of(0), b = operand_of(1);
  if (!a || !b) return std::nullopt;
  return n.op == "Max" ? std::max(*a, *b) : std::min(*a, *b);
}

/// The If nodes of one cond.
class conditional {
 public:
  conditional(const site& s, std::span<const jax_value> args) : s_(s), args_(args), refs_(s) {
    types_ = selected(s.out_types(), s.wanted());
    append(types_, refs_.types);
  }

  /// The wanted results of the branch that `index` names, `first` being the number of branches[0]; then what the
  /// references hold.
  jax_values choose(const value& index, branch_list branches, std::int64_t first) {
    if (branches.size() == 1) return inline_branch(*branches[0]);
    const auto half = std::ssize(branches) / 2;
    const branch_list low = branches.first(static_cast<std::size_t>(half)), high = branches.subspan(low.size());
    // XLA takes the last branch for an index out of range, which of two is the one for everything but 0.
    const bool as_truth = branches.size() == 2 && first == 0;
    const value above = as_truth ? cast(index, dtype::boolean) : greater_equal(index, first + half);
    const jax_values before = refs_.contents(s_);
    const block_id then_block = fill(before, [&] { return choose(index, high, first + half); });
    const block_id else_block = fill(before, [&] { return choose(index, low, first); });
    if (types_.empty()) return {};
    const std::vector<value> out = s_.g.emit_many("If", std::vector{above}, tensor_types_of(types_),
                                                  {{"then_branch", then_block}, {"else_branch", else_block}});
    return tensor_reader(out).take(types_);
  }

  /// The equation's results, from those of choose.
  jax_values finish(jax_values chosen) {
    const std::size_t values = types_.size() - refs_.refs.size();
    refs_.assign(s_, std::span(chosen).subspan(values));
    chosen.resize(values);
    return at_wanted(std::move(chosen), s_.wanted(), s_.out_count());
  }

 private:
  jax_values inline_branch(const jaxpr::body& branch) {
    jax_values out = selected<jax_value>(s_.inline_body(branch, args_, s_.wanted()), s_.wanted());
    append(out, refs_.contents(s_));
    return out;
  }
  block_id fill(const jax_values& before, const auto& write) {
    const block_scope scope(s_.g);
    refs_.assign(s_, before);
    s_.g.set_outputs(scope.id(), tensors_of(write()));
    return scope.id();
  }

  const site& s_;
  std::span<const jax_value> args_;
  ref_state refs_;
  std::vector<aval> types_;
};

/// The branch does nothing but raise an exception: Equinox's error_if. Source: equinox/_errors.py.
inline bool raises(const jaxpr::body& branch) {
  return std::ranges::any_of(branch.equations, [](const jaxpr::equation& e) {
    const jaxpr::value* callback = e.primitive == "pure_callback" ? e.find("callback") : nullptr;
    return callback && callback->text.find(".raises at ") != callback->text.npos;
  });
}
/// The one of two branches that an error leaves over.
inline const jaxpr::body* unfailing(branch_list branches) {
  if (branches.size() != 2 || raises(*branches[0]) == raises(*branches[1])) return nullptr;
  return branches[raises(*branches[0]) ? 1 : 0];
}

/// cond index operands…: branch 0 is the one for false. Nested Ifs halve more than two branches.
inline jax_values cond(const site& s) {
  const auto bodies = s.param<std::vector<const jaxpr::body*>>("branches");
  const branch_list branches(bodies);
  const value index = s.in(0);
  conditional c(s, s.ins().subspan(1));
  if (const auto known = known_integer(index)) {
    const bool in_range = *known >= 0 && *known < std::ssize(branches);
    const std::size_t chosen = in_range ? static_cast<std::size_t>(*known) : branches.size() - 1;
    return c.finish(c.choose(index, branches.subspan(chosen, 1), 0));
  }
  if (const jaxpr::body* rest = unfailing(branches)) {
    s.warn("lower.dropped",
           "a check that raises an exception is left out: an ONNX model computes values and nothing else");
    return c.finish(c.choose(index, {&rest, 1}, 0));
  }
  return c.finish(c.choose(index, branches, 0));
}

/// The number of the first entry of `platforms` that holds 'cpu', the platform that the model is to agree with; an entry
/// None (before 0.6: has_default) stands for the others.
inline jax_values platform_index(const site& s) {
  const jaxpr::value* platforms = s.find("platforms");
  s.find("has_default");
  if (!platforms) s.unsupported("it lacks its parameter 'platforms'");
  std::size_t i = 0;
  for (; i < platforms->items.size(); ++i) {
    const jaxpr::value& entry = platforms->items[i];
    if (entry.tag == jaxpr::value::kind::none || entry.text.find("'cpu'") != entry.text.npos) break;
  }
  return {scalar(s.g, s.out_dtype(), i)};
}

inline constexpr lowering cond_rows[] = {
    {"cond", cond, "If", parts_rule::own},
    {"platform_index", platform_index, "(a constant)"},
};

}  // namespace jax2onnx::lower
