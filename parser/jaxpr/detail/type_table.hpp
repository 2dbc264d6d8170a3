// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/hash.hpp>
#include <jaxpr/detail/stack.hpp>

namespace jaxpr::detail {

/// Types by spelling, in a hash table with open addressing. A model has thousands of annotations but only a few dozen
/// types.
class type_table {
 public:
  /// The type spelled `text`; null if there is none.
  const type* find(std::string_view text) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = hash(text) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (!slots_[i]) return nullptr;
      if (slots_[i]->text == text) return slots_[i];
    }
  }

  void insert(const type* t) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    place(t);
    ++count_;
    wide_ = wide_ || t->dtype == "f64" || t->dtype == "i64" || t->dtype == "u64" || t->dtype == "c128";
  }

  /// Returns whether a 64-bit type occurs, which means that the program was traced with jax_enable_x64.
  bool wide() const { return wide_; }

 private:
  void place(const type* t) {
    std::size_t i = hash(t->text) & (slots_.size() - 1);
    while (slots_[i]) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = t;
  }

  void grow() {
    const stack<const type*> old = std::move(slots_);
    slots_ = {};
    slots_.fill(old.empty() ? 64 : old.size() * 2, nullptr);
    for (const type* t : old)
      if (t) place(t);
  }

  stack<const type*> slots_;
  std::size_t count_ = 0;
  bool wide_ = false;
};

}  // namespace jaxpr::detail
