// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// For portable models, Loops are Scans only while rules divide them. Scans that are left become Loops again, since
/// more runtimes have Loop than Scan.
namespace jax2onnx::rewrite::detail {

/// The Loop that a Scan was before: each step gathers its elements from the sequences.
inline loop_result as_loop(const recurrence& r) {
  graph& g = r.owner();
  const std::int64_t steps = r.sequence(0).extent(0).extent();
  loop_options options{.carried_names = {}};
  std::vector<value> first;
  for (std::size_t i = 0; i < r.state_count(); ++i) {
    first.push_back(r.first(i));
    options.carried_names.push_back(g.at(r.state(i).id()).name);
    options.carried_types.push_back(r.state(i).type());
  }
  const auto element = [&](const value& iteration, std::size_t i) {
    const bool counts = r.sequence(i).rank() == 1 && constant_integers(r.sequence(i)) == iota_axes(steps);
    if (counts) return cast(iteration, r.sequence(i).dtype());
    return gather(r.sequence(i), iteration, 0);
  };
  loop_result made = loop(
      g, scalar(g, dtype::i64, static_cast<double>(steps)), {}, first,
      [&](const value& iteration, const std::vector<value>& states) {
        const value at =
            r.reverse() ? sub(scalar(g, dtype::i64, static_cast<double>(steps - 1)), iteration) : iteration;
        std::vector<value> inputs = states;
        for (std::size_t i = 0; i < r.sequence_count(); ++i) inputs.push_back(element(at, i));
        const std::vector<value> out = block_copy(g).of(r.body(), inputs);
        const auto middle = out.begin() + std::ssize(states);
        return loop_step{{}, {out.begin(), middle}, {middle, out.end()}};
      },
      options);
  if (r.reverse())
    for (value& v : made.collected) v = reverse(v, {0});
  return made;
}

/// Turns the counted Scans of a block into Loops, the Scans of inner blocks first.
inline void restore_loops(graph& g, block_id b) {
  rewrite::rebuild(g, b, [&](node_id id) {
    for_each_body(g, id, [&](block_id inner) { restore_loops(g, inner); });
    const bool is_counted = unmark_counted(g.at(id));
    const std::vector<value_id> outputs = g.at(id).outputs;
    const auto r = is_counted ? recurrence::of({g, outputs[0]}) : std::nullopt;
    if (!r) return g.append(id);
    const std::size_t before = g.node_count();
    const loop_result made = as_loop(*r);
    give_origin(g, before, id);
    const std::vector<value> all = all_results(made);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i] != value_id::none) take_place(all[i], {g, outputs[i]});
  });
}
inline void restore_loops(graph& g) {
  const auto is_counted = [&g](std::size_t i) {
    const node& n = g.at(static_cast<node_id>(i));
    return n.op == "Scan" && n.find(counted_mark) != nullptr;
  };
  std::size_t i = 0;
  while (i < g.node_count() && !is_counted(i)) ++i;
  if (i == g.node_count()) return;
  restore_loops(g, block_id::main);
  for_each_function(g, [&](block_id body) { restore_loops(g, body); });
}

}  // namespace jax2onnx::rewrite::detail
