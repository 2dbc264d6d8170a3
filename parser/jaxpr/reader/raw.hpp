// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// The layout of the parameters of one equation.
enum class param_layout { one_line, one_per_line };

//= key = WORD ;                                      (* directly followed by "=", but not by "==" *)
inline const char* scan_key(const char* p, const char* last) {
  if (p == last || !is_word_start(*p)) return nullptr;
  while (p != last && is_word(*p)) ++p;
  return p != last && *p == '=' && (p + 1 == last || p[1] != '=') ? p : nullptr;
}

/// Returns whether a value may end at `p`: before `]`, or before blanks and comments that `]` or another `KEY=`
/// follows.
inline bool ends_value(const cursor& in, const char* p) {
  if (p != in.last && *p == ']') return true;
  const char* begin = p;
  while (p != in.last && is_blank(*p)) {
    while (p != in.last && is_blank(*p)) ++p;
    if (p == in.last || *p != '#') break;
    while (p != in.last && *p != '\n') ++p;
  }
  return p != in.last && p != begin && (*p == ']' || scan_key(p, in.last));
}

/// The end of the string that starts at `p`; null if it does not close on its line.
inline const char* string_end(const char* p, const char* last) {
  const char quote = *p++;
  for (; p != last && *p != '\n'; ++p) {
    if (*p == quote) return p + 1;
    if (*p == '\\' && last - p > 1) ++p;
  }
  return nullptr;
}

inline bool may_start_string(const char* begin, const char* p) {
  return p == begin || std::string_view("(, [{=:b").find(p[-1]) != std::string_view::npos;
}

/// Finds the end of free text. The end is null if a bracket in the text is not closed, or is closed by a bracket of
/// another kind. Brackets in strings do not count. Each step uses up a part of the parse's budget, so that the total
/// time of a parse is linear in the text. When the budget is used up, the end is null.
class balanced_scan {
 public:
  explicit balanced_scan(state& s) : s_(s) { s_.brackets.shrink(0); }

  /// The end of an element of a container: the next `,`, or the bracket that closes the container.
  const char* element(const char* begin) {
    for (const char* p = begin; charge(p); ++p) {
      if (s_.brackets.empty() && (*p == ',' || *p == ')' || *p == ']' || *p == '}')) return p;
      if (!step(begin, p)) return nullptr;
    }
    return nullptr;
  }

  /// The end of a parameter's value: `]`, or the blanks before `]` or another `KEY=`. If each parameter has its own
  /// line, only a `]` or `KEY=` that is first on its line ends the value. If all parameters are on one line, the end is
  /// null if the line ends before the value does.
  const char* whole(const char* begin, param_layout layout) {
    const char* line = nullptr;
    for (const char* p = begin; charge(p); ++p) {
      if (*p == '\n') line = p + 1;
      if (line && layout == param_layout::one_line) return nullptr;
      if (s_.brackets.empty()) {
        if (*p == ']' && (layout == param_layout::one_line || only_blanks(line, p))) return p;
        if (is_blank(*p)) {
          if (ends_here(p, layout)) return p;
          pass_blanks(p, line);
          continue;
        }
        if (*p == ']' || *p == ')' || *p == '}') continue;
      }
      if (!step(begin, p)) return nullptr;
    }
    return nullptr;
  }

 private:
  bool charge(const char* p) {
    if (p == s_.in.last || s_.rescan_budget == 0) return false;
    --s_.rescan_budget;
    return true;
  }

  static bool only_blanks(const char* line, const char* p) {
    if (!line) return false;
    while (line != p && *line == ' ') ++line;
    return line == p;
  }

  bool ends_here(const char* p, param_layout layout) const {
    const char* line = nullptr;
    for (; p != s_.in.last && is_blank(*p); ++p)
      if (*p == '\n') line = p + 1;
    if (p == s_.in.last || (layout == param_layout::one_per_line && !line)) return false;
    return *p == ']' || scan_key(p, s_.in.last);
  }

  /// Moves to the last of the blanks at `p`, so that a run of blanks is scanned twice instead of once for each blank.
  void pass_blanks(const char*& p, const char*& line) const {
    for (; p + 1 != s_.in.last && is_blank(p[1]); ++p)
      if (p[1] == '\n') line = p + 2;
  }

  bool step(const char* begin, const char*& p) {
    if ((*p == '\'' || *p == '"') && may_start_string(begin, p)) {
      if (const char* end = string_end(p, s_.in.last)) p = end - 1;
    } else if (*p == '(' || *p == '[' || *p == '{') {
      s_.brackets.push(closing(*p));
    } else if (*p == ')' || *p == ']' || *p == '}') {
      if (s_.brackets.empty() || s_.brackets.back() != *p) return false;
      s_.brackets.pop();
    }
    return true;
  }

  state& s_;
};

/// Returns whether the `]` at `p` may end the parameters. The `]` must be followed by operands, by another equation, or
/// by the end of the line or text.
inline bool closes_params(const cursor& in, const char* p) {
  if (++p == in.last || *p == ';' || *p == '\n' || *p == '\r') return true;
  if (*p != ' ') return false;
  return ++p == in.last || is_blank(*p) || is_word(*p) || *p == '-' || *p == '(' || *p == ';';
}

/// The end of free text with unbalanced brackets, derived from the layout; null if the layout does not show it.
inline const char* layout_end(const cursor& in, const char* begin, param_layout layout) {
  for (const char* p = begin; p != in.last; ++p) {
    if (layout == param_layout::one_line) {
      if (*p == '\n') return nullptr;
      if (*p == ']' && closes_params(in, p)) return p;
      if (*p == ' ' && scan_key(p + 1, in.last)) return p;
    } else if (*p == '\n') {
      const char* q = p + 1;
      while (q != in.last && *q == ' ') ++q;
      if (q != in.last && (*q == ']' || scan_key(q, in.last))) return p;
    }
  }
  return nullptr;
}

//= raw = TEXT ;                                       (* ends before "]" or a blank and KEY "=", outside of ( [ { *)
/// If `after_body` is true, a body inside the value has already been read. The value must then end after this body;
/// otherwise parsing fails, because reading the body again at every level of nesting would take exponential time.
inline void parse_raw(state& s, param_layout layout, bool after_body, value& v) {
  const char* begin = s.in.at;
  const bool empty = begin != s.in.last && *begin == ' ' && ends_value(s.in, begin);
  const char* end = empty ? begin : balanced_scan(s).whole(begin, layout);
  if (after_body && end && end < s.body_end) end = nullptr;
  if (!end && !after_body) end = layout_end(s.in, begin, layout);
  if (!end)
    fail_expected(s.in, "parse.expected-value", "a parameter's value followed by ']'",
                  "nothing closes the parameters: was the text cut off?");
  s.in.jump(end);
  while (end != begin && is_blank(end[-1])) --end;
  s.in.done = end;
  v = value{};
  v.text = {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace jaxpr::reader
