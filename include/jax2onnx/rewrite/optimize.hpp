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

/// A rule of one's own that is its text (docs/equations.md). Reports name it as long as a copy of it lives.
class own_equation {
 public:
  /// Parses the text; the rule is one of stage::fuse. Throws a build_error with the place where it is wrong.
  own_equation(std::string name, std::string text);
  /// The rule, for tests of it.
  const rewrite::rule& rule() const;

 private:
  struct content;
  std::shared_ptr<const content> content_;
};

/// What `optimize` may do.
struct rewrite_options {
  jax2onnx::target target = jax2onnx::target::portable;  ///< what is to run the model
  bool fuse = true;                                      ///< recover higher-level operators from their parts
  std::set<std::string, std::less<>> disabled = {};      ///< of rewrite_names(): what is not tried
  /// Make results JAX's that ONNX leaves to the runtime: NaN in pooling and extremes, signs of zeros in divisors, casts
  /// to float8 out of range. It adds nodes, once more each time. Conversions do it.
  bool as_jax = false;
  /// The user states that no value is NaN or infinite, except constants of the program: nothing is added, and no rule
  /// declines, for such values only (docs/decisions/0055).
  bool assume_finite = false;
  /// How weights of float32 are stored: in fewer bits than the program has, with what these cost in accuracy. int8 and
  /// int4 are for matrices of products and lookups (docs/quantization.md).
  jax2onnx::weight_format weight_format = jax2onnx::weight_format::kept;
  /// Loops of at most so many iterations, and Scans of half as many, become these. Absent: what suits the target.
  std::optional<std::int64_t> unroll = {};
  std::vector<own_equation> equations = {};  ///< tried behind the rules of the library
  bool keep_events = false;                  ///< tell in the report what each rule did at which node
  bool retry = false;  ///< for tests: try rules also where they cannot apply; throws a build_error if one does
};

/// Makes a graph small and fit for its target, in place: applies the rules, merges common subexpressions, inserts the
/// casts that the target's kernels need, drops dead nodes, and sorts the nodes. The graph computes the same results up
/// to rounding, for all shapes, and keeps the names of its inputs and outputs. Takes time linear in the number of
/// nodes. Throws `build_error` where a graph is malformed, and for a disabled name of no rewrite. Not thread-safe for
/// one graph; graphs are independent of each other.
rewrite_report optimize(graph& g, const rewrite_options& options = {});

/// The rules in the order in which they are tried at a node. docs/rewrites.md has them.
std::span<const rewrite::rule> rewrite_rules();
/// The same in groups.
std::span<const rewrite::rule_group> rewrite_order();

/// The names of all that `optimize` does to make graphs smaller or faster: of the rules, of common subexpressions, of
/// what is moved out of loops, and of the passes behind the rules. The names are literals.
std::vector<std::string_view> rewrite_names();

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/rewrite/optimize.inl.hpp>
#endif
