// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/arena.hpp>
#include <jaxpr/detail/numbering.hpp>
#include <jaxpr/detail/stack.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/reader/lexer/cursor.hpp>
#include <jaxpr/reader/scopes.hpp>
#include <jaxpr/reader/types.hpp>

namespace jaxpr::reader {

struct shared_names;

/// Comments are kept here until the equation to which they belong is complete.
struct comments {
  stack<std::string_view> open;     ///< comments of the equations being read, outermost first
  stack<std::string_view> late;     ///< comments after a body that was printed on one line
  equation* late_owner = nullptr;   ///< the last equation of that body
  const char* late_line = nullptr;  ///< the line on which that body ended
};

/// The last tuple, sequence or call that was read for a key. Most equations of one primitive repeat these values.
struct remembered_value {
  std::string_view key;
  value val;
};

/// The state of one parse. Nested productions share the stacks, so that nodes need no separate allocations.
struct state {
  state(std::string_view text, const parse_options& o, arena& nodes) : in(text), options(o), memory(nodes) {
    variables.limit(text.size() / 16 + 64);
    rescan_budget = 16 * text.size() + 4096;
  }

  cursor in;
  const parse_options& options;
  arena& memory;
  type_table types;
  scopes variables;
  shared_names* names = nullptr;
  comments remarks;
  const type* last_type = nullptr;
  stack<std::string_view> odd_names;  ///< shared names that are not identifiers, longest first
  numbering<std::string_view> known_names;
  bool names_known = false;
  bool needs_inference = false;  ///< true if a literal has no type or the variable of a `_` is unknown
  unsigned depth = 0;
  unsigned deepest = 0;
  std::size_t bodies = 0;          ///< the number of bodies read so far, in place or by name
  const char* body_end = nullptr;  ///< the end of the last body read; bodies before it are not read again
  std::size_t rescan_budget = 0;   ///< steps left for looking ahead in free text
  std::array<remembered_value, 64> remembered{};
  stack<binder> binders;
  stack<atom> atoms;
  stack<value> values;
  stack<keyword_value> keywords;
  stack<param> params;
  stack<equation> equations;
  stack<extent> extents;
  stack<std::string_view> strings;
  stack<char> brackets;
};

/// Fails because the text nests deeper than the limit.
[[noreturn]] inline void fail_depth(const state& s, span where, std::string_view how = {}) {
  fail("parse.limit-depth", where,
       concat({"expected at most ", std::to_string(s.options.max_depth), " levels of nesting, found more", how}),
       "JAX rarely prints so many levels; a program that uses the parser can raise parse_options::max_depth");
}

/// Counts one level of nesting during its lifetime.
class nested {
 public:
  explicit nested(state& s) : s_(s) {
    if (s.depth >= s.options.max_depth) fail_depth(s, s.in.from(s.in.at, s.in.at + (s.in.ended() ? 0 : 1)));
    if (++s.depth > s.deepest) s.deepest = s.depth;
  }
  nested(const nested&) = delete;
  nested& operator=(const nested&) = delete;
  ~nested() { --s_.depth; }

 private:
  state& s_;
};

inline const type* parse_type(state& s) {
  return parse_type({s.in, s.memory, s.types, s.extents, s.options}, s.last_type);
}

}  // namespace jaxpr::reader
