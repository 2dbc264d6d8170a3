// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/batching/named_axes.hpp>
#include <jax2onnx/lower/batching/tree_store.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/checked_vector.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/key_map.hpp>

/// Rewrites a jaxpr that every device of a mesh runs to a jaxpr that computes for all devices at once. A value that
/// differs between devices has a leading axis for each named axis along which it varies; other values are computed
/// once. As in jax.vmap (jax/_src/interpreters/batching.py), collectives become reductions, transpositions and slices
/// of these axes; here, a value may have any number of them.
namespace jax2onnx::lower::batching {

/// A value of the new jaxpr. The leading axes of the value are the axes in `along`, in ascending order.
struct varying {
  jaxpr::atom atom;
  axis_set along = 0;
};
using varyings = checked_vector<varying>;  // indices from a wrong text may be out of range, so they are checked

class batcher;
class equation_view;

/// Adds the equations that compute the results of one equation for all devices.
using rule = varyings (*)(equation_view&);
/// The rule for the equations of a primitive.
struct batch_row {
  std::string_view primitive;
  rule apply;
  /// True if the rule applies even if no operand varies: to collectives, and to calls and loops, since their bodies may
  /// have collectives.
  bool always = false;
};

/// The rules of single primitives.
std::span<const batch_row> batch_rows();
/// The rule of a primitive, or of its family; null if there is none.
const batch_row* find_rule(std::string_view primitive);

/// A jaxpr for all devices, and the axes along which its results vary.
struct batched_body {
  const jaxpr::body* body = nullptr;
  checked_vector<axis_set> along;
};

/// The view of one equation for a rule, with helpers that add equations before it.
class equation_view {
 public:
  equation_view(batcher& all, body_writer& out, const jaxpr::equation& eqn, varyings operands)
      : all_(all), out_(out), eqn_(eqn), operands_(std::move(operands)) {}

  const jaxpr::equation& equation() const { return eqn_; }
  /// The newest name of the primitive.
  std::string_view primitive() const { return compat::primitive(eqn_.primitive); }
  const varyings& operands() const { return operands_; }
  /// The axes along which any operand varies.
  axis_set along() const {
    axis_set s = 0;
    for (const varying& v : operands_) s |= v.along;
    return s;
  }
  batcher& all() { return all_; }
  named_axes& axes();
  tree_store& store();
  lowerer& driver();
  graph& owner();

  /// Parameter `key`, by its newest name; null if it is missing or None.
  const jaxpr::value* find(std::string_view key) const {
    for (const jaxpr::param& p : eqn_.params)
      if (compat::key(primitive(), p.key) == key && p.val.tag != jaxpr::value::kind::none) return &p.val;
    return nullptr;
  }
  /// Parameter `key` as a T. Throws unsupported_error if the parameter is missing or of another type.
  template <class T>
  T param(std::string_view key);
  template <class T>
  T param_or(std::string_view key, T otherwise);
  /// The parameters, with parameter `key` replaced, or added if it is missing.
  std::vector<jaxpr::param> with(std::string_view key, jaxpr::value v) const { return with(params(), key, v); }
  std::vector<jaxpr::param> params() const { return {eqn_.params.begin(), eqn_.params.end()}; }
  std::vector<jaxpr::param> with(std::vector<jaxpr::param> all, std::string_view key, jaxpr::value v) const {
    for (jaxpr::param& p : all)
      if (compat::key(primitive(), p.key) == key) {
        p.val = v;
        return all;
      }
    all.push_back({key, v});
    return all;
  }

  /// The type of a value, with its leading axes.
  aval type(const varying& v);
  /// The type without leading axes.
  aval local_type(const varying& v);
  /// The type that the text prints for result i, for one device.
  aval out_type(std::size_t i = 0);
  /// The operands from index n on. Throws unsupported_error if there are fewer than n operands.
  std::span<const varying> operands_from(std::size_t n) const {
    if (operands_.size() < n) unsupported("it lacks operands");
    return std::span<const varying>(operands_).subspan(n);
  }
  std::vector<aval> out_types();
  /// A type with leading axes.
  aval prefixed(aval t, axis_set along);
  /// The operand's rank for one device.
  std::int64_t rank(const varying& v) { return local_type(v).rank(); }

  /// Adds an equation with results of these types, all of which vary along the same axes.
  varyings emit(std::string_view primitive, std::span<const varying> ins, std::vector<jaxpr::param> params,
                const std::vector<aval>& types, axis_set along);
  varying emit1(std::string_view primitive, std::initializer_list<varying> ins, std::vector<jaxpr::param> params,
                const aval& type, axis_set along) {
    return emit(primitive, {ins.begin(), ins.size()}, std::move(params), {type}, along).front();
  }
  /// Adds a copy of `made` with these operands, and with results of these types.
  varyings add(jaxpr::equation made, std::span<const varying> ins, const std::vector<aval>& types, axis_set along);
  /// A view of another equation, which takes the place of this equation.
  equation_view instead(const jaxpr::equation& other, varyings ins) { return {all_, out_, other, std::move(ins)}; }
  jaxpr::param number(std::string_view key, std::int64_t n) { return {key, store().value_of(n)}; }
  jaxpr::param numbers(std::string_view key, const ints& list) { return {key, store().value_of(parameter(list))}; }
  jaxpr::param extents(std::string_view key, const shape& list) { return {key, store().value_of(parameter(list))}; }

  /// The elements of `v` with the local extents `dims` after the leading axes.
  varying reshape(const varying& v, axis_set along, const shape& dims);
  /// The elements of `v` as a value of any extents `dims`, leading axes included.
  varying reshape_all(const varying& v, axis_set along, const shape& dims);
  varying transpose(const varying& v, const ints& permutation, axis_set along);
  /// The value with axes added, so that it varies along all axes of `along`.
  varying full(const varying& v, axis_set along);
  /// The value as an operand of an elementwise primitive whose result has `rank` axes for one device. Axes that the
  /// value lacks are added with extent 1, except to a scalar that does not vary.
  varying stretchable(const varying& v, axis_set along, std::int64_t rank);
  /// The elements [begin, end) of `v` along an axis; `axis` is an index among all axes, including the leading axes.
  varying slice(const varying& v, std::int64_t axis, std::int64_t begin, std::int64_t end);
  varying concatenate(std::span<const varying> parts, std::int64_t axis, axis_set along);
  /// The value of the device at position `at` along axis i.
  varying of_device(const varying& v, std::size_t i, std::int64_t at);
  /// A literal.
  varying literal(std::string text, const aval& type) { return {store().literal(std::move(text), type), 0}; }

  /// Adds the equation as it was printed, for operands that do not vary.
  varyings unchanged();

  [[noreturn]] void unsupported(std::string_view why) const;

 private:
  batcher& all_;
  body_writer& out_;
  const jaxpr::equation& eqn_;
  varyings operands_;
};

/// Rewrites jaxprs. The new jaxprs live as long as the driver.
class batcher {
 public:
  batcher(graph& g, lowerer& driver) : graph_(g), driver_(driver), store_(std::make_shared<tree_store>(g, driver)) {
    driver.keep(store_);
  }

  named_axes axes;
  /// The axes along which the mutable references inside of a program vary: the parallel axes of a kernel.
  axis_set of_references = 0;

  /// The jaxpr for arguments that vary along `in`. Result i varies at least along least[i], unless `least` is empty.
  /// The jaxprs are cached, since loops and branches, also nested ones, ask for the same jaxpr several times. Throws
  /// unsupported_error if the jaxpr cannot run on several devices, and limit_error if a limit is exceeded.
  batched_body batch(const jaxpr::body& body, std::span<const axis_set> in, std::span<const axis_set> least = {}) {
    if (in.size() != body.invars.size() || (!least.empty() && least.size() != body.results.size()))
      throw unsupported_error("a jaxpr does not fit the operands or results of its equation", body.where);
    const std::uint32_t last = last_made_.find(address(body));
    for (std::uint32_t i = last; i != detail::key_map::none; i = made_[i].before)
      if (std::ranges::equal(made_[i].in, in) && std::ranges::equal(made_[i].least, least)) return made_[i].body;
    driver_.enter(body, ++depth_);
    batched_body made = rewritten(body, in, least);
    --depth_;
    made_.push_back({{in.begin(), in.end()}, {least.begin(), least.end()}, made, last});
    last_made_.set(address(body), static_cast<std::uint32_t>(made_.size() - 1));
    return made;
  }

  tree_store& store() { return *store_; }
  lowerer& driver() { return driver_; }
  graph& owner() { return graph_; }
  const jaxpr::type* type_along(const jaxpr::type* local, axis_set along) {
    aval t = driver_.type_of(local);
    const shape leading = axes.extents(along);
    t.dims.insert(t.dims.begin(), leading.begin(), leading.end());
    return store_->type(t);
  }

 private:
  /// A jaxpr that batch() made for these arguments; `before` is the index of the previous jaxpr made from the same
  /// original.
  struct made_body {
    checked_vector<axis_set> in, least;
    batched_body body;
    std::uint32_t before;
  };

  static std::int64_t address(const jaxpr::body& body) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&body));
  }
  batched_body rewritten(const jaxpr::body& body, std::span<const axis_set> in, std::span<const axis_set> least) {
    body_writer out(*store_);
    varyings values(body.slots);
    for (const jaxpr::binder& b : body.constvars) values[b.slot] = {out.constant(b.annotation, b.name), 0};
    for (std::size_t i = 0; i < body.invars.size(); ++i) {
      const jaxpr::binder& b = body.invars[i];
      if (!b.annotation) throw unsupported_error("a jaxpr without types cannot run on several devices", body.where);
      if (in[i] && !of_references && b.annotation->kind == jaxpr::type_kind::ref)
        throw unsupported_error("a mutable reference whose content differs between devices is not supported",
                                body.where);
      values[b.slot] = {out.argument(in[i] ? type_along(b.annotation, in[i]) : b.annotation, b.name), in[i]};
    }
    for (const jaxpr::equation& eqn : body.equations) step(out, eqn, values);
    batched_body made;
    std::vector<jaxpr::atom> results;
    for (std::size_t i = 0; i < body.results.size(); ++i) {
      varying v = value_of(body.results[i], values);
      if (!least.empty() && (least[i] & ~v.along)) {
        jaxpr::equation nothing;
        nothing.where = body.where;
        v = equation_view(*this, out, nothing, {}).full(v, v.along | least[i]);
      }
      results.push_back(v.atom);
      made.along.push_back(v.along);
    }
    made.body = &out.finish(std::move(results), body.where);
    if (!body.constvars.empty()) driver_.share_inner_constants(made.body, &body);
    return made;
  }
  static varying value_of(const jaxpr::atom& a, const varyings& values) {
    return a.is_literal() || a.is_dropped() ? varying{a, 0} : values[a.slot];
  }
  void step(body_writer& out, const jaxpr::equation& eqn, varyings& values) {
    varyings operands;
    for (const jaxpr::atom& a : eqn.ins) operands.push_back(value_of(a, values));
    equation_view view(*this, out, eqn, std::move(operands));
    const varyings results = results_of(view);
    if (results.size() != eqn.outs.size()) view.unsupported("its results do not fit its operands");
    for (std::size_t i = 0; i < eqn.outs.size(); ++i) values[eqn.outs[i].slot] = results[i];
  }
  static varyings results_of(equation_view& view);

  graph& graph_;
  lowerer& driver_;
  std::shared_ptr<tree_store> store_;
  std::vector<made_body> made_;
  detail::key_map last_made_;  // index of the last body made for a jaxpr, by the address of the jaxpr
  std::ptrdiff_t depth_ = 0;   // the nesting depth of the current jaxpr
};

inline named_axes& equation_view::axes() { return all_.axes; }
inline tree_store& equation_view::store() { return all_.store(); }
inline lowerer& equation_view::driver() { return all_.driver(); }
inline graph& equation_view::owner() { return all_.owner(); }

inline void equation_view::unsupported(std::string_view why) const {
  throw unsupported_error(detail::message("primitive '{}': {}", primitive(), why), eqn_.where);
}
template <class T>
T equation_view::param(std::string_view key) {
  const jaxpr::value* v = find(key);
  if (!v) unsupported(detail::message("it lacks its parameter '{}'", key));
  return driver().decoder().decode<T>(*v);
}
template <class T>
T equation_view::param_or(std::string_view key, T otherwise) {
  const jaxpr::value* v = find(key);
  return v ? driver().decoder().decode<T>(*v) : otherwise;
}

inline aval equation_view::type(const varying& v) { return driver().type_of(v.atom.annotation); }
inline aval equation_view::local_type(const varying& v) {
  aval t = type(v);
  t.dims.erase(t.dims.begin(), t.dims.begin() + count(v.along));
  return t;
}
inline aval equation_view::out_type(std::size_t i) {
  if (i >= eqn_.outs.size()) unsupported("it lacks results");
  return driver().type_of(eqn_.outs[i].annotation);
}
inline std::vector<aval> equation_view::out_types() {
  std::vector<aval> out;
  for (std::size_t i = 0; i < eqn_.outs.size(); ++i) out.push_back(out_type(i));
  return out;
}
inline aval equation_view::prefixed(aval t, axis_set along) {
  const shape leading = axes().extents(along);
  t.dims.insert(t.dims.begin(), leading.begin(), leading.end());
  return t;
}

inline varyings equation_view::emit(std::string_view primitive, std::span<const varying> ins,
                                    std::vector<jaxpr::param> params, const std::vector<aval>& types, axis_set along) {
  jaxpr::equation made;
  made.primitive = primitive;
  made.params = store().keep(std::move(params));
  made.annotation = eqn_.annotation;
  made.where = eqn_.where;
  return add(made, ins, types, along);
}
inline varyings equation_view::add(jaxpr::equation made, std::span<const varying> ins, const std::vector<aval>& types,
                                   axis_set along) {
  std::vector<jaxpr::atom> operands;
  for (const varying& v : ins) operands.push_back(v.atom);
  made.ins = store().keep(std::move(operands));
  std::vector<jaxpr::binder> outs;
  varyings results;
  for (const aval& t : types) {
    outs.push_back(out_.variable(store().type(t)));
    results.push_back({body_writer::read(outs.back()), along});
  }
  made.outs = store().keep(std::move(outs));
  out_.add(made);
  return results;
}

inline varyings equation_view::unchanged() {
  jaxpr::equation made = eqn_;
  std::vector<jaxpr::atom> ins;
  for (const varying& v : operands_) ins.push_back(v.atom);
  made.ins = store().keep(std::move(ins));
  std::vector<jaxpr::binder> outs;
  varyings results;
  for (const jaxpr::binder& b : eqn_.outs) {
    outs.push_back(out_.variable(b.annotation, b.name));
    results.push_back({body_writer::read(outs.back()), 0});
  }
  made.outs = store().keep(std::move(outs));
  out_.add(made);
  return results;
}

inline varying equation_view::reshape_all(const varying& v, axis_set along, const shape& dims) {
  aval t = type(v);
  if (t.dims == dims) return {v.atom, along};
  t.dims = dims;
  return emit1("reshape", {v}, {extents("new_sizes", dims)}, t, along);
}
inline varying equation_view::reshape(const varying& v, axis_set along, const shape& dims) {
  shape whole = axes().extents(along);
  whole.insert(whole.end(), dims.begin(), dims.end());
  return reshape_all(v, along, whole);
}
inline varying equation_view::transpose(const varying& v, const ints& permutation, axis_set along) {
  bool moves = false;
  aval t = type(v);
  const shape before = t.dims;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    moves = moves || permutation[i] != static_cast<std::int64_t>(i);
    t.dims[i] = before[static_cast<std::size_t>(permutation[i])];
  }
  return moves ? emit1("transpose", {v}, {numbers("permutation", permutation)}, t, along) : varying{v.atom, along};
}
inline varying equation_view::full(const varying& v, axis_set along) {
  if (v.along == along) return v;
  const aval local = local_type(v), t = prefixed(local, along);
  ints kept;
  for (std::size_t i : named_axes::list(v.along)) kept.push_back(place(along, i));
  for (std::int64_t d = 0; d < local.rank(); ++d) kept.push_back(count(along) + d);
  return emit1("broadcast_in_dim", {v}, {extents("shape", t.dims), numbers("broadcast_dimensions", kept)}, t, along);
}
inline varying equation_view::stretchable(const varying& v, axis_set along, std::int64_t rank) {
  const aval local = local_type(v);
  if (local.rank() == 0 && v.along == 0) return v;
  shape dims;
  for (std::size_t i : named_axes::list(along)) dims.push_back(has(v.along, i) ? dim(axes().size(i)) : dim(1));
  for (std::int64_t d = local.rank(); d < rank; ++d) dims.push_back(1);
  dims.insert(dims.end(), local.dims.begin(), local.dims.end());
  return reshape_all(v, along, dims);
}
inline varying equation_view::slice(const varying& v, std::int64_t axis, std::int64_t begin, std::int64_t end) {
  aval t = type(v);
  shape starts(t.dims.size(), dim(0)), limits = t.dims;
  const auto at = static_cast<std::size_t>(axis);
  if (t.dims[at].is(end) && begin == 0) return v;
  starts[at] = begin;
  limits[at] = end;
  t.dims[at] = end - begin;
  return emit1("slice", {v}, {extents("start_indices", starts), extents("limit_indices", limits)}, t, v.along);
}
inline varying equation_view::concatenate(std::span<const varying> parts, std::int64_t axis, axis_set along) {
  if (parts.size() == 1) return parts[0];
  aval t = type(parts[0]);
  const auto at = static_cast<std::size_t>(axis);
  for (std::size_t i = 1; i < parts.size(); ++i) t.dims[at] = owner().dims().add(t.dims[at], type(parts[i]).dims[at]);
  return emit("concatenate", parts, {number("dimension", axis)}, {t}, along).front();
}
inline varying equation_view::of_device(const varying& v, std::size_t i, std::int64_t at) {
  if (!has(v.along, i)) return v;
  return reshape(slice(v, place(v.along, i), at, at + 1), v.along & ~(axis_set{1} << i), local_type(v).dims);
}

/// Repeats the equation for each device and joins the results: for equations without a rule, and for the cases that
/// their rule leaves out. Refuses more than 256 devices and mutable references.
inline varyings lockstep(equation_view& e) {
  constexpr std::int64_t most = 256;
  const axis_set along = e.along();
  const std::int64_t devices = e.axes().devices(along);
  if (devices > most) e.unsupported("its operands differ between more than 256 devices");
  const auto is_ref = [&](const auto& t) { return t.annotation && t.annotation->kind == jaxpr::type_kind::ref; };
  if (item_loops::any_of(e.equation().ins, is_ref) || item_loops::any_of(e.equation().outs, is_ref))
    e.unsupported("it has a mutable reference and operands that differ between devices");
  std::vector<varyings> results(e.equation().outs.size());
  for (std::int64_t n = 0; n < devices; ++n) {
    varyings operands;
    for (varying v : e.operands()) {
      std::int64_t rest = n;
      for (const std::size_t i : named_axes::list(along)) {
        v = e.of_device(v, i, rest % e.axes().size(i));
        rest /= e.axes().size(i);
      }
      operands.push_back(v);
    }
    const varyings made = e.emit(e.equation().primitive, operands, e.params(), e.out_types(), 0);
    for (std::size_t i = 0; i < made.size(); ++i) {
      shape dims = e.out_type(i).dims;
      dims.insert(dims.begin(), dim(1));
      results[i].push_back(e.reshape_all(made[i], 0, dims));
    }
  }
  const std::vector<std::size_t> order = named_axes::list(along);
  varyings out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    varying v = e.concatenate(results[i], 0, 0);
    // The first axis varies fastest, so the leading axes appear in reverse order here.
    const shape local = e.out_type(i).dims;
    shape dims;
    ints permutation;
    for (std::size_t k = order.size(); k-- > 0;) {
      dims.push_back(e.axes().size(order[k]));
      permutation.push_back(static_cast<std::int64_t>(k));
    }
    for (std::size_t d = 0; d < local.size(); ++d) permutation.push_back(static_cast<std::int64_t>(order.size() + d));
    dims.insert(dims.end(), local.begin(), local.end());
    out.push_back(e.transpose(e.reshape_all(v, 0, dims), permutation, along));
  }
  return out;
}

inline varyings batcher::results_of(equation_view& view) {
  const batch_row* const row = find_rule(view.primitive());
  if (row && (row->always || view.along())) return row->apply(view);
  if (view.along()) return lockstep(view);
  return view.unchanged();
}

}  // namespace jax2onnx::lower::batching
