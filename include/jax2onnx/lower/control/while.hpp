// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/control/loop_carry.hpp>
#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/reduction.hpp>

/// Lowers while to ONNX's Loop. Source: jax.lax.while_loop.
namespace jax2onnx::lower {

/// while cond_consts… body_consts… carry…: the condition is evaluated before the Loop and at the end of its body. The
/// condition of a batch of loops (vmap) is an array; the Loop continues while any element is true.
class while_lowering {
 public:
  explicit while_lowering(const site& s)
      : s_(s),
        cond_(*s.param<const jaxpr::body*>("cond_jaxpr")),
        body_(*s.param<const jaxpr::body*>("body_jaxpr")),
        cond_consts_(counted_operands(s, "cond_nconsts")),
        body_consts_(counted_operands(s, "body_nconsts")),
        plan_(s) {
    const std::size_t carry = s.out_count();
    const auto ins = s.ins();
    cond_args_.assign(ins.begin(), ins.begin() + static_cast<std::ptrdiff_t>(cond_consts_));
    body_args_.assign(ins.begin() + static_cast<std::ptrdiff_t>(cond_consts_), ins.end());
    cond_args_.insert(cond_args_.end(), body_args_.begin() + static_cast<std::ptrdiff_t>(body_consts_),
                      body_args_.end());
    wanted_ = s.wanted();
    const liveness condition(cond_, {});
    for (std::size_t i = 0; i < carry; ++i)
      if (condition.variable(cond_.invars[cond_consts_ + i].slot)) wanted_[i] = true;
    wanted_ = needed_carry(body_, body_consts_, carry, wanted_);
    for (std::size_t i = 0; i < carry; ++i) {
      kept_.push_back(wanted_[i] && !passes_through(body_, body_consts_ + i, i));
      if (kept_[i]) plan_.carry(s.out_type(i), body_args_[body_consts_ + i], body_.invars[body_consts_ + i].name);
    }
  }

  jax_values run() {
    if (plan_.empty()) return first_values();
    const value start = condition(plan_.carried);
    const bool batched = start.rank() > 0;
    if (batched) plan_.carry({element_named("bool"), start.dims()}, start, "active");
    const loop_values end = emit_loop(plan_, {}, any_of(start), [&](const value&, const jax_values& carried) {
      jax_values args = body_args_;
      set_carried(args, body_consts_, carried);
      const jax_values out = s_.inline_body(body_, args, wanted_);
      loop_values done;
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (!kept_[i]) continue;
        const std::size_t at = done.carried.size();
        done.carried.push_back(batched ? advance_active(carried.back().re(), out[i], carried[at]) : out[i]);
      }
      const value next = condition(done.carried);
      done.keep_going = any_of(next);
      if (batched) done.carried.push_back(next);
      return done;
    });
    jax_values out = first_values();
    set_carried(out, 0, end.carried);
    return out;
  }

 private:
  void set_carried(jax_values& args, std::size_t first, const jax_values& carried) const {
    for (std::size_t i = 0, next = 0; i < kept_.size(); ++i)
      if (kept_[i]) args[first + i] = carried[next++];
  }
  static value any_of(const value& truth) { return reduce_truth("ReduceMax", truth, iota_axes(truth.rank())); }
  /// Selects `next` for the active loops of a batch, and `current` for its other loops. `active` has the leading
  /// dimensions of the values.
  static jax_value advance_active(const value& active, const jax_value& next, const jax_value& current) {
    return each_part(next, current, [&](const value& n, const value& c) {
      shape dims = active.dims();
      dims.resize(n.dims().size(), dim(1));
      return where(reshape(active, dims), n, c);
    });
  }
  value condition(const jax_values& carried) const {
    jax_values args = cond_args_;
    set_carried(args, cond_consts_, carried);
    return s_.inline_body(cond_, args)[0].re();
  }
  jax_values first_values() const {
    return jax_values(body_args_.begin() + static_cast<std::ptrdiff_t>(body_consts_), body_args_.end());
  }

  const site& s_;
  const jaxpr::body &cond_, &body_;
  std::size_t cond_consts_, body_consts_;
  selection wanted_, kept_;
  jax_values cond_args_, body_args_;  // consts, then the carry before the first iteration
  loop_plan plan_;
};

inline jax_values while_loop(const site& s) { return while_lowering(s).run(); }

inline constexpr lowering while_rows[] = {
    {"while", while_loop, "Loop",
     signature{{},
               {},
               while_types,
               {{"cond_nconsts", param_form::number, 0},
                {"body_nconsts", param_form::number, 0},
                {"cond_jaxpr", param_form::body},
                {"body_jaxpr", param_form::body}}},
     parts_rule::own},
};

}  // namespace jax2onnx::lower
