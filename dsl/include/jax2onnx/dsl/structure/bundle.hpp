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

/// What bodies take and return: a handle, or a tuple, pair, array or vector of handles. A vector takes all handles that
/// are left, so it comes last.
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
struct bundle_of;  // anything else is no bundle

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

/// A call that did not compile, whose message suffices.
template <>
struct bundle_of<failed_call> {
  static void put(std::vector<value>&, const failed_call&) {}
  static failed_call take(std::span<const value>&) { return {}; }
};

/// Bundles of a fixed number of items, each of a type of its own.
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

}  // namespace detail

/// A handle, or a tuple, pair, array or vector of bundles.
template <class T>
concept bundle = requires(std::vector<value>& to, const T& t) {
  detail::bundle_of<T>::put(to, t);
};

namespace detail {

/// The handles of a bundle, in order.
template <bundle T>
std::vector<value> values_of(const T& t) {
  std::vector<value> out;
  bundle_of<T>::put(out, t);
  return out;
}

/// The bundle of these values. Throws a build_error where a typed handle does not fit.
template <bundle T>
T bundle_from(std::span<const value> values) {
  return bundle_of<T>::take(values);
}

/// The items of a bundle as a tuple: those of a tuple, pair or array, or the one that it is.
template <class T>
auto items_of(const T& t) {
  if constexpr (requires { std::tuple_size<T>::value; })
    return std::apply([](const auto&... item) { return std::tuple(item...); }, t);
  else return std::tuple<T>(t);
}

/// Instantiated with what a body returns, if it is no bundle.
template <class Body>
struct body_returns_no_bundle {
  static_assert(bundle<Body>, "a body returns a handle, or a tuple, pair, array or vector of handles");
};

/// What a body returned, as a bundle: structs of results stand for their first one.
template <class Result>
auto bundled(Result result) {
  if constexpr (bundle<Result>) return result;
  else if constexpr (std::convertible_to<const Result&, value>) return static_cast<value>(result);
  else {
    static_cast<void>(sizeof(body_returns_no_bundle<Result>));
    return value();
  }
}

/// The graph of the first value that is present.
inline graph& graph_of(std::span<const value> values, const char* verb) {
  for (const value& v : values) v.require_graph();
  for (const value& v : values)
    if (v) return v.owner();
  throw build_error(std::string(verb) + ": no operand is a value of a graph");
}

}  // namespace detail
}  // namespace jax2onnx
