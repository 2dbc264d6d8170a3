// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/control/loop_carry.hpp>
#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Lowers scan to ONNX's Scan. A scan becomes a Loop if the body reads no sequence or the sequences may be empty, and
/// the body itself if there is only one iteration. Source: jax.lax.scan.
namespace jax2onnx::lower {

// ops::scan is the verb; the lowering has the same name.
using ops::scan;

/// scan consts… carry… xs…: the body maps consts, carry and an element of each xs to the next carry and an element of
/// each ys. In Scan3, xs may be at any position.
class scan_lowering {
 public:
  scan_lowering(const site& s, const jaxpr::body& body, const scan_operands& divided, bool reverse)
      : s_(s),
        body_(body),
        length_(s.param<dim>("length")),
        reverse_(reverse),
        consts_(divided.consts),
        carry_(divided.carry),
        plan_(s) {
    wanted_ = needed_carry(body_, consts_, carry_, s.wanted());
    const liveness live(body_, wanted_);
    args_.assign(s.ins().begin(), s.ins().end());
    for (std::size_t i = 0; i < carry_; ++i) {
      kept_.push_back(wanted_[i] && !passes_through(body_, consts_ + i, i));
      if (kept_.back()) plan_.carry(s.out_type(i), args_[consts_ + i], body_.invars[consts_ + i].name);
    }
    for (std::size_t i = carry_; i < s.out_count(); ++i)
      if (wanted_[i]) plan_.collected_types.push_back(s.out_type(i));
    for (std::size_t i = 0; i < s.arity(); ++i) {
      if (!divided.is_sequence[i]) continue;
      args_[i] = {};
      if (live.variable(body_.invars[i].slot)) read_.push_back(i);
    }
  }

  jax_values run() {
    if (plan_.empty()) return finish({});
    if (length_.is(0)) return finish({plan_.carried, empty_sequences()});
    if (length_.is(1)) return once();
    const bool never_empty = never_zero(s_.g, length_);
    // ONNX Runtime's Scan rejects sequences of length 0.
    return finish(never_empty && !read_.empty() ? as_scan() : as_loop());
  }

 private:
  aval element_type(std::size_t i) const {
    aval t = s_.in_type(i);
    t.dims.drop(0);
    return t;
  }
  /// One iteration; `args_` has the elements that the body reads.
  loop_values step(const jax_values& carried) {
    jax_values args = args_;
    for (std::size_t i = 0, next = 0; i < carry_; ++i)
      if (kept_[i]) args[consts_ + i] = carried[next++];
    const jax_values out = s_.inline_body(body_, args, wanted_);
    loop_values done;
    for (std::size_t i = 0; i < carry_; ++i)
      if (kept_[i]) done.carried.push_back(out[i]);
    for (std::size_t i = carry_; i < out.size(); ++i)
      if (wanted_[i]) done.collected.push_back(out[i]);
    return done;
  }
  loop_values as_scan() {
    jax_values sequences;
    std::vector<std::string_view> names;
    for (std::size_t i : read_) {
      sequences.push_back(s_.in_parts(i));
      names.push_back(body_.invars[i].name);
    }
    return emit_scan(plan_, sequences, names, reverse_, [&](const jax_values& carried, const jax_values& elements) {
      for (std::size_t i = 0; i < read_.size(); ++i) args_[read_[i]] = elements[i];
      return step(carried);
    });
  }
  loop_values as_loop() {
    const value trips = dim_scalar(s_.g, length_);
    loop_values end = emit_loop(plan_, trips, {}, [&](const value& iteration, const jax_values& carried) {
      const value at = reverse_ && !read_.empty() ? sub(sub(trips, 1), iteration) : iteration;
      for (std::size_t i : read_)
        args_[i] = each_part(s_.in_parts(i), [&](const value& v) { return gather(v, at, 0); });
      return step(carried);
    });
    for (jax_value& o : end.collected)
      o = each_part(o, [&](const value& v) { return collected_in_order(v, length_, reverse_); });
    return end;
  }
  jax_values once() {
    for (std::size_t i : read_)
      args_[i] = each_part(s_.in_parts(i), [&](const value& v) { return reshape(v, element_type(i).dims); });
    const loop_values done = step(plan_.carried);
    jax_values collected;
    for (std::size_t i = 0; i < done.collected.size(); ++i)
      collected.push_back(
          each_part(done.collected[i], [&](const value& v) { return reshape(v, plan_.collected_types[i].dims); }));
    return finish({done.carried, collected});
  }
  jax_values empty_sequences() const {
    jax_values out;
    for (const aval& t : plan_.collected_types) out.push_back(zeros_of(s_.g, t));
    return out;
  }
  jax_values finish(const loop_values& end) const {
    jax_values out(s_.out_count());
    for (std::size_t i = 0, next = 0; i < carry_; ++i)
      if (wanted_[i]) out[i] = kept_[i] ? end.carried[next++] : s_.in_parts(consts_ + i);
    for (std::size_t i = carry_, next = 0; i < out.size(); ++i)
      if (wanted_[i]) out[i] = end.collected[next++];
    return out;
  }

  const site& s_;
  const jaxpr::body& body_;
  dim length_;
  bool reverse_;
  std::size_t consts_, carry_;
  selection wanted_, kept_;        // the results of the body that are needed, and the carried values that change
  std::vector<std::size_t> read_;  // sequences that the body reads
  jax_values args_;                // arguments of the body
  loop_plan plan_;
};

inline jax_values scan(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  return scan_lowering(s, body, scan_operands_of(s, body), s.param<bool>("reverse")).run();
}

/// Scan3 operands…: a scan whose state is in references.
inline jax_values scan3(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  return scan_lowering(s, body, scan3_operands_of(s, body), false).run();
}

inline constexpr lowering scan_rows[] = {
    {"Scan3", scan3, "Scan, Loop",
     signature{
         {},
         {},
         scan3_types,
         {{"extensives", param_form::list, "bools"}, {"length", param_form::extent, 0}, {"jaxpr", param_form::body}}},
     parts_rule::own, ignores{"reverse unroll"}},  // JAX 0.12.0.1 computes forward, regardless of `reverse`
    {"scan", scan, "Scan, Loop",
     signature{{},
               {},
               scan_types,
               {{"length", param_form::extent, 0},
                {"num_consts", param_form::number, 0},
                {"num_carry", param_form::number, 0},
                {"ft_in", param_form::structure,
                 "consts, carry, xs, which newer versions of JAX print instead of num_consts and num_carry"},
                {"ft_out", param_form::structure, "carry, ys"},
                {"jaxpr", param_form::body},
                {"reverse", param_form::flag}}},
     parts_rule::own, ignores{"_split_transpose linear unroll"}},
};

}  // namespace jax2onnx::lower
