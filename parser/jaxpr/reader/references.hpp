// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <jaxpr/detail/order.hpp>
#include <jaxpr/detail/stack.hpp>
#include <jaxpr/reader/names.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// Checks that each name is defined, that no body contains itself, and that bodies do not nest too deeply through
/// references. The check follows the references with an explicit stack instead of recursion.
class reference_check {
 public:
  reference_check(const state& s, const shared_names& names, unsigned main_depth) : s_(s), names_(names) {
    for (const shared_entry& entry : names.entries) blocks_.push({no_use, entry.depth, progress::unseen});
    blocks_.push({no_use, main_depth, progress::unseen});
    later_.fill(names.uses.size(), no_use);
    for (std::size_t i = names.uses.size(); i-- > 0;) {
      const std::uint32_t from = names.uses[i].from;
      block& user = from == shared_names::main_block ? blocks_.back() : blocks_[from];
      later_[i] = user.next;
      user.next = static_cast<std::uint32_t>(i);
    }
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
  static constexpr std::uint32_t no_use = 0xffffffff;
  enum class progress { unseen, open, done };
  struct block {
    std::uint32_t next;  ///< index of the next use to follow
    unsigned depth;      ///< the depth of nesting, as far as the uses have been followed
    reference_check::progress progress;
  };

  void open(std::size_t i) {
    blocks_[i].progress = progress::open;
    path_.push(i);
  }

  void follow(std::size_t root) {
    open(root);
    while (!path_.empty()) {
      block& top = blocks_[path_.back()];
      if (top.next != no_use) {
        pass(top, names_.uses[top.next]);
      } else {
        top.progress = progress::done;
        path_.pop();
      }
    }
  }

  /// If the depth of the used block is known, updates the depth of `user`; otherwise visits the used block first.
  void pass(block& user, const shared_use& use) {
    const block& used = blocks_[use.to];
    if (used.progress == progress::open)
      fail("parse.recursive-jaxpr", use.where,
           concat({"expected a jaxpr that does not contain this one, found '", names_.entries[use.to].name, "'"}));
    if (used.progress == progress::unseen) return open(use.to);
    user.depth = detail::greatest(user.depth, use.depth + used.depth);
    if (user.depth > s_.options.max_depth) fail_depth(s_, use.where, " through shared jaxprs");
    user.next = later_[user.next];
  }

  const state& s_;
  const shared_names& names_;
  stack<block> blocks_;         ///< the blocks of the entries, then the main block
  stack<std::uint32_t> later_;  ///< for each use, the next use in the same block
  stack<std::size_t> path_;
};

}  // namespace jaxpr::reader
