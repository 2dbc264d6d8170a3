#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
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
  /// Whether every reader takes a slice of the constant, and the slices together are no larger than it.
  bool in_parts(const value& constant) const;
  /// Where each operand of a Concat of many ends along the axis, so that its readers need not go through them. Null for
  /// any other value.
  const ints* ends_of_operands(const value& v) const {
    const auto found = wide_concats_.find(v.owner().at(v.id()).producer);
    return found == wide_concats_.end() ? nullptr : &found->second;
  }
  /// Whether `v` is what the body of a Scan gets of a constant: the weights of a layer in a scan over layers.
  bool is_scanned_constant(const value& v) const {
    return static_cast<std::size_t>(v.id()) < scanned_.size() && scanned_[static_cast<std::size_t>(v.id())];
  }

 private:
  void count_part(const graph& g, const node& n);
  void find_scanned(const graph& g, const node& n);
  void find_ends(const graph& g, node_id id);

  /// Reads of a constant at constant indices.
  struct part_reads {
    std::uint32_t count = 0;
    std::uint64_t elements = 0;
  };

  std::vector<std::uint32_t> counts_;
  std::vector<part_reads> parts_;  // by the number of the constant
  std::vector<bool> scanned_;
  std::unordered_map<node_id, ints> wide_concats_;
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

/// Thrown inside of a rule that matches and does not apply after all: the driver reports the reason as a decline.
struct declined {
  std::string_view reason;  ///< a literal
};

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
  exact     ///< runs even with --no-fuse: without these rules a runtime's results differ from JAX's
};

namespace equations {
struct equation;
}

/// A rewrite rule, a row of docs/rewrites.md.
struct rule {
  std::string_view name;                    ///< what --no-fuse takes
  std::string_view equation;                ///< pattern -> replacement
  std::string_view needs;                   ///< the conditions that the equation does not state; empty: none
  std::span<const std::string_view> roots;  ///< the operators that `apply` is called for
  outcome (*apply)(const context&, const value& root);  ///< null: `text` is interpreted
  stage when = stage::tidy;
  const equations::equation* text = nullptr;  ///< of a rule that is its text
};

inline void use_counts::add(value_id v, std::int64_t n) {
  if (v == value_id::none) return;
  if (static_cast<std::size_t>(v) >= counts_.size()) counts_.resize(static_cast<std::size_t>(v) + 1);
  std::uint32_t& c = counts_[static_cast<std::size_t>(v)];
  c = static_cast<std::uint32_t>(c + n);
}

inline void use_counts::count(const graph& g) {
  counts_.assign(g.value_count(), 0);
  parts_.clear();
  scanned_.assign(g.value_count(), false);
  wide_concats_.clear();
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    const block& body = g.at(static_cast<block_id>(b));
    for (node_id n : body.nodes) {
      for (value_id v : g.at(n).inputs) add(v, 1);
      count_part(g, g.at(n));
      find_scanned(g, g.at(n));
      find_ends(g, n);
    }
    for (value_id v : body.outputs) add(v, 1);
  }
}

/// How many elements there are; a large number where that is more, or not known.
inline std::uint64_t element_count(const tensor_type& type) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (const dim d : type.dims) {
    const auto extent = d.is_constant() ? static_cast<std::uint64_t>(d.extent()) : most;
    if (extent != 0 && count > most / extent) return most;
    count *= extent;
  }
  return count;
}

inline void use_counts::count_part(const graph& g, const node& n) {
  const auto is_constant = [&](value_id v) { return v == value_id::none || g.at(v).constant >= 0; };
  if (!n.domain.empty() || (n.op != "Gather" && n.op != "Slice" && n.op != "Split")) return;
  if (n.inputs.front() == value_id::none || !std::ranges::all_of(n.inputs, is_constant)) return;
  const auto number = static_cast<std::size_t>(g.at(n.inputs.front()).constant);
  if (number >= parts_.size()) parts_.resize(number + 1);
  ++parts_[number].count;
  for (value_id v : n.outputs)
    if (v != value_id::none) parts_[number].elements += std::min(element_count(g.at(v).type), std::uint64_t{1} << 40);
}

inline void use_counts::find_scanned(const graph& g, const node& n) {
  const attribute* body = n.op == "Scan" && n.domain.empty() ? n.find("body") : nullptr;
  const attribute* count = n.find("num_scan_inputs");
  if (!body || !count) return;
  const std::vector<value_id>& inputs = g.at(std::get<block_id>(body->value)).inputs;
  const std::size_t first = inputs.size() - static_cast<std::size_t>(std::get<std::int64_t>(count->value));
  for (std::size_t i = first; i < inputs.size() && i < n.inputs.size(); ++i)
    if (n.inputs[i] != value_id::none && g.at(n.inputs[i]).constant >= 0)
      scanned_[static_cast<std::size_t>(inputs[i])] = true;
}

inline void use_counts::find_ends(const graph& g, node_id id) {
  constexpr std::size_t few = 16;
  const node& n = g.at(id);
  const attribute* axis = n.inputs.size() > few && n.op == "Concat" && n.domain.empty() ? n.find("axis") : nullptr;
  const auto* number = axis ? std::get_if<std::int64_t>(&axis->value) : nullptr;
  if (!number || *number < 0) return;
  ints ends;
  std::int64_t end = 0;
  for (value_id v : n.inputs) {
    const shape& dims = g.at(v).type.dims;
    const auto i = static_cast<std::size_t>(*number);
    if (i >= dims.size() || !dims[i].is_constant()) return;
    ends.push_back(end += dims[i].extent());
  }
  wide_concats_.emplace(id, std::move(ends));
}

inline bool use_counts::in_parts(const value& constant) const {
  const auto number = static_cast<std::size_t>(constant.owner().at(constant.id()).constant);
  if (number >= parts_.size()) return false;
  return parts_[number].count >= of(constant) && parts_[number].elements <= element_count(constant.type());
}

}  // namespace jax2onnx::rewrite
