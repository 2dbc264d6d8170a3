// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/batching/batcher.hpp>
#include <jax2onnx/lower/batching/ref_rules.hpp>
#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/pallas/batched_blocks.hpp>
#include <jax2onnx/lower/pallas/kernel.hpp>

namespace jax2onnx::lower::pallas {

/// Runs the parallel programs of a kernel at once: the parallel axes of the grid become leading axes of blocks, and of
/// values computed from blocks. Along the other axes of the grid, one program runs after another.
class parallel_programs {
 public:
  parallel_programs(const kernel& k, parallel_plan plan)
      : k_(k), plan_(std::move(plan)), batcher_(k.s.g, k.s.driver()) {
    name_axes();
    alongs_.assign(k.m.scalars, 0);
    for (const array_blocks& blocks : plan_.blocks) {
      batching::axis_set along = 0;
      for (std::size_t axis : leading_axes(blocks)) along |= batching::axis_set{1} << *numbers_[axis];
      alongs_.push_back(along);
    }
    for (std::size_t i = k.m.inputs; i < k.m.blocks.size(); ++i) alongs_[k.m.scalars + i] = batcher_.of_references;
    alongs_.resize(k.types.size(), batcher_.of_references);
  }

  /// Runs the programs. Returns nullopt if the kernel has a primitive that cannot be computed for all programs at once.
  std::optional<jax_values> run() {
    try {
      body_ = batcher_.batch(k_.body, alongs_).body;
    } catch (const unsupported_error&) {
      return std::nullopt;
    }
    for (std::size_t i = k_.m.scalars; i < k_.types.size(); ++i)
      types_.push_back(with_leading(k_.types[i], alongs_[i]));
    std::int64_t steps = 1;
    for (std::size_t axis = 0; axis < k_.m.grid.size(); ++axis) {
      sequential_.push_back(!plan_.parallel[axis]);
      if (sequential_.back()) steps *= k_.m.grid[axis]->extent();
    }
    for (std::size_t i = 0; i < k_.m.inputs; ++i) inputs_.push_back(*k_.initial(i));
    jax_values now = first();
    if (unrolls(*body_, steps))
      for (std::int64_t n = 0; n < steps; ++n) step(k_.position(n, sequential_), now);
    else loop(steps, now);
    jax_values out;
    for (std::size_t i = k_.m.inputs; i < k_.m.blocks.size(); ++i) {
      const jax_value whole = each_part(now[i - k_.m.inputs], [&](const value& x) {
        return join_blocks(x, plan_.blocks[i], k_.m.blocks[i], k_.padded_arrays[i].dims);
      });
      out.push_back(unpadded(k_.m.blocks[i], whole, k_.arrays[i]));
    }
    return out;
  }

 private:
  /// Names the parallel axes as program_id looks them up in the batched kernel.
  void name_axes() {
    numbers_.resize(k_.m.grid.size());
    std::size_t seen = 0, hidden = 0;
    for (std::size_t axis = 0; axis < k_.m.grid.size(); ++axis) {
      const std::string_view name =
          k_.m.hidden[axis] ? batching::hidden_axes[hidden++] : batching::program_axes[seen++];
      if (!plan_.parallel[axis]) continue;
      numbers_[axis] = batcher_.axes.add(name, k_.m.grid[axis]->extent());
      batcher_.of_references |= batching::axis_set{1} << *numbers_[axis];
    }
  }
  aval with_leading(aval t, batching::axis_set along) const {
    const shape leading = batcher_.axes.extents(along);
    t.dims.insert(t.dims.begin(), leading.begin(), leading.end());
    return t;
  }

  /// The blocks of the outputs, then scratch, before the first step.
  jax_values first() const {
    jax_values out;
    for (std::size_t i = k_.m.inputs; i < types_.size(); ++i) {
      const std::optional<jax_value> given = i < k_.m.blocks.size() ? k_.initial(i) : std::nullopt;
      out.push_back(given ? split(i, *given) : unwritten(k_.s.g, types_[i]));
    }
    return out;
  }
  jax_value split(std::size_t i, const jax_value& whole) const {
    return each_part(whole, [&](const value& x) { return split_blocks(x, plan_.blocks[i], k_.m.blocks[i]); });
  }
  /// The blocks of input i for the programs at `at`.
  jax_value input(std::size_t i, const std::vector<value>& at) const {
    block_place place;
    for (const slice_start& s : k_.place_of(i, at))
      if (!plan_.blocks[i][static_cast<std::size_t>(s.axis)].along) place.push_back(s);
    return split(i, each_part(inputs_[i], [&](const value& x) { return place.empty() ? x : slice_at(x, place); }));
  }
  void step(const std::vector<value>& at, jax_values& now) const {
    const site& s = k_.s;
    const grid_scope scope(s.driver(), k_.seen_grid(at));
    jax_values args;
    k_.add_scalars(args, s.input_types(k_.body), 0);
    for (std::size_t i = 0; i < k_.m.inputs; ++i) args.push_back(s.new_ref(input(i, at)));
    for (const jax_value& v : now) args.push_back(s.new_ref(v));
    s.inline_body(*body_, args);
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = s.content(args[k_.m.scalars + k_.m.inputs + i]);
  }
  void loop(std::int64_t steps, jax_values& now) const {
    loop_plan plan(k_.s);
    for (std::size_t i = 0; i < now.size(); ++i)
      plan.carry(types_[k_.m.inputs + i], now[i], k_.block_name(k_.m.inputs + i));
    now = emit_loop(plan, k_.number64(steps), {}, [&](const value& iteration, const jax_values& carried) {
            jax_values inside = carried;
            step(k_.position(iteration, sequential_), inside);
            return loop_values{inside};
          }).carried;
  }

  const kernel& k_;
  parallel_plan plan_;
  batching::batcher batcher_;
  std::vector<std::optional<std::size_t>> numbers_;  // the batcher's number of each axis of the grid, if it is parallel
  checked_vector<batching::axis_set> alongs_;        // the parallel axes of each parameter
  const jaxpr::body* body_ = nullptr;
  std::vector<aval> types_;  // types of blocks and scratch, with leading axes
  std::vector<bool> sequential_;
  jax_values inputs_;
};

}  // namespace jax2onnx::lower::pallas
