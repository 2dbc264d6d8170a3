// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <jaxpr/detail/hash.hpp>
#include <jaxpr/detail/stack.hpp>

namespace jaxpr::detail {

/// Numbers distinct keys 0, 1, 2, … in the order of their first insertion: a hash table with open addressing. Data
/// about the keys is kept in separate stacks, indexed by these numbers.
template <class Key>
class numbering {
 public:
  static constexpr std::uint32_t absent = 0xffffffff;
  struct inserted {
    std::uint32_t number;
    bool is_new;
  };

  std::size_t size() const { return keys_.size(); }

  /// The number of the key; `absent` if it has not been inserted.
  std::uint32_t find(Key key) const { return slots_.empty() ? absent : slots_[slot_of(key)]; }
  bool contains(Key key) const { return find(key) != absent; }

  inserted insert(Key key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    std::uint32_t& number = slots_[slot_of(key)];
    if (number != absent) return {number, false};
    number = static_cast<std::uint32_t>(keys_.size());
    keys_.push(key);
    return {number, true};
  }

 private:
  /// The slot that holds the key; if there is none, the free slot in which to insert the key.
  std::size_t slot_of(Key key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t i = hash(key) & last;
    while (slots_[i] != absent && !(keys_[slots_[i]] == key)) i = (i + 1) & last;
    return i;
  }

  void grow() {
    const std::size_t size = slots_.empty() ? 16 : 2 * slots_.size();
    slots_.shrink(0);
    slots_.fill(size, absent);
    for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
  }

  stack<Key> keys_;
  stack<std::uint32_t> slots_;
};

}  // namespace jaxpr::detail
