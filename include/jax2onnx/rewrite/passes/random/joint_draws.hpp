// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/canonical_order.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Random numbers that do not depend on each other are drawn together: calls of threefry2x32 of a block become one call
/// of all their words, since a node costs the same for few numbers as for one (docs/decisions/0079).
namespace jax2onnx::rewrite::detail {

/// The name of the pass in reports and options.
inline constexpr std::string_view joint_draws_name = "joint-draws";

/// A call of threefry2x32, as lower/random/threefry.hpp writes it.
struct threefry_call {
  value a, b;                ///< the words with which the rounds begin
  std::array<value, 3> key;  ///< the three words of the key schedule
  value b_out, a_sum;        ///< the second result, and the first one before the last injection
  value a_out = {};          ///< the first result; absent if nothing reads it

  std::int64_t count() const {
    std::int64_t n = 1;
    for (const dim d : b_out.dims()) n *= d.extent();
    return n;
  }
};

inline constexpr std::int64_t threefry_parity = 0x1BD11BDA;
inline constexpr std::array<std::array<int, 4>, 2> rotations_of_groups{{{13, 15, 26, 6}, {17, 29, 16, 24}}};

/// Returns whether a value is a single number.
inline bool is_one_number(const value& v) {
  return item_loops::all_of(v.dims(), [](dim d) { return d.is(1); });
}
/// Returns whether two words are the same once they are broadcast: rules remove Reshapes of single numbers.
inline bool same_word(value x, value y) {
  if (x.dims() != y.dims() && !(is_one_number(x) && is_one_number(y))) return false;
  while (is_reshape(x)) x = input_of(x, 0);
  while (is_reshape(y)) y = input_of(y, 0);
  return x.id() == y.id();
}

/// Follows the rounds of a call from its end to its beginning.
class threefry_reader {
 public:
  /// The call whose second result is `b_out`; nullopt if there is none.
  static std::optional<threefry_call> read(const value& b_out) {
    threefry_reader r;
    if (b_out.dtype() != dtype::u32 || !is_static(b_out.dims()) || !r.take_injection(b_out, 4)) return std::nullopt;
    if (!producer(r.b_, "BitwiseXor")) return std::nullopt;
    r.a_ = input_of(r.b_, 1);
    const value a_sum = r.a_;
    for (int group = 4; group >= 0; --group) {
      const std::array<int, 4>& rotations = rotations_of_groups[group % 2 == 0 ? 0 : 1];
      for (std::size_t round = rotations.size(); round-- > 0;)
        if (!r.take_round(rotations[round])) return std::nullopt;
      if (group > 0 && !r.take_injections(group - 1)) return std::nullopt;
    }
    if (!r.has_schedule()) return std::nullopt;
    return threefry_call{r.a_, r.b_, r.schedule(), b_out, a_sum};
  }

 private:
  static bool is_number(const value& v, std::int64_t n) { return v.rank() == 0 && constant_integer(v) == n; }

  /// b = (previous b rotated) ^ a, a = previous a + previous b
  bool take_round(int r) {
    if (!producer(b_, "BitwiseXor") || !producer(a_, "Add") || input_of(b_, 1).id() != a_.id()) return false;
    const value rotated = input_of(b_, 0);
    if (!producer(rotated, "Add")) return false;
    const value upper = input_of(rotated, 0), lower = input_of(rotated, 1), before = input_of(a_, 1);
    if (!producer(upper, "Mul") || !producer(lower, "BitShift")) return false;
    if (input_of(upper, 0).id() != before.id() || input_of(lower, 0).id() != before.id()) return false;
    if (!is_number(input_of(upper, 1), std::int64_t{1} << r) || !is_number(input_of(lower, 1), 32 - r)) return false;
    a_ = input_of(a_, 0);
    b_ = before;
    return true;
  }
  /// b = previous b + (a word of the key + number of the group)
  bool take_injection(const value& b, int group) {
    if (!producer(b, "Add")) return false;
    const value word = input_of(b, 1);
    if (!producer(word, "Add") || !is_number(input_of(word, 1), group + 1)) return false;
    b_words_[static_cast<std::size_t>(group)] = input_of(word, 0);
    b_ = input_of(b, 0);
    return true;
  }
  bool take_injections(int group) {
    if (!producer(a_, "Add") || !take_injection(b_, group)) return false;
    a_words_[static_cast<std::size_t>(group)] = input_of(a_, 1);
    a_ = input_of(a_, 0);
    return true;
  }
  std::array<value, 3> schedule() const { return {a_words_[2], a_words_[0], a_words_[1]}; }
  bool has_schedule() const {
    const std::array<value, 3> key = schedule();
    for (std::size_t group = 0; group < 5; ++group) {
      if (group < 4 && !same_word(a_words_[group], key[(group + 1) % 3])) return false;
      if (!same_word(b_words_[group], key[(group + 2) % 3])) return false;
    }
    return is_third_word(key);
  }
  /// The third word of the schedule is the exclusive or of the key's two words and of the parity.
  static bool is_third_word(const std::array<value, 3>& key) {
    exclusive_or made, expected;
    made.add(key[2], 2);
    expected.add(key[0], 0);
    expected.add(key[1], 0);
    expected.number ^= threefry_parity;
    return made.number == expected.number &&
           std::is_permutation(made.words.begin(), made.words.end(), expected.words.begin(), expected.words.end(),
                               same_word);
  }
  /// An exclusive or of words: the known words, combined into one number, and the other words.
  struct exclusive_or {
    std::int64_t number = 0;
    std::vector<value> words = {};

    /// Adds v. If v is an exclusive or itself, adds its operands instead, down to `depth` levels.
    void add(value v, int depth) {
      while (is_reshape(v)) v = input_of(v, 0);
      if (const auto known = constant_integer(v); known && is_one_number(v)) {
        number ^= *known;
      } else if (depth > 0 && producer(v, "BitwiseXor")) {
        add(input_of(v, 0), depth - 1);
        add(input_of(v, 1), depth - 1);
      } else {
        words.push_back(v);
      }
    }
  };

  value a_, b_;
  std::array<value, 4> a_words_;
  std::array<value, 5> b_words_;
};

/// Joins the calls of one block.
class draw_joiner {
 public:
  draw_joiner(graph& g, block_id b, std::vector<rewrite_report::event>& events)
      : graph_(g), block_(b), events_(events) {}

  void run() {
    const std::vector<node_id> nodes = graph_.at(block_).nodes;
    for (const node_id n : nodes)
      for_each_body(graph_, n, [this](block_id b) { draw_joiner(graph_, b, events_).run(); });
    find_calls(nodes);
    if (calls_.size() < 2) return;
    find_first_results(nodes);
    for (const auto& [level, calls] : by_level()) join(calls);
    std::erase_if(graph_.at(block_).nodes, [this](node_id n) { return replaced_.contains(n); });
  }

 private:
  /// The largest count of numbers in a call that is joined: longer calls are not faster together.
  static constexpr std::int64_t most_numbers = 2048;

  /// Finds the calls, by their second results.
  void find_calls(const std::vector<node_id>& nodes) {
    for (const node_id n : nodes) {
      const std::vector<value_id>& outputs = graph_.at(n).outputs;
      if (outputs.size() != 1 || outputs[0] == value_id::none || graph_.at(outputs[0]).type.type != dtype::u32)
        continue;
      const value v(graph_, outputs[0]);
      if (!producer(v, "Add")) continue;
      if (auto call = threefry_reader::read(v); call && call->count() > 0 && call->count() <= most_numbers) {
        of_output_[v.id()] = calls_.size();
        calls_.push_back(*call);
      }
    }
  }
  void find_first_results(const std::vector<node_id>& nodes) {
    std::unordered_map<value_id, std::size_t> by_sum;
    for (std::size_t i = 0; i < calls_.size(); ++i) by_sum[calls_[i].a_sum.id()] = i;
    for (const node_id n : nodes) {
      if (graph_.at(n).outputs.size() != 1) continue;
      const value v(graph_, graph_.at(n).outputs[0]);
      if (!producer(v, "Add")) continue;
      const auto at = by_sum.find(input_of(v, 0).id());
      if (at == by_sum.end() || !same_word(input_of(v, 1), calls_[at->second].key[2])) continue;
      calls_[at->second].a_out = v;
      of_output_[v.id()] = at->second;
    }
  }

  /// The calls by level. The level of a call is the length of the longest chain of calls that ends with it. Calls of
  /// one level are independent.
  std::map<std::size_t, std::vector<threefry_call>> by_level() const {
    std::unordered_map<value_id, std::size_t> level;
    std::size_t highest = 0;
    const auto level_of = [&](value_id v) {
      const auto at = level.find(v);
      return at == level.end() ? std::size_t{0} : at->second;
    };
    for (const node_id id : graph_.at(block_).nodes) {
      const node& n = graph_.at(id);
      std::size_t most = 0;
      for (const value_id v : n.inputs) most = std::max(most, level_of(v));
      for (const attribute& a : n.attributes)
        if (std::holds_alternative<block_id>(a.value)) most = highest;  // the body of the node may read any value
      for (const value_id v : n.outputs) {
        const std::size_t own = most + (of_output_.contains(v) ? 1 : 0);
        highest = std::max(highest, level[v] = own);
      }
    }
    std::map<std::size_t, std::vector<threefry_call>> levels;
    for (const threefry_call& call : calls_) levels[level_of(call.b_out.id())].push_back(call);
    return levels;
  }

  static value flat(const value& word, const threefry_call& call) {
    const std::int64_t n = call.count();
    if (!is_one_number(word)) return reshape(broadcast_to(word, call.b_out.dims()), {dim(n)});
    return broadcast_to(reshape(word, {dim(1)}), {dim(n)});
  }
  template <class Word>
  static value joined(const std::vector<threefry_call>& calls, const Word& word) {
    std::vector<value> all;
    for (const threefry_call& call : calls) all.push_back(flat(word(call), call));
    return concat(all, 0);
  }

  void join(const std::vector<threefry_call>& calls) {
    if (calls.size() < 2) return;
    const insertion_scope here(graph_, block_);
    const std::size_t first = graph_.node_count();
    std::array<value, 3> key;
    for (std::size_t i = 0; i < 2; ++i) key[i] = joined(calls, [i](const threefry_call& c) { return c.key[i]; });
    key[2] = bit_xor(bit_xor(key[0], key[1]), scalar(graph_, dtype::u32, threefry_parity));
    const bool starts_with_key =
        item_loops::all_of(calls, [](const threefry_call& c) { return same_word(c.a, c.key[0]); });
    value a = starts_with_key ? key[0] : joined(calls, [](const threefry_call& c) { return c.a; });
    value b = joined(calls, [](const threefry_call& c) { return c.b; });
    for (std::size_t group = 0; group < 5; ++group) {
      for (const int r : rotations_of_groups[group % 2]) {
        a = add(a, b);
        b = bit_xor(add(shift_left_by(b, std::int64_t{r}), shift_right_by(b, scalar(graph_, dtype::u32, 32 - r))), a);
      }
      a = add(a, key[(group + 1) % 3]);
      b = add(b, add(key[(group + 2) % 3], static_cast<std::int64_t>(group + 1)));
    }
    give(calls, a, &threefry_call::a_out);
    give(calls, b, &threefry_call::b_out);
    const node_id origin = graph_.at(calls[0].b_out.id()).producer;
    give_origin(graph_, first, origin);
    events_.push_back(
        {joint_draws_name, {}, origin, static_cast<node_id>(first), static_cast<node_id>(graph_.node_count())});
  }
  /// Cuts the joint result into the results of the calls.
  void give(const std::vector<threefry_call>& calls, const value& whole, value threefry_call::*result) {
    ints extents;
    for (const threefry_call& call : calls) extents.push_back(call.count());
    std::vector<tensor_type> types;
    for (const std::int64_t n : extents) types.push_back({whole.dtype(), {dim(n)}});
    const value lengths = array(graph_, dtype::i64, {std::ssize(extents)}, std::span<const std::int64_t>(extents));
    const std::vector<value> parts =
        graph_.emit_many("Split", std::vector<value>{whole, lengths}, types, {{"axis", std::int64_t{0}}});
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const value old = calls[i].*result;
      if (!old) continue;
      replaced_.insert(graph_.at(old.id()).producer);
      take_place(reshape(parts[i], old.dims()), old);
    }
  }

  graph& graph_;
  block_id block_;
  std::vector<rewrite_report::event>& events_;
  std::vector<threefry_call> calls_;
  std::unordered_map<value_id, std::size_t> of_output_;
  std::unordered_set<node_id> replaced_;
};

/// Draws independent random numbers together. Returns an event for each joint call. Linear in the graph.
inline std::vector<rewrite_report::event> join_draws(graph& g) {
  std::vector<rewrite_report::event> events;
  draw_joiner(g, block_id::main, events).run();
  for_each_function(g, [&](block_id body) { draw_joiner(g, body, events).run(); });
  if (events.empty()) return events;
  dead_code(g).run();
  canonical_order(g).run();
  return events;
}

}  // namespace jax2onnx::rewrite::detail
