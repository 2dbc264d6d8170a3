#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/reader/body.hpp>

namespace jaxpr::reader {

/// NAME of `let NAME = { lambda` at the start of the text, empty when there is none of at most about `longest` bytes.
inline std::string_view let_name(std::string_view text, std::size_t longest) {
  if (!text.starts_with("let ")) return {};
  const std::string_view rest = text.substr(4, 2 * longest);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const std::size_t size = line.find(" = { lambda");
  return size == std::string_view::npos ? std::string_view{} : line.substr(0, size);
}

inline std::string_view scan_let(const state& s) {
  return let_name({s.in.at, static_cast<std::size_t>(s.in.last - s.in.at)}, s.options.max_identifier);
}

/// A `let` block starts its line, or is the value of a Python repr's argument.
inline bool may_precede_let(std::string_view before) {
  if (before.empty() || before.ends_with('=') || before.ends_with('(') || before.ends_with(", ")) return true;
  const std::size_t last = before.find_last_not_of(" \r\t");
  return last == std::string_view::npos || before[last] == '\n';
}

/// Finds the shared names ahead of reading, for they may hold blanks, brackets and `=`, and be used before their `let`.
inline void collect_names(state& s) {
  if (s.names_known) return;
  s.names_known = true;
  const std::string_view text(s.in.first, static_cast<std::size_t>(s.in.last - s.in.first));
  for (std::size_t at = text.find("let "); at != std::string_view::npos; at = text.find("let ", at + 4)) {
    if (!may_precede_let(text.substr(0, at))) continue;
    const std::string_view name = let_name(text.substr(at), s.options.max_identifier);
    if (!name.empty() && s.known_names.insert(name).second && !is_identifier(name)) s.odd_names.push_back(name);
  }
  std::ranges::stable_sort(s.odd_names, std::ranges::greater{}, &std::string_view::size);
}

/// The shared name at the cursor that is no identifier, empty when there is none.
inline std::string_view scan_odd_name(state& s) {
  for (const std::string_view name : s.odd_names) {
    if (s.rescan_budget-- == 0) return s.rescan_budget = 0, std::string_view{};
    const char next = s.in.peek(static_cast<std::ptrdiff_t>(name.size()));
    if (s.in.on(name) && (is_blank(next) || next == ']' || next == ')')) return name;
  }
  return {};
}

/// The shared name at the cursor, empty when there is none.
inline std::string_view scan_reference(state& s, bool must_be_known) {
  if (const std::string_view name = scan_odd_name(s); !name.empty()) return name;
  const char* p = s.in.at;
  if (p == s.in.last || !is_word_start(*p)) return {};
  while (p != s.in.last && is_word(*p)) ++p;
  const std::string_view name(s.in.at, static_cast<std::size_t>(p - s.in.at));
  return must_be_known && !s.known_names.contains(name) ? std::string_view{} : name;
}

inline std::uint32_t shared_index(state& s, std::string_view name) {
  program& names = *s.names;
  const auto [it, added] = names.index.try_emplace(name, static_cast<std::uint32_t>(names.entries.size()));
  if (added) names.entries.push_back({name, s.memory.make(jaxpr{}), false, 0});
  return it->second;
}

/// Makes `v` the shared jaxpr of this name, which may be defined later.
inline void refer(state& s, std::string_view name, value& v) {
  ++s.bodies;
  const std::uint32_t to = shared_index(s, name);
  const char* begin = name.data();
  s.names->uses.push_back({s.names->block, to, s.depth - s.names->base_depth, s.in.from(begin, begin + name.size())});
  v = value{};
  v.tag = value::kind::body;
  v.text = name;
  v.body = s.names->entries[to].body;
}

//= shared = "let" NAME "=" jaxpr "in" WS ;            (* since JAX 0.4.25.  NAME: any text up to " = { lambda" *)
inline void parse_shared(state& s) {
  collect_names(s);
  const std::string_view name = scan_let(s);
  s.in.advance(4);
  const char* begin = s.in.at;
  const std::size_t size = name.size();
  if (name.empty())
    fail_expected(s.in, "parse.expected-jaxpr", "'NAME = { lambda' after 'let'",
                  "shared jaxprs read let NAME = { lambda … } in");
  if (size > s.options.max_identifier)
    fail("parse.limit-identifier", s.in.from(begin, begin + size),
         fmt::format("expected a name of at most {} bytes, found {}", s.options.max_identifier, size));
  const std::uint32_t index = shared_index(s, name);
  if (s.names->entries[index].defined)
    fail("parse.duplicate-jaxpr", s.in.from(begin, begin + size),
         fmt::format("expected a new name, found '{}' which names an earlier jaxpr", name));
  s.in.advance(static_cast<std::ptrdiff_t>(size) + 3);
  s.names->block = index;
  s.names->order.push_back(index);
  const unsigned outer_deepest = s.deepest;
  s.deepest = s.depth;
  parse_jaxpr(s, *s.names->entries[index].body);
  s.names->entries[index].depth = s.deepest - s.depth;
  s.names->entries[index].defined = true;
  s.deepest = std::max(outer_deepest, s.deepest);
  s.names->block = program::main_block;
  skip(s);
  expect(s.in, "in", fmt::format("after the shared jaxpr '{}'", name));
  skip(s);
}

/// Checks that every name is defined and that no jaxpr contains itself; follows references without recursion.
class reference_check {
 public:
  reference_check(const state& s, const program& names, unsigned main_depth)
      : s_(s), names_(names), blocks_(names.entries.size() + 1) {
    for (std::size_t i = 0; i < names.entries.size(); ++i) blocks_[i].depth = names.entries[i].depth;
    blocks_.back().depth = main_depth;
    for (const shared_use& use : names.uses)
      blocks_[std::min<std::size_t>(use.from, names.entries.size())].uses.push_back(&use);
  }

  void run() {
    for (const shared_use& use : names_.uses)
      if (!names_.entries[use.to].defined)
        fail("parse.unknown-jaxpr", use.where,
             fmt::format("expected the name of a shared jaxpr, found '{}'", names_.entries[use.to].name),
             "no 'let NAME = { lambda … } in' of the text defines it");
    for (std::size_t root = 0; root < blocks_.size(); ++root)
      if (blocks_[root].progress == progress::unseen) follow(root);
  }

 private:
  enum class progress { unseen, open, done };
  struct block {
    std::vector<const shared_use*> uses;
    std::size_t next = 0;  ///< of the uses to follow
    unsigned depth = 0;    ///< how deep it nests, as far as its uses have been followed
    reference_check::progress progress = progress::unseen;
  };

  void open(std::size_t i) {
    blocks_[i].progress = progress::open;
    path_.push_back(i);
  }

  void follow(std::size_t root) {
    open(root);
    while (!path_.empty()) {
      block& top = blocks_[path_.back()];
      if (top.next != top.uses.size()) {
        pass(top, *top.uses[top.next]);
      } else {
        top.progress = progress::done;
        path_.pop_back();
      }
    }
  }

  /// Adds the depth of what is used once that is known, else goes there first.
  void pass(block& user, const shared_use& use) {
    const block& used = blocks_[use.to];
    if (used.progress == progress::open)
      fail("parse.recursive-jaxpr", use.where,
           fmt::format("expected a jaxpr that does not contain this one, found '{}'", names_.entries[use.to].name));
    if (used.progress == progress::unseen) return open(use.to);
    user.depth = std::max(user.depth, use.depth + used.depth);
    if (user.depth > s_.options.max_depth)
      fail(
          "parse.limit-depth", use.where,
          fmt::format("expected at most {} levels of nesting, found more through shared jaxprs", s_.options.max_depth));
    ++user.next;
  }

  const state& s_;
  const program& names_;
  std::vector<block> blocks_;
  std::vector<std::size_t> path_;
};

/// Nobody drops the main jaxpr's results, so each must be known.
inline void check_main_results(const state& s, const jaxpr& main) {
  for (const atom& result : main.results)
    if (result.is_dropped()) fail_ambiguous(s, result.text, "several");
}

//= program = { shared } jaxpr ;
inline jaxpr* parse_program(state& s) {
  const nested level(s);
  program names;
  names.base_depth = s.depth;
  program* const outer = std::exchange(s.names, &names);
  while (s.in.on("let ")) parse_shared(s);
  const unsigned outer_deepest = std::exchange(s.deepest, s.depth);
  jaxpr* main = s.memory.make(jaxpr{});
  parse_jaxpr(s, *main);
  reference_check(s, names, s.deepest - s.depth).run();
  s.deepest = std::max(outer_deepest, s.deepest);
  std::vector<shared_jaxpr> shared;
  for (const std::uint32_t i : names.order) shared.push_back({names.entries[i].name, names.entries[i].body});
  main->shared = s.memory.copy(shared.data(), shared.size());
  s.names = outer;
  return main;
}

}  // namespace jaxpr::reader
