// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/typed/mismatch.hpp>
#include <jax2onnx/graph/graph.hpp>

/// Bundles are the arguments and results of bodies. A bundle is a handle, or a tuple, pair, array or vector of bundles.
/// A vector takes all remaining handles, so a vector must come last.
namespace jax2onnx {

/// A typed or erased handle.
template <class T>
concept handle = std::same_as<T, value> || requires(const T& t) {
  { t.erased() } -> std::convertible_to<const value&>;
  T(t.erased());
};

namespace detail {

inline const value& erased(const value& v) { return v; }
template <handle T>
requires(!std::same_as<T, value>) const value& erased(const T& t) { return t.erased(); }

template <class T>
struct bundle_of;  // undefined for types that are not bundles

template <handle T>
struct bundle_of<T> {
  static void put(std::vector<value>& to, const T& t) { to.push_back(erased(t)); }
  static T take(std::span<const value>& from) {
    const value& first = from.front();
    from = from.subspan(1);
    if constexpr (requires { T::of_result(first); }) return T::of_result(first);
    else return T(first);
  }
};

/// The result of a call that did not compile. The compiler has already reported the call, so a use of the result gives
/// no second error.
template <>
struct bundle_of<failed_call> {
  static void put(std::vector<value>&, const failed_call&) {}
  static failed_call take(std::span<const value>&) { return {}; }
};

/// Bundles of a fixed number of items, whose types may differ.
template <class T, class... Items>
struct bundle_of_items {
  static void put(std::vector<value>& to, const T& t) {
    std::apply([&](const auto&... item) { (bundle_of<Items>::put(to, item), ...); }, t);
  }
  static T take(std::span<const value>& from) { return T{bundle_of<Items>::take(from)...}; }
};
template <class... Items>
struct bundle_of<std::tuple<Items...>> : bundle_of_items<std::tuple<Items...>, Items...> {};
template <class A, class B>
struct bundle_of<std::pair<A, B>> : bundle_of_items<std::pair<A, B>, A, B> {};

template <class Item, std::size_t N>
struct bundle_of<std::array<Item, N>> {
  static void put(std::vector<value>& to, const std::array<Item, N>& items) {
    for (const Item& item : items) bundle_of<Item>::put(to, item);
  }
  static std::array<Item, N> take(std::span<const value>& from) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Item, N>{(static_cast<void>(I), bundle_of<Item>::take(from))...};
    }
    (std::make_index_sequence<N>{});
  }
};

template <class Item>
struct bundle_of<std::vector<Item>> {
  static void put(std::vector<value>& to, const std::vector<Item>& items) {
    for (const Item& item : items) bundle_of<Item>::put(to, item);
  }
  static std::vector<Item> take(std::span<const value>& from) {
    std::vector<Item> items;
    while (!from.empty()) items.push_back(bundle_of<Item>::take(from));
    return items;
  }
};

/// Maps a type to the handle type that it converts to: the result of a C++ operator to `value`, a struct of several
/// results to the type of its first result. Maps a tuple, pair, array or vector item by item.
template <class T>
struct stand_for;  // undefined for a type that converts to no handle
template <class T>
requires handle<T> || std::same_as<T, failed_call>
struct stand_for<T> {
  using type = T;
};
template <class T>
requires(!handle<T> && !std::same_as<T, failed_call> && std::convertible_to<const T&, value>) struct stand_for<T> {
  using type = value;
};
template <template <class...> class Results, handle First, class... Others>
requires(
    !handle<Results<First, Others...>> &&
    std::convertible_to<const Results<First, Others...>&, const First&>) struct stand_for<Results<First, Others...>> {
  using type = First;
};
template <class T>
using plain = typename stand_for<T>::type;
template <class... Items>
requires(requires { typename plain<Items>; } && ...) struct stand_for<std::tuple<Items...>> {
  using type = std::tuple<plain<Items>...>;
};
template <class A, class B>
requires(requires {
  typename plain<A>;
  typename plain<B>;
}) struct stand_for<std::pair<A, B>> {
  using type = std::pair<plain<A>, plain<B>>;
};
template <class Item, std::size_t N>
requires(requires { typename plain<Item>; }) struct stand_for<std::array<Item, N>> {
  using type = std::array<plain<Item>, N>;
};
template <class Item>
requires(requires { typename plain<Item>; }) struct stand_for<std::vector<Item>> {
  using type = std::vector<plain<Item>>;
};

}  // namespace detail

/// A bundle: a handle, or a tuple, pair, array or vector of bundles.
template <class T>
concept bundle = std::same_as<detail::plain<T>, T>;

namespace detail {

/// The handles of a bundle, in order.
template <bundle T>
std::vector<value> values_of(const T& t) {
  std::vector<value> out;
  bundle_of<T>::put(out, t);
  return out;
}

/// The bundle of these values. Throws a build_error if a typed handle does not fit its value.
template <bundle T>
T bundle_from(std::span<const value> values) {
  return bundle_of<T>::take(values);
}

/// The items of a tuple, pair or array as a tuple. For any other bundle, a tuple that holds the bundle itself.
template <class T>
auto items_of(const T& t) {
  if constexpr (requires { std::tuple_size<T>::value; })
    return std::apply([](const auto&... item) { return std::tuple(item...); }, t);
  else return std::tuple<T>(t);
}

/// A body whose result type is not a bundle instantiates this template.
template <class Body>
struct body_returns_no_bundle {
  static_assert(bundle<Body>, "a body returns a handle, or a tuple, pair, array or vector of handles");
};

/// A bundle of handles, or of items that convert to handles.
template <class T>
concept bundle_like = requires {
  typename plain<T>;
};

/// The result of a body, or the argument of a verb, as a bundle: items are converted to handles.
template <class T>
auto bundled(const T& t) {
  if constexpr (bundle<T>) return t;
  else if constexpr (!bundle_like<T>) {
    static_cast<void>(sizeof(body_returns_no_bundle<T>));
    return value();
  } else if constexpr (std::convertible_to<const T&, plain<T>>) return static_cast<plain<T>>(t);
  else {
    plain<T> items;
    for (std::size_t i = 0; i < t.size(); ++i)
      if constexpr (requires { items.push_back(t[i]); }) items.push_back(t[i]);
      else items[i] = t[i];
    return items;
  }
}

/// The graph of the first value that is present. Throws a build_error if all values are absent.
inline graph& graph_of(std::span<const value> values, const char* verb) {
  for (const value& v : values) v.require_graph();
  for (const value& v : values)
    if (v) return v.owner();
  throw build_error(std::string(verb) + ": at least one operand must be a value of a graph");
}

}  // namespace detail
}  // namespace jax2onnx
