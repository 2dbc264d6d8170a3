#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/reader/arena.hpp>
#include <jaxpr/reader/cursor.hpp>
#include <jaxpr/reader/scopes.hpp>
#include <jaxpr/reader/types.hpp>

namespace jaxpr::reader {

/// A jaxpr referred to by name. The node exists from the first mention on, so that a use may stand before the `let`.
struct shared_entry {
  std::string_view name;
  jaxpr* body = nullptr;
  bool defined = false;
  unsigned depth = 0;  ///< how deep the block nests in itself
};

/// One mention of a shared jaxpr, for the check that they do not contain each other.
struct shared_use {
  std::uint32_t from = 0;  ///< index of the block it stands in; `entries.size()` at the end for the main jaxpr
  std::uint32_t to = 0;
  unsigned depth = 0;  ///< of the place it stands at
  span where;
};

/// The names in force in one program: the whole text, or a jaxpr with blocks of its own inside of a Python repr.
struct program {
  static constexpr std::uint32_t main_block = 0xffffffff;
  std::vector<shared_entry> entries;
  std::vector<std::uint32_t> order;  ///< of the definitions
  std::vector<shared_use> uses;
  std::unordered_map<std::string_view, std::uint32_t> index;
  std::uint32_t block = main_block;  ///< being read
  unsigned base_depth = 0;
};

/// Comments are kept back until the equation they belong to is complete.
struct comments {
  std::vector<std::string_view> open;  ///< of the equations being read, outermost first
  std::vector<std::string_view> late;  ///< behind a jaxpr that was printed on one line
  equation* late_owner = nullptr;      ///< the last equation of that jaxpr
  const char* late_line = nullptr;     ///< the line it ended on
};

/// The last value of a parameter: equations of one primitive mostly repeat theirs.
struct remembered_value {
  std::string_view key;
  value val;
};

/// Equations of a body while it is read; a long text has most of its bytes there.
using equation_stack = std::vector<equation, page_allocator<equation>>;

/// Everything one parse holds. The vectors are stacks that nested readers share, so that no node costs an allocation.
struct state {
  state(std::string_view text, const parse_options& o, arena& a, std::vector<equation_stack>& kept)
      : in{text.data(), text.data(), text.data() + text.size(), text.data(), text.data()},
        options(o),
        memory(a),
        kept_equations(kept) {
    variables.limit(text.size() / 16 + 64);
    rescan_budget = 16 * text.size() + 4096;
  }

  cursor in;
  const parse_options& options;
  arena& memory;
  type_table types;
  scopes variables;
  program* names = nullptr;
  comments remarks;
  const type* last_type = nullptr;
  std::vector<std::string_view> odd_names;  ///< shared names that are not identifiers, longest first
  std::unordered_set<std::string_view> known_names;
  bool names_known = false;
  bool needs_inference = false;  ///< untyped literals or results without a variable
  unsigned depth = 0;
  unsigned deepest = 0;
  std::size_t bodies = 0;          ///< jaxprs met, in place or by name
  const char* body_end = nullptr;  ///< of the last jaxpr read; what lies before is never read as one again
  std::size_t rescan_budget = 0;   ///< steps that may be spent on looking ahead in text of no known form
  std::array<remembered_value, 64> remembered{};
  std::vector<binder> binders;
  std::vector<atom> atoms;
  std::vector<value> values;
  std::vector<keyword_value> keywords;
  std::vector<param> params;
  equation_stack equations;
  std::vector<equation_stack>& kept_equations;  ///< of large bodies, which stay where they grew
  std::vector<extent> extents;
  std::vector<std::string_view> strings;
  std::vector<char> brackets;
};

/// Counts one level of nesting for as long as it lives.
class nested {
 public:
  explicit nested(state& s) : s_(s) {
    if (s.depth >= s.options.max_depth)
      fail("parse.limit-depth", s.in.from(s.in.at, s.in.at + (s.in.ended() ? 0 : 1)),
           fmt::format("expected at most {} levels of nesting, found more", s.options.max_depth),
           "raise parse_options::max_depth if the text is to be trusted");
    if (++s.depth > s.deepest) s.deepest = s.depth;
  }
  nested(const nested&) = delete;
  nested& operator=(const nested&) = delete;
  ~nested() { --s_.depth; }

 private:
  state& s_;
};

/// Joins comment lines since `mark` with line breaks.
inline std::string_view join_lines(state& s, std::vector<std::string_view>& lines, std::size_t mark) {
  if (lines.size() == mark) return {};
  std::string_view joined = lines[mark];
  if (lines.size() - mark > 1) {
    std::string text(joined);
    for (std::size_t i = mark + 1; i < lines.size(); ++i) text.append("\n").append(lines[i]);
    joined = s.memory.copy(std::string_view(text));
  }
  lines.resize(mark);
  return joined;
}

/// Hands the comments behind a one-line jaxpr to its last equation.
inline void settle_comments(state& s) {
  if (!s.remarks.late.empty() && s.remarks.late_owner) {
    if (!s.remarks.late_owner->annotation.empty())
      s.remarks.late.insert(s.remarks.late.begin(), s.remarks.late_owner->annotation);
    s.remarks.late_owner->annotation = join_lines(s, s.remarks.late, 0);
  }
  s.remarks.late.clear();
  s.remarks.late_owner = nullptr;
}

//= comment = "#" TEXT-to-the-end-of-the-line ;    (* source_info and name_stack, kept on the equation *)
inline void read_comment(state& s, std::vector<std::string_view>& lines) {
  const char* begin = s.in.at + 1;
  const void* found_end = std::memchr(s.in.at, '\n', static_cast<std::size_t>(s.in.last - s.in.at));
  const char* end = found_end ? static_cast<const char*>(found_end) : s.in.last;
  s.in.at = end;
  while (begin != end && *begin == ' ') ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  lines.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

/// Where reading may start over when what follows turns out to be free text.
class checkpoint {
 public:
  explicit checkpoint(const state& s)
      : in_(s.in),
        values_(s.values.size()),
        keywords_(s.keywords.size()),
        bodies_(s.bodies),
        open_(s.remarks.open.size()),
        late_(s.remarks.late.size()),
        late_owner_(s.remarks.late_owner) {}

  const char* begin() const { return in_.at; }
  /// Whether a jaxpr has been met since.
  bool passed_body(const state& s) const { return bodies_ != s.bodies; }

  void restore(state& s) const {
    s.in = in_;
    s.values.resize(values_);
    s.keywords.resize(keywords_);
    s.remarks.open.resize(open_);
    const bool settled = s.remarks.late_owner != late_owner_ || s.remarks.late.size() < late_;
    s.remarks.late.resize(settled ? 0 : late_);
    if (settled) s.remarks.late_owner = nullptr;
  }

 private:
  cursor in_;
  std::size_t values_, keywords_, bodies_, open_, late_;
  const equation* late_owner_;
};

/// Passes blanks and comments; true when a line ended among them.
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

inline const type* parse_type(state& s) {
  return parse_type({s.in, s.memory, s.types, s.extents, s.options}, s.last_type);
}

}  // namespace jaxpr::reader
