#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/ops/slice.hpp>
#include <jax2onnx/ops/typed/verbs/elementwise.hpp>
#include <jax2onnx/ops/typed/verbs/indexing.hpp>
#include <jax2onnx/ops/typed/verbs/linear.hpp>
#include <jax2onnx/ops/typed/verbs/reduction.hpp>
#include <jax2onnx/ops/typed/verbs/shape.hpp>

/// Verbs whose shapes and axes are template arguments, so that the compiler knows the types of results. They simplify
/// as the erased verbs of their names do.
namespace jax2onnx {

/// A limit of a slice: the end of the axis, whatever its extent.
inline constexpr extent to_end{dim::limit - 1};

namespace detail {

/// Extents in the table of a graph.
template <std::size_t N>
shape dims_in(graph& g, const std::array<extent, N>& extents) {
  shape out;
  for (const extent& e : extents) out.push_back(in_table(g.dims(), e));
  return out;
}

/// The extents of a typed handle as one product.
template <std::size_t N>
constexpr extent element_count(const std::array<extent, N>& extents) {
  extent n = 1;
  for (const extent& e : extents) n = n * e;
  return n;
}

/// A reshape of symbolic extents to others.
template <class From, class To>
struct reshape_mismatch {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Reshape(data: ");
    out.add_type(name(dtype_of<typename From::element>), From::extents);
    out.add("): ");
    out.add(element_count(From::extents));
    out.add(" elements are no ");
    out.add_type("", To::extents);
    return out;
  }
};

/// Whether two numbers of elements are known and differ.
template <class From, class To>
constexpr bool same_count() {
  return !infer::may_differ(element_count(From::extents), element_count(To::extents));
}

}  // namespace detail

/// Dimension i of the result is dimension Perm[i] of x: `transpose<1, 0>(x)`.
template <std::int64_t First, std::int64_t... Rest, class X>
requires typed_operands<X>
auto transpose(const X& x) {
  using attributes = fixed_attributes<transpose_attributes_of{.perm = {First, Rest...}}>;
  using call = typed_call<operators::transpose, attributes, 1, X>;
  if constexpr (call::fits) return call::template result<0>(transpose(as_value(x), ints{First, Rest...}));
  else {
    return typename refusal<call>::result();
  }
}

/// x with other extents, of which one may be -1: `reshape<"B"_d, 8, -1>(x)`.
template <extent... To, class X>
requires typed_operands<X> &&(sizeof...(To) > 0) auto reshape(const X& x) {
  using call = typed_call<operators::reshape, default_attributes, 1, X, known_integers<To...>>;
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else {
    using from = typename detail::argument<X>::handle;
    using to = typename call::template output<0>;
    if constexpr (!detail::same_count<from, to>()) {
      return typename refusal<detail::reshape_mismatch<from, to>>::result();
    } else {
      return to::of_result(reshape(as_value(x), detail::dims_in(as_value(x).owner(), to::extents)));
    }
  }
}

/// x repeated along dimensions of extent 1, and along new ones in front: `expand<3, "B"_d, 784>(x)`.
template <extent... To, class X>
requires typed_operands<X> &&(sizeof...(To) > 0) auto expand(const X& x) {
  using call = typed_call<operators::expand, default_attributes, 1, X, known_integers<To...>>;
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else {
    using to = typename call::template output<0>;
    return to::of_result(broadcast_to(as_value(x), detail::dims_in(as_value(x).owner(), to::extents)));
  }
}

/// x[.., Start : Limit : Step, ..] along one axis: `slice<1, 0, 3>(x)`, `slice<-1, 64, to_end>(x)`. Negative axes and
/// bounds count from the end.
template <std::int64_t Axis, extent Start, extent Limit, std::int64_t Step = 1, class X>
requires typed_operands<X>
auto slice(const X& x) {
  using call = typed_call<operators::slice, default_attributes, 1, X, known_integers<Start>, known_integers<Limit>,
                          known_integers<Axis>, known_integers<Step>>;
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else if constexpr (Start.is_constant() && Limit.is_constant()) {
    return call::template result<0>(verbatim::slice(as_value(x), {Start.size}, {Limit.size}, {Axis}, {Step}));
  } else {
    const value& v = as_value(x);
    return call::template result<0>(slice(v, {Axis < 0 ? Axis + v.rank() : Axis},
                                          detail::dims_in(v.owner(), std::array{Start}),
                                          detail::dims_in(v.owner(), std::array{Limit}), {Step}));
  }
}

/// Parts of equal extents along an axis, as a tuple: `auto [q, k, v] = split<-1, 3>(x)`.
template <std::int64_t Axis, std::size_t Parts, class X>
requires typed_operands<X>
auto split(const X& x) {
  static_assert(Parts > 0, "split: there is no part");
  using attributes =
      fixed_attributes<split_attributes_of{.axis = Axis, .num_outputs = static_cast<std::int64_t>(Parts)}>;
  using call = typed_call<operators::split, attributes, Parts, X>;
  if constexpr (!call::fits) (void)typename refusal<call>::result();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (call::fits) {
      const auto parts =
          verbatim::split(as_value(x), {}, {.axis = Axis, .num_outputs = static_cast<std::int64_t>(Parts)});
      return std::tuple(call::template result<I>(parts[I])...);
    } else {
      return std::tuple(((void)I, failed_call())...);
    }
  }
  (std::make_index_sequence<Parts>());
}

/// The element type To: `cast<std::int32_t>(x)`. What becomes of a value out of range is up to the runtime.
template <class To, class X>
requires typed_operands<X> &&(dtype_of<To> != dtype::undefined) auto cast(const X& x) {
  using call = typed_call<operators::cast, fixed_attributes<cast_attributes_of{.to = dtype_of<To>}>, 1, X>;
  if constexpr (call::fits) return call::template result<0>(cast(as_value(x), dtype_of<To>));
  else {
    return typename refusal<call>::result();
  }
}

/// The K largest elements along an axis, and their indices.
template <std::int64_t K, std::int64_t Axis = -1, class X>
requires typed_operands<X>
auto top_k(const X& x) { return top_k<top_k_attributes_of{.axis = Axis}>(x, known_integers<K>()); }

/// Sums or products of the elements so far along an axis: `cumsum<-1>(x)`.
/// @{
template <std::int64_t Axis, class X>
requires typed_operands<X>
auto cumsum(const X& x) { return cumsum(x, Axis); }
template <std::int64_t Axis, class X>
requires typed_operands<X>
auto cumprod(const X& x) { return cumprod(x, Axis); }
/// @}

/// x repeated this many times along each axis: `tile<1, 3>(x)`.
template <std::int64_t First, std::int64_t... Rest, class X>
requires typed_operands<X>
auto tile(const X& x) {
  using call = typed_call<operators::tile, default_attributes, 1, X, known_integers<First, Rest...>>;
  if constexpr (call::fits) return call::template result<0>(verbatim::tile(as_value(x), {First, Rest...}));
  else {
    return typename refusal<call>::result();
  }
}

/// Products and sums in Einstein's notation: `einsum<"bij,bjk->bik">(a, b)`.
template <fixed_string Equation, class... X>
requires all_typed<X...>
auto einsum(const X&... x) {
  using call = typed_call<operators::einsum, fixed_attributes<einsum_attributes_of{.equation = Equation}>, 1, X...>;
  if constexpr (call::fits)
    return call::template result<0>(verbatim::einsum({as_value(x)...}, {.equation = std::string(Equation.view())}));
  else {
    return typename refusal<call>::result();
  }
}

/// x w + b over the last dimension of x: MatMul and Add.
template <class X, class W, class B>
requires typed_operands<X, W, B>
auto dense(const X& x, const W& w, const B& b) { return add(matmul(x, w), b); }

/// A tensor of one number: `filled<float, 2, 3>(g, 1.0f)`.
template <class T, extent... Extents>
tensor<T, Extents...> filled(graph& g, T number) {
  using result = tensor<T, Extents...>;
  return result::of_result(filled(g, dtype_of<T>, type_of<result>(g).dims, number));
}

}  // namespace jax2onnx
