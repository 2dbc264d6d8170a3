// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>

namespace jax2onnx::rewrite {

/// The input of a rule besides its root.
struct context {
  graph& g;
  const use_counts& uses;
  target runtime = target::ort;
  std::int64_t most_unrolled = 0;  ///< the largest number of iterations of a Loop that is unrolled
  bool assume_finite = false;      ///< true if no value is NaN or infinite, except constants of -inf in masks
  /// True if `v` is read at most once, so that only the pattern reads `v`.
  bool single_use(const value& v) const { return uses.of(v) <= 1; }
};

/// The result of a rule at a node. A default-constructed outcome means that the pattern does not match.
struct outcome {
  value replacement;             ///< replaces the node's only output
  std::vector<value> all = {};   ///< replaces all outputs of a Loop, Scan or Split instead
  std::string_view reason = {};  ///< why the rule declines a node that matches; a literal
  outcome() = default;
  outcome(const value& v) : replacement(v) {}
};
inline outcome decline(std::string_view reason) {
  outcome o;
  o.reason = reason;
  return o;
}

/// A rule that matches but does not apply after all may throw this. The driver reports the reason as a decline.
struct declined {
  std::string_view reason;  ///< a literal
};

/// The reason why ONNX Runtime cannot compute `v` with a kernel that exists only for f32; empty if it can. The pass
/// `legalize` widens f16 and bf16 to f32, but f64 has no wider type.
inline std::string_view only_up_to_f32(const value& v) {
  if (!is_floating(v.dtype())) return "the element type is not floating-point";
  return v.dtype() == dtype::f64 ? "ONNX Runtime has no float64 kernel" : std::string_view();
}

/// The reason why a rule may not compute squares of v's type in float32 instead; empty if it may. In float16, squares
/// are infinite from 256 on.
inline std::string_view squares_in_f16(const context& c, const value& v) {
  const bool overflow = v.dtype() == dtype::f16 && !c.assume_finite;
  return overflow ? "squares of float16 are infinite from 256 on (assume_finite permits the rule)" : std::string_view();
}

/// The time at which a rule is tried. The rules of earlier stages are tried again in later stages.
enum class stage : std::uint8_t { tidy, fuse, late, weights, exact };

/// A stage as docs/rewrites.md describes it.
struct stage_row {
  std::string_view name;
  std::string_view says;  ///< what its rules do
};
/// The stages, in their order.
inline constexpr stage_row stages[] = {
    {"tidy", "fewer nodes of the same kind; in rounds, until nothing changes"},
    {"fuse", "higher-level operators, recovered from their parts"},
    {"late", "transposes sink until they cancel; also rules that would hide patterns of earlier stages"},
    {"weights", "factors and terms move into weights, which would hide patterns of all earlier stages"},
    {"exact", "rules without which a runtime's results differ from JAX's; they run even without fusion"},
};

static_assert(std::size(stages) == static_cast<std::size_t>(stage::exact) + 1);

namespace equations {
struct equation;
}

/// A rewrite rule, a row of docs/rewrites.md.
struct rule {
  std::string_view name;                 ///< the name, as users write it after --no-fuse
  std::string_view equation;             ///< pattern -> replacement
  std::string_view needs;                ///< the conditions that the equation does not state; empty if there are none
  std::span<const operator_name> roots;  ///< the operators that `apply` is called for
  outcome (*apply)(const context&, const value& root);  ///< applies the rule; null if `text` is interpreted instead
  stage when = stage::tidy;
  const equations::equation* text = nullptr;  ///< the equation, if the rule is one
};

/// Rules of one kind, which are tried one after the other.
struct rule_group {
  std::string_view name;
  std::span<const rule> rules;
};

}  // namespace jax2onnx::rewrite
