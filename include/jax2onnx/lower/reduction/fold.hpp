#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/lower/complex/math.hpp>
#include <jax2onnx/lower/reduction/integers.hpp>
#include <jax2onnx/lower/table.hpp>

/// Folding arrays along an axis: with the reductions that ONNX knows, or step by step.
namespace jax2onnx::lower {

/// What a binary operation is, where ONNX has a reduction for it.
enum class fold_kind : std::uint8_t { sum, product, maximum, minimum, all, any, other };

/// The names that one kind of fold has.
struct fold_names {
  std::string_view primitive, reduction, binary;
};
inline constexpr fold_names fold_table[] = {
    {"add", "ReduceSum", "Add"}, {"mul", "ReduceProd", "Mul"}, {"max", "ReduceMax", "Max"},
    {"min", "ReduceMin", "Min"}, {"and", "ReduceMin", "And"},  {"or", "ReduceMax", "Or"},
};
constexpr const fold_names& names_of(fold_kind k) { return fold_table[static_cast<std::size_t>(k)]; }

/// The kind of a computation of two scalars: one equation whose operands are the parameters.
inline fold_kind kind_of(const jaxpr::jaxpr& body, const aval& type) {
  if (body.equations.size() != 1 || body.invars.size() != 2 || body.results.size() != 1) return fold_kind::other;
  const jaxpr::equation& e = body.equations[0];
  const std::uint32_t a = body.invars[0].slot, b = body.invars[1].slot;
  if (e.ins.size() != 2 || e.outs.size() != 1 || body.results[0].slot != e.outs[0].slot) return fold_kind::other;
  if (!(e.ins[0].slot == a && e.ins[1].slot == b) && !(e.ins[0].slot == b && e.ins[1].slot == a))
    return fold_kind::other;
  if (type.is_complex()) return e.primitive == "add" ? fold_kind::sum : fold_kind::other;
  for (std::size_t k = 0; k < std::size(fold_table); ++k) {
    const bool logical = k >= static_cast<std::size_t>(fold_kind::all);
    if (e.primitive == fold_table[k].primitive && logical == is_boolean(type.type())) return static_cast<fold_kind>(k);
  }
  // max and min of booleans are or and and.
  if (is_boolean(type.type()) && e.primitive == "max") return fold_kind::any;
  if (is_boolean(type.type()) && e.primitive == "min") return fold_kind::all;
  return fold_kind::other;
}

/// What changes nothing when it is folded in.
inline value identity_of(graph& g, fold_kind k, dtype t) {
  const double highest = format_of(t).has_infinity ? std::numeric_limits<double>::infinity() : largest_finite(t);
  switch (k) {
    case fold_kind::product:
    case fold_kind::all: return scalar(g, t, 1);
    case fold_kind::maximum:
      if (is_floating(t)) return scalar(g, t, -highest);
      return scalar(g, t, smallest_integer(t));
    case fold_kind::minimum:
      if (is_floating(t)) return scalar(g, t, highest);
      return scalar(g, t, static_cast<std::int64_t>(largest_integer(t)));
    default: return scalar(g, t, 0);
  }
}

/// The results of a Scan along an axis.
struct scan_results {
  results last;     ///< the accumulators after the last element
  results running;  ///< after every element, on the axis; or what the steps yielded beyond accumulators
};

/// acc = step(acc, element) along `axis` of `sequences`, which have one or more elements there. Accumulators have the
/// extents of an element. What a step returns beyond them is collected.
template <class Step>
scan_results scan_axis(graph& g, const results& first, const results& sequences, std::int64_t axis, bool reverse,
                       bool keep_running, Step&& step) {
  std::vector<value> inputs, states, elements;
  for (const operand& o : first) inputs.insert(inputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  const std::size_t carried = inputs.size();
  for (const operand& o : sequences) inputs.insert(inputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  const std::size_t scanned = inputs.size() - carried;
  const auto element_type = [&](const value& v) {
    tensor_type t = v.type();
    t.dims.drop(axis);
    return t;
  };
  const auto grouped = [](const results& like, std::span<const value> tensors) {
    results out = like;
    std::size_t next = 0;
    for (operand& o : out)
      for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = tensors[next++];
    return out;
  };
  const block_scope body(g);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i < carried) states.push_back(g.input(inputs[i].type(), "acc"));
    else elements.push_back(g.input(element_type(inputs[i]), "element"));
  }
  const results stepped = step(grouped(first, states), grouped(sequences, elements));
  const auto beyond = static_cast<std::ptrdiff_t>(first.size());
  const results kept = keep_running ? first : results(stepped.begin() + beyond, stepped.end());
  std::vector<value> outputs;
  for (const operand& o : stepped) outputs.insert(outputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  for (std::size_t i = 0; keep_running && i < carried; ++i) outputs.push_back(value(outputs[i]));
  std::vector<tensor_type> types;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    types.push_back(i < carried ? inputs[i].type() : outputs[i].type());
    if (i >= carried) types.back().dims.put(axis, inputs[carried].extent(axis));
  }
  g.set_outputs(body.id(), outputs);
  std::vector<attribute> attributes{{"body", body.id()}, {"num_scan_inputs", static_cast<std::int64_t>(scanned)}};
  const std::size_t collected = types.size() - carried;
  if (axis != 0) attributes.push_back({"scan_input_axes", ints(scanned, axis)});
  if (axis != 0 && collected > 0) attributes.push_back({"scan_output_axes", ints(collected, axis)});
  if (reverse) attributes.push_back({"scan_input_directions", ints(scanned, 1)});
  if (reverse && collected > 0) attributes.push_back({"scan_output_directions", ints(collected, 1)});
  const insertion_scope outside(g, g.at(body.id()).parent);
  const std::vector<value> all = g.emit_many("Scan", inputs, types, std::move(attributes));
  scan_results out{grouped(first, all), {}};
  out.running = grouped(kept, std::span(all).subspan(carried));
  return out;
}

/// The product of integers along axes, which wraps: ReduceProd where nothing overflows, for runtimes saturate; else a Scan.
inline value reduce_to_product(const value& x, const ints& axes) {
  graph& g = x.owner();
  const dim count = g.dims().product(extents_at(x.dims(), axes));
  const bool small = count.is_constant() && count.extent() * (significant_bits(x) - 1) < 32;
  if (!is_integer(x.dtype()) || small || axes.empty()) return reduce("ReduceProd", x, axes);
  const ints rest = complement(x.rank(), axes);
  shape merged{count}, element = extents_at(x.dims(), rest);
  merged.append(element);
  value factors = reshape(jax2onnx::transpose(x, joined(axes, rest)), merged);
  merged[0] = 1;
  const value one = scalar(g, x.dtype(), 1);
  if (!count.is_constant()) factors = concat({factors, broadcast_to(one, merged)}, 0);  // Scan refuses no elements
  return scan_axis(g, {broadcast_to(one, element)}, {factors}, 0, false, false,
                   [](const results& product, const results& factor) {
                     return results{mul(product[0].re(), factor[0].re())};
                   })
      .last[0]
      .re();
}

/// x reduced by an operator of ONNX's, or by what does the same to integers exactly.
inline value reduce_exactly(std::string_view op, const value& x, const ints& axes) {
  if (op == "ReduceSum") return reduce_to_sum(x, axes);
  if (op == "ReduceProd") return reduce_to_product(x, axes);
  return reduce_to_extreme(op, x, axes);
}

/// x folded along axes; no element gives the identity.
inline value fold_axes(fold_kind k, const value& x, const ints& axes) {
  const std::string_view op = names_of(k).reduction;
  if (!is_boolean(x.dtype())) return reduce_exactly(op, x, axes);
  return cast(reduce(op, cast(x, dtype::i32), axes), dtype::boolean);
}

/// Two arrays folded.
inline value fold_two(fold_kind k, const value& a, const value& b) {
  const std::string_view op = names_of(k).binary;
  return k == fold_kind::maximum || k == fold_kind::minimum ? extreme(op, a, b) : binary(op, a, b);
}

/// Accumulators that start at the scalars `inits`, folded by a body of scalars along one axis of `xs`.
inline results fold_by_body(const site& s, const jaxpr::jaxpr& body, const results& xs, const results& inits,
                            std::int64_t axis) {
  shape rest = xs[0].re().dims();
  const dim length = rest[static_cast<std::size_t>(axis)];
  rest.drop(axis);
  results first = inits;
  for (operand& o : first)
    for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = broadcast_to(o.parts[p], rest);
  if (length.is(0)) return first;
  return scan_axis(s.g, first, xs, axis, false, false,
                   [&](results acc, const results& elements) {
                     acc.insert(acc.end(), elements.begin(), elements.end());
                     return s.inline_elementwise(body, acc, rest);
                   })
      .last;
}

/// The larger or the smaller of complex numbers, which go by real parts, then by imaginary ones.
inline operand extreme(const operand& a, const operand& b, bool largest) {
  return cx::where(largest ? cx::less_lexicographic(b, a) : cx::less_lexicographic(a, b), a, b);
}

/// The scalar constant is the identity of its fold.
inline bool is_identity(fold_kind k, const value& init) {
  return init.is_constant() && init == identity_of(init.owner(), k, init.dtype());
}

/// y combined with the scalar that the fold starts with.
inline value with_init(fold_kind k, const value& y, const value& init) {
  return is_identity(k, init) ? y : fold_two(k, y, init);
}

}  // namespace jax2onnx::lower
