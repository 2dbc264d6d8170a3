#pragma once

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/apply_rules.hpp>
#include <jax2onnx/rewrite/passes/avoid_misfusions.hpp>
#include <jax2onnx/rewrite/passes/canonical_order.hpp>
#include <jax2onnx/rewrite/passes/correct_casts.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/functions.hpp>
#include <jax2onnx/rewrite/passes/legalize.hpp>
#include <jax2onnx/rewrite/passes/propagate_nan.hpp>
#include <jax2onnx/rewrite/passes/signed_zeros.hpp>
#include <jax2onnx/rewrite/rules/all_rules.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE std::span<const rewrite::rule> rewrite_rules() { return rewrite::detail::all_rules; }

JAX2ONNX_INLINE rewrite_report optimize(graph& g, const rewrite_options& o) {
  using namespace rewrite::detail;
  rewrite_report report;
  forget_traces(g);
  dead_code(g).run();
  canonical_order(g).run();
  rule_driver driver(g, report,
                     {.runtime = o.target,
                      .most_unrolled = o.unroll,
                      .merge_common = !o.disabled.contains(common_subexpressions_name),
                      .hoist_invariants = !o.disabled.contains(hoist_invariants_name),
                      .keep_events = o.keep_events});
  for (const rewrite::rule& r : all_rules) {
    const bool always = r.when == rewrite::stage::tidy || r.when == rewrite::stage::exact;
    if ((always || o.fuse) && !o.disabled.contains(r.name)) driver.add(r);
  }
  driver.run(rewrite::stage::tidy);
  if (o.fuse)
    for (const rewrite::stage s : {rewrite::stage::fuse, rewrite::stage::late}) driver.run(s);
  driver.run(rewrite::stage::exact);  // those of the weights too
  const bool as_jax = o.as_jax && o.target == target::ort;
  if (as_jax) {
    correct_signed_zeros(g);
    propagate_nan(g);
  }
  if (o.target == target::ort) avoid_misfusions(g);
  legalize(g, o.target);
  if (as_jax) correct_casts(g);
  if (o.target == target::ort) avoid_misfusions_of_casts(g);
  dead_code(g).run();
  canonical_order(g).run();
  return report;
}

}  // namespace jax2onnx
