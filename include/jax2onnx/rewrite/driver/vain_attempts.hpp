// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jax2onnx/graph/chunked_vector.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/read_log.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

namespace jax2onnx::rewrite::detail {

/// Nodes at which rules were tried in vain. The result of a rule depends only on what the rule reads. A rule need not
/// be tried again at a node until something that the rule has read changes.
class vain_attempts {
 public:
  /// True if no rule up to this stage can apply at the node.
  bool covers(node_id n, stage s) const { return tried(n) > static_cast<std::uint8_t>(s); }
  /// Records that the rules up to stage `last` were tried at `n` in vain, and have read `reads`.
  void add(node_id n, stage last, std::span<const read_log::key> reads);
  /// Lets rules be tried again at the nodes where they have read `changed`.
  void forget(read_log::key changed);

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  /// A node whose rules have read a key. Each key has a list of links.
  struct link {
    node_id reader = node_id::none;
    std::uint32_t next = none;
  };

  std::uint8_t tried(node_id n) const {
    return static_cast<std::size_t>(n) < tried_.size() ? tried_[static_cast<std::size_t>(n)] : 0;
  }
  void add_reader(read_log::key k, node_id n);

  std::vector<std::uint8_t> tried_;   // for each node, the number of stages that were tried
  std::vector<std::uint32_t> first_;  // for each key, the first link of its list
  jax2onnx::detail::chunked_vector<link> links_;
  std::uint32_t free_ = none;  // the first of the links that are in no list
};

inline void vain_attempts::add(node_id n, stage last, std::span<const read_log::key> reads) {
  const auto i = static_cast<std::size_t>(n);
  if (i >= tried_.size()) tried_.resize(i + 1);
  tried_[i] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(last) + 1);
  for (const read_log::key k : reads) add_reader(k, n);
}

inline void vain_attempts::add_reader(read_log::key k, node_id n) {
  if (k.number >= first_.size()) first_.resize(k.number + 1, none);
  std::uint32_t& first = first_[k.number];
  if (first != none && links_[first].reader == n) return;
  std::uint32_t added = free_;
  if (added == none) {
    added = static_cast<std::uint32_t>(links_.size());
    links_.push_back({});
  } else {
    free_ = links_[added].next;
  }
  links_[added] = {n, first};
  first = added;
}

inline void vain_attempts::forget(read_log::key changed) {
  if (changed.number >= first_.size()) return;
  for (std::uint32_t i = first_[changed.number]; i != none;) {
    tried_[static_cast<std::size_t>(links_[i].reader)] = 0;
    const std::uint32_t next = links_[i].next;
    links_[i].next = free_;
    free_ = i;
    i = next;
  }
  first_[changed.number] = none;
}

}  // namespace jax2onnx::rewrite::detail
