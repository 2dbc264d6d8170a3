#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include <jaxpr/ast.hpp>

namespace jaxpr::writer {

/// Whether a group was printed on one line, where that is known.
enum class known_layout { unknown, one_line, broken };

/// What the tree does not say, read off the text it was parsed from. Trees built by hand have no such text.
class source {
 public:
  explicit source(std::string_view text) : text_(text) {}

  bool has(std::string_view part) const {
    const std::less<const char*> before;
    return !part.empty() && !before(part.data(), text_.data()) &&
           !before(text_.data() + text_.size(), part.data() + part.size());
  }

  known_layout between(std::string_view a, std::string_view b) const {
    if (!has(a) || !has(b) || std::less<const char*>{}(b.data(), a.data())) return known_layout::unknown;
    return layout_of({a.data(), static_cast<std::size_t>(b.data() - a.data())});
  }

  known_layout of(span where) const {
    if (where.begin >= where.end || where.end > text_.size()) return known_layout::unknown;
    return layout_of(text_.substr(where.begin, where.end - where.begin));
  }

  /// Literals of JAX up to 0.5 are printed without their type.
  bool untyped(const atom& a) const {
    if (!has(a.text)) return a.annotation == nullptr;
    const std::size_t end = static_cast<std::size_t>(a.text.data() - text_.data()) + a.text.size();
    return end >= text_.size() || text_[end] != ':' || a.annotation == nullptr;
  }

  /// `= primitive` without results, as JAX up to 0.4.20 prints it.
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
