// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/structure/bundle.hpp>
#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/dsl/structure/own_operators.hpp>
#include <jax2onnx/graph/functions/traces.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/function_ref.hpp>

/// Functions of the model: operators that the model itself defines. A runtime may keep or inline these functions.
namespace jax2onnx {

/// Options for the definition of a function.
struct function_options {
  std::vector<std::string> operands = {};  ///< names of the operands; default: their names in the first call
  /// The attributes that calls may give, with their defaults; see attribute_of().
  std::vector<named_attribute> attributes = {};
  std::string doc = {};  ///< free text
};

namespace detail {

/// Builds the body of a function from handles of its operands and returns the results.
using function_body = function_ref<std::vector<value>(std::span<const value> operands)>;

/// Calls a function on these operands: traces the body for their types, compares it with the bodies of earlier calls,
/// and adds a node.
std::vector<value> call_function(graph& g, model_function& f, std::span<const std::string> names,
                                 std::span<const value> operands, std::vector<attribute> attributes,
                                 function_body body);

/// Calls a function whose C++ body takes handles of any kind; returns the bundle that the body returns.
template <class Body, handle... Operands>
auto call_body(graph& g, model_function& f, std::span<const std::string> names, std::vector<attribute> attributes,
               const Body& body, const Operands&... operands) {
  using result = decltype(bundled(body(operands...)));
  const std::vector<value> values{erased(operands)...};
  const auto trace = [&](std::span<const value> inputs) {
    return values_of(bundled(std::apply(body, bundle_from<std::tuple<Operands...>>(inputs))));
  };
  return bundle_from<result>(call_function(g, f, names, values, std::move(attributes), trace));
}

/// A std::type_identity of the class that refuses a function's body for these arguments; of void if the body fits.
template <class Body, class Arguments>
constexpr auto refusal_of_body() {
  if constexpr (!takes<Body, Arguments>)
    return std::type_identity<typename refused_arguments<"function: the body does not take ", Body, Arguments>::type>();
  else if constexpr (!returnable<result_of<Body, Arguments>>)
    return std::type_identity<refusal<no_handles<"function: the body", result_of<Body, Arguments>>>>();
  else return std::type_identity<void>();
}
template <class Body, class Arguments>
using refused_body = typename decltype(refusal_of_body<Body, Arguments>())::type;

/// The handle type for an argument of type T: T if it is a handle type, otherwise `value`.
template <class T>
using argument_handle = std::conditional_t<handle<T>, T, value>;

}  // namespace detail

/// A function of the model; see define(). The function belongs to a graph and must not outlive the graph.
template <class Body>
class defined_function {
 public:
  /// Defines the function.
  defined_function(graph& g, std::string_view domain, std::string_view name, Body body, function_options options)
      : anchor_(g, value_id::none), body_(std::move(body)), names_(std::move(options.operands)) {
    model_function& f = g.add_function(domain, name);
    f.doc = std::move(options.doc);
    for (const named_attribute& a : options.attributes) f.attributes.push_back(detail::attribute_in(g, a));
    domain_ = f.domain;
    name_ = f.name;
  }

  /// Calls the function; returns what the body returns for these operands.
  template <class... Operands>
  requires(std::convertible_to<const Operands&, value>&&...) auto operator()(const Operands&... operands) const {
    using arguments = std::tuple<detail::argument_handle<Operands>...>;
    using refused = detail::refused_body<const Body, arguments>;
    if constexpr (!std::is_void_v<refused>) return typename refused::result();
    else return call(static_cast<detail::argument_handle<Operands>>(operands)...);
  }
  /// A copy of the function with these values for its attributes in place of the defaults.
  defined_function with(const std::vector<named_attribute>& attributes) const {
    defined_function out = *this;
    out.attributes_ = attributes;
    return out;
  }

 private:
  template <handle... Operands>
  auto call(const Operands&... operands) const {
    graph& g = anchor_.owner();
    std::vector<attribute> attributes;
    for (const named_attribute& a : attributes_) attributes.push_back(detail::attribute_in(g, a));
    return detail::call_body(g, *g.find_function(domain_, name_), names_, std::move(attributes), body_, operands...);
  }

  value anchor_;  // has no value: only keeps track of the graph, which can be moved
  Body body_;
  std::vector<std::string> names_;
  std::vector<named_attribute> attributes_ = {};
  std::string_view domain_, name_;
};

/// Defines a function of the model (FunctionProto). `body` takes handles and returns a handle, or a tuple, pair, array
/// or vector of handles. The body is traced at each call, so each call has its own result types. The body can use its
/// operands and constants only. If the body builds different nodes for the operand types of another call, that call is
/// an error, since one function cannot have both forms. A body that calls itself is an error as well. Constants become
/// nodes of the function, so pass weights as operands.
///
///     auto swiglu = define(g, "com.example", "SwiGlu",
///                          [](auto x, auto w, auto v) { return swish(matmul(x, w)) * matmul(x, v); });
///     auto s = swiglu(x, w, v);
template <class Body>
defined_function<Body> define(graph& g, std::string_view domain, std::string_view name, Body body,
                              function_options options = {}) {
  return {g, domain, name, std::move(body), std::move(options)};
}

/// A model function as a C++ function: it belongs to no graph and defines itself in each graph in which it is called.
/// Otherwise like define(). Throws a build_error if the graph has another function of this name.
///
///     const onnx_function swiglu("com.example", "SwiGlu",
///                                [](auto x, auto w, auto v) { return swish(matmul(x, w)) * matmul(x, v); });
///     auto s = swiglu(x, w, v);
template <class Body>
class onnx_function {
 public:
  /// A function with a domain, a name and a body.
  onnx_function(std::string domain, std::string name, Body body)
      : domain_(std::move(domain)), name_(std::move(name)), body_(std::move(body)) {}

  /// Calls the function in the graph of the operands; returns what the body returns for these operands.
  template <class... Operands>
  requires(sizeof...(Operands) > 0 && (std::convertible_to<const Operands&, value> && ...)) auto operator()(
      const Operands&... operands) const {
    using arguments = std::tuple<detail::argument_handle<Operands>...>;
    using refused = detail::refused_body<const Body, arguments>;
    if constexpr (!std::is_void_v<refused>) return typename refused::result();
    else return call(static_cast<detail::argument_handle<Operands>>(operands)...);
  }

 private:
  template <handle... Operands>
  auto call(const Operands&... operands) const {
    graph& g = detail::graph_of(std::array<value, sizeof...(Operands)>{detail::erased(operands)...}, name_.c_str());
    model_function* known = g.find_function(domain_, name_);
    if (!known) known = &g.add_function(domain_, name_);
    return detail::call_body(g, *known, {}, {}, body_, operands...);
  }

  std::string domain_, name_;
  Body body_;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/structure/functions.inl.hpp>
#endif
