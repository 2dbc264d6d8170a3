#pragma once

#include <jax2onnx/lower/control/loop.hpp>

/// scan, while and for.
namespace jax2onnx::lower {

/// Parameter `key`, which says how many of the operands are of a kind.
inline std::size_t operand_count(const site& s, std::string_view key) {
  const auto n = s.param<std::int64_t>(key);
  if (n < 0 || n > std::ssize(s.ins())) s.unsupported(fmt::format("its parameter {} does not fit its operands", key));
  return static_cast<std::size_t>(n);
}

/// Whether a loop's body returns parameter `input` unchanged as result `result`: then it is no state of the loop.
inline bool passes_through(const jaxpr::jaxpr& body, std::size_t input, std::size_t result) {
  return body.results[result].slot == body.invars[input].slot;
}

/// Which carried values of a loop matter: the wanted ones, and those that the body needs for the ones that matter.
inline selection needed_carry(const jaxpr::jaxpr& body, std::size_t consts, std::size_t count, selection wanted) {
  constexpr int patience = 8;  // then all are kept, so that a chain of dependencies costs no quadratic time
  if (wanted.empty()) wanted.assign(body.results.size(), true);
  for (int round = 0; round < patience; ++round) {
    const liveness live(body, wanted);
    bool grown = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i] || !live.variable(body.invars[consts + i].slot)) continue;
      wanted[i] = grown = true;
    }
    if (!grown) return wanted;
  }
  std::fill_n(wanted.begin(), count, true);
  return wanted;
}

/// scan consts… carry… xs…: the body maps consts, carry and an element of each xs to the next carry and an element of each
/// ys. Source: jax.lax.scan.
class scan_lowering {
 public:
  explicit scan_lowering(const site& s)
      : s_(s),
        body_(*s.param<const jaxpr::jaxpr*>("jaxpr")),
        length_(s.param<dim>("length")),
        reverse_(s.param<bool>("reverse")),
        consts_(operand_count(s, "num_consts")),
        carry_(operand_count(s, "num_carry")),
        plan_(s) {
    if (consts_ + carry_ > s.arity() || body_.invars.size() != s.arity() || body_.results.size() != s.out_count() ||
        carry_ > s.out_count())
      s.unsupported("its operands do not fit its jaxpr");
    wanted_ = needed_carry(body_, consts_, carry_, s.wanted());
    args_.assign(s.ins().begin(), s.ins().end());
    const liveness live(body_, wanted_);
    for (std::size_t i = 0; i < carry_; ++i) {
      kept_.push_back(wanted_[i] && !passes_through(body_, consts_ + i, i));
      if (kept_.back()) plan_.carry(s.out_type(i), args_[consts_ + i], body_.invars[consts_ + i].name);
    }
    for (std::size_t i = carry_; i < s.out_count(); ++i)
      if (wanted_[i]) plan_.collected_types.push_back(s.out_type(i));
    for (std::size_t i = consts_ + carry_; i < s.arity(); ++i)
      if (live.variable(body_.invars[i].slot)) read_.push_back(i);
  }

  results run() {
    if (plan_.empty()) return results(s_.out_count());
    if (length_.is(0)) return finish({plan_.carried, empty_sequences()});
    if (length_.is(1)) return once();
    const bool never_empty = s_.g.dims().known_nonnegative(s_.g.dims().sub(length_, 1));
    // ONNX Runtime's Scan refuses sequences of length 0.
    return finish(never_empty && !read_.empty() ? as_scan() : as_loop());
  }

 private:
  aval element_type(std::size_t i) const {
    aval t = s_.in_type(i);
    t.dims.drop(0);
    return t;
  }
  /// The body on one element; `args_` has the elements that it reads.
  loop_step step(const results& carried) {
    results args = args_;
    for (std::size_t i = 0, next = 0; i < carry_; ++i)
      if (kept_[i]) args[consts_ + i] = carried[next++];
    const results out = s_.inline_body(body_, args, wanted_);
    loop_step done;
    for (std::size_t i = 0; i < carry_; ++i)
      if (kept_[i]) done.carried.push_back(out[i]);
    for (std::size_t i = carry_; i < out.size(); ++i)
      if (wanted_[i]) done.collected.push_back(out[i]);
    return done;
  }
  loop_end as_scan() {
    results sequences;
    std::vector<aval> types;
    std::vector<std::string_view> names;
    for (std::size_t i : read_) {
      sequences.push_back(s_.in_parts(i));
      types.push_back(element_type(i));
      names.push_back(body_.invars[i].name);
    }
    return emit_scan(plan_, sequences, types, names, reverse_, [&](const results& carried, const results& elements) {
      for (std::size_t i = 0; i < read_.size(); ++i) args_[read_[i]] = elements[i];
      return step(carried);
    });
  }
  loop_end as_loop() {
    const value trips = dim_scalar(s_.g, length_);
    loop_end end = emit_loop(plan_, trips, {}, [&](const value& iteration, const results& carried) {
      const value at = reverse_ && !read_.empty() ? sub(sub(trips, 1), iteration) : iteration;
      for (std::size_t i : read_)
        args_[i] = each_part(s_.in_parts(i), [&](const value& v) { return gather(v, at, 0); });
      return step(carried);
    });
    for (operand& o : end.collected) o = each_part(o, [&](const value& v) { return in_order(v); });
    return end;
  }
  /// What a Loop collected, in the order of the sequences. After no iteration ONNX Runtime does not know symbolic extents.
  value in_order(const value& collected) const {
    const auto symbolic = [](dim d) { return !d.is_constant(); };
    value v = collected;
    if (std::ranges::any_of(v.dims().begin() + 1, v.dims().end(), symbolic) && symbolic(length_))
      v = s_.g.emit("Reshape", {v, shape_value(s_.g, v.dims())}, v.type(), {{"allowzero", std::int64_t{1}}});
    return reverse_ ? jax2onnx::reverse(v, {0}) : v;
  }
  results once() {
    for (std::size_t i : read_)
      args_[i] = each_part(s_.in_parts(i), [&](const value& v) { return jax2onnx::reshape(v, element_type(i).dims); });
    const loop_step done = step(plan_.carried);
    results collected;
    for (std::size_t i = 0; i < done.collected.size(); ++i)
      collected.push_back(each_part(
          done.collected[i], [&](const value& v) { return jax2onnx::reshape(v, plan_.collected_types[i].dims); }));
    return finish({done.carried, collected});
  }
  results empty_sequences() const {
    results out;
    for (const aval& t : plan_.collected_types) {
      operand o;
      for (; o.count < t.elem.parts; ++o.count) o.parts[o.count] = filled(s_.g, t.elem.part, t.dims, 0);
      out.push_back(o);
    }
    return out;
  }
  results finish(loop_end end) const {
    results out(s_.out_count());
    for (std::size_t i = 0, next = 0; i < carry_; ++i)
      if (wanted_[i]) out[i] = kept_[i] ? end.carried[next++] : s_.in_parts(consts_ + i);
    for (std::size_t i = carry_, next = 0; i < out.size(); ++i)
      if (wanted_[i]) out[i] = end.collected[next++];
    return out;
  }

  const site& s_;
  const jaxpr::jaxpr& body_;
  dim length_;
  bool reverse_;
  std::size_t consts_, carry_;
  selection wanted_, kept_;        // body results that matter; carried values that change
  std::vector<std::size_t> read_;  // operands among xs that the body reads
  results args_;                   // of the body
  loop_plan plan_;
};

inline results scan(const site& s) { return scan_lowering(s).run(); }

/// while cond_consts… body_consts… carry…: ONNX's Loop asks for the condition before its first iteration, then its body
/// computes the next one. A batch of loops has one body and a condition for each. Source: jax.lax.while_loop.
class while_lowering {
 public:
  explicit while_lowering(const site& s)
      : s_(s),
        cond_(*s.param<const jaxpr::jaxpr*>("cond_jaxpr")),
        body_(*s.param<const jaxpr::jaxpr*>("body_jaxpr")),
        cond_consts_(operand_count(s, "cond_nconsts")),
        body_consts_(operand_count(s, "body_nconsts")),
        plan_(s) {
    const std::size_t carry = s.out_count();
    if (cond_consts_ + body_consts_ + carry != s.arity() || cond_.invars.size() != cond_consts_ + carry ||
        body_.invars.size() != body_consts_ + carry || body_.results.size() != carry || cond_.results.size() != 1)
      s.unsupported("its operands do not fit its jaxprs");
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

  results run() {
    if (plan_.empty()) return first_values();
    const value start = condition(plan_.carried);
    const bool batched = start.rank() > 0;
    if (batched) plan_.carry({element_named("bool"), start.dims()}, start, "active");
    const loop_end end = emit_loop(plan_, {}, any_of(start), [&](const value&, const results& carried) {
      results args = body_args_;
      set_carried(args, body_consts_, carried);
      const results out = s_.inline_body(body_, args, wanted_);
      loop_step done;
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (!kept_[i]) continue;
        const std::size_t at = done.carried.size();
        done.carried.push_back(batched ? active_ones(carried.back().re(), out[i], carried[at]) : out[i]);
      }
      const value next = condition(done.carried);
      done.keep_going = any_of(next);
      if (batched) done.carried.push_back(next);
      return done;
    });
    results out = first_values();
    set_carried(out, 0, end.carried);
    return out;
  }

 private:
  void set_carried(results& args, std::size_t first, const results& carried) const {
    for (std::size_t i = 0, next = 0; i < kept_.size(); ++i)
      if (kept_[i]) args[first + i] = carried[next++];
  }
  static value any_of(const value& truth) {
    return cast(
        reduce("ReduceMax", cast(truth, truth.rank() > 0 ? dtype::i32 : dtype::boolean), iota_axes(truth.rank())),
        dtype::boolean);
  }
  /// Of a batch of loops those go on whose condition is true; `active` has the leading dimensions of the values.
  static operand active_ones(const value& active, const operand& next, operand current) {
    for (std::size_t p = 0; p < next.count; ++p) {
      shape dims = active.dims();
      dims.resize(next.parts[p].dims().size(), dim(1));
      current.parts[p] = where(jax2onnx::reshape(active, dims), next.parts[p], current.parts[p]);
    }
    return current;
  }
  value condition(const results& carried) const {
    results args = cond_args_;
    set_carried(args, cond_consts_, carried);
    return s_.inline_body(cond_, args)[0].re();
  }
  results first_values() const {
    return results(body_args_.begin() + static_cast<std::ptrdiff_t>(body_consts_), body_args_.end());
  }

  const site& s_;
  const jaxpr::jaxpr &cond_, &body_;
  std::size_t cond_consts_, body_consts_;
  selection wanted_, kept_;
  results cond_args_, body_args_;  // consts, then the carry before the first iteration
  loop_plan plan_;
};

inline results while_loop(const site& s) { return while_lowering(s).run(); }

inline constexpr lowering loop_rows[] = {
    {"scan", scan, "Scan, Loop", parts_rule::own},
    {"while", while_loop, "Loop", parts_rule::own},
};

}  // namespace jax2onnx::lower
