#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <jaxpr/reader/names.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// Checks that each name is defined, that no body contains itself, and that bodies do not nest too deep through
/// references. Follows the references with a stack of its own instead of recursion.
class reference_check {
 public:
  reference_check(const state& s, const shared_names& names, unsigned main_depth)
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
             concat({"expected the name of a shared jaxpr, found '", names_.entries[use.to].name, "'"}),
             "the text has no 'let NAME = { lambda … } in' for this name");
    for (std::size_t root = 0; root < blocks_.size(); ++root)
      if (blocks_[root].progress == progress::unseen) follow(root);
  }

 private:
  enum class progress { unseen, open, done };
  struct block {
    std::vector<const shared_use*> uses;
    std::size_t next = 0;  ///< index of the next use to follow
    unsigned depth = 0;    ///< of nesting, as far as the uses have been followed
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

  /// Adds the depth of the used block if it is known, otherwise goes to that block first.
  void pass(block& user, const shared_use& use) {
    const block& used = blocks_[use.to];
    if (used.progress == progress::open)
      fail("parse.recursive-jaxpr", use.where,
           concat({"expected a jaxpr that does not contain this one, found '", names_.entries[use.to].name, "'"}));
    if (used.progress == progress::unseen) return open(use.to);
    user.depth = std::max(user.depth, use.depth + used.depth);
    if (user.depth > s_.options.max_depth) fail_depth(s_, use.where, " through shared jaxprs");
    ++user.next;
  }

  const state& s_;
  const shared_names& names_;
  std::vector<block> blocks_;
  std::vector<std::size_t> path_;
};

}  // namespace jaxpr::reader
