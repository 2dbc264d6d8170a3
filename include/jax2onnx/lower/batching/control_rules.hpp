// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include <jax2onnx/lower/batching/local_rules.hpp>
#include <jax2onnx/lower/control/loop_operands.hpp>
#include <jax2onnx/lower/control/written_refs.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules of calls, loops and branches. The axes along which the values of a loop vary are a fixed point: a carried
/// value varies if its first value varies, or if an iteration returns a varying value for it.
namespace jax2onnx::lower::batching {

inline checked_vector<axis_set> along_of_each(std::span<const varying> list) {
  checked_vector<axis_set> out;
  for (const varying& v : list) out.push_back(v.along);
  return out;
}
/// The types of results, each with its leading axes.
inline std::vector<aval> prefixed_types(equation_view& e, std::span<const axis_set> along) {
  std::vector<aval> out = e.out_types();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = e.prefixed(out[i], along[i]);
  return out;
}
/// Emits an equation whose results vary along different axes.
inline varyings emit_each(equation_view& e, std::string_view primitive, std::span<const varying> ins,
                          std::vector<jaxpr::param> params, std::span<const axis_set> along) {
  if (along.size() != e.equation().outs.size()) e.unsupported("its results do not fit its jaxpr");
  varyings out = e.emit(primitive, ins, std::move(params), prefixed_types(e, along), 0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].along = along[i];
  return out;
}

/// Calls the version of a jaxpr for all devices with these operands. The results have the types that the jaxpr states.
inline varyings call_body(equation_view& e, const jaxpr::body& body, std::span<const varying> operands) {
  const batched_body made = e.all().batch(body, along_of_each(operands));
  std::vector<aval> types;
  for (const jaxpr::atom& a : made.body->results) types.push_back(e.driver().type_of(a.annotation));
  varyings out = e.emit("closed_call", operands, {{"call_jaxpr", tree_store::value_of(*made.body)}}, types, 0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].along = made.along[i];
  return out;
}
template <char const* Key>
varyings call(equation_view& e) {
  return call_body(e, *e.param<const jaxpr::body*>(Key), e.operands());
}
inline constexpr char jaxpr_name[] = "jaxpr", call_jaxpr_name[] = "call_jaxpr", call_name[] = "call",
                      callee_name[] = "callee", fwd_jaxpr_name[] = "fwd_jaxpr";

/// Calls the solver with the solver's constants and the right-hand sides.
inline varyings custom_linear_solve(equation_view& e) {
  const jaxpr::value *jaxprs = e.find("jaxprs"), *lengths = e.find("const_lengths");
  const jaxpr::value* solve = jaxprs ? keyword(*jaxprs, "solve") : nullptr;
  if (!solve || !solve->body || !lengths) e.unsupported("it lacks the jaxpr 'solve' or its const_lengths");
  const auto length = [&](std::string_view key) {
    const jaxpr::value* v = keyword(*lengths, key);
    return v ? std::clamp<std::int64_t>(v->integer, 0, std::ssize(e.operands())) : 0;
  };
  const std::int64_t before = length("matvec") + length("vecmat"), own = length("solve");
  const std::int64_t constants = before + own + length("transpose_solve");
  if (constants > std::ssize(e.operands())) e.unsupported("its const_lengths do not fit its operands");
  varyings args(e.operands().begin() + before, e.operands().begin() + before + own);
  args.insert(args.end(), e.operands().begin() + constants, e.operands().end());
  return call_body(e, *solve->body, args);
}

/// A site of the equation as it was printed, for functions that read parameters from a site.
class printed_site {
 public:
  explicit printed_site(equation_view& e) : operands_(e.operands().size()), wanted_(e.equation().outs.size(), true) {
    for (const varying& v : e.operands()) in_types_.push_back(e.local_type(v));
    out_types_ = e.out_types();
    site_.emplace(e.owner(), e.equation(), e.primitive(), operands_, in_types_, out_types_, wanted_,
                  e.driver().decoder(), e.driver());
  }
  const site& get() const { return *site_; }

 private:
  jax_values operands_;
  std::vector<aval> in_types_, out_types_;
  selection wanted_;
  std::optional<site> site_;
};

/// scan consts… carry… xs…: an iteration gets one element of a sequence with its leading axes, so the scanned axis
/// moves to the front of the sequence.
inline varyings scan(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("jaxpr");
  const printed_site printed(e);
  const scan_operands parts = scan_operands_of(printed.get(), body);
  checked_vector<axis_set> in = along_of_each(e.operands());
  const std::size_t first = parts.consts, carry = parts.carry;
  if (carry > body.results.size() || body.results.size() != e.equation().outs.size())
    e.unsupported("its results do not fit its jaxpr");
  batched_body made;
  for (bool changed = true; changed;) {
    checked_vector<axis_set> least(body.results.size(), 0);
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(first), carry, least.begin());
    made = e.all().batch(body, in, least);
    changed = false;
    for (std::size_t i = 0; i < carry; ++i) {
      changed = changed || made.along[i] != in[first + i];
      in[first + i] = made.along[i];
    }
  }
  varyings operands;
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    varying v = e.operands()[i];
    if (parts.is_sequence[i] && v.along) {
      ints order{count(v.along)};
      for (std::int64_t d = 0; d < e.type(v).rank(); ++d)
        if (d != order[0]) order.push_back(d);
      v = e.transpose(v, order, v.along);
    } else {
      v = e.full(v, in[i]);
    }
    operands.push_back(v);
  }
  std::vector<aval> types = e.out_types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    const shape leading = e.axes().extents(made.along[i]);
    if (i >= carry && types[i].rank() == 0) e.unsupported("a stacked result is a scalar");
    types[i].dims.insert(types[i].dims.begin() + (i < carry ? 0 : 1), leading.begin(), leading.end());
  }
  varyings out = e.emit(e.equation().primitive, operands, e.with("jaxpr", tree_store::value_of(*made.body)), types, 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t k = count(made.along[i]);
    out[i].along = made.along[i];
    if (i < carry || k == 0) continue;
    ints order;
    for (std::int64_t d = 1; d <= k; ++d) order.push_back(d);
    order.push_back(0);
    for (std::int64_t d = k + 1; d < types[i].rank(); ++d) order.push_back(d);
    out[i] = e.transpose(out[i], order, made.along[i]);
  }
  return out;
}

/// Returns whether a jaxpr may write to a mutable reference among its parameters.
inline bool writes_refs(const jaxpr::body& body) {
  return item_loops::any_of(body.invars, [&](const jaxpr::binder& b) {
    return b.annotation && b.annotation->kind == jaxpr::type_kind::ref && may_write(body, b.slot);
  });
}

/// while cond_consts… body_consts… carry…: a condition that varies is an array, whose axes are the leading axes of all
/// carried values. The lowering of `while` repeats the loop as long as the condition of any device is true.
inline varyings while_loop(equation_view& e) {
  const auto &cond = *e.param<const jaxpr::body*>("cond_jaxpr"), &body = *e.param<const jaxpr::body*>("body_jaxpr");
  const auto counted = [&](std::string_view key) {
    const auto n = e.param_or<std::int64_t>(key, 0);
    if (n < 0 || n > std::ssize(e.operands()))
      e.unsupported(detail::message("its {} is {}; it must be from 0 to the number of operands", key, n));
    return static_cast<std::size_t>(n);
  };
  const std::size_t conditions = counted("cond_nconsts"), constants = counted("body_nconsts");
  const std::size_t carry = e.equation().outs.size();
  if (conditions + constants + carry != e.operands().size()) e.unsupported("its jaxprs do not fit its operands");
  const checked_vector<axis_set> in = along_of_each(e.operands());
  const auto whole = in.begin() + static_cast<std::ptrdiff_t>(conditions);
  checked_vector<axis_set> body_in(whole, in.end()), cond_in(in.begin(), whole);
  cond_in.insert(cond_in.end(), whole + static_cast<std::ptrdiff_t>(constants), in.end());
  batched_body made, test;
  for (bool changed = true; changed;) {
    const auto carried = body_in.begin() + static_cast<std::ptrdiff_t>(constants);
    checked_vector<axis_set> next(carried, body_in.end());
    std::copy(next.begin(), next.end(), cond_in.begin() + static_cast<std::ptrdiff_t>(conditions));
    made = e.all().batch(body, body_in, next);
    test = e.all().batch(cond, cond_in);
    axis_set all = test.along[0];
    if (all && (writes_refs(cond) || writes_refs(body)))
      e.unsupported("a loop that may end at a different iteration on each device writes to mutable references");
    if (all)
      for (axis_set s : made.along) all |= s;
    if (all) made.along.assign(carry, all);
    changed = made.along != next;
    std::copy(made.along.begin(), made.along.end(), carried);
    if (!changed && all && test.along[0] != all) test = e.all().batch(cond, cond_in, std::array{all});
  }
  varyings operands = e.operands();
  for (std::size_t i = 0; i < carry; ++i) {
    varying& v = operands[conditions + constants + i];
    v = e.full(v, made.along[i]);
  }
  std::vector<jaxpr::param> params = e.with("body_jaxpr", tree_store::value_of(*made.body));
  params = e.with(std::move(params), "cond_jaxpr", tree_store::value_of(*test.body));
  return emit_each(e, e.equation().primitive, operands, std::move(params), made.along);
}

/// The parameter of get and swap that selects a whole reference.
inline jaxpr::param whole_index(equation_view& e) {
  jaxpr::value v;
  v.text = e.store().text("PyTreeDef(())");
  return {"tree", v};
}
/// The content of a reference.
inline varying whole_content(equation_view& e, const varying& ref) {
  aval t = e.type(ref);
  t.ref = false;
  return e.emit1("get", {ref}, {whole_index(e)}, t, ref.along);
}

/// The case that `index` chooses. All cases vary along the same axes; `local` is their type for one device.
inline varying select_case(equation_view& e, const varying& index, const varyings& cases, const aval& local) {
  const axis_set along = cases[0].along;
  if (cases.size() == 1) return cases[0];
  varying which = e.stretchable(e.full(index, along), along, local.rank());
  aval wide = e.type(which);
  wide.dims = e.prefixed(local, along).dims;
  ints all(wide.dims.size());
  std::iota(all.begin(), all.end(), 0);
  which = e.emit1("broadcast_in_dim", {which}, {e.extents("shape", wide.dims), e.numbers("broadcast_dimensions", all)},
                  wide, along);
  varyings operands{which};
  operands.insert(operands.end(), cases.begin(), cases.end());
  return e.emit("select_n", operands, {}, {e.prefixed(local, along)}, along).front();
}

/// Mutable references in branches that are all computed. Each branch writes to copies of the references; then each
/// device selects the content that its branch has written.
class branch_refs {
 public:
  branch_refs(equation_view& e, std::span<const jaxpr::body* const> branches, std::span<const varying> args)
      : e_(e), args_(args.begin(), args.end()) {
    for (std::size_t i = 0; i < args_.size(); ++i) {
      if (!e.type(args_[i]).ref) continue;
      const bool is_written =
          item_loops::any_of(branches, [&](const jaxpr::body* b) { return may_write(*b, b->invars[i].slot); });
      if (!is_written) continue;
      const auto same = [&](const reference& r) { return r.original.atom.slot == args_[i].atom.slot; };
      if (item_loops::any_of(written_, same)) e.unsupported("a branch has the same mutable reference as two operands");
      written_.push_back({i, content(args_[i]), args_[i], {}, {}});
    }
  }
  /// The operands of the next branch.
  const varyings& copied() {
    for (reference& r : written_) {
      aval t = e_.type(r.before);
      t.ref = true;
      r.copy = e_.emit1("new_ref", {r.before}, {}, t, r.before.along);
      args_[r.operand] = r.copy;
    }
    return args_;
  }
  void finish_branch() {
    for (reference& r : written_) r.after.push_back(content(r.copy));
  }
  /// Writes to each reference the content that the branch chosen by `index` has written.
  void select(const varying& index) {
    for (reference& r : written_) {
      if (index.along & ~r.before.along)
        e_.unsupported("a value that differs between devices is written to a mutable reference that all devices share");
      const varying chosen = select_case(e_, index, r.after, e_.local_type(r.before));
      const std::array ins{r.original, chosen};
      e_.emit("swap", ins, {whole_index(e_)}, {}, r.before.along);
    }
  }

 private:
  struct reference {
    std::size_t operand;
    varying before, original, copy;
    varyings after;
  };
  varying content(const varying& ref) { return whole_content(e_, ref); }

  equation_view& e_;
  varyings args_;
  std::vector<reference> written_;
};

/// cond: runs one branch if the index is the same on all devices. Otherwise all branches are computed, and each device
/// selects the results of its branch.
inline varyings cond(equation_view& e) {
  const auto branches = e.param<std::vector<const jaxpr::body*>>("branches");
  const varying index = e.operands()[0];
  const std::span<const varying> args = e.operands_from(1);
  const checked_vector<axis_set> in = along_of_each(args);
  checked_vector<axis_set> along(e.equation().outs.size(), index.along);
  for (const jaxpr::body* b : branches) {
    if (b->invars.size() != in.size() || b->results.size() != along.size())
      e.unsupported("its branches do not fit its operands");
    const batched_body made = e.all().batch(*b, in);
    for (std::size_t i = 0; i < along.size(); ++i) along[i] |= made.along[i];
  }
  std::vector<jaxpr::value> bodies;
  for (const jaxpr::body* b : branches) bodies.push_back(tree_store::value_of(*e.all().batch(*b, in, along).body));
  if (index.along == 0)
    return emit_each(e, e.equation().primitive, e.operands(), e.with("branches", e.store().list_of(bodies)), along);
  branch_refs refs(e, branches, args);
  std::vector<varyings> results;
  for (const jaxpr::value& b : bodies) {
    results.push_back(emit_each(e, "closed_call", refs.copied(), {{"call_jaxpr", b}}, along));
    refs.finish_branch();
  }
  varyings out;
  for (std::size_t i = 0; i < along.size(); ++i) {
    varyings cases;
    for (const varyings& r : results) cases.push_back(r[i]);
    out.push_back(select_case(e, index, cases, e.out_type(i)));
  }
  refs.select(index);
  return out;
}

}  // namespace jax2onnx::lower::batching
