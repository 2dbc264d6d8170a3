// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/numbering.hpp>
#include <jaxpr/detail/stack.hpp>

namespace jaxpr::detail {

constexpr std::uint32_t no_slot = 0xffffffff;

/// The variables of a body that are named `_`. A read of `_` refers to one of these variables.
class dropped_binders {
 public:
  explicit dropped_binders(const body& j) {
    add(j.constvars);
    add(j.invars);
    for (const equation& e : j.equations) add(e.outs);
  }

  /// The only variable `_` that is bound before slot `end` and has this type; null if there are several or none.
  const binder* of_type(const type* t, std::uint32_t end = no_slot) const {
    return only(types_.find(t), by_type_, end);
  }
  /// The only variable `_` that is bound before slot `end` and has this dtype; null if there are several or none.
  const binder* of_dtype(std::string_view dtype, std::uint32_t end) const {
    return only(dtypes_.find(dtype), by_dtype_, end);
  }
  /// The number of variables `_` that are bound before slot `end`.
  std::size_t count(std::uint32_t end) const {
    std::size_t n = 0;
    while (n < all_.size() && all_[n]->slot < end) ++n;
    return n;
  }
  /// All variables `_`, in the order of their slots.
  const stack<const binder*>& all() const { return all_; }

 private:
  /// The first two variables of a type or dtype. Further variables would not change any answer.
  struct first_two {
    const binder* first = nullptr;
    const binder* second = nullptr;
  };

  void add(list<binder> binders) {
    for (const binder& b : binders)
      if (b.name == "_") {
        all_.push(&b);
        note(types_.insert(b.annotation), by_type_, b);
        if (b.annotation) note(dtypes_.insert(b.annotation->dtype), by_dtype_, b);
      }
  }

  static void note(const auto& at, stack<first_two>& found, const binder& b) {
    if (at.is_new) found.push({&b, nullptr});
    else if (!found[at.number].second) found[at.number].second = &b;
  }

  static const binder* only(std::uint32_t number, const stack<first_two>& found, std::uint32_t end) {
    if (number >= found.size()) return nullptr;
    const first_two& f = found[number];
    return f.first->slot < end && (!f.second || f.second->slot >= end) ? f.first : nullptr;
  }

  stack<const binder*> all_;
  numbering<const void*> types_;
  numbering<std::string_view> dtypes_;
  stack<first_two> by_type_, by_dtype_;
};

}  // namespace jaxpr::detail
