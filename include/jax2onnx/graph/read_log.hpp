// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jax2onnx {

enum class value_id : std::uint32_t;  // defined in graph.hpp

/// The parts of a graph that a computation has read. A node counts as read if one of its results has been read.
class read_log {
 public:
  /// An aspect of a value: `record` is its record and the node that makes it, `uses` is the number of its uses.
  enum class aspect : std::uint8_t { record, uses };
  /// An aspect of a value.
  struct key {
    std::uint32_t number;  ///< twice the value's id, plus the aspect's number
    /// The key of aspect `a` of `v`.
    key(value_id v, aspect a) : number(static_cast<std::uint32_t>(v) * 2 + static_cast<std::uint32_t>(a)) {}
  };

  /// Forgets what was read.
  void start() {
    reads_.clear();
    blocks_ = false;
    ++now_;
  }
  /// Notes that an aspect of a value was read.
  void note(key k) {
    if (k.number >= keys_ || seen_[k.number] != now_) note_first(k);
  }
  /// Notes that the nodes, inputs or outputs of a block were read.
  void note_block() { blocks_ = true; }
  /// The aspects of values that were read, each aspect once.
  std::span<const key> reads() const { return reads_; }
  /// True if the nodes, inputs or outputs of any block were read.
  bool has_blocks() const { return blocks_; }

 private:
  void note_first(key k);

  std::vector<std::uint32_t> seen_;  // for each key, the number of the computation that read it last
  std::uint32_t keys_ = 0;           // the size of seen_
  std::uint32_t now_ = 0;
  std::vector<key> reads_;
  bool blocks_ = false;
};

}  // namespace jax2onnx
