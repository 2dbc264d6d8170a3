// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/avoid_misfusions.hpp>
#include <jax2onnx/rewrite/passes/canonical_order.hpp>
#include <jax2onnx/rewrite/passes/compute_type.hpp>
#include <jax2onnx/rewrite/passes/correct_casts.hpp>
#include <jax2onnx/rewrite/passes/counted_loops.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/flat_rows.hpp>
#include <jax2onnx/rewrite/passes/forms.hpp>
#include <jax2onnx/rewrite/passes/legalize.hpp>
#include <jax2onnx/rewrite/passes/narrow/columns.hpp>
#include <jax2onnx/rewrite/passes/narrow/masked_scores.hpp>
#include <jax2onnx/rewrite/passes/narrow/reductions.hpp>
#include <jax2onnx/rewrite/passes/narrow/rows.hpp>
#include <jax2onnx/rewrite/passes/narrow/selections.hpp>
#include <jax2onnx/rewrite/passes/own_operators.hpp>
#include <jax2onnx/rewrite/passes/propagate_nan.hpp>
#include <jax2onnx/rewrite/passes/random/joint_draws.hpp>
#include <jax2onnx/rewrite/passes/reshape_splits.hpp>
#include <jax2onnx/rewrite/passes/signed_zeros.hpp>
#include <jax2onnx/rewrite/passes/weight_format.hpp>
#include <jax2onnx/rewrite/rules/all_rules.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

namespace detail {

/// Runs a pass. If the pass adds nodes and `keep_events` is true, records them as an event.
template <typename Pass>
void noted(graph& g, rewrite_report& report, bool keep_events, std::string_view name, const Pass& pass) {
  const auto begin = static_cast<node_id>(g.node_count());
  pass();
  const auto end = static_cast<node_id>(g.node_count());
  if (keep_events && begin != end) report.events.push_back({name, {}, node_id::none, begin, end});
}

}  // namespace detail

struct own_equation::content {
  std::string name;
  rewrite::equations::parsed_equation parsed;
  rewrite::equations::equation text;
  rewrite::rule rule;

  content(std::string own, std::string from)
      : name(std::move(own)), parsed(std::move(from)), text(parsed.view()), rule{name,    text.text,
                                                                                 {},      text.roots,
                                                                                 nullptr, rewrite::stage::fuse,
                                                                                 &text} {}
};

JAX2ONNX_INLINE own_equation::own_equation(std::string name, std::string text)
    : content_(std::make_shared<const content>(std::move(name), std::move(text))) {}
JAX2ONNX_INLINE const rewrite::rule& own_equation::rule() const { return content_->rule; }

JAX2ONNX_INLINE std::span<const rewrite::rule> rewrite_rules() { return rewrite::detail::all_rules; }
JAX2ONNX_INLINE std::span<const rewrite::rule_group> rewrite_order() { return rewrite::detail::rule_order; }

JAX2ONNX_INLINE std::vector<std::string_view> rewrite_names() {
  using namespace rewrite::detail;
  std::vector<std::string_view> names;
  for (const rewrite::rule& r : rewrite_rules()) names.push_back(r.name);
  names.insert(names.end(), {common_subexpressions_name, hoist_invariants_name, known_branches_name, flat_rows_name,
                             reshape_splits_name, joint_draws_name});
  return names;
}

namespace rewrite::detail {

/// Throws for a disabled name that no rewrite has: it would disable nothing.
inline void require_names(const rewrite_options& o) {
  if (o.disabled.empty()) return;
  const std::vector<std::string_view> names = rewrite_names();
  for (const std::string& name : o.disabled)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw build_error(jax2onnx::detail::message("there is no rewrite '{}' to disable", name));
}

}  // namespace rewrite::detail

JAX2ONNX_INLINE rewrite_report optimize(graph& g, const rewrite_options& o) {
  using namespace rewrite::detail;
  require_names(o);
  require_compute_target(o.compute, o.target);
  rewrite_report report;
  forget_traces(g);
  const known_types_scope types(g);
  dead_code(g).run();
  canonical_order(g).run();
  rule_driver driver(g, report,
                     {.runtime = o.target,
                      .most_unrolled = o.unroll.value_or(most_unrolled(o.target)),
                      .assume_finite = o.assume_finite,
                      .merge_common = !o.disabled.contains(common_subexpressions_name),
                      .hoist_invariants = !o.disabled.contains(hoist_invariants_name),
                      .known_branches = !o.disabled.contains(known_branches_name),
                      .keep_events = o.keep_events,
                      .retry = o.retry});
  for (const rewrite::rule& r : all_rules) {
    const bool always = r.when == rewrite::stage::tidy || r.when == rewrite::stage::exact;
    if ((always || o.fuse) && !o.disabled.contains(r.name) && suits(r.name, o.target)) driver.add(r);
  }
  for (const own_equation& e : o.equations) driver.add(e.rule());
  driver.run(rewrite::stage::tidy);
  if (o.fuse)
    for (const rewrite::stage s : {rewrite::stage::fuse, rewrite::stage::late}) driver.run(s);
  driver.run(rewrite::stage::exact);  // stage::exact includes stage::weights
  bool is_ready = false;
  const auto behind_rules = [&](std::string_view name, const auto& pass) {
    if (!o.fuse || o.disabled.contains(name)) return;
    if (!std::exchange(is_ready, true)) driver.before_pass();
    const std::vector<rewrite_report::event> events = pass();
    if (o.keep_events) report.events.insert(report.events.end(), events.begin(), events.end());
    if (events.empty()) return;
    report.add_applied(name);
    driver.after_pass();
    driver.run(rewrite::stage::exact);
    is_ready = false;
  };
  behind_rules(joint_draws_name, [&] { return join_draws(g); });
  behind_rules(flat_rows_name, [&] { return flatten_rows(g, o.target); });
  behind_rules(reshape_splits_name, [&] { return reshape_splits(g); });
  const auto noted = [&](std::string_view name, const auto& pass) {
    jax2onnx::detail::noted(g, report, o.keep_events, name, pass);
  };
  const bool as_jax = o.as_jax && is_onnx_runtime(o.target);
  if (as_jax) {
    noted("signed-zeros", [&] { correct_signed_zeros(g); });
    if (!o.assume_finite) noted("propagate-nan", [&] { propagate_nan(g); });
  }
  noted("counted-loops", [&] { restore_loops(g); });
  noted("forms", [&] { take_forms(g, o.target); });
  if (is_onnx_runtime(o.target) && o.fuse)
    noted("narrow-rows", [&] {
      move_columns(g);
      speed_reductions(g);
      widen_narrow_rows(g);
      speed_selections(g, o.target);
      speed_masked_softmax(g, o.target);
    });
  noted("avoid-misfusions", [&] { avoid_misfusions(g, o.target); });
  if (o.target.runtime == runtime::ort_contrib && o.fuse) noted("own-operators", [&] { use_own_operators(g); });
  noted("legalize", [&] { legalize(g, o.target); });
  if (as_jax) noted("correct-casts", [&] { correct_casts(g); });
  const bool in_half = o.compute == compute_type::float16;
  const bool stores = o.weight_format != weight_format::kept && !(in_half && o.weight_format == weight_format::float16);
  if (stores) noted("weight-format", [&] { store_weights_as(g, o.weight_format); });
  if (in_half) {  // the pass needs nodes in order, and dead nodes would count as readers
    dead_code(g).run();
    canonical_order(g).run();
    noted("compute", [&] { compute_in_half(g, o.target, report.warnings); });
  }
  noted("avoid-misfusions", [&] { avoid_misfusions_of_casts(g, o.target); });
  dead_code(g).run();
  canonical_order(g).run();
  return report;
}

}  // namespace jax2onnx
