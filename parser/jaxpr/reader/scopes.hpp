// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/numbering.hpp>
#include <jaxpr/detail/stack.hpp>

namespace jaxpr::reader {

using detail::numbering;
using detail::stack;

/// A variable's name and its number in JAX's counting: a … z, ba, bb, …. Other spellings have `no_number`.
struct variable_name {
  static constexpr std::uint32_t no_number = 0xffffffff;
  std::string_view text;
  std::uint32_t number = no_number;
};

/// The variables of the bodies being read. A body sees only its own variables, so `enter` starts an empty scope.
class scopes {
 public:
  struct variable {
    std::uint32_t scope = 0;  ///< the scope that bound it; 0 for none
    std::uint32_t slot = 0;
    const type* annotation = nullptr;
  };
  struct frame {
    std::uint32_t scope = 0;
    std::uint32_t slots = 0;
    std::uint32_t dropped = 0;  ///< the number of binders named `_` so far
    variable last_dropped;
    std::size_t shadowed_numbers = 0;
    std::size_t shadowed_names = 0;
  };

  /// Variables numbered below `dense_limit` are found by index, the others by name. A text of n bytes binds fewer than
  /// n names, so a limit proportional to the text bounds the memory for hostile texts.
  void limit(std::size_t dense_limit) { dense_limit_ = dense_limit; }

  void enter() { frames_.push({++last_scope_, 0, 0, {}, shadowed_numbers_.size(), shadowed_names_.size()}); }

  void leave() {
    const frame& top = frames_.back();
    restore(dense_, shadowed_numbers_, top.shadowed_numbers);
    restore(rare_, shadowed_names_, top.shadowed_names);
    frames_.pop();
  }

  frame& top() { return frames_.back(); }

  /// The variable of this name in the innermost body; null if there is none, and for `_`.
  const variable* find(const variable_name& name) const {
    const variable* v = nullptr;
    if (name.number < dense_.size()) {
      v = &dense_[name.number];
    } else if (name.number >= dense_limit_) {
      const std::uint32_t i = names_.find(name.text);
      if (i != names_.absent) v = &rare_[i];
    }
    return v && v->scope == frames_.back().scope ? v : nullptr;
  }

  /// Binds the name to the next slot. Returns false if this body has already bound the name, unless the name is `_`.
  bool bind(const variable_name& name, const type* annotation, std::uint32_t& slot) {
    frame& top = frames_.back();
    slot = top.slots++;
    const variable fresh{top.scope, slot, annotation};
    if (name.text == "_") {
      ++top.dropped;
      top.last_dropped = fresh;
      return true;
    }
    if (name.number < dense_limit_) {
      if (name.number >= dense_.size()) widen(name.number);
      return replace(dense_, name.number, fresh, shadowed_numbers_);
    }
    const auto [number, is_new] = names_.insert(name.text);
    if (is_new) rare_.push({});
    return replace(rare_, number, fresh, shadowed_names_);
  }

 private:
  /// A variable of an outer body that a variable of an inner body hides.
  struct shadowed {
    std::uint32_t index;
    variable old;
  };

  void widen(std::uint32_t number) {
    const std::size_t needed = number + std::size_t{1}, doubled = dense_.size() * 2;
    dense_.fill(needed < doubled ? doubled : needed, {});
  }

  bool replace(stack<variable>& variables, std::uint32_t i, const variable& fresh, stack<shadowed>& hidden) {
    variable& v = variables[i];
    if (v.scope == fresh.scope) return false;
    if (frames_.size() > 1) hidden.push({i, v});
    v = fresh;
    return true;
  }

  static void restore(stack<variable>& variables, stack<shadowed>& hidden, std::size_t mark) {
    for (; hidden.size() > mark; hidden.pop()) variables[hidden.back().index] = hidden.back().old;
  }

  stack<frame> frames_;
  stack<variable> dense_;  ///< variables by number
  stack<variable> rare_;   ///< the other variables, by their number in names_
  numbering<std::string_view> names_;
  stack<shadowed> shadowed_numbers_;
  stack<shadowed> shadowed_names_;
  std::size_t dense_limit_ = 0;
  std::uint32_t last_scope_ = 0;
};

}  // namespace jaxpr::reader
