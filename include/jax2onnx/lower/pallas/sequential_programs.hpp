// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/pallas/kernel.hpp>

namespace jax2onnx::lower::pallas {

/// Runs the programs of a kernel one after another, the last axis of the grid fastest, as JAX's interpreter does.
/// Source: jax/_src/pallas/hlo_interpreter.py.
class sequential_programs {
 public:
  explicit sequential_programs(const kernel& k) : k_(k), all_(k.m.grid.size(), true) {
    for (std::size_t i = 0; i < k.m.blocks.size(); ++i)
      written_.push_back(i >= k.m.inputs || may_write(k.body, k.body.invars[k.m.scalars + i].slot));
    scratch_.assign(k.types.begin() + static_cast<std::ptrdiff_t>(k.first_scratch()), k.types.end());
  }

  jax_values run() {
    state now = first();
    if (const auto steps = k_.m.steps(); steps && unrolls(k_.body, *steps))
      for (std::int64_t n = 0; n < *steps; ++n) step(k_.position(n, all_), now);
    else loop(now);
    jax_values out;
    for (std::size_t i = k_.m.inputs; i < k_.m.blocks.size(); ++i)
      out.push_back(unpadded(k_.m.blocks[i], now.arrays[i].whole(), k_.arrays[i]));
    return out;
  }

 private:
  struct state {
    std::vector<block_array> arrays;
    jax_values scratch;
  };

  state first() const {
    state out;
    for (std::size_t i = 0; i < k_.m.blocks.size(); ++i) {
      const std::optional<jax_value> given = k_.initial(i);
      out.arrays.emplace_back(given ? *given : unwritten(k_.s.g, k_.padded_arrays[i]));
    }
    for (const aval& t : scratch_) out.scratch.push_back(unwritten(k_.s.g, t));
    return out;
  }
  void step(const std::vector<value>& at, state& now) const {
    const site& s = k_.s;
    const grid_scope scope(s.driver(), k_.seen_grid(at));
    jax_values args;
    k_.add_scalars(args, s.input_types(k_.body), 0);
    std::vector<block_place> places;
    for (std::size_t i = 0; i < k_.m.blocks.size(); ++i) {
      places.push_back(k_.place_of(i, at));
      const shape& seen = k_.block_type(i).dims;
      args.push_back(
          s.new_ref(each_part(now.arrays[i].read(places[i]), [&](const value& x) { return reshape(x, seen); })));
    }
    for (const jax_value& v : now.scratch) args.push_back(s.new_ref(v));
    s.inline_body(k_.body, args);
    for (std::size_t i = 0; i < k_.m.blocks.size(); ++i) {
      if (!written_[i]) continue;
      const shape sizes = k_.m.blocks[i].sizes();
      now.arrays[i].write(
          places[i], each_part(s.content(args[k_.m.scalars + i]), [&](const value& x) { return reshape(x, sizes); }));
    }
    for (std::size_t i = 0; i < now.scratch.size(); ++i) now.scratch[i] = s.content(args[k_.first_scratch() + i]);
  }

  void loop(state& now) const {
    loop_plan plan(k_.s);
    for (std::size_t i = 0; i < k_.m.blocks.size(); ++i)
      if (written_[i]) plan.carry(k_.padded_arrays[i], now.arrays[i].whole(), k_.block_name(i));
    for (std::size_t i = 0; i < scratch_.size(); ++i)
      plan.carry(scratch_[i], now.scratch[i], k_.body.invars[k_.first_scratch() + i].name);
    const auto steps = k_.m.steps();
    value trips = k_.number64(steps.value_or(1));
    for (std::size_t k = 0; !steps && k < k_.m.grid.size(); ++k)
      if (!k_.m.grid[k] || !k_.m.grid[k]->is(1)) trips = mul(trips, cast(k_.size_of(k), dtype::i64));
    const state outside = now;
    const loop_values end = emit_loop(plan, trips, {}, [&](const value& iteration, const jax_values& carried) {
      state inside = outside;
      set(inside, carried);
      step(k_.position(iteration, all_), inside);
      return loop_values{get(inside)};
    });
    set(now, end.carried);
  }
  /// The parts of the state that change, as a list.
  /// @{
  void set(state& s, const jax_values& list) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < s.arrays.size(); ++i)
      if (written_[i]) s.arrays[i] = block_array(list[next++]);
    for (jax_value& v : s.scratch) v = list[next++];
  }
  jax_values get(state& s) const {
    jax_values out;
    for (std::size_t i = 0; i < s.arrays.size(); ++i)
      if (written_[i]) out.push_back(s.arrays[i].whole());
    append(out, s.scratch);
    return out;
  }
  /// @}

  const kernel& k_;
  std::vector<bool> all_, written_;  // all axes of the grid, and the arrays that are written
  std::vector<aval> scratch_;
};

}  // namespace jax2onnx::lower::pallas
