// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <jax2onnx/lower/selection.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/typing.hpp>
#include <jax2onnx/support/message.hpp>

/// Divides the operands of while and scan into constants, loop-carried values and sequences. For scan, JAX up to 0.10
/// prints the number of operands of each kind. Newer versions print trees (`ft_in`, `ft_out`) whose form depends on the
/// transformations that made the scan; in this case the types decide.
namespace jax2onnx::lower {

/// The number of operands that parameter `key` states; 0 if `key` is missing. Throws malformed_error if the number is
/// negative, or the equation has fewer operands.
inline std::size_t counted_operands(const site& s, std::string_view key) {
  const auto n = s.param_or<std::int64_t>(key, 0);
  if (n < 0 || n > static_cast<std::int64_t>(s.arity()))
    s.malformed(detail::message("its {} is {}; it must be from 0 to the number of operands", key, n));
  return static_cast<std::size_t>(n);
}

/// The operands of a scan: constants, loop-carried values (the `carry` operands after `consts` constants) and
/// sequences. The results of the scan are the carried values, then stacked values.
struct scan_operands {
  std::size_t consts = 0, carry = 0;
  selection is_sequence = {};
};

/// Throws malformed_error unless `body` has `count` parameters.
inline void require_parameters(const site& s, const jaxpr::body& body, std::size_t count) {
  if (body.invars.size() != count)
    s.malformed(detail::message("its jaxpr takes {} operand{|s} instead of {}", body.invars.size(), count));
}

/// The number of values in a printed FlatTree, in which None counts as a value. nullopt for anything else. Source:
/// jax/_src/flattree.py.
inline std::optional<std::size_t> tree_size(const jaxpr::value& tree) {
  using kind = jaxpr::value::kind;
  if (tree.tag == kind::none) return 1;
  if (tree.tag == kind::call && (tree.callee == "Left" || tree.callee == "Static")) return 0;  // no value
  if (tree.tag != kind::tuple && tree.tag != kind::sequence && tree.tag != kind::call) return std::nullopt;
  if (tree.callee == "Pytree") {
    const jaxpr::value* const values = keyword(tree, "vals");
    return values ? tree_size(*values) : std::nullopt;
  }
  std::size_t sum = 0;
  for (const jaxpr::value& item : tree.items) {
    const auto size = tree_size(item);
    if (!size) return std::nullopt;
    sum += *size;
  }
  return sum;
}

/// Throws malformed_error if parameter `key` is a tree whose branches do not have parts[0], parts[1], … values. A
/// missing tree and branches that cannot be read pass.
inline void check_tree(const site& s, std::string_view key, std::initializer_list<std::size_t> parts) {
  const jaxpr::value* const tree = s.find(key);
  const auto require = [&](const jaxpr::value& branch, std::size_t wanted) {
    if (const auto size = tree_size(branch); size && *size != wanted)
      s.malformed(detail::message("its {} has {} value{|s}, but its types show {}", key, *size, wanted));
  };
  if (!tree) return;
  require(*tree, std::accumulate(parts.begin(), parts.end(), std::size_t{0}));
  if (tree->tag != jaxpr::value::kind::tuple) return;
  if (tree->items.size() != parts.size())
    s.malformed(detail::message("its {} has {} branch{|es} instead of {}", key, tree->items.size(), parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) require(tree->items[i], parts.begin()[i]);
}

/// The number of values before the first sequence. A value before the sequences has the same rank outside and inside of
/// the body; a sequence has one dimension more outside. Throws malformed_error if a later value is not a sequence.
inline std::size_t count_before_sequences(const site& s, std::string_view what, std::span<const aval> outside,
                                          std::span<const aval> inside) {
  std::size_t n = 0;
  while (n < outside.size() && outside[n].rank() == inside[n].rank()) ++n;
  for (std::size_t i = n; i < outside.size(); ++i)
    if (outside[i].rank() != inside[i].rank() + 1)
      s.malformed(detail::message("{} {} is {}, but {} in its jaxpr", what, i, text(s.g.dims(), outside[i]),
                                  text(s.g.dims(), inside[i])));
  return n;
}

/// Divides `arity` operands of a scan that are in the order consts, carry, xs.
inline scan_operands in_order(std::size_t consts, std::size_t carry, std::size_t arity) {
  scan_operands out{consts, carry, selection(arity, true)};
  std::fill_n(out.is_sequence.begin(), consts + carry, false);
  return out;
}

/// Divides the operands of a scan.
inline scan_operands scan_operands_of(const site& s, const jaxpr::body& body) {
  require_parameters(s, body, s.arity());
  if (s.find("num_carry") || s.find("num_consts")) {
    const std::size_t consts = counted_operands(s, "num_consts"), carry = counted_operands(s, "num_carry");
    if (consts + carry > s.arity()) s.malformed("it has fewer operands than num_consts and num_carry say");
    return in_order(consts, carry, s.arity());
  }
  const std::vector<aval> results = s.result_types(body);
  if (!s.has_results(results.size()))
    s.malformed(detail::message("its jaxpr has {} result{|s}, but the equation has {}", results.size(), s.out_count()));
  for (const aval& t : results)
    if (t.elem.name.empty()) s.malformed("it states neither num_carry nor the types of the results of its jaxpr");
  const std::size_t whole = count_before_sequences(s, "operand", s.in_types(), s.input_types(body));
  const std::size_t carry = count_before_sequences(s, "result", s.out_types(), results);
  if (carry > whole) s.malformed(detail::message("it carries {} value{|s}, but has operands for {}", carry, whole));
  check_tree(s, "ft_in", {whole - carry, carry, s.arity() - whole});
  check_tree(s, "ft_out", {carry, s.out_count() - carry});
  return in_order(whole - carry, carry, s.arity());
}

/// Divides the operands of Scan3. Scan3 has no carried values, since its state is in references. Source:
/// jax._src.lax.control_flow.loops.
inline scan_operands scan3_operands_of(const site& s, const jaxpr::body& body) {
  require_parameters(s, body, s.arity());
  const auto is_sequence = s.param<selection>("extensives");
  if (is_sequence.size() != s.arity()) s.malformed("its extensives do not fit its operands");
  return {0, 0, is_sequence};
}

}  // namespace jax2onnx::lower
