#pragma once

#include <set>
#include <string>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/canonical_order.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/engine/engine.hpp>
#include <jax2onnx/rewrite/passes/legalize.hpp>
#include <jax2onnx/rewrite/rules/propagate_nan.hpp>
#include <jax2onnx/rewrite/rules/all.hpp>

namespace jax2onnx {

struct rewrite_options {
  rewrite::target target = rewrite::target::ort;
  bool fuse = true;                             ///< recover operators of a higher level from structure
  std::set<std::string, std::less<>> disabled;  ///< names of rules that are not tried
};

/// Makes a lowered graph small and fit for its target: every pass is linear in its nodes and keeps what the model computes.
inline rewrite::report optimize(graph& g, const rewrite_options& o) {
  rewrite::report report;
  rewrite::dead_code(g).run();
  rewrite::canonical_order(g).run();
  rewrite::engine engine(g, report, !o.disabled.contains(rewrite::common_subexpressions_name));
  for (const rewrite::rule& r : rewrite::all_rules)
    if (!o.disabled.contains(r.name) && (o.fuse || r.when == rewrite::stage::tidy)) engine.add(r);
  engine.run(rewrite::stage::tidy);
  if (o.fuse) engine.run(rewrite::stage::fuse);
  engine.run(rewrite::stage::late);
  if (o.target == rewrite::target::ort) rewrite::propagate_nan(g);
  rewrite::legalize(g, o.target);
  rewrite::dead_code(g).run();
  rewrite::canonical_order(g).run();
  return report;
}

}  // namespace jax2onnx
