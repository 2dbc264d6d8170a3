#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/build/constants.hpp>
#include <jax2onnx/build/graph.hpp>
#include <jax2onnx/build/infer.hpp>

/// The verbs that have ONNX operators of one output behind them, on erased handles. They are smart: what changes
/// nothing emits nothing. Differences between opsets live here and nowhere else.
namespace jax2onnx {

/// `shape`, or a build_error that names the op and its operands.
inline shape checked(std::string_view op, const infer::result& r, std::initializer_list<value> operands) {
  if (r.ok()) return r.dims;
  std::string shapes;
  for (const value& v : operands) shapes += (shapes.empty() ? "" : " and ") + text(v);
  throw build_error(fmt::format("{}: {}: {}", op, r.problem, shapes));
}

inline void require_same_dtype(std::string_view op, const value& a, const value& b) {
  if (a.dtype() != b.dtype()) throw build_error(fmt::format("{}: the dtypes differ: {} and {}", op, text(a), text(b)));
}

// ---- elementwise -------------------------------------------------------------------------------------------------

/// An op that maps every element: Abs, Exp, Neg, Not, Sigmoid, …
inline value unary(std::string_view op, const value& x) { return x.owner().emit(op, {x}, x.type()); }

/// An op of two operands of one dtype that broadcast: Add, Max, BitwiseAnd, …
inline value binary(std::string_view op, const value& a, const value& b) {
  require_same_dtype(op, a, b);
  return a.owner().emit(op, {a, b}, {a.dtype(), checked(op, infer::broadcast(a.dims(), b.dims()), {a, b})});
}

/// An op of two operands of one dtype that broadcast, with a bool result: Equal, Less, …
inline value compare(std::string_view op, const value& a, const value& b) {
  require_same_dtype(op, a, b);
  return a.owner().emit(op, {a, b}, {dtype::boolean, checked(op, infer::broadcast(a.dims(), b.dims()), {a, b})});
}

inline value add(const value& a, const value& b) { return binary("Add", a, b); }
inline value sub(const value& a, const value& b) { return binary("Sub", a, b); }
inline value mul(const value& a, const value& b) { return binary("Mul", a, b); }
inline value div(const value& a, const value& b) { return binary("Div", a, b); }
inline value maximum(const value& a, const value& b) { return binary("Max", a, b); }
inline value minimum(const value& a, const value& b) { return binary("Min", a, b); }
inline value neg(const value& x) { return unary("Neg", x); }
inline value abs(const value& x) { return unary("Abs", x); }
inline value exp(const value& x) { return unary("Exp", x); }
inline value log(const value& x) { return unary("Log", x); }
inline value sqrt(const value& x) { return unary("Sqrt", x); }
inline value reciprocal(const value& x) { return unary("Reciprocal", x); }
inline value floor(const value& x) { return unary("Floor", x); }
inline value equal(const value& a, const value& b) { return compare("Equal", a, b); }
inline value less(const value& a, const value& b) { return compare("Less", a, b); }
inline value less_equal(const value& a, const value& b) { return compare("LessOrEqual", a, b); }
inline value greater(const value& a, const value& b) { return compare("Greater", a, b); }
inline value greater_equal(const value& a, const value& b) { return compare("GreaterOrEqual", a, b); }
inline value logical_not(const value& x) { return unary("Not", x); }
inline value logical_and(const value& a, const value& b) { return binary("And", a, b); }
inline value logical_or(const value& a, const value& b) { return binary("Or", a, b); }
inline value logical_xor(const value& a, const value& b) { return binary("Xor", a, b); }
inline value is_nan(const value& x) { return x.owner().emit("IsNaN", {x}, {dtype::boolean, x.dims()}); }

// The same with a number for an operand; it takes the other's dtype.
template <class Number>
value add(const value& a, Number b) requires std::is_arithmetic_v<Number> { return add(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value sub(const value& a, Number b) requires std::is_arithmetic_v<Number> { return sub(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value mul(const value& a, Number b) requires std::is_arithmetic_v<Number> { return mul(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value div(const value& a, Number b) requires std::is_arithmetic_v<Number> { return div(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value maximum(const value& a, Number b) requires std::is_arithmetic_v<Number> { return maximum(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value minimum(const value& a, Number b) requires std::is_arithmetic_v<Number> { return minimum(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value less(const value& a, Number b) requires std::is_arithmetic_v<Number> { return less(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value greater_equal(const value& a, Number b) requires std::is_arithmetic_v<Number> { return greater_equal(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value greater(const value& a, Number b) requires std::is_arithmetic_v<Number> { return greater(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value less_equal(const value& a, Number b) requires std::is_arithmetic_v<Number> { return less_equal(a, scalar(a.owner(), a.dtype(), b)); }
template <class Number>
value equal(const value& a, Number b) requires std::is_arithmetic_v<Number> { return equal(a, scalar(a.owner(), a.dtype(), b)); }

/// `c ? a : b`; the three broadcast.
inline value where(const value& c, const value& a, const value& b) {
  require_same_dtype("Where", a, b);
  const shape ab = checked("Where", infer::broadcast(a.dims(), b.dims()), {a, b});
  return a.owner().emit("Where", {c, a, b}, {a.dtype(), checked("Where", infer::broadcast(c.dims(), ab), {c, a, b})});
}

/// ONNX's Cast: what it does out of range is the runtime's affair; see convert_element_type for JAX's conversion.
inline value cast(const value& x, dtype to) {
  if (x.dtype() == to) return x;
  return x.owner().emit("Cast", {x}, {to, x.dims()}, {{"to", static_cast<std::int64_t>(to)}});
}

// ---- extents at run time -----------------------------------------------------------------------------------------

/// Extents [begin, end) of x as an int64 vector (Shape, opset 15).
inline value shape_of(const value& x, std::int64_t begin, std::int64_t end) {
  return x.owner().emit("Shape", {x}, {dtype::i64, {end - begin}}, {{"start", begin}, {"end", end}});
}

value dim_value(graph& g, dim d);

namespace detail {

/// A symbol's int64[1] value, from an input dim that is linear in it, the others being known.
inline value symbol_value(graph& g, std::uint32_t atom) {
  for (const auto& [d, axis] : g.input_dims()) {
    const auto terms = g.dims().terms(d);
    const dim_table::factors alone{{atom, 1u}};
    const auto it = terms.find(alone);
    if (it == terms.end()) continue;
    const bool linear = std::ranges::all_of(terms, [&](const auto& t) { return t.first.empty() || t.first == alone; });
    if (!linear) continue;
    value v = shape_of({g, axis.source}, axis.axis, axis.axis + 1);
    const auto constant = terms.find({});
    if (constant != terms.end()) v = sub(v, constant->second);
    return it->second == 1 ? v : div(v, it->second);
  }
  throw build_error(fmt::format("no input has a dimension that determines the symbol '{}'", g.dims().atom_at(atom).text));
}

/// floor(a / b) of int64 vectors; ONNX's Div truncates.
inline value floor_div(const value& a, const value& b, bool nonnegative) {
  const value q = div(a, b);
  if (nonnegative) return q;
  const value inexact = logical_not(equal(mul(q, b), a));
  const value opposite = logical_xor(less(a, 0), less(b, 0));
  return sub(q, cast(logical_and(inexact, opposite), dtype::i64));
}

inline value atom_value(graph& g, std::uint32_t index) {
  const dim_table::atom a = g.dims().atom_at(index);
  if (a.kind == dim_table::atom_kind::symbol) return symbol_value(g, index);
  const value x = dim_value(g, a.lhs), y = dim_value(g, a.rhs);
  const bool nonnegative = g.dims().known_nonnegative(a.lhs) && g.dims().known_nonnegative(a.rhs);
  switch (a.kind) {
    case dim_table::atom_kind::max: return maximum(x, y);
    case dim_table::atom_kind::min: return minimum(x, y);
    case dim_table::atom_kind::floordiv: return floor_div(x, y, nonnegative);
    default: return sub(x, mul(floor_div(x, y, nonnegative), y));
  }
}

}  // namespace detail

/// A dim as an int64[1] tensor: a constant, or computed from the shapes of the inputs, once for the whole graph.
inline value dim_value(graph& g, dim d) {
  if (d.is_constant()) return int64s(g, {d.extent()});
  if (d.is_dyn()) throw build_error("an unknown extent is needed as a number");
  if (const auto it = g.dim_values().find(d.key()); it != g.dim_values().end()) return {g, it->second};
  const insertion_scope main(g, block_id::main);
  value sum;
  for (const auto& [axis_dim, axis] : g.input_dims())
    if (axis_dim == d) {
      sum = shape_of({g, axis.source}, axis.axis, axis.axis + 1);
      break;
    }
  const auto terms = sum ? dim_table::polynomial{} : g.dims().terms(d);
  for (const auto& [factors, coefficient] : terms) {
    value product;
    for (const auto& [atom, power] : factors) {
      const dim key = dim_table::atom_dim(g.dims().atom_at(atom));
      const auto cached = g.dim_values().find(key.key());
      const value v = cached != g.dim_values().end() ? value(g, cached->second) : detail::atom_value(g, atom);
      g.dim_values()[key.key()] = v.id();
      for (std::uint32_t i = 0; i < power; ++i) product = product ? mul(product, v) : v;
    }
    product = !product ? int64s(g, {coefficient}) : coefficient == 1 ? product : mul(product, coefficient);
    sum = sum ? add(sum, product) : product;
  }
  g.dim_values()[d.key()] = sum.id();
  return sum;
}

/// A shape as an int64 vector.
inline value shape_value(graph& g, const shape& s) {
  std::vector<value> parts;
  ints run;
  const auto flush = [&] {
    if (!run.empty()) parts.push_back(int64s(g, run));
    run.clear();
  };
  for (dim d : s) {
    if (d.is_constant()) {
      run.push_back(d.extent());
    } else {
      flush();
      parts.push_back(dim_value(g, d));
    }
  }
  flush();
  if (parts.empty()) return int64s(g, std::span<const std::int64_t>{});
  if (parts.size() == 1) return parts[0];
  return g.emit("Concat", std::span<const value>(parts), {dtype::i64, {static_cast<std::int64_t>(s.size())}},
                {{"axis", std::int64_t{0}}});
}

// ---- shape -------------------------------------------------------------------------------------------------------

/// x with the extents `target`, in row-major order. Zeros (copy) and one -1 keep run-time shapes out of the graph.
inline value reshape(const value& x, const shape& target) {
  if (x.dims() == target) return x;
  graph& g = x.owner();
  const shape out = checked("Reshape", infer::reshape(x.dims(), target), {x});
  const bool empty = std::ranges::any_of(target, [](dim d) { return d.is(0); });
  ints numbers;
  int unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i].is_constant()) numbers.push_back(target[i].extent());
    else if (!empty && i < x.dims().size() && target[i] == x.dims()[i]) numbers.push_back(0);
    else if (++unknown == 1 && !empty) numbers.push_back(-1);
  }
  const bool plain = numbers.size() == target.size();
  const value sizes = plain ? int64s(g, numbers) : shape_value(g, target);
  std::vector<attribute> attributes;
  if (empty) attributes.push_back({"allowzero", std::int64_t{1}});
  return g.emit("Reshape", {x, sizes}, {x.dtype(), out}, std::move(attributes));
}

/// Dimension i of the result is dimension perm[i] of x.
inline value transpose(const value& x, const ints& perm) {
  if (std::ranges::is_sorted(perm) && std::ssize(perm) == x.rank()) return x;
  return x.owner().emit("Transpose", {x}, {x.dtype(), checked("Transpose", infer::transpose(x.dims(), perm), {x})},
                        {{"perm", perm}});
}

/// Inserts extents of 1, so that they are at `axes` of the result.
inline value unsqueeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  return x.owner().emit("Unsqueeze", {x, int64s(x.owner(), axes)},
                        {x.dtype(), checked("Unsqueeze", infer::unsqueeze(x.dims(), axes), {x})});
}

/// Removes dimensions of extent 1.
inline value squeeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  return x.owner().emit("Squeeze", {x, int64s(x.owner(), axes)},
                        {x.dtype(), checked("Squeeze", infer::squeeze(x.dims(), axes), {x})});
}

/// numpy's broadcast_to. Extents that x already has need no value: Expand leaves a dimension alone where it is told 1.
inline value broadcast_to(const value& x, const shape& target) {
  if (x.dims() == target) return x;
  const shape out = checked("Expand", infer::broadcast(x.dims(), target), {x});
  shape asked = target;
  const std::size_t shift = target.size() - std::min(target.size(), x.dims().size());
  bool needed = shift > 0;
  for (std::size_t i = 0; i < x.dims().size(); ++i) {
    if (x.dims()[i].is(1) && !target[i + shift].is(1)) needed = true;
    else asked[i + shift] = 1;
  }
  if (!needed) return x;
  return x.owner().emit("Expand", {x, shape_value(x.owner(), asked)}, {x.dtype(), target});
}

/// A tensor whose elements are all `number`.
template <class Number>
value filled(graph& g, dtype t, const shape& dims, Number number) {
  return broadcast_to(scalar(g, t, number), dims);
}

/// The operands one after another along `axis`.
inline value concat(std::span<const value> parts, std::int64_t axis) {
  if (parts.size() == 1) return parts[0];
  graph& g = parts[0].owner();
  shape out = parts[0].dims();
  const auto a = static_cast<std::size_t>(axis);
  for (const value& p : parts.subspan(1)) {
    require_same_dtype("Concat", parts[0], p);
    if (p.rank() != parts[0].rank()) throw build_error(fmt::format("Concat: the ranks differ: {} and {}", text(parts[0]), text(p)));
    out[a] = g.dims().add(out[a], p.dims()[a]);
  }
  return g.emit("Concat", parts, {parts[0].dtype(), out}, {{"axis", axis}});
}
inline value concat(std::initializer_list<value> parts, std::int64_t axis) {
  return concat(std::span<const value>(parts.begin(), parts.size()), axis);
}

/// x[start : limit : stride] along every axis of `axes`; 0 <= start <= limit <= extent, stride >= 1.
inline value slice(const value& x, const ints& axes, const shape& starts, const shape& limits, const ints& strides) {
  graph& g = x.owner();
  shape out = x.dims(), used_starts, used_limits;
  ints used_axes, used_strides;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    dim& extent = out[static_cast<std::size_t>(axes[i])];
    if (starts[i].is(0) && limits[i] == extent && strides[i] == 1) continue;
    used_axes.push_back(axes[i]);
    used_starts.push_back(starts[i]);
    used_limits.push_back(limits[i] == extent ? dim(INT32_MAX) : limits[i]);
    used_strides.push_back(strides[i]);
    const dim length = g.dims().sub(limits[i], starts[i]);
    extent = g.dims().floordiv(g.dims().add(length, strides[i] - 1), strides[i]);
  }
  if (used_axes.empty()) return x;
  const bool strided = std::ranges::any_of(used_strides, [](std::int64_t s) { return s != 1; });
  std::vector<value> operands{x, shape_value(g, used_starts), shape_value(g, used_limits), int64s(g, used_axes)};
  if (strided) operands.push_back(int64s(g, used_strides));
  return g.emit("Slice", std::span<const value>(operands), {x.dtype(), out});
}
/// x[start : limit] along one axis.
inline value slice(const value& x, std::int64_t axis, dim start, dim limit) {
  return slice(x, {axis}, {start}, {limit}, {1});
}

/// x with the order of elements along `axes` reversed.
inline value reverse(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  const ints minus_one(axes.size(), -1), lowest(axes.size(), INT64_MIN);
  return g.emit("Slice", {x, int64s(g, minus_one), int64s(g, lowest), int64s(g, axes), int64s(g, minus_one)}, x.type());
}

/// x with `low` and `high` copies of the scalar `fill` before and after every axis; negative amounts crop.
inline value pad(const value& x, const shape& low, const shape& high, const value& fill) {
  graph& g = x.owner();
  const auto zero = [](dim d) { return d.is(0); };
  if (std::ranges::all_of(low, zero) && std::ranges::all_of(high, zero)) return x;
  shape out = x.dims(), amounts = low;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = g.dims().add(out[i], g.dims().add(low[i], high[i]));
  amounts.insert(amounts.end(), high.begin(), high.end());
  return g.emit("Pad", {x, shape_value(g, amounts), fill}, {x.dtype(), out}, {{"mode", std::string("constant")}});
}

/// x[..., indices, ...] along `axis`: numpy's take. Indices are int32 or int64 and in range.
inline value gather(const value& x, const value& indices, std::int64_t axis) {
  return x.owner().emit("Gather", {x, indices},
                        {x.dtype(), checked("Gather", infer::gather(x.dims(), indices.dims(), axis), {x, indices})},
                        {{"axis", axis}});
}

/// Element `index` along `axis`, without that axis.
inline value pick(const value& x, std::int64_t index, std::int64_t axis) {
  return gather(x, scalar(x.owner(), dtype::i64, index), axis);
}

// ---- reductions and products -------------------------------------------------------------------------------------

/// ReduceSum, ReduceMax, …: axes are an attribute before opset 18, but for ReduceSum.
inline value reduce(std::string_view op, const value& x, const ints& axes, bool keep_dims = false) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  tensor_type type{x.dtype(), checked(op, infer::reduce(x.dims(), axes, keep_dims), {x})};
  const attribute keep{"keepdims", std::int64_t{keep_dims}};
  if (op == "ReduceSum" || g.opset() >= 18) return g.emit(op, {x, int64s(g, axes)}, std::move(type), {keep});
  return g.emit(op, {x}, std::move(type), {{"axes", axes}, keep});
}

/// numpy's matmul of operands of rank 2 or more.
inline value matmul(const value& a, const value& b) {
  require_same_dtype("MatMul", a, b);
  return a.owner().emit("MatMul", {a, b}, {a.dtype(), checked("MatMul", infer::matmul(a.dims(), b.dims()), {a, b})});
}

// ---- axes --------------------------------------------------------------------------------------------------------

/// 0, 1, …, n - 1
inline ints iota_axes(std::int64_t n) {
  ints out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return out;
}
/// The axes below `rank` that are in none of the lists, in order.
template <class... Lists>
ints complement(std::int64_t rank, const Lists&... lists) {
  ints out;
  for (std::int64_t i = 0; i < rank; ++i)
    if ((... && (std::ranges::find(lists, i) == lists.end()))) out.push_back(i);
  return out;
}
template <class... Lists>
ints joined(ints first, const Lists&... rest) {
  (first.insert(first.end(), rest.begin(), rest.end()), ...);
  return first;
}
inline ints inverse(const ints& perm) {
  ints out(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) out[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  return out;
}
/// The extents of `s` at `axes`.
inline shape extents_at(const shape& s, const ints& axes) {
  shape out;
  for (std::int64_t a : axes) out.push_back(s[static_cast<std::size_t>(a)]);
  return out;
}

}  // namespace jax2onnx
