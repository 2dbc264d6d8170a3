// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <jaxpr/reader/state.hpp>

/// Shared jaxprs: `let NAME = { lambda … } in` before the main jaxpr, which refers to them by name.
namespace jaxpr::reader {

/// One shared body. The node of the body exists from the first mention on, because a text may use the body before its
/// `let`.
struct shared_entry {
  std::string_view name;
  jaxpr::body* body = nullptr;
  bool defined = false;
  unsigned depth = 0;  ///< the depth of nesting inside the block, without following references
};

/// One mention of a shared body.
struct shared_use {
  std::uint32_t from = 0;  ///< the index of the block that contains the mention, or main_block
  std::uint32_t to = 0;
  unsigned depth = 0;  ///< the depth of nesting of the mention inside block `from`
  span where;
};

/// The shared names of one program: the whole text, or a jaxpr inside a Python repr with its own `let` blocks.
struct shared_names {
  static constexpr std::uint32_t main_block = 0xffffffff;
  stack<shared_entry> entries;
  stack<std::uint32_t> order;  ///< the order of the definitions
  stack<shared_use> uses;
  numbering<std::string_view> index;  ///< the index of each name in `entries`
  std::uint32_t block = main_block;   ///< the index of the block that is being read, or main_block
  unsigned base_depth = 0;
};

/// NAME of `let NAME = { lambda` at the start of the text; empty if there is none, or if it is longer than about twice
/// `longest` bytes.
inline std::string_view let_name(std::string_view text, std::size_t longest) {
  if (!text.starts_with("let ")) return {};
  const std::string_view rest = text.substr(4, 2 * longest);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const std::size_t size = line.find(" = { lambda");
  return size == std::string_view::npos ? std::string_view{} : line.substr(0, size);
}

inline std::string_view scan_let(const state& s) { return let_name(s.in.rest(), s.options.max_identifier); }

/// Returns whether a `let` block may start after this text: on a new line, or as the value of an argument in a Python
/// repr.
inline bool may_precede_let(std::string_view before) {
  if (before.empty() || before.ends_with('=') || before.ends_with('(') || before.ends_with(", ")) return true;
  const std::size_t last = before.find_last_not_of(" \r\t");
  return last == std::string_view::npos || before[last] == '\n';
}

/// Orders names for std::qsort, the longest first.
inline int by_length(const void* a, const void* b) {
  const std::size_t first = static_cast<const std::string_view*>(a)->size();
  const std::size_t second = static_cast<const std::string_view*>(b)->size();
  return first > second ? -1 : first < second ? 1 : 0;
}

/// Finds the shared names of the whole text. The first `let` block is read only afterwards, because a name may contain
/// blanks, brackets and `=`, and a block may use the name of a later block.
inline void collect_names(state& s) {
  if (s.names_known) return;
  s.names_known = true;
  const std::string_view text(s.in.first, static_cast<std::size_t>(s.in.last - s.in.first));
  for (std::size_t at = text.find("let "); at != std::string_view::npos; at = text.find("let ", at + 4)) {
    if (!may_precede_let(text.substr(0, at))) continue;
    const std::string_view name = let_name(text.substr(at), s.options.max_identifier);
    if (!name.empty() && s.known_names.insert(name).is_new && !is_identifier(name)) s.odd_names.push(name);
  }
  if (!s.odd_names.empty()) std::qsort(s.odd_names.begin(), s.odd_names.size(), sizeof(std::string_view), by_length);
}

/// The shared name at the cursor that is not an identifier. Empty if there is none, or if the budget for looking ahead
/// is used up.
inline std::string_view scan_odd_name(state& s) {
  for (const std::string_view name : s.odd_names) {
    if (s.rescan_budget-- == 0) return s.rescan_budget = 0, std::string_view{};
    const char next = s.in.peek(static_cast<std::ptrdiff_t>(name.size()));
    if (s.in.on(name) && (is_blank(next) || next == ']' || next == ')')) return name;
  }
  return {};
}

/// The shared name at the cursor; empty if there is none. If `must_be_known` is false, an identifier without a `let` is
/// also a shared name.
inline std::string_view scan_reference(state& s, bool must_be_known) {
  if (const std::string_view name = scan_odd_name(s); !name.empty()) return name;
  const char* p = s.in.at;
  if (p == s.in.last || !is_word_start(*p)) return {};
  while (p != s.in.last && is_word(*p)) ++p;
  const std::string_view name(s.in.at, static_cast<std::size_t>(p - s.in.at));
  return must_be_known && !s.known_names.contains(name) ? std::string_view{} : name;
}

/// Returns the index of the entry of this name. Adds an entry if there is none.
inline std::uint32_t shared_index(state& s, std::string_view name) {
  shared_names& names = *s.names;
  const auto [number, is_new] = names.index.insert(name);
  if (is_new) names.entries.push({name, s.memory.make(body{}), false, 0});
  return number;
}

/// Makes `v` a reference to the shared body of this name, which may be defined later.
inline void refer(state& s, std::string_view name, value& v) {
  ++s.bodies;
  const std::uint32_t to = shared_index(s, name);
  s.names->uses.push({s.names->block, to, s.depth - s.names->base_depth, s.in.from(name)});
  v = value{};
  v.tag = value::kind::body;
  v.text = name;
  v.body = s.names->entries[to].body;
}

}  // namespace jaxpr::reader
