#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

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
  /// Nobody but the pattern reads `v`.
  bool single_use(const value& v) const { return uses.of(v) <= 1; }
};

/// What came of a rule at a node: a replacement of its one output, a reason why a node that has the pattern stays as it
/// is, or neither: it has not the pattern.
struct outcome {
  value replacement;
  std::string_view reason = {};
  outcome() = default;
  outcome(const value& v) : replacement(v) {}
};
inline outcome decline(std::string_view reason) {
  outcome o;
  o.reason = reason;
  return o;
}

/// ONNX Runtime has the kernel for f32 only; f16 and bf16 are widened to it, f64 has nothing wider.
inline std::string_view only_up_to_f32(const value& v) {
  if (!is_floating(v.dtype())) return "it is not of floating-point type";
  return v.dtype() == dtype::f64 ? "ONNX Runtime has no float64 kernel of it" : std::string_view();
}

/// When a rule is tried: the later stages see what the earlier ones left.
enum class stage : std::uint8_t {
  tidy,  ///< fewer nodes of the same kind
  fuse,  ///< operators of a higher level, recovered from structure
  late   ///< transposes moved until they cancel, and what would hide a pattern of the stages before
};

/// `equation` where the root is one of the ops `roots`, if `apply` finds it and has nothing against it.
struct rule {
  std::string_view name;
  std::string_view equation;
  std::span<const std::string_view> roots;
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
