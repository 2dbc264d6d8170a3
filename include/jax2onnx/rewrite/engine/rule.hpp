#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>

namespace jax2onnx::rewrite {

/// How often a value is read, by nodes and as a block's output.
class use_counts {
 public:
  void count(const graph& g);
  std::uint32_t of(const value& v) const { return at(v.id()); }
  std::uint32_t at(value_id v) const {
    return static_cast<std::size_t>(v) < counts_.size() ? counts_[static_cast<std::size_t>(v)] : 0;
  }
  void add(value_id v, std::int64_t n);

 private:
  std::vector<std::uint32_t> counts_;
};

/// What a rule sees besides its root.
struct context {
  graph& g;
  const use_counts& uses;
  target runtime = target::ort;
  std::int64_t most_unrolled = 0;  ///< iterations of a Loop
  bool assume_finite = false;      ///< no value is NaN or infinite, except constants of -inf in masks
  /// Nothing but the pattern reads `v`.
  bool single_use(const value& v) const { return uses.of(v) <= 1; }
};

/// The result of a rule at a node. Default-constructed: the pattern does not match.
struct outcome {
  value replacement;             ///< of the node's only output
  std::vector<value> all = {};   ///< of all outputs of a Loop, Scan or Split instead
  std::string_view reason = {};  ///< why a node that matches stays; a literal
  outcome() = default;
  outcome(const value& v) : replacement(v) {}
};
inline outcome decline(std::string_view reason) {
  outcome o;
  o.reason = reason;
  return o;
}

/// Why ONNX Runtime cannot compute an operator whose only kernel is for f32; empty where it can. f16 and bf16 are
/// widened to f32 by `legalize`; f64 has no wider type.
inline std::string_view only_up_to_f32(const value& v) {
  if (!is_floating(v.dtype())) return "the element type is not floating-point";
  return v.dtype() == dtype::f64 ? "ONNX Runtime has no float64 kernel" : std::string_view();
}

/// When a rule is tried. The rules of earlier stages are tried again in later ones.
enum class stage : std::uint8_t {
  tidy,     ///< fewer nodes of the same kind; in rounds, until nothing changes
  fuse,     ///< higher-level operators, recovered from their parts
  late,     ///< transposes sink until they cancel; also what would hide a pattern of the stages before
  weights,  ///< what would hide a pattern of all stages before: numbers move into weights
  exact     ///< as weights, but for the numbers: what is left as it was would differ from JAX in a runtime
};

/// A rewrite rule, a row of docs/rewrites.md.
struct rule {
  std::string_view name;                    ///< what --no-fuse takes
  std::string_view equation;                ///< pattern -> replacement
  std::string_view needs;                   ///< the conditions that the equation does not state; empty: none
  std::span<const std::string_view> roots;  ///< the operators that `apply` is called for
  outcome (*apply)(const context&, const value& root);
  stage when = stage::tidy;
};

inline void use_counts::add(value_id v, std::int64_t n) {
  if (v == value_id::none) return;
  if (static_cast<std::size_t>(v) >= counts_.size()) counts_.resize(static_cast<std::size_t>(v) + 1);
  std::uint32_t& c = counts_[static_cast<std::size_t>(v)];
  c = static_cast<std::uint32_t>(c + n);
}

inline void use_counts::count(const graph& g) {
  counts_.assign(g.value_count(), 0);
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    const block& body = g.at(static_cast<block_id>(b));
    for (node_id n : body.nodes)
      for (value_id v : g.at(n).inputs) add(v, 1);
    for (value_id v : body.outputs) add(v, 1);
  }
}

}  // namespace jax2onnx::rewrite
