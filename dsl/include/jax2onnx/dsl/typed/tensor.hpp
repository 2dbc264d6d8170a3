// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/structure/memory_view.hpp>
#include <jax2onnx/dsl/typed/element.hpp>
#include <jax2onnx/dsl/typed/extent_math.hpp>
#include <jax2onnx/dsl/typed/literal.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/strings.hpp>
#include <jax2onnx/operators/infer.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/message.hpp>

/// The typed handle: dtype and shape are part of the C++ type, and operands that do not fit do not compile.
namespace jax2onnx {

template <class T, extent... Extents>
class tensor;

namespace detail {

/// Returns whether an extent of a value fits a declared extent. `dyn` fits every extent. An extent that the graph does
/// not know also fits: a mismatch shows only when the model runs.
constexpr bool extent_fits(dim actual, dim declared) { return !infer::may_differ(actual, declared); }

/// The error for a declaration that does not fit, at compile time: `tensor: f32[B,10] is declared as f32[B,11]`.
template <class Declared, class Actual>
struct declared_mismatch {
  static constexpr problem_text problem() {
    problem_text out;
    out.add("tensor: ");
    out.add_type(name(dtype_of<typename Actual::element>), Actual::extents);
    out.add(" is declared as ");
    out.add_type(name(dtype_of<typename Declared::element>), Declared::extents);
    for (std::size_t i = 0; i < Declared::rank && Declared::rank == Actual::rank; ++i) {
      if (extent_fits(Actual::extents[i], Declared::extents[i])) continue;
      out.add("; axis ");
      out.add(static_cast<std::int64_t>(i));
      out.add(" is ");
      out.add(Actual::extents[i]);
      break;
    }
    return out;
  }
};

/// Returns whether two typed handles have the same element type and rank, and extents each of which is equal in both or
/// `dyn` in one.
template <class Declared, class Actual>
constexpr bool declared_fits() {
  if (Declared::rank != Actual::rank) return false;
  if (dtype_of<typename Declared::element> != dtype_of<typename Actual::element>) return false;
  for (std::size_t i = 0; i < Declared::rank; ++i)
    if (!extent_fits(Actual::extents[i], Declared::extents[i])) return false;
  return true;
}

/// Throws a build_error unless the type of a value fits a declaration. If `strict`, different symbols do not fit.
void require_type(const value& v, dtype element, std::span<const extent> extents, bool strict);

}  // namespace detail

/// True if T is a typed handle.
/// @{
template <class T>
inline constexpr bool is_tensor = false;
template <class T, extent... E>
inline constexpr bool is_tensor<tensor<T, E...>> = true;
/// @}

/// Typed handles.
template <class T>
concept typed = is_tensor<T>;

/// The common base of all typed handles.
class typed_handle {
 public:
  /// The handle without its static type.
  const value& erased() const { return value_; }
  /// Typed handles convert to erased handles, so that verbs on erased values accept them.
  operator const value&() const { return value_; }

 protected:
  typed_handle() = default;
  /// The handle of a value, without a check.
  explicit typed_handle(const value& v) : value_(v) {}

 private:
  value value_;
};

/// A value whose element type and extents the compiler knows: `tensor<float, "B"_d, 784>`.
template <class T, extent... Extents>
class tensor : public typed_handle {
 public:
  using element = T;                                                        ///< the C++ element type
  static constexpr std::size_t rank = sizeof...(Extents);                   ///< the number of axes
  static constexpr const auto& extents = extent_list<Extents...>::extents;  ///< outermost first
  /// The shape. Named extents are symbolic dims.
  static constexpr shape dims() { return {Extents...}; }
  static_assert(dtype_of<T> != dtype::undefined, "tensor: ONNX has no such element type");
  static_assert(((!Extents.is_constant() || Extents.size >= 0) && ...),
                "tensor: an extent is negative; one that is not known has a name, such as \"n\"_d");

  /// There are no empty handles.
  tensor() = delete;  // make a handle of a value: input<float, 4>(g, "x"), or tensor<float, 4>(v) for an erased v
  /// The typed view of an erased handle, checked at run time: throws a build_error for another element type or rank,
  /// and for an extent that is another number or expression. An extent that the graph does not know fits every
  /// declaration: a mismatch shows only when the model runs.
  explicit tensor(const value& v) : tensor(v, true) {}
  /// Declares a typed handle again with another type. Each extent must stay the same, or be `dyn` before or after; any
  /// other declaration does not compile. Throws a build_error if the graph knows that an extent differs.
  template <class U, extent... Others>
  tensor(const tensor<U, Others...>& other) : typed_handle(other.erased()) {
    if constexpr (!detail::declared_fits<tensor, tensor<U, Others...>>())
      (void)typename refusal<detail::declared_mismatch<tensor, tensor<U, Others...>>>::result();
    else detail::require_type(erased(), dtype_of<T>, extents, false);
  }
  /// The first output of a verb with several outputs.
  template <class Results>
  requires requires(const Results& r) { r.first_output(); }
  tensor(const Results& results) : tensor(results.first_output()) {}
  /// The result of a call that did not compile.
  tensor(const failed_call&) : typed_handle() {}

  /// The handle of a verb's result, whose type the verb has computed.
  static tensor of_result(const value& v) { return tensor(v, false); }

 private:
  tensor(const value& v, bool strict) : typed_handle(v) { detail::require_type(v, dtype_of<T>, extents, strict); }
};

/// The tensor_type of a typed handle; adds its symbols to the graph.
template <typed T>
tensor_type type_of(graph& g) {
  return {dtype_of<typename T::element>, in_table(g.dims(), T::extents)};
}

namespace detail {

/// An array that is destroyed at the end of the call.
template <class Range>
concept ends_with_call =
    !std::is_lvalue_reference_v<Range> && std::ranges::range<Range> && !std::ranges::borrowed_range<Range>;

template <class T>
inline constexpr bool is_small_float = is_floating(dtype_of<T>) && !std::is_floating_point_v<T>;

/// An array of numbers that does not convert to a list of T.
template <class Range, class T>
concept numbers_unlike =
    std::ranges::range<Range> && !std::convertible_to<Range, std::span<const T>> &&
    !(is_small_float<T> &&
      std::convertible_to<Range, std::span<const float>>)&&!std::same_as<std::remove_cvref_t<Range>, std::vector<T>>;
/// Reports a constant whose numbers have another type than its elements.
template <class T, class Number>
struct other_element {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("constant: the numbers are ");
    text.add(dtype_of<Number> == dtype::undefined ? "of another type" : name(dtype_of<Number>));
    text.add(" and the elements ");
    text.add(name(dtype_of<T>));
    return text;
  }
};
/// Reports a call without the graph as its first argument.
template <class T>
struct no_graph {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("input, constant: the graph comes first, as in input<float, 4>(g, \"x\")");
    return text;
  }
};

value input_of(graph& g, dtype type, std::span<const extent> extents, std::string_view name);
}  // namespace detail

/// An input of the model: `input<float, "B"_d, 784>(g, "x")`. The name is required.
/// @{
template <class T, extent... Extents>
tensor<T, Extents...> input(graph& g, std::string_view name) {
  using result = tensor<T, Extents...>;
  return result::of_result(detail::input_of(g, dtype_of<T>, result::extents, name));
}
template <class T, extent... Extents>
tensor<T, Extents...> input(graph& g, std::nullptr_t) = delete;
template <class T, extent... Extents>
auto input(const char*) {
  return typename refusal<detail::no_graph<T>>::result();
}
/// @}

namespace detail {

template <class T, extent... Extents>
tensor<T, Extents...> constant_of(graph& g, std::size_t count, bytes&& data, std::string&& name) {
  static_assert((Extents.is_constant() && ...), "constant: an extent is not a number");
  using result = tensor<T, Extents...>;
  if (constexpr std::size_t wanted = (std::size_t{1} * ... * static_cast<std::size_t>(Extents.size)); count != wanted)
    throw build_error(message("constant {}: it has {} number{|s} for {} element{|s}",
                              name.empty() ? text(g, type_of<result>(g)) : message("'{}'", name), count, wanted));
  return result::of_result(g.constant(type_of<result>(g), std::move(data), std::move(name)));
}

/// The bytes of numbers in the format of models: numbers of less than a byte are packed.
template <class T>
bytes stored(std::span<const T> numbers) {
  if constexpr (std::is_same_v<T, std::string>) return bytes(packed_strings(numbers));
  else if constexpr (is_packed<T>)
    return bytes(packed(bits(dtype_of<T>), {reinterpret_cast<const char*>(numbers.data()), numbers.size()}));
  else return copy_of(numbers);
}

}  // namespace detail

/// A constant of constant extents: `constant<float, 784, 128>(g, weights, "w")`. The numbers are copied. A vector of
/// over 4096 bytes that is moved is taken over instead, unless its elements are bools, strings or less than a byte
/// each. Also supports the element types that C++ lacks: `constant<int4, 2>(g, {-8, 7})`. Throws a build_error if the
/// count of numbers does not match the extents.
/// @{
template <class T, extent... Extents>
tensor<T, Extents...> constant(graph& g, std::vector<T>&& numbers, std::string name = {}) {
  const std::size_t count = numbers.size();
  bytes data;
  if constexpr (std::is_same_v<T, bool>) data = bytes(std::string(numbers.begin(), numbers.end()));
  else if constexpr (is_packed<T> || std::is_same_v<T, std::string>) data = detail::stored(std::span<const T>(numbers));
  else data = moved(std::move(numbers));
  return detail::constant_of<T, Extents...>(g, count, std::move(data), std::move(name));
}
template <class T, extent... Extents>
tensor<T, Extents...> constant(graph& g, std::span<const T> numbers, std::string name = {}) {
  return detail::constant_of<T, Extents...>(g, numbers.size(), detail::stored(numbers), std::move(name));
}
template <class T, extent... Extents>
requires std::same_as<T, bool> tensor<T, Extents...> constant(graph& g, const std::vector<bool>& numbers,
                                                              std::string name = {}) {
  return constant<T, Extents...>(g, std::vector<bool>(numbers), std::move(name));
}
/// @}
/// A constant of a narrow floating-point type, from floats that are rounded to T. Throws a build_error for a
/// number that T cannot hold.
template <class T, extent... Extents>
requires(detail::is_small_float<T>) tensor<T, Extents...> constant(graph& g, std::span<const float> numbers,
                                                                   std::string name = {}) {
  for (const float n : numbers) detail::require_held("constant", dtype_of<T>, n);
  return constant<T, Extents...>(g, std::vector<T>(numbers.begin(), numbers.end()), std::move(name));
}
/// Refuses numbers of a type other than T.
template <class T, extent... Extents, detail::numbers_unlike<T> Range>
auto constant(graph&, const Range&, const std::string& = {}) {
  return typename refusal<detail::other_element<T, std::ranges::range_value_t<Range>>>::result();
}
/// Refuses numbers as the first argument, which must be the graph.
template <class T, extent... Extents>
auto constant(std::span<const T>, graph&, const std::string& = {}) {
  return typename refusal<detail::no_graph<T>>::result();
}
/// A constant whose numbers are not copied, for large weights: `constant_view<float, 784, 128>(g, weights, "w",
/// owner)`. The numbers must stay unchanged until the last model that contains them is written; `keep_alive`, if given,
/// keeps the numbers alive as long as the graph. Up to 4096 bytes are copied nevertheless. An array that is destroyed
/// at the end of the call does not compile.
/// @{
template <class T, extent... Extents>
requires(!is_packed<T>) tensor<T, Extents...> constant_view(graph& g, std::span<const T> numbers, std::string name = {},
                                                            std::shared_ptr<const void> keep_alive = nullptr) {
  return detail::constant_of<T, Extents...>(g, numbers.size(), view_of(numbers, std::move(keep_alive)),
                                            std::move(name));
}
template <class T, extent... Extents, detail::ends_with_call Range>
void constant_view(graph& g, Range&& numbers, std::string name = {},
                   std::shared_ptr<const void> keep_alive = nullptr) = delete;
/// @}

/// x with every extent Other replaced by Known, for extents that the program knows to be the same.
template <extent Known, extent Other, class T, extent... Extents>
auto assume_same(const tensor<T, Extents...>& x) {
  return tensor<T, (Extents == Other ? Known : Extents)...>::of_result(x.erased());
}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/typed/tensor.inl.hpp>
#endif
