// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/ast.hpp>

namespace jaxpr::writer {

/// The layout of a group in the source, if it is known.
enum class known_layout { unknown, one_line, broken };

/// The layout of the text that a tree was parsed from; the tree itself does not record it. The text is empty for trees
/// built by hand.
class source {
 public:
  explicit source(std::string_view text) : text_(text) {}

  bool has(std::string_view part) const { return !part.empty() && is_part_of(part, text_); }

  /// The layout of the text from the start of `a` to the start of `b`.
  known_layout between(std::string_view a, std::string_view b) const {
    if (!has(a) || !has(b) || b.data() < a.data()) return known_layout::unknown;
    return layout_of({a.data(), static_cast<std::size_t>(b.data() - a.data())});
  }

  known_layout of(span where) const {
    if (where.begin >= where.end || where.end > text_.size()) return known_layout::unknown;
    return layout_of(text_.substr(where.begin, where.end - where.begin));
  }

  /// Returns whether the literal is printed without its type, as JAX up to 0.5 does.
  bool untyped(const atom& a) const {
    if (!has(a.text)) return a.annotation == nullptr;
    const std::size_t end = static_cast<std::size_t>(a.text.data() - text_.data()) + a.text.size();
    return end >= text_.size() || text_[end] != ':' || a.annotation == nullptr;
  }

  /// Returns whether an equation without results is printed as `= primitive`, as JAX up to 0.4.20 does.
  bool bare_equals(const equation& e) const {
    return e.outs.empty() && has(e.primitive) && e.where.begin < text_.size() && text_[e.where.begin] == '=';
  }

 private:
  static known_layout layout_of(std::string_view part) {
    return part.find('\n') == std::string_view::npos ? known_layout::one_line : known_layout::broken;
  }

  std::string_view text_;
};

}  // namespace jaxpr::writer
