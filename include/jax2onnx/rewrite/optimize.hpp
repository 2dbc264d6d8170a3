// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/weights/format.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx::rewrite {
struct rule;
struct rule_group;
}  // namespace jax2onnx::rewrite

namespace jax2onnx {

/// A user-defined rewrite rule, written as an equation (docs/equations.md). Reports refer to the name, so a copy of the
/// equation must outlive the reports.
class own_equation {
 public:
  /// Parses the text into a rule of stage::fuse. Throws a build_error that says where the text is wrong.
  own_equation(std::string name, std::string text);
  /// The parsed rule, for tests.
  const rewrite::rule& rule() const;

 private:
  struct content;
  std::shared_ptr<const content> content_;
};

/// Options of `optimize`.
struct rewrite_options {
  jax2onnx::target target = jax2onnx::target::portable;  ///< the runtime, and its oldest release, that the model is for
  bool fuse = true;                                      ///< recover higher-level operators from their parts
  std::set<std::string, std::less<>> disabled = {};      ///< names from rewrite_names() that are not applied
  /// Adds nodes that give JAX's results in cases that ONNX leaves to the runtime: NaN in pooling, maxima and minima,
  /// signs of zeros in divisors, casts to float8 out of range. Each call of `optimize` adds them again. Ignored for
  /// target::generic. Conversions set this option.
  bool as_jax = false;
  /// Assumes that no value is NaN or infinite, except constants of the program: no node is added, and no rule declines,
  /// only because of such values (docs/decisions/0055).
  bool assume_finite = false;
  /// The format in which float32 weights are stored. Formats of fewer bits cost accuracy; int8 and int4 apply to the
  /// matrices of products and lookups (docs/quantization.md).
  jax2onnx::weight_format weight_format = jax2onnx::weight_format::kept;
  /// The type in which operators of float32 compute. Inputs and outputs keep their types, and so do operators that
  /// would lose too much (docs/quantization.md).
  jax2onnx::compute_type compute = jax2onnx::compute_type::float32;
  /// Unrolls Loops of at most this many iterations, and Scans of at most half as many. If it is absent, the target
  /// decides.
  std::optional<std::int64_t> unroll = {};
  std::vector<own_equation> equations = {};  ///< equations that are tried after the rules of the library
  bool keep_events = false;                  ///< record in the report what each rule did at each node
  /// If true, rules that cannot apply are also tried, and a build_error is thrown if one applies; for tests.
  bool retry = false;
};

/// Makes a graph small and fit for its target, in place: applies the rules, merges common subexpressions, inserts the
/// casts that the target's kernels need, drops dead nodes, and sorts the nodes. The graph computes the same results up
/// to rounding, for all shapes, and keeps the names of its inputs and outputs. Takes time linear in the number of
/// nodes. Throws `build_error` if the graph is malformed, or if `disabled` has a name that no rewrite has. Not
/// thread-safe for one graph; different graphs are independent.
rewrite_report optimize(graph& g, const rewrite_options& options = {});

/// The rules in the order in which they are tried at a node. docs/rewrites.md lists them.
std::span<const rewrite::rule> rewrite_rules();
/// The rules of rewrite_rules() in groups.
std::span<const rewrite::rule_group> rewrite_order();

/// The names of all rewrites that can be disabled: the rules, common subexpressions, loop invariants, known branches,
/// and the passes after the rules. The names are literals.
std::vector<std::string_view> rewrite_names();

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/rewrite/optimize.inl.hpp>
#endif
