#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/reader/chars.hpp>

namespace jaxpr::reader {

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
    std::uint32_t dropped = 0;  ///< how many binders are named `_` so far
    variable last_dropped;
    std::size_t shadowed_numbers = 0;
    std::size_t shadowed_texts = 0;
  };

  /// Variables numbered below `dense_limit` are found by index, the others by name. A text of n bytes binds fewer than n
  /// names, so a limit in proportion to the text bounds the memory of hostile texts.
  void limit(std::size_t dense_limit) { dense_limit_ = dense_limit; }

  void enter() { frames_.push_back({++last_scope_, 0, 0, {}, shadowed_numbers_.size(), shadowed_texts_.size()}); }

  void leave() {
    const frame& top = frames_.back();
    for (; shadowed_numbers_.size() > top.shadowed_numbers; shadowed_numbers_.pop_back())
      dense_[shadowed_numbers_.back().first] = shadowed_numbers_.back().second;
    for (; shadowed_texts_.size() > top.shadowed_texts; shadowed_texts_.pop_back())
      rare_[shadowed_texts_.back().first] = shadowed_texts_.back().second;
    frames_.pop_back();
  }

  frame& top() { return frames_.back(); }

  /// The variable of this name in the innermost body; null if there is none.
  const variable* find(const variable_name& name) const {
    const variable* v = nullptr;
    if (name.number < dense_.size()) {
      v = &dense_[name.number];
    } else if (name.number >= dense_limit_) {
      const auto it = rare_.find(name.text);
      if (it != rare_.end()) v = &it->second;
    }
    return v && v->scope == frames_.back().scope ? v : nullptr;
  }

  /// Binds the name to the next slot; false if this body has already bound it.
  bool bind(const variable_name& name, const type* annotation, std::uint32_t& slot) {
    frame& top = frames_.back();
    slot = top.slots++;
    const variable fresh{top.scope, slot, annotation};
    if (name.text == "_") {
      ++top.dropped;
      top.last_dropped = fresh;
      return true;
    }
    variable& v = entry(name);
    if (v.scope == top.scope) return false;
    if (frames_.size() > 1) shadow(name, v);
    v = fresh;
    return true;
  }

 private:
  variable& entry(const variable_name& name) {
    if (name.number >= dense_limit_) return rare_[name.text];
    if (name.number >= dense_.size())
      dense_.resize(std::max<std::size_t>(name.number + std::size_t{1}, dense_.size() * 2));
    return dense_[name.number];
  }

  void shadow(const variable_name& name, const variable& old) {
    if (name.number >= dense_limit_) shadowed_texts_.emplace_back(name.text, old);
    else shadowed_numbers_.emplace_back(name.number, old);
  }

  std::vector<frame> frames_;
  std::vector<variable> dense_;
  std::unordered_map<std::string_view, variable> rare_;
  std::vector<std::pair<std::uint32_t, variable>> shadowed_numbers_;
  std::vector<std::pair<std::string_view, variable>> shadowed_texts_;
  std::size_t dense_limit_ = 0;
  std::uint32_t last_scope_ = 0;
};

}  // namespace jaxpr::reader
