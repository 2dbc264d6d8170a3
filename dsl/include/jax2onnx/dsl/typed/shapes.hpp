// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <jax2onnx/dsl/typed/verbs/elementwise.hpp>
#include <jax2onnx/dsl/typed/verbs/indexing.hpp>
#include <jax2onnx/dsl/typed/verbs/linear.hpp>
#include <jax2onnx/dsl/typed/verbs/reduction.hpp>
#include <jax2onnx/dsl/typed/verbs/shape.hpp>

/// Verbs whose shapes and axes are template arguments, so that the compiler knows the types of their results. These
/// verbs simplify the graph in the same cases as the verbs of the same names on erased values.
namespace jax2onnx {

/// A limit of a slice that means the end of the axis, whatever its extent.
inline constexpr extent to_end{dim::limit - 1};

namespace detail {

/// Verbs on erased values, called with the shapes of typed handles.
/// @{
value transposed(const value& x, std::initializer_list<std::int64_t> perm);
value reshaped(const value& x, std::span<const extent> to);
value expanded(const value& x, std::span<const extent> to);
value sliced(const value& x, std::int64_t axis, const extent& start, const extent& limit, std::int64_t step);
value cast_to(const value& x, dtype to);
value filled_with(graph& g, dtype t, const shape& dims, double number);
value filled_with(graph& g, dtype t, const shape& dims, std::int64_t number);
/// @}

/// The number of elements of a typed handle, as a product of its extents.
template <std::size_t N>
constexpr extent element_count(const std::array<extent, N>& extents) {
  extent n = 1;
  for (const extent& e : extents) n = n * e;
  return n;
}

/// Reports a reshape between shapes whose numbers of elements differ.
template <class From, class To>
struct reshape_mismatch {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Reshape(data: ");
    out.add_type(name(dtype_of<typename From::element>), From::extents);
    out.add("): ");
    out.add(element_count(From::extents));
    out.add(" elements cannot be reshaped to ");
    out.add_type("", To::extents);
    return out;
  }
};

/// A call concat(a, b, ...) that should be concat<axis>(a, b, ...).
template <class... Inputs>
struct axis_missing {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Concat: the axis is missing: concat<0>(a, b)");
    return out;
  }
};

/// A split into no parts.
template <class X>
struct no_parts {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("split: there is no part");
    return out;
  }
};

/// A cast to a type that is not an element type.
template <class To>
struct no_element {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Cast: ONNX has no such element type");
    return out;
  }
};

/// The problem of an axis that is a template argument; empty if the axis fits. The operator's rule cannot report the
/// problem, since the rule sees the axis only as an operand.
template <class X, fixed_string Op, std::int64_t Axis>
struct axis_mismatch {
  static constexpr problem_text problem() {
    problem_text out;
    constexpr auto rank = static_cast<std::int64_t>(X::rank);
    if (Axis >= -rank && Axis < rank) return out;
    out.add(Op.view());
    out.add("(x: ");
    out.add_type(name(dtype_of<typename X::element>), X::extents);
    out.add("): the axis ");
    out.add(Axis);
    out.add(" is out of range for ");
    out.add(rank);
    out.add(rank == 1 ? " dimension" : " dimensions");
    return out;
  }
};
template <class X, fixed_string Op, std::int64_t Axis>
constexpr auto refusal_of_axis() {
  if constexpr (argument<X>::known().is == known_operand::form::failed) return std::type_identity<does_not_fit<>>();
  else return std::type_identity<refusal<axis_mismatch<typename argument<X>::handle, Op, Axis>>>();
}
template <class X, fixed_string Op, std::int64_t Axis>
using axis_refusal = typename decltype(refusal_of_axis<X, Op, Axis>())::type;

/// Reports a split along a constant extent that is not divisible by the number of parts.
template <class X, std::size_t Axis, std::size_t Parts>
struct split_mismatch {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Split(input: ");
    out.add_type(name(dtype_of<typename X::element>), X::extents);
    out.add("): ");
    out.add(X::extents[Axis]);
    out.add(" elements do not divide into ");
    out.add(static_cast<std::int64_t>(Parts));
    out.add(" parts");
    return out;
  }
};
template <class X, std::size_t Axis, std::size_t Parts>
constexpr bool divides() {
  return !X::extents[Axis].is_constant() || X::extents[Axis].size % static_cast<std::int64_t>(Parts) == 0;
}

/// Reports a slice along a constant extent if the slice is empty or out of range.
template <class X, std::size_t Axis, std::int64_t Start, std::int64_t Limit, std::int64_t Step>
struct slice_mismatch {
  static constexpr std::int64_t size = X::extents[Axis].size;
  static constexpr std::int64_t start = Start < 0 ? Start + size : Start;
  static constexpr std::int64_t limit = Limit == to_end.size ? size : Limit < 0 && Step > 0 ? Limit + size : Limit;
  static constexpr bool beyond = start < 0 || start > size || (Step > 0 && (limit < 0 || limit > size));
  static constexpr bool empty = size > 0 && Step > 0 && start >= limit;
  static constexpr problem_text problem() {
    problem_text out;
    out.add("Slice(data: ");
    out.add_type(name(dtype_of<typename X::element>), X::extents);
    out.add("): ");
    out.add(Start);
    out.add(":");
    if (Limit != to_end.size) out.add(Limit);
    out.add(beyond ? " goes beyond axis " : " is empty, along axis ");
    out.add(static_cast<std::int64_t>(Axis));
    return out;
  }
};
template <class X, std::size_t Axis, extent Start, extent Limit, std::int64_t Step>
constexpr bool slices() {
  if constexpr (!X::extents[Axis].is_constant() || !Start.is_constant() || !Limit.is_constant()) return true;
  else {
    using mismatch = slice_mismatch<X, Axis, Start.size, Limit.size, Step>;
    return !mismatch::beyond && !mismatch::empty;
  }
}

/// Returns whether a dim can be cancelled from two products that are compared. An unknown dim cannot be cancelled,
/// since its value may differ between the products. 0 cannot be cancelled, since it makes a product 0.
constexpr bool cancels(dim d) { return !d.is_dyn() && !d.is(0); }

/// Returns whether two shapes may have the same number of elements. Extents that both shapes share are cancelled if
/// cancels() allows it.
template <class From, class To>
constexpr bool same_count() {
  const extent_view a = argument<From>::known().shape, b = argument<To>::known().shape;
  std::array<bool, To::rank> met{};
  extent from = 1, to = 1;
  for (std::size_t i = 0; i < a.size; ++i) {
    std::size_t j = 0;
    while (j < b.size && (met[j] || a.dims[i] != b.dims[j])) ++j;
    if (j < b.size && cancels(a.dims[i])) met[j] = true;
    else from = from * a.extents[i];
  }
  for (std::size_t j = 0; j < b.size; ++j)
    if (!met[j]) to = to * b.extents[j];
  return !infer::may_differ(from, to);
}

}  // namespace detail

/// Dimension i of the result is dimension Perm[i] of x: `transpose<1, 0>(x)`.
template <std::int64_t First, std::int64_t... Rest, class X>
requires typed_operands<X>
auto transpose(const X& x) {
  using attributes = fixed_attributes<transpose_attributes_of{.perm = {First, Rest...}}>;
  using call = typed_call<typed_operators::transpose, attributes, 1, X>;
  if constexpr (call::fits) return call::template result<0>(detail::transposed(as_value(x), {First, Rest...}));
  else {
    return typename refusal<call>::result();
  }
}

/// x with other extents, one of which may be -1: `reshape<"B"_d, 8, -1>(x)`.
template <extent... To, class X>
requires typed_operands<X> &&(sizeof...(To) > 0) auto reshape(const X& x) {
  using call = typed_call<typed_operators::reshape, default_attributes, 1, X, known_integers<To...>>;
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else {
    using from = typename detail::argument<X>::handle;
    using to = typename call::template output<0>;
    if constexpr (!detail::same_count<from, to>()) {
      return typename refusal<detail::reshape_mismatch<from, to>>::result();
    } else {
      return to::of_result(detail::reshaped(as_value(x), to::extents));
    }
  }
}

/// x repeated along dimensions of extent 1 and along new leading dimensions: `expand<3, "B"_d, 784>(x)`.
template <extent... To, class X>
requires typed_operands<X> &&(sizeof...(To) > 0) auto expand(const X& x) {
  using call = typed_call<typed_operators::expand, default_attributes, 1, X, known_integers<To...>>;
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else {
    using to = typename call::template output<0>;
    return to::of_result(detail::expanded(as_value(x), to::extents));
  }
}

/// x[.., Start:Limit:Step, ..] along one axis: `slice<1, 0, 3>(x)`, `slice<-1, 64, to_end>(x)`. Negative axes and
/// bounds count from the end.
template <std::int64_t Axis, extent Start, extent Limit, std::int64_t Step = 1, class X>
requires typed_operands<X>
auto slice(const X& x) {
  using call = typed_call<typed_operators::slice, default_attributes, 1, X, known_integers<Start>,
                          known_integers<Limit>, known_integers<Axis>, known_integers<Step>>;
  using from = typename detail::argument<X>::handle;
  constexpr auto axis = static_cast<std::size_t>(Axis < 0 ? Axis + static_cast<std::int64_t>(from::rank) : Axis);
  if constexpr (!call::fits) {
    return typename refusal<call>::result();
  } else if constexpr (!detail::slices<from, axis, Start, Limit, Step>()) {
    return typename refusal<detail::slice_mismatch<from, axis, Start.size, Limit.size, Step>>::result();
  } else if constexpr (Start.is_constant() && Limit.is_constant()) {
    return call::template result<0>(jax2onnx::slice(as_value(x), {Start.size}, {Limit.size}, {Axis}, {Step}));
  } else {
    return call::template result<0>(detail::sliced(as_value(x), Axis, Start, Limit, Step));
  }
}

/// Refuses a call without an axis.
template <class... Inputs>
requires all_typed<Inputs...>
auto concat(const Inputs&...) { return typename refusal<detail::axis_missing<Inputs...>>::result(); }

/// Parts of equal extents along an axis, as a tuple: `auto [q, k, v] = split<-1, 3>(x)`.
template <std::int64_t Axis, std::size_t Parts, class X>
requires typed_operands<X>
auto split(const X& x) {
  if constexpr (Parts == 0) {
    return std::array{typename refusal<detail::no_parts<X>>::result()};  // std::get<0>() of it is not a second error
  } else {
    using attributes =
        fixed_attributes<split_attributes_of{.axis = Axis, .num_outputs = static_cast<std::int64_t>(Parts)}>;
    using call = typed_call<typed_operators::split, attributes, Parts, X>;
    using from = typename detail::argument<X>::handle;
    constexpr auto axis = static_cast<std::size_t>(Axis < 0 ? Axis + static_cast<std::int64_t>(from::rank) : Axis);
    constexpr bool divides = [] {
      if constexpr (call::fits) return detail::divides<from, axis, Parts>();
      else return true;
    }();
    if constexpr (!call::fits) (void)typename refusal<call>::result();
    if constexpr (!divides) (void)typename refusal<detail::split_mismatch<from, axis, Parts>>::result();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (call::fits && divides) {
        const auto parts =
            jax2onnx::split(as_value(x), {}, {.axis = Axis, .num_outputs = static_cast<std::int64_t>(Parts)});
        return std::tuple(call::template result<I>(parts[I])...);
      } else {
        return std::tuple(((void)I, failed_call())...);
      }
    }
    (std::make_index_sequence<Parts>());
  }
}

/// x with element type To: `cast<std::int32_t>(x)`. The results for values out of range depend on the runtime.
template <class To, class X>
requires typed_operands<X>
auto cast(const X& x) {
  using call = typed_call<typed_operators::cast, fixed_attributes<cast_attributes_of{.to = dtype_of<To>}>, 1, X>;
  if constexpr (dtype_of<To> == dtype::undefined) {
    return typename refusal<detail::no_element<To>>::result();
  } else if constexpr (call::fits) {
    return call::template result<0>(detail::cast_to(as_value(x), dtype_of<To>));
  } else {
    return typename refusal<call>::result();
  }
}

/// The K largest elements along an axis, and their indices.
template <std::int64_t K, std::int64_t Axis = -1, class X>
requires typed_operands<X>
auto top_k(const X& x) { return top_k<top_k_attributes_of{.axis = Axis}>(x, known_integers<K>()); }

/// Running sums or products along an axis: `cumsum<-1>(x)`.
/// @{
template <std::int64_t Axis, class X>
requires typed_operands<X>
auto cumsum(const X& x) {
  using refused = detail::axis_refusal<X, "CumSum", Axis>;
  if constexpr (std::same_as<refused, does_not_fit<>>) return cumsum(x, Axis);
  else return typename refused::result();
}
template <std::int64_t Axis, class X>
requires typed_operands<X>
auto cumprod(const X& x) {
  using refused = detail::axis_refusal<X, "CumProd", Axis>;
  if constexpr (std::same_as<refused, does_not_fit<>>) return cumprod(x, Axis);
  else return typename refused::result();
}
/// @}

/// x repeated the given number of times along each axis: `tile<1, 3>(x)`.
template <std::int64_t First, std::int64_t... Rest, class X>
requires typed_operands<X>
auto tile(const X& x) {
  using call = typed_call<typed_operators::tile, default_attributes, 1, X, known_integers<First, Rest...>>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::tile(as_value(x), {First, Rest...}));
  else {
    return typename refusal<call>::result();
  }
}

/// Products and sums in Einstein's notation: `einsum<"bij,bjk->bik">(a, b)`.
template <fixed_string Equation, class... X>
requires all_typed<X...>
auto einsum(const X&... x) {
  using call =
      typed_call<typed_operators::einsum, fixed_attributes<einsum_attributes_of{.equation = Equation}>, 1, X...>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::einsum({as_value(x)...}, {.equation = std::string(Equation.view())}));
  else {
    return typename refusal<call>::result();
  }
}

/// x w + b over the last dimension of x: MatMul and Add.
template <class X, class W, class B>
requires typed_operands<X, W, B>
auto dense(const X& x, const W& w, const B& b) { return add(matmul(x, w), b); }

/// A tensor whose elements all have the same value: `filled<float, 2, 3>(g, 1.0f)`.
template <class T, extent... Extents>
tensor<T, Extents...> filled(graph& g, T number) {
  using result = tensor<T, Extents...>;
  using stored = std::conditional_t<std::integral<T>, std::int64_t, double>;
  return result::of_result(detail::filled_with(g, dtype_of<T>, type_of<result>(g).dims, static_cast<stored>(number)));
}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/typed/shapes.inl.hpp>
#endif
