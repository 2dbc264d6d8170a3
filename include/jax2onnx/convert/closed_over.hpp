// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/convert/match_weights.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>
#include <jax2onnx/weights/weight.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx::detail {

/// A variable that holds an array that a jaxpr closes over.
struct constvar {
  const jaxpr::body* body;
  const jaxpr::binder* binder;
};

/// The arrays that a program closes over: the constvars of the main jaxpr, then the constvars of inner jaxprs, in
/// depth-first order of the equations. Every jaxpr counts once.
class closed_over {
 public:
  explicit closed_over(const jaxpr::program& source) : source_(source) { visit(*source.main, 0); }

  const std::vector<constvar>& constvars() const { return constvars_; }
  std::size_t equations() const { return equations_; }
  /// Makes identical printed copies of a jaxpr share their constants. JAX up to 0.9 prints a shared jaxpr in several
  /// places.
  void merge_repeated();
  /// Maps every copy that merge_repeated() found to its first occurrence.
  const std::vector<std::pair<const jaxpr::body*, const jaxpr::body*>>& repeated() const { return repeated_; }

  /// Throws conversion_error, which lists the weights and the constvars, if their numbers differ.
  void check_count(const std::vector<const weight*>& weights) const;

 private:
  static constexpr int depth_limit = 2000;

  void visit(const jaxpr::body& body, int depth);
  void visit(const jaxpr::value& parameter, int depth);
  std::string advice(std::size_t weights) const;
  std::string listing(const std::vector<const weight*>& weights) const;

  const jaxpr::program& source_;
  key_map seen_;  // jaxprs that were visited, by their addresses
  std::vector<constvar> constvars_;
  std::vector<std::pair<const jaxpr::body*, const jaxpr::body*>> repeated_;
  std::size_t equations_ = 0;
};

/// The weights with the names `keys`, in the order of `keys`; all weights if `keys` is empty. Throws conversion_error
/// for a key that no weight, or more than one weight, has as its name.
std::vector<const weight*> ordered_weights(const std::vector<weight>& weights, const std::vector<std::string>& keys);

/// Returns whether a parameter of `eqn` holds open jaxprs, whose constvars are operands of `eqn`: Pallas, Equinox and
/// Lineax print such jaxprs.
inline bool has_open_jaxpr(const jaxpr::equation& eqn, std::string_view parameter) {
  return eqn.primitive == "run_scoped" || eqn.primitive == "core_map" ||
         (parameter == "static" && eqn.find("treedef")) || (parameter == "params" && eqn.find("__batch_axes"));
}

inline void closed_over::visit(const jaxpr::body& body, int depth) {
  if (depth > depth_limit) throw limit_error(message("jaxprs are nested more than {} deep", depth_limit));
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&body));
  if (seen_.find(address) != key_map::none) return;
  seen_.set(address, 0);
  equations_ += body.equations.size();
  for (const jaxpr::binder& b : body.constvars) constvars_.push_back({&body, &b});
  for (const jaxpr::equation& eqn : body.equations)
    for (const jaxpr::param& p : eqn.params)
      if (!has_open_jaxpr(eqn, p.key)) visit(p.val, depth);
}

inline void closed_over::visit(const jaxpr::value& parameter, int depth) {
  if (parameter.body) visit(*parameter.body, depth + 1);
  for (const jaxpr::value& item : parameter.items) visit(item, depth);
  for (const jaxpr::keyword_value& k : parameter.keywords) visit(k.val, depth);
}

inline void closed_over::merge_repeated() {
  text_index texts;
  std::vector<const jaxpr::body*> first;  // the first jaxpr with each text
  std::vector<constvar> kept;
  const jaxpr::body* last = nullptr;
  bool is_copy = false;
  for (const constvar& c : constvars_) {
    if (std::exchange(last, c.body) == c.body) {
      if (!is_copy) kept.push_back(c);
      continue;
    }
    std::string text(source_.text.substr(c.body->where.begin, c.body->where.end - c.body->where.begin));
    std::erase_if(text, [](char ch) { return ch == ' ' || ch == '\n'; });
    const std::uint32_t known = texts.number(text);
    is_copy = known < first.size();
    if (is_copy) {
      repeated_.emplace_back(c.body, first[known]);
    } else {
      first.push_back(c.body);
      kept.push_back(c);
    }
  }
  constvars_ = std::move(kept);
}

/// Two columns, the constvars and the weights assigned to them, for at most 20 of them.
inline std::string closed_over::listing(const std::vector<const weight*>& weights) const {
  constexpr std::size_t most = 20;
  const std::size_t lines = std::max(constvars_.size(), weights.size());
  std::string out;
  for (std::size_t i = 0; i < std::min(lines, most); ++i) {
    std::string wanted = "-", given = "-";
    if (i < constvars_.size()) {
      const jaxpr::binder& b = *constvars_[i].binder;
      wanted = message("{}:{}", b.name, b.annotation ? b.annotation->text : "?");
    }
    if (i < weights.size()) given = message("'{}' {}", shown(weights[i]->name), type_text(*weights[i]));
    wanted.resize(std::max<std::size_t>(wanted.size(), 24), ' ');
    out += message("\n  {} {}", wanted, given);
  }
  return lines > most ? out + message("\n  and {} more", lines - most) : out;
}

inline std::string closed_over::advice(std::size_t weights) const {
  const std::size_t outer = source_.main->constvars.size();
  if (constvars_.empty()) return "the jaxpr closes over no arrays: convert it without weights";
  if (weights == outer)  // the constants of inner jaxprs are missing
    return "the constants of inner jaxprs are missing: save them after closed.consts, in reading order "
           "(examples/export.py does)";
  return "list the keys of the closed-over arrays, in order, with option weights-map=FILE";
}

inline void closed_over::check_count(const std::vector<const weight*>& weights) const {
  if (weights.size() == constvars_.size()) return;
  const std::size_t outer = source_.main->constvars.size();
  const bool inner_missing = weights.size() == outer && !constvars_.empty();
  throw_problem(failure::malformed, "weights.count",
                message("the text closes over {} array{|s}, but {} weight{ is|s are} given:{}", constvars_.size(),
                        weights.size(), listing(weights)),
                inner_missing ? jaxpr::span_of(constvars_[outer].binder->name, source_.text) : jaxpr::span{},
                advice(weights.size()));
}

inline std::vector<const weight*> ordered_weights(const std::vector<weight>& weights,
                                                  const std::vector<std::string>& keys) {
  std::vector<const weight*> ordered;
  if (keys.empty()) {
    for (const weight& w : weights) ordered.push_back(&w);
    return ordered;
  }
  text_index names;
  std::vector<const weight*> by_name;
  std::vector<std::size_t> counts;
  for (const weight& w : weights) {
    const std::size_t known = names.number(w.name);
    if (known < counts.size()) {
      ++counts[known];
    } else {
      by_name.push_back(&w);
      counts.push_back(1);
    }
  }
  for (const std::string& key : keys) {
    const std::uint32_t known = names.find(key);
    if (known == text_index::none)
      throw_problem(failure::malformed, "weights.missing-key",
                    message("the weights have no array '{}', which the weights map names", shown(key)));
    if (counts[known] > 1)
      throw_problem(failure::malformed, "weights.ambiguous-key",
                    message("{} weights are called '{}', which the weights map names", counts[known], shown(key)));
    ordered.push_back(by_name[known]);
  }
  return ordered;
}

}  // namespace jax2onnx::detail
