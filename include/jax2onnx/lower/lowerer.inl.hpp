// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <jax2onnx/graph/source_info.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/literal.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/typing.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::lower {

/// The source position and the scope of an equation, as the end of a message. Empty if the text has neither.
inline std::string python_place(const jaxpr::equation& eqn) {
  const source_info info = parse_annotation(eqn.annotation);
  std::string out;
  if (!info.source.empty()) out += detail::message(", from {}", info.source);
  if (!info.scope.empty()) out += detail::message(", in {}", info.scope);
  return out;
}

JAX2ONNX_INLINE void require_possible(const aval& t, std::string_view printed) {
  constexpr std::size_t most_dimensions = 256;
  if (t.dims.size() > most_dimensions)
    throw limit_error(detail::message("the type {}… has over {} dimensions", printed.substr(0, 40), most_dimensions));
  std::int64_t size = t.elem.parts * static_cast<std::int64_t>(sizeof(std::int64_t));
  for (dim d : t.dims) {
    if (!d.is_constant() || d.is(0)) continue;
    if (d.extent() < 0) throw build_error(detail::message("the type {} has a negative dimension", printed));
    if (detail::mul_overflows(size, d.extent(), size))
      throw limit_error(detail::message("the size of {} overflows 64 bits", printed));
  }
}

JAX2ONNX_INLINE aval lowerer::type_of(const jaxpr::type* printed) {
  if (!printed) return {{"?", dtype::undefined, 1, element_class::unsupported}, {}};
  if (const std::uint32_t known = type_numbers_.find(address(printed)); known != detail::key_map::none)
    return types_[known];
  aval t{element_named(printed->dtype), {}, printed->kind == jaxpr::type_kind::ref};
  for (const jaxpr::extent& e : printed->dims)
    t.dims.push_back(e.symbolic() ? graph_.dims().parse(e.expression) : e.size);
  define_type(*printed, t);
  return t;
}

JAX2ONNX_INLINE void lowerer::define_type(const jaxpr::type& printed, const aval& meaning) {
  require_possible(meaning, printed.text);
  type_numbers_.set(address(&printed), static_cast<std::uint32_t>(types_.size()));
  types_.push_back(meaning);
}

JAX2ONNX_INLINE jax_value lowerer::literal(const jaxpr::atom& a) {
  const aval type = type_of(a.annotation);
  const jax_value v = literal_value(graph_, a.text, type.elem, decoder_.span_of(a.text));
  if (!type.dims.empty())
    throw malformed_error(detail::message("the literal '{}' is not a scalar", a.text.substr(0, 40)),
                          decoder_.span_of(a.text));
  return v;
}

JAX2ONNX_INLINE std::vector<aval> lowerer::input_types(const jaxpr::body& body) {
  std::vector<aval> out;
  for (const jaxpr::binder& b : body.invars) out.push_back(type_of(b.annotation));
  return out;
}

JAX2ONNX_INLINE std::vector<aval> lowerer::result_types(const jaxpr::body& body) {
  std::vector<aval> out;
  for (const jaxpr::atom& a : body.results) {
    out.push_back(a.annotation ? type_of(a.annotation) : aval{});
    if (a.annotation && lifted_ && out.back().dims.empty()) out.back().dims = *lifted_;
  }
  return out;
}

JAX2ONNX_INLINE bool lowerer::since_0_5() {
  if (!since_0_5_) since_0_5_ = compat::since_0_5(source_);
  return *since_0_5_;
}

JAX2ONNX_INLINE bool lowerer::since_0_11_2() {
  if (!since_0_11_2_) since_0_11_2_ = compat::since_0_11_2(source_);
  return *since_0_11_2_;
}

JAX2ONNX_INLINE jax_value lowerer::new_ref(jax_value content) {
  cells_.push_back(std::move(content));
  jax_value ref;
  ref.cell = static_cast<std::int32_t>(cells_.size() - 1);
  return ref;
}

JAX2ONNX_INLINE void lowerer::warn(std::string code, std::string message, jaxpr::span where) {
  warnings.push_back({jaxpr::severity::warning, std::move(code), std::move(message), where, {}, {}});
}

/// Counts n variables against the limit: the driver's time and memory are proportional to them.
JAX2ONNX_INLINE void lowerer::visit_variables(std::uint64_t n) {
  variables_ += n;
  if (variables_ > *limits_.variables)
    throw limit_error(
        detail::message("over {} variables after inlining calls (the limit 'variables')", *limits_.variables));
}

JAX2ONNX_INLINE void lowerer::enter(const jaxpr::body& body, std::ptrdiff_t depth) {
  if (depth > limits_.depth)
    throw limit_error(detail::message("calls are nested more than {} deep (the limit 'depth')", limits_.depth));
  visit_variables(body.slots + body.equations.size() + body.results.size());
}

/// The span of the equation that is being lowered; the span of the program before the first equation.
JAX2ONNX_INLINE jaxpr::span lowerer::place() const {
  return calls_.empty() ? source_.main->where : calls_.back()->where;
}

/// Throws malformed_error unless argument `number` of an inner jaxpr has the type printed for the parameter; in a body
/// that is inlined elementwise, only the element type counts. Absent arguments and parameters without a printed type
/// pass.
JAX2ONNX_INLINE void lowerer::check_argument(std::size_t number, const jax_value& argument,
                                             const jaxpr::binder& parameter) {
  if (!parameter.annotation || (argument.count == 0 && !argument.is_ref())) return;
  const aval want = type_of(parameter.annotation);
  if (want.ref != argument.is_ref())
    throw malformed_error(
        detail::message("operand {} of a jaxpr is {} mutable reference", number, want.ref ? "not a" : "a"), place());
  if (want.ref) return;
  bool fits_type = argument.count == want.elem.parts;
  for (std::size_t p = 0; fits_type && p < argument.count; ++p)
    fits_type = lifted_ ? argument.part(p).dtype() == want.elem.part : fits(argument.part(p).type(), want.part());
  if (!fits_type)
    throw malformed_error(detail::message("operand {} of a jaxpr is {}, but its parameter is {}{}", number,
                                          text(argument.part(0)), want.elem.name, graph_.dims().text(want.dims)),
                          place());
}

JAX2ONNX_INLINE jax_values lowerer::inline_body(const jaxpr::body& body, std::span<const jax_value> args,
                                                const selection& wanted) {
  if (args.size() != body.invars.size())
    throw malformed_error(
        detail::message("a jaxpr of {} parameter{|s} is called with {} operand{|s}", body.invars.size(), args.size()),
        place());
  if (!wanted.empty() && wanted.size() != body.results.size())
    throw malformed_error(
        detail::message("a jaxpr has {} result{|s} instead of {}", body.results.size(), wanted.size()), place());
  for (std::size_t i = 0; i < args.size(); ++i) check_argument(i, args[i], body.invars[i]);
  enter(body, std::ssize(calls_));
  environment env(body.slots);
  if (!body.constvars.empty()) {
    const std::uint32_t constants = constants_of_.find(address(&body));
    if (constants == detail::key_map::none || inner_constants_[constants].size() != body.constvars.size())
      throw unsupported_error("the constants of this inner jaxpr are missing: save them as examples/export.py does",
                              body.where);
    for (std::size_t i = 0; i < body.constvars.size(); ++i)
      env[body.constvars[i].slot] = inner_constants_[constants][i];
  }
  for (std::size_t i = 0; i < args.size(); ++i) env[body.invars[i].slot] = args[i];
  const liveness live(body, wanted);
  for (std::size_t i = 0; i < body.equations.size(); ++i)
    if (live.equation(i)) lower_equation(body.equations[i], env, live);
  jax_values out(body.results.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const jaxpr::atom& a = body.results[i];
    if (wants(wanted, i) && !a.is_dropped()) out[i] = a.is_literal() ? literal(a) : env[a.slot];
  }
  return out;
}

JAX2ONNX_INLINE jax_values lowerer::inline_elementwise(const jaxpr::body& body, std::span<const jax_value> args,
                                                       const shape& dims) {
  struct scope {
    std::optional<shape>& lifted;
    std::optional<shape> outer;
    ~scope() { lifted = std::move(outer); }
  } const restore{lifted_, std::exchange(lifted_, dims)};
  if (2 * body.results.size() != args.size())
    throw malformed_error(
        detail::message("a computation on scalars has {} parameter{|s} and {} result{|s}; it needs two "
                        "parameters for each result",
                        args.size(), body.results.size()),
        place());
  jax_values out = inline_body(body, args);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = each_part(out[i], args[i], [&](const value& result, const value& accumulator) {
      if (result.dtype() != accumulator.dtype())
        throw malformed_error(detail::message("result {} of a computation on scalars is {}, but its accumulator is {}",
                                              i, name(result.dtype()), name(accumulator.dtype())),
                              place());
      return broadcast_to(result, dims);
    });
  return out;
}

/// Changes the types of an equation in a body that is inlined elementwise: each scalar becomes an array. Throws
/// unsupported_error for arrays and for control flow.
JAX2ONNX_INLINE void lowerer::lift(const jaxpr::equation& eqn, std::vector<aval>& types) const {
  if (!lifted_) return;
  const bool branches = eqn.primitive == "cond" || eqn.primitive == "while" || eqn.primitive == "scan";
  for (aval& t : types) {
    if (branches || !t.dims.empty())
      throw unsupported_error(
          detail::message("'{}' is not supported in a computation on scalars that is applied to arrays", eqn.primitive),
          eqn.where);
    t.dims = *lifted_;
  }
}

/// The results of an equation, each of the printed type. Sets `out_types` to these types. Throws if the equation cannot
/// be lowered.
JAX2ONNX_INLINE jax_values lowerer::lowered_results(const jaxpr::equation& eqn, const environment& env,
                                                    const selection& wanted, std::vector<aval>& out_types) {
  jax_values operands;
  std::vector<aval> in_types;
  operands.reserve(eqn.ins.size());
  in_types.reserve(eqn.ins.size());
  out_types.reserve(eqn.outs.size());
  for (const jaxpr::atom& a : eqn.ins) {
    operands.push_back(a.is_literal() ? literal(a) : a.is_dropped() ? jax_value() : env[a.slot]);
    in_types.push_back(a.is_dropped() ? aval{} : type_of(a.annotation));
  }
  for (const jaxpr::binder& b : eqn.outs) out_types.push_back(type_of(b.annotation));
  lift(eqn, in_types);
  lift(eqn, out_types);
  const site s(graph_, eqn, compat::primitive(eqn.primitive), operands, in_types, out_types, wanted, decoder_, *this);
  return results_of(s);
}

JAX2ONNX_INLINE jax_values lowerer::results_or_problem(const jaxpr::equation& eqn, function_ref<jax_values()> lower) {
  const std::size_t depth = calls_.size();
  calls_.push_back(&eqn);
  jax_values results = attempt(eqn, lower);
  calls_.resize(depth);
  return results;
}

/// The results of `lower`. If `lower` throws, reports a problem and returns empty results.
JAX2ONNX_INLINE jax_values lowerer::attempt(const jaxpr::equation& eqn, function_ref<jax_values()> lower) {
  try {
    return lower();
  } catch (const unsupported_error& e) {
    const diagnostic& d = e.diagnostics().front();
    report(d.code, d.message, d.where.end ? d.where : eqn.where, d.help);
  } catch (const malformed_error& e) {
    report_malformed(e.diagnostics().front());
  } catch (const user_lowerer_error& e) {
    report_malformed(e.diagnostics().front());
  } catch (const opset_error& e) {
    report("lower.opset", detail::message("primitive '{}': {}", eqn.primitive, e.what()), eqn.where,
           detail::message("convert to opset {} or newer", e.opset));
  } catch (const symbol_error& e) {
    report(
        "lower.unsupported", detail::message("primitive '{}': {}", eqn.primitive, e.what()), eqn.where,
        detail::message("trace with an input that has the extent {}, or fix it (option dim={}=8)", e.symbol, e.symbol));
  } catch (const build_error& e) {
    report_inconsistent(eqn, e.what());
  } catch (const std::logic_error&) {  // the standard library's checks of sizes and indices
    report_inconsistent(eqn, "a size or index is out of range");
  }
  return jax_values(eqn.outs.size());
}

JAX2ONNX_INLINE void lowerer::lower_equation(const jaxpr::equation& eqn, environment& env, const liveness& live) {
  constexpr std::uint64_t text_per_variable = 64;  // bytes of text, mostly parameters, that count as one variable
  visit_variables(eqn.ins.size() + eqn.outs.size() + (eqn.where.end - eqn.where.begin) / text_per_variable);
  ++lowered;
  constexpr std::uint64_t told = 1024;
  if (lowered % told == 0) detail::tell(progress_, "lowering", lowered, 0);
  selection wanted(eqn.outs.size());
  for (std::size_t i = 0; i < eqn.outs.size(); ++i) wanted[i] = live.variable(eqn.outs[i].slot);
  graph_.set_origin({eqn.where.begin, eqn.where.end, eqn.annotation, caller_});
  const std::uint32_t outer = std::exchange(caller_, graph_.current_origin());
  std::vector<aval> out_types;
  jax_values produced = results_or_problem(eqn, [&] { return lowered_results(eqn, env, wanted, out_types); });
  caller_ = outer;
  for (std::size_t i = 0; i < eqn.outs.size(); ++i) {
    const jaxpr::binder& b = eqn.outs[i];
    if (!wanted[i]) continue;
    if (produced[i].count == 0 && !produced[i].is_ref())
      produced[i] = placeholder(i < out_types.size() ? out_types[i] : aval{});
    constexpr std::size_t longest_wish = 64;
    if (produced[i].count == 1 && b.name != "_" && b.name.size() <= longest_wish) {
      std::string& wish = graph_.at(produced[i].re().id()).name;
      if (wish.empty()) wish = b.name;
    }
    env[b.slot] = std::move(produced[i]);
  }
}

JAX2ONNX_INLINE jax_values lowerer::results_of(const site& s) {
  const auto require = [&](const aval& t) {
    if (t.elem.cls == element_class::unsupported)
      s.unsupported(detail::message("ONNX has no element type {}", t.elem.name));
    detail::require(graph_, t.elem.part);
  };
  for (const aval& t : s.in_types()) require(t);
  for (const aval& t : s.out_types()) require(t);
  if (const auto user = user_.find(s.primitive()); user != user_.end()) return user_results(s, user->second);
  jax_values produced = builtin_(s);
  check_results(s, produced);
  return produced;
}

/// The results of a user's lowerer. Refusals, and errors of the opset, of a symbol, of the text and of a limit are
/// treated as for a built-in lowering, and std::bad_alloc is rethrown. Any other std::exception is reported as an error
/// of the user's program.
JAX2ONNX_INLINE jax_values lowerer::user_results(const site& s, const user_lowerer& lower) {
  s.require_operands();
  const auto fault = [&](std::string_view what) {
    return user_lowerer_error(detail::message("the program's own lowerer of '{}': {}", s.primitive(), what), s.where());
  };
  try {
    jax_values produced = lower(s);
    s.require_read();
    check_results(s, produced);
    return produced;
  } catch (const unsupported_error&) {
    throw;
  } catch (const opset_error&) {
    throw;
  } catch (const symbol_error&) {
    throw;
  } catch (const malformed_error&) {
    throw;
  } catch (const limit_error&) {
    throw;
  } catch (const jaxpr::error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw fault(e.what());
  }
}

JAX2ONNX_INLINE void lowerer::check_results(const site& s, jax_values& produced) {
  if (produced.size() != s.out_count())
    throw build_error(
        detail::message("the lowering yields {} result{|s} instead of {}", produced.size(), s.out_count()));
  for (std::size_t i = 0; i < produced.size(); ++i) check_result(s, i, produced[i]);
}

/// Returns whether a tensor of type `made` can have the printed type `printed`.
JAX2ONNX_INLINE bool lowerer::fits(const tensor_type& made, const tensor_type& printed) {
  return made.type == printed.type && !provably_differ(graph_.dims(), made.dims, printed.dims);
}

/// Throws build_error unless result i has the printed type; an unwanted result may be empty. If only symbolic extents
/// differ, the printed extents replace the computed ones, since JAX has proved that they are equal.
JAX2ONNX_INLINE void lowerer::check_result(const site& s, std::size_t i, jax_value& result) {
  const aval& want = s.out_type(i);
  if (result.count == 0 && !result.is_ref() && !s.wanted()[i]) return;
  if (want.ref != result.is_ref())
    throw build_error(detail::message("result {} is {} mutable reference", i, want.ref ? "not a" : "a"));
  if (want.ref) return;
  if (result.count != want.elem.parts)
    throw build_error(detail::message("result {} has {} part{|s} instead of {}", i, result.count, want.elem.parts));
  for (std::size_t p = 0; p < result.count; ++p) {
    if (!result.parts[p]) throw build_error(detail::message("result {} has no value", i));
    if (&result.parts[p].owner() != &graph_)
      throw build_error(detail::message("result {} belongs to another graph", i));
    if (static_cast<std::size_t>(result.parts[p].id()) >= graph_.value_count())
      throw build_error(detail::message("result {} is not a value of the graph", i));
    if (lifted_ && result.parts[p].rank() == 0) result.parts[p] = broadcast_to(result.parts[p], want.dims);
    value_record& r = graph_.at(result.parts[p].id());
    if (!fits(r.type, want.part()))
      throw build_error(
          detail::message("result {} is {}, but is stated as {}", i, text(graph_, r.type), text(graph_, want.part())));
    if (r.producer != node_id::none) r.type.dims = want.dims;
  }
}

JAX2ONNX_INLINE jax_value lowerer::placeholder(const aval& type) {
  jax_value o;
  o.count = type.elem.parts;
  for (std::size_t p = 0; p < o.count; ++p)
    o.parts[p] = {graph_, graph_.add_value({type.elem.part, type.dims}, graph_.current())};
  return type.ref ? new_ref(o) : o;
}

JAX2ONNX_INLINE void lowerer::report(std::string code, std::string message, jaxpr::span where, std::string help) {
  if (const std::uint32_t known = reported_.find(message); known != detail::text_index::none) {
    ++repeats[known];
    return;
  }
  reported_.add(message);
  repeats.push_back(1);
  if (!calls_.empty()) message += python_place(*calls_.back());
  problems.push_back({jaxpr::severity::error, std::move(code), std::move(message), where, std::move(help), {}});
  for (std::size_t call = calls_.size(); call-- > 0;) {
    const jaxpr::equation& eqn = *calls_[call];
    if (eqn.where != where && call + 1 != calls_.size())
      problems.back().notes.push_back({jaxpr::severity::note,
                                       {},
                                       detail::message("while lowering '{}'{}", eqn.primitive, python_place(eqn)),
                                       eqn.where,
                                       {},
                                       {}});
  }
}

JAX2ONNX_INLINE void lowerer::report_malformed(const diagnostic& d) {
  is_malformed = true;
  report(d.code, d.message, d.where, d.help);
}

JAX2ONNX_INLINE void lowerer::report_inconsistent(const jaxpr::equation& eqn, const std::string& message) {
  is_malformed = true;
  report("lower.inconsistent", detail::message("primitive '{}': {}", eqn.primitive, message), eqn.where,
         "either the text was edited, or this is a defect of jax2onnx: please report it with the text");
}

}  // namespace jax2onnx::lower
