// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// Joins the lines since `mark` with line breaks and removes them from the stack.
inline std::string_view join_lines(state& s, stack<std::string_view>& lines, std::size_t mark) {
  if (lines.size() == mark) return {};
  std::string_view joined = lines[mark];
  if (lines.size() - mark > 1) {
    std::string text(joined);
    for (std::size_t i = mark + 1; i < lines.size(); ++i) text.append("\n").append(lines[i]);
    joined = s.memory.copy(std::string_view(text));
  }
  lines.shrink(mark);
  return joined;
}

/// Gives the comments after a one-line body to the last equation of that body.
inline void settle_comments(state& s) {
  if (!s.remarks.late.empty() && s.remarks.late_owner) {
    const std::string_view before = s.remarks.late_owner->annotation;
    const std::string_view late = join_lines(s, s.remarks.late, 0);
    s.remarks.late_owner->annotation =
        before.empty() ? late : s.memory.copy(std::string_view(concat({before, "\n", late})));
  }
  s.remarks.late.shrink(0);
  s.remarks.late_owner = nullptr;
}

//= comment = "#" TEXT-to-the-end-of-the-line ;    (* source_info and name_stack, kept on the equation *)
inline void read_comment(state& s, stack<std::string_view>& lines) {
  const char* begin = s.in.at + 1;
  const void* found_end = std::memchr(s.in.at, '\n', static_cast<std::size_t>(s.in.last - s.in.at));
  const char* end = found_end ? static_cast<const char*>(found_end) : s.in.last;
  s.in.at = end;
  while (begin != end && *begin == ' ') ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  lines.push({begin, static_cast<std::size_t>(end - begin)});
}

/// Skips blanks and comments. Returns whether a line ended among the blanks and comments.
inline bool skip(state& s) {
  bool crossed = s.in.skip_blanks();
  if (!s.in.on('#')) return crossed;
  const bool late = s.remarks.late_owner && s.remarks.late_line == s.in.line;
  while (s.in.on('#')) {
    read_comment(s, late ? s.remarks.late : s.remarks.open);
    crossed = s.in.skip_blanks() || crossed;
  }
  return crossed;
}

}  // namespace jaxpr::reader
