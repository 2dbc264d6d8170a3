// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Rules for reads of parts. For example, a Gather of one position of a sequence, or a Slice of some positions, moves
/// before the products that compute all positions. Such positions are the class token of a vision transformer, or the
/// last token of a prompt.
namespace jax2onnx::rewrite::detail {

/// Gather(x, index, axis) for a scalar index, so that the result lacks the axis, or Slice(x, first : last, axis).
struct selection {
  std::int64_t axis = 0;
  value index = {};  ///< absent for a Slice
  std::int64_t first = 0, last = 0;

  value of(const value& x) const { return index ? gather(x, index, axis) : slice(x, axis, first, last); }
};
inline std::optional<selection> selection_of(const value& root) {
  if (const auto s = single_slice_of(root)) {
    if (s->step != 1 || !s->count.is_constant()) return std::nullopt;
    return selection{s->axis, {}, s->first, s->first + s->count.extent()};
  }
  const value index = producer(root, "Gather") ? input_of(root, 1) : value();
  if (!index || index.rank() != 0) return std::nullopt;
  return selection{axis_of(root), index};
}

/// The selection of each operand of an operator that computes a selected part of its result; nullopt for an operand
/// that is needed whole, or not at all.
using operand_selections = std::vector<std::optional<selection>>;

/// Passes a selection through an operator to its operands. A row has two functions. The first function returns the
/// selections of the operands of `v`, or nullopt if `v` has another operator or needs more of its operands. The second
/// function computes the selected part of `v`, which has the given type, from the selected operands.
namespace selections {

inline selection along(const selection& s, std::int64_t axis) { return {axis, s.index, s.first, s.last}; }
inline operand_selections of_first(const value& v, const selection& s) {
  operand_selections all(producer(v)->inputs.size());
  all[0] = s;
  return all;
}

/// The selections of the operands of a node that broadcasts; nullopt for any other node. An operand that lacks the axis
/// is needed whole.
inline std::optional<operand_selections> of_elements(const value& v, const selection& s) {
  if (!has_trait(v, trait::broadcasting)) return std::nullopt;
  operand_selections all;
  for (const value& x : inputs_of(v)) {
    const std::int64_t axis = s.axis - (v.rank() - x.rank());
    all.push_back(axis < 0 ? std::nullopt : std::optional(along(s, axis)));
  }
  return all;
}
inline value elements(const value& v, const selection&, const std::vector<value>& x, const tensor_type& type) {
  return with_inputs(v, x, type);
}

/// The selections for a MatMul if the selected axis is the axis of its rows or a batch axis. nullopt for any other axis
/// or value, if the left operand has fewer axes than the product, if the right operand is a vector, and for one row if
/// the right operand has batch axes.
inline std::optional<operand_selections> of_product(const value& v, const selection& s) {
  if (!producer(v, "MatMul") || s.axis + 1 >= v.rank() || input_of(v, 0).rank() != v.rank()) return std::nullopt;
  operand_selections all = of_first(v, s);
  const std::int64_t rank = input_of(v, 1).rank(), axis = s.axis - (v.rank() - rank);
  if (rank < 2 || (s.index && s.axis == v.rank() - 2 && rank > 2)) return std::nullopt;
  if (axis >= 0 && s.axis < v.rank() - 2) all[1] = along(s, axis);
  return all;
}
inline value product(const value&, const selection&, const std::vector<value>& x, const tensor_type&) {
  return matmul(x[0], x[1]);
}

/// The selections for an Attention of (batch, position, feature) if the selected axis is the axis of its batches or of
/// its queries. nullopt for any other axis or value, for the queries of a causal Attention, for one index of the
/// batches, and for an Attention with over 4 operands or several results.
inline std::optional<operand_selections> of_attention(const value& v, const selection& s) {
  if (!producer(v, "Attention") || v.rank() != 3 || producer(v)->outputs.size() != 1) return std::nullopt;
  const std::size_t count = producer(v)->inputs.size();
  if (count > 4 || s.axis > 1 || (s.axis == 1 ? flag_of(v, "is_causal") : bool(s.index))) return std::nullopt;
  operand_selections all = of_first(v, s);
  if (s.axis == 0) all[1] = all[2] = s;
  const value mask = count == 4 ? input_of(v, 3) : value();
  const std::int64_t axis = mask ? (s.axis == 1 ? mask.rank() - 2 : mask.rank() - 4) : no_axis;
  if (axis >= 0 && !mask.extent(axis).is(1)) all[3] = along(s, axis);
  return all;
}
inline value attention(const value& v, const selection& s, const std::vector<value>& given, const tensor_type& type) {
  if (!s.index) return with_inputs(v, given, type);
  std::vector<value> x = given;
  x[0] = unsqueeze(x[0], {1});
  if (x.size() == 4 && x[3] && x[3].rank() < input_of(v, 3).rank()) x[3] = unsqueeze(x[3], {input_of(v, 3).rank() - 2});
  return squeeze(with_inputs(v, x, {v.dtype(), with_extent(v, 1, 1)}), {1});
}

/// The selection of operand 0 of a node that normalizes along axes after the selected axis; nullopt for any other node.
inline std::optional<operand_selections> of_normalization(const value& v, const selection& s) {
  if (!has_trait(v, trait::normalization) || s.axis >= axis_of(v)) return std::nullopt;
  return of_first(v, s);
}
inline value normalization(const value& v, const selection& s, const std::vector<value>& x, const tensor_type& type) {
  std::vector<attribute> attributes = producer(v)->attributes;
  for (attribute& a : attributes)
    if (std::int64_t* axis = std::get_if<std::int64_t>(&a.value); s.index && a.name == "axis" && *axis > 0) --*axis;
  return v.owner().emit(producer(v)->op, x, type, std::move(attributes));
}

/// The selection of operand 0 of a node that names only axes other than the selected axis, and whose result keeps all
/// axes; nullopt for any other node.
inline std::optional<operand_selections> of_named_axes(const value& v, const selection& s) {
  const auto named = producer(v)->outputs.size() == 1 ? named_axes_of(v) : std::nullopt;
  if (!named || named->removed || has_axis(named->axes, s.axis)) return std::nullopt;
  return of_first(v, s);
}
inline value with_named_axes(const value& v, const selection& s, const std::vector<value>& x, const tensor_type& type) {
  const named_axes named = *named_axes_of(v);
  ints axes = named.axes;
  for (std::int64_t& axis : axes) axis -= s.index && axis > s.axis ? 1 : 0;
  return named.row->on(v, x[0], axes, type);
}

/// For a Concat along the selected axis, the selection of the one operand that contains all of a Slice. nullopt if no
/// operand does, if an extent of an operand is not known, and for any other selection or value.
inline std::optional<operand_selections> of_concat(const value& v, const selection& s) {
  if (s.index || !producer(v, "Concat") || axis_of(v) != s.axis || s.first < 0) return std::nullopt;
  operand_selections all(producer(v)->inputs.size());
  selection rest = s;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const dim extent = input_of(v, i).extent(s.axis);
    if (!extent.is_constant()) return std::nullopt;
    if (rest.first < extent.extent()) {
      if (rest.last > extent.extent()) return std::nullopt;
      all[i] = rest;
      return all;
    }
    rest.first -= extent.extent(), rest.last -= extent.extent();
  }
  return std::nullopt;
}
inline value part_of_concat(const value& v, const selection& s, const std::vector<value>& x, const tensor_type&) {
  const operand_selections all = *of_concat(v, s);
  std::size_t i = 0;
  while (!all[i]) ++i;
  return x[i];
}

/// A Slice of a Slice along the same axis is one Slice.
inline std::optional<operand_selections> of_slice(const value& v, const selection& s) {
  const auto before = s.index ? std::nullopt : single_slice_of(v);
  if (!before || before->axis != s.axis || before->step != 1 || s.first < 0) return std::nullopt;
  return of_first(v, {s.axis, {}, before->first + s.first, before->first + s.last});
}
inline value first_operand(const value&, const selection&, const std::vector<value>& x, const tensor_type&) {
  return x[0];
}

/// The part of a Gather's constant indices that a Slice selects; nullopt for any other value.
inline std::optional<ints> indices_of(const value& v, const selection& s) {
  if (s.index || !producer(v, "Gather") || axis_of(v) != s.axis || input_of(v, 1).rank() != 1) return std::nullopt;
  const auto all = constant_integers(input_of(v, 1));
  if (!all || s.first < 0 || s.last > std::ssize(*all) || s.first > s.last) return std::nullopt;
  return ints(all->begin() + s.first, all->begin() + s.last);
}
inline std::optional<operand_selections> of_lookups(const value& v, const selection& s) {
  return indices_of(v, s) ? std::optional(operand_selections(2)) : std::nullopt;
}
inline value lookups(const value& v, const selection& s, const std::vector<value>& x, const tensor_type&) {
  return gather(x[0], int64s(v.owner(), *indices_of(v, s)), s.axis);
}

/// The first axis whose extent is not 1 (the last axis if all extents are 1), and the number of elements at each of its
/// indices.
inline std::pair<std::int64_t, std::int64_t> first_rows(const value& v) {
  std::int64_t axis = 0, size = 1;
  while (axis + 1 < v.rank() && v.extent(axis).is(1)) ++axis;
  for (std::int64_t a = axis + 1; a < v.rank(); ++a) size *= v.extent(a).extent();
  return {axis, size};
}
/// A Slice of a Reshape `v` becomes a Slice of the operand of the Reshape. If the Reshape keeps the sliced axis, the
/// operand is sliced along the same axis. Otherwise, `v` must be sliced along the axis of first_rows(), the operand is
/// sliced along its own axis of first_rows(), and the Slice must consist of whole indices of this axis. nullopt for any
/// other selection or value.
inline std::optional<operand_selections> of_reshape(const value& v, const selection& s) {
  if (s.index || !is_reshape(v) || !is_static(v.dims()) || v.rank() == 0 || s.first < 0) return std::nullopt;
  const value x = input_of(v, 0);
  const std::int64_t below = view_of(v)->origins(v)[static_cast<std::size_t>(s.axis)];
  if (below != no_axis) return of_first(v, along(s, below));
  if (!is_static(x.dims()) || x.rank() == 0) return std::nullopt;
  const auto [axis, size] = first_rows(v);
  const auto [first, size_below] = first_rows(x);
  if (s.axis != axis || size_below == 0 || s.first * size % size_below != 0 || s.last * size % size_below != 0)
    return std::nullopt;
  return of_first(v, {first, {}, s.first * size / size_below, s.last * size / size_below});
}
inline value reshaped(const value&, const selection&, const std::vector<value>& x, const tensor_type& type) {
  return reshape(x[0], type.dims);
}

inline std::optional<operand_selections> of_transpose(const value& v, const selection& s) {
  const auto perm = s.index ? std::nullopt : transpose_of(v);
  if (!perm) return std::nullopt;
  return of_first(v, along(s, (*perm)[static_cast<std::size_t>(s.axis)]));
}
inline value transposed(const value& v, const selection&, const std::vector<value>& x, const tensor_type&) {
  return transpose(x[0], *transpose_of(v));
}

struct row {
  std::optional<operand_selections> (*of)(const value& v, const selection& s);
  value (*on)(const value& v, const selection& s, const std::vector<value>& x, const tensor_type& type);
};
inline constexpr row rows[] = {
    {of_product, product},
    {of_elements, elements},
    {of_normalization, normalization},
    {of_slice, first_operand},
    {of_named_axes, with_named_axes},
    {of_attention, attention},
    {of_concat, part_of_concat},
    {of_lookups, lookups},
    {of_reshape, reshaped},
    {of_transpose, transposed},
};

}  // namespace selections

/// The nodes upstream of a selection that compute more than is selected, and that nothing else reads.
class computed_in_vain {
 public:
  computed_in_vain(const context& c, const value& root, const selection& s)
      : context_(c), root_(root), has_index_(s.index) {
    note(input_of(root, 0), s);
    for (std::size_t i = 0; i < nodes_.size() && nodes_.size() < most; ++i) {
      const value v = nodes_[i].v;
      for (std::size_t k = 0; k < nodes_[i].operands.size(); ++k)
        if (const std::optional<selection> of_operand = nodes_[i].operands[k]; of_operand)
          note(input_of(v, k), *of_operand);
    }
  }

  /// Returns whether selecting earlier saves time: a node is a product or an attention; or there are nodes, the
  /// selection is of one index, and at most one value has to be selected by a new node.
  bool pays() const {
    if (nodes_.empty()) return false;
    const auto is_large = [](const entry& e) { return producer(e.v, "MatMul") || producer(e.v, "Attention"); };
    return item_loops::any_of(nodes_, is_large) || (has_index_ && selections_before() <= 1);
  }
  /// Emits the nodes for the selected part only. The result replaces the root.
  value emit() {
    std::unordered_map<value_id, value> made;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const entry& e = nodes_[i];
      std::vector<value> operands = inputs_of(e.v);
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (e.operands[k] && operands[k]) {
          const auto at = made.find(operands[k].id());
          operands[k] = at != made.end() ? at->second : selected(operands[k], *e.operands[k]);
        }
      made[e.v.id()] = e.row->on(e.v, e.s, operands, selected_type(e.v, e.s));
    }
    return made.at(nodes_.front().v.id());
  }

 private:
  static constexpr std::size_t most = 1024;
  struct entry {
    value v;
    selection s;
    const selections::row* row;
    operand_selections operands;
  };
  struct reads {
    std::int64_t count = 0;
    selection s = {};
    bool agree = true;
    bool is_node = false;  ///< true if the value's node is in `nodes_`
  };

  /// Records that a node reads the selection `s` of `v`. If this is the last reader of `v`, and all readers of `v` read
  /// the same selection, adds the node of `v` if possible. Ignores constants, and values with extent 1 along the axis.
  void note(const value& v, const selection& s) {
    if (!v || v.is_constant() || v.extent(s.axis).is(1)) return;
    const auto [at, is_new] = read_.try_emplace(v.id(), reads{0, s});
    reads& r = at->second;
    ++r.count;
    r.agree = r.agree && r.s.axis == s.axis && r.s.first == s.first && r.s.last == s.last;
    if (r.agree && r.count == context_.uses.of(v)) r.is_node = add(v, s);
  }
  /// Adds the node that makes `v` if this node can pass the selection on. Returns whether the node was added.
  bool add(const value& v, const selection& s) {
    const node* n = producer(v);
    if (v.dtype() == dtype::u32) return false;  // passes/random mixes the words of all keys at once
    if (!n || v.record().home != root_.record().home || !has_only(context_.g, *n, is_known) || is_whole(v, s))
      return false;
    for (const selections::row& row : selections::rows)
      if (auto operands = row.of(v, s)) {
        nodes_.push_back({v, s, &row, std::move(*operands)});
        return true;
      }
    return false;
  }
  static bool is_whole(const value& v, const selection& s) {
    return !s.index && s.first == 0 && v.extent(s.axis).is(s.last);
  }
  /// The number of values that the nodes read and that have to be selected by a new node.
  std::int64_t selections_before() const {
    std::int64_t count = 0;
    for (const auto& [v, r] : read_) {
      const value x(context_.g, v);
      if (!r.is_node && !x.extent(r.s.axis).is(1) && !is_whole(x, r.s)) ++count;
    }
    return count;
  }
  static value selected(const value& x, const selection& s) {
    if (!x.extent(s.axis).is(1)) return is_whole(x, s) ? x : s.of(x);
    return s.index ? squeeze(x, {s.axis}) : x;
  }
  static tensor_type selected_type(const value& v, const selection& s) {
    tensor_type type = v.type();
    if (s.index) type.dims.erase(type.dims.begin() + s.axis);
    else type.dims[static_cast<std::size_t>(s.axis)] = s.last - s.first;
    return type;
  }

  const context& context_;
  value root_;
  bool has_index_;
  std::vector<entry> nodes_;  // readers before the nodes that they read
  std::unordered_map<value_id, reads> read_;
};

inline outcome select_early(const context& c, const value& root) {
  const std::optional<selection> s = selection_of(root);
  if (!s || input_of(root, 0).is_constant()) return {};
  computed_in_vain nodes(c, root, *s);
  return nodes.pays() ? outcome(nodes.emit()) : outcome();
}

/// The one index along the axis for which the constant `v` is true, if `v` is false for all other indices; else
/// nullopt. Also nullopt if the extent of the axis is 1.
inline std::optional<std::int64_t> one_true_along(const value& v, std::int64_t axis) {
  const auto truth = constant_integers(v);
  if (!truth || axis < 0 || v.extent(axis).is(1)) return std::nullopt;
  std::int64_t inner = 1;
  for (std::int64_t a = axis + 1; a < v.rank(); ++a) inner *= v.extent(a).extent();
  const std::int64_t extent = v.extent(axis).extent();
  const auto index_of = [&](auto element) { return (element - truth->begin()) / inner % extent; };
  const auto is_true = [](std::int64_t element) { return element != 0; };
  const auto first = std::find_if(truth->begin(), truth->end(), is_true);
  if (first == truth->end()) return std::nullopt;
  for (auto element = truth->begin(); element != truth->end(); ++element)
    if (is_true(*element) != (index_of(element) == index_of(first))) return std::nullopt;
  return index_of(first);
}

/// The one index along the axis for which `v` may differ from 0, if `v` is known to be 0 for all other indices; else
/// nullopt.
inline std::optional<std::int64_t> one_index_of(const value& v, std::int64_t axis) {
  if (producer(v, "Where")) {
    const value condition = input_of(v, 0), zero = uniform_constant(input_of(v, 2));
    if (input_of(v, 1).dims() != v.dims() || !zero || splat_number(zero) != 0.0) return std::nullopt;
    return one_true_along(condition, axis - (v.rank() - condition.rank()));
  }
  if (is_reshape(v)) {
    const std::int64_t from = view_of(v)->origins(v)[static_cast<std::size_t>(axis)];
    return from == no_axis ? std::nullopt : one_index_of(input_of(v, 0), from);
  }
  if (!producer(v, "Concat") || axis_of(v) == axis) return std::nullopt;
  std::optional<std::int64_t> index;
  for (const value& part : inputs_of(v)) {
    const auto of_part = one_index_of(part, axis);
    if (!of_part || (index && of_part != index)) return std::nullopt;
    index = of_part;
  }
  return index;
}
/// The elements of `v` at the index that one_index_of has found.
inline value at_one_index(const value& v, std::int64_t axis, std::int64_t index) {
  if (producer(v, "Where")) return gather(input_of(v, 1), scalar(v.owner(), dtype::i64, index), axis);
  if (is_reshape(v)) {
    shape dims = v.dims();
    dims.erase(dims.begin() + axis);
    const std::int64_t from = view_of(v)->origins(v)[static_cast<std::size_t>(axis)];
    return reshape(at_one_index(input_of(v, 0), from, index), dims);
  }
  std::vector<value> parts = inputs_of(v);
  for (value& part : parts) part = at_one_index(part, axis, index);
  return concat(parts, axis_of(v) - (axis_of(v) > axis ? 1 : 0));
}

/// Replaces a sum of one value and zeros by that value. Programs for several devices share a value of one device by a
/// sum to which the other devices add 0. Like the sum, the Add of 0 turns -0 into 0.
inline outcome sum_of_one(const context&, const value& root) {
  const value x = input_of(root, 0);
  const auto r = reduction_of(root);
  if (!r || r->axes.size() != 1) return {};
  const std::int64_t axis = r->axes[0];
  const auto index = one_index_of(x, axis);
  if (!index)
    return producer(x, "Where") ? decline("the condition does not select exactly one index of the axis") : outcome();
  const value one = at_one_index(x, axis, *index);
  const value sum = is_floating(x.dtype()) ? add(one, scalar(x.owner(), x.dtype(), 0)) : one;
  return r->keep ? unsqueeze(sum, {axis}) : sum;
}

/// Returns `axis` if a Reshape of `x` to `target` splits this axis of x, and the outer part is axis `axis` of `target`;
/// else -1.
inline std::int64_t split_axis(const value& x, const shape& target, std::int64_t axis) {
  if (axis >= x.rank() || !std::equal(x.dims().begin(), x.dims().begin() + axis, target.begin())) return -1;
  const std::int64_t behind = x.rank() - axis - 1, inner = std::ssize(target) - axis - 1;
  if (inner <= behind || !std::equal(x.dims().end() - behind, x.dims().end(), target.end() - behind)) return -1;
  return axis;
}

inline outcome pick_of_split(const context&, const value& root) {
  const value split = input_of(root, 0);
  const std::optional<selection> s = selection_of(root);
  const std::optional<double> k = s && s->index ? single_number(s->index) : std::nullopt;
  if (!k || *k < 0 || !is_reshape(split)) return {};
  const value x = input_of(split, 0);
  const std::int64_t axis = split_axis(x, split.dims(), s->axis);
  if (axis < 0 || !x.extent(axis).is_constant() || !split.extent(axis).is_constant()) return {};
  const std::int64_t count = split.extent(axis).extent(), each = count > 0 ? x.extent(axis).extent() / count : 0;
  const auto first = static_cast<std::int64_t>(*k) * each;
  if (each < 1 || *k >= static_cast<double>(count)) return {};
  if (each == 1 && root.dims() != with_extent(x, axis, 1)) return {};
  const value part = slice(x, axis, dim(first), dim(first + each));
  return is_static_reshape(part, root.dims()) ? outcome(reshape(part, root.dims())) : outcome();
}

/// Replaces the running sum that adds all elements by a sum. Programs often compute the length of a sequence as the
/// last running count of a mask. Floating-point numbers are left alone, since they would be added in another order.
inline outcome last_of_cumsum(const context& c, const value& root) {
  const value sums = input_of(root, 0);
  const std::optional<selection> s = producer(sums, "CumSum") ? selection_of(root) : std::nullopt;
  if (!s || !is_integer(sums.dtype()) || !sums.extent(s->axis).is_constant()) return {};
  const std::optional<std::int64_t> along = constant_integer(input_of(sums, 1)), index = constant_integer(s->index);
  if (!along || !index || from_front(*along, sums.rank()) != s->axis) return {};
  if (flag_of(sums, "exclusive")) return {};
  const std::int64_t n = sums.extent(s->axis).extent();
  if (from_front(*index, n) != (flag_of(sums, "reverse") ? 0 : n - 1))
    return decline("the index does not select the total");
  if (!c.single_use(sums)) return decline("the running sums are read elsewhere too");
  const value x = input_of(sums, 0);
  if (sums_by_halves(x)) return decline("an exact sum of 64-bit integers takes more operators than the CumSum");
  return exact_sum(x, {s->axis});
}

inline constexpr rule selection_rules[] = {
    {"pick-of-split", "Gather(Reshape(x), k, axis) -> Reshape(Slice(x, k m : (k + 1) m, axis))",
     "a constant k; the Reshape splits an axis into `axis`, of m elements each, and others; "
     "a Reshape remains only if m > 1; the shape is static",
     ops<"Gather">, pick_of_split, stage::late},
    {"select-early",
     "Gather(op(x, c), i, axis) -> op(Gather(x, i, axis), c'), Slice(op(x, c), i : j, axis) -> op(Slice(x, i : j, "
     "axis), c')",
     "one index i, or constant i and j; op is a product with matrices, an attention (along its queries), a "
     "normalization, or elementwise, also with broadcast operands; for a Slice, op may also be a Concat, a Gather of "
     "constant indices, a Reshape or a Transpose; nothing else reads the result of op",
     ops<"Gather", "Slice">, select_early, stage::late},
    {"sum-of-one", "ReduceSum(Where(m, x, 0), axis) -> Gather(x, i, axis) + 0",
     "m is a constant that is true for exactly one index i of the axis; "
     "the Where may be reshaped, or concatenated with such Wheres along another axis",
     ops<"ReduceSum">, sum_of_one, stage::fuse},
    {"last-of-cumsum", "Gather(CumSum(x, axis), n - 1, axis) -> ReduceSum(x, axis)",
     "x is of integers; if they have 64 bits, they are cast from smaller types; the axis has n elements, and the "
     "selected sum is the sum of all of them; the CumSum is read once; sums that may exceed int32 are added in int64",
     ops<"Gather">, last_of_cumsum, stage::tidy},
};

}  // namespace jax2onnx::rewrite::detail
