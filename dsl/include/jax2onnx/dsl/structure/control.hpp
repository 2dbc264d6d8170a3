// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/structure/bundle.hpp>
#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/platform/compiler.hpp>
#include <jax2onnx/support/message.hpp>

/// Control flow in C++: bodies are lambdas that take and return handles or tuples of handles, and verbs return what the
/// bodies return. Except in sequence_map(), bodies may use the values around them. With typed handles, a body whose
/// types do not fit does not compile; with erased handles, the verb throws a build_error.
namespace jax2onnx {

/// The result of a loop iteration that returns more than the carried values; see go_on_while() and collect().
template <bundle Carried, bundle Collected = std::tuple<>>
struct iteration {
  Carried carried;      ///< the carried values of the next iteration
  value keep_going;     ///< a bool scalar; the loop goes on if the scalar is true or absent
  Collected collected;  ///< values that are stacked along a new leading axis
};

/// The order in which a scan visits the elements.
struct scan_order {
  bool reverse = false;  ///< scan from the last element to the first; collected values keep the order of the sequences
};

namespace detail {

/// The types that follow from a handle's type in control flow: `step` for the index of an iteration, `element` for an
/// element of a sequence, and `carried` for the type that a carried value keeps. dsl/typed/control.hpp has the types
/// for typed handles.
template <class T>
struct control_types;
template <>
struct control_types<value> {
  using step = value;
  using element = value;
  static tensor_type carried(graph&, const value& v) { return v.type(); }
};

/// The handle of stacked values, one for each element of the sequence `Along`. If `Along` is void or erased, the number
/// of values is unknown.
template <class Item, class Along>
struct stacked_handle;
template <class Along>
struct stacked_handle<value, Along> {
  using type = value;
};
template <class Collected, class Along>
struct stacked_bundle {
  using type = typename stacked_handle<Collected, Along>::type;
};
template <class... Items, class Along>
struct stacked_bundle<std::tuple<Items...>, Along> {
  using type = std::tuple<typename stacked_handle<Items, Along>::type...>;
};
template <class A, class B, class Along>
struct stacked_bundle<std::pair<A, B>, Along> {
  using type = std::pair<typename stacked_handle<A, Along>::type, typename stacked_handle<B, Along>::type>;
};
template <class Item, class Along>
struct stacked_bundle<std::vector<Item>, Along> {
  using type = std::vector<typename stacked_handle<Item, Along>::type>;
};

/// The name of a type in messages. For typed handles, see dsl/typed/control.hpp.
template <class T>
struct handle_label {
  static constexpr void add_to(problem_text& text) { text.add(bundle<T> ? "another bundle" : "another type"); }
};
template <class T>
requires std::is_arithmetic_v<T>
struct handle_label<T> {
  static constexpr void add_to(problem_text& text) { text.add("a C++ number"); }
};
template <>
struct handle_label<bool> {
  static constexpr void add_to(problem_text& text) { text.add("a C++ bool"); }
};
template <>
struct handle_label<void> {
  static constexpr void add_to(problem_text& text) { text.add("nothing"); }
};
template <class Carried, class Collected>
struct handle_label<iteration<Carried, Collected>> {
  static constexpr void add_to(problem_text& text) { text.add("an iteration of loop (go_on_while, collect)"); }
};
template <>
struct handle_label<value> {
  static constexpr void add_to(problem_text& text) { text.add("a value"); }
};

/// Reports that the branches of an If return different types.
template <std::size_t Position, class Then, class Else>
struct different_branches {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("if_: result ");
    text.add(static_cast<std::int64_t>(Position));
    text.add(" is ");
    handle_label<Then>::add_to(text);
    text.add(" in one branch and ");
    handle_label<Else>::add_to(text);
    text.add(" in the other");
    return text;
  }
};
/// Reports that a body returns another type for a carried value.
template <std::size_t Position, class Before, class After>
struct changed_carried_value {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("loop, scan: carried value ");
    text.add(static_cast<std::int64_t>(Position));
    text.add(" is ");
    handle_label<Before>::add_to(text);
    text.add(" and the body makes it ");
    handle_label<After>::add_to(text);
    return text;
  }
};

/// True if a handle can be a bool scalar. For typed handles, see dsl/typed/control.hpp.
template <class T>
inline constexpr bool may_be_condition = true;

/// Reports a condition that is not a bool scalar.
template <class Condition>
struct no_condition {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("if_, loop, while_: the condition is ");
    handle_label<Condition>::add_to(text);
    text.add("; it must be bool[]");
    return text;
  }
};
/// Values that may be conditions.
template <class T>
concept condition = std::convertible_to<const T&, value> && may_be_condition<T>;

/// Reports a body that does not accept its arguments. The message begins with `Text`, for example "loop: the body has
/// to take ", and ends with the types of the arguments.
template <fixed_string Text, class... Arguments>
struct other_arguments {
  static constexpr problem_text problem() {
    problem_text text;
    text.add(Text.view());
    text.add("(");
    const char* before = "";
    ((text.add(before), handle_label<Arguments>::add_to(text), before = ", "), ...);
    text.add(")");
    return text;
  }
};
/// Reports that a body does not return handles.
template <fixed_string Body, class Result>
struct no_handles {
  static constexpr problem_text problem() {
    problem_text text;
    text.add(Body.view());
    text.add(" returns ");
    handle_label<Result>::add_to(text);
    text.add("; it must return handles");
    return text;
  }
};
/// Report a branch that is not a function without parameters, and a scan body that does not return a pair.
/// @{
template <class Body>
struct no_branch {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("if_: a branch has to be a function without parameters");
    return text;
  }
};
template <class Body>
struct no_pair {
  static constexpr problem_text problem() {
    problem_text text;
    text.add("scan: the body has to return a pair: the carried values and what is stacked");
    return text;
  }
};
/// @}
template <class T>
concept pair_like = requires {
  typename T::first_type;
};

/// True if a body accepts the items of the tuple `Arguments` as its arguments.
template <class Body, class Arguments>
inline constexpr bool takes = false;
template <class Body, class... Arguments>
inline constexpr bool takes<Body, std::tuple<Arguments...>> = requires(Body& body, const Arguments&... arguments) {
  body(arguments...);
};
/// The class that refuses a body that does not accept its arguments.
template <fixed_string Text, class Body, class Arguments>
struct refused_arguments;
template <fixed_string Text, class Body, class... Arguments>
struct refused_arguments<Text, Body, std::tuple<Arguments...>> {
  // On Clang, a body with an error inside also fails this test, but Clang reports the error itself. Such a body accepts
  // failed calls in place of typed handles.
  template <class T>
  using failed_for = std::conditional_t<std::same_as<T, value>, value, failed_call>;
  static constexpr bool has_mistake = [] {
    if constexpr (platform::is_clang) return takes<Body, std::tuple<failed_for<Arguments>...>>;
    else return false;
  }();
  using type = std::conditional_t<has_mistake, does_not_fit<>, refusal<other_arguments<Text, Arguments...>>>;
};
template <class T>
inline constexpr bool is_iteration = false;
template <class Carried, class Collected>
inline constexpr bool is_iteration<iteration<Carried, Collected>> = true;
/// True if a body may return T: handles, or types that convert to them; in a loop, also results of go_on_while() and
/// collect().
template <class T, bool InLoop = false>
inline constexpr bool returnable = bundle_like<std::remove_cvref_t<T>> ||
                                   (InLoop && is_iteration<std::remove_cvref_t<T>>);
/// The result type of a body for these arguments.
template <class Body, class Arguments>
struct call_of;
template <class Body, class... Arguments>
struct call_of<Body, std::tuple<Arguments...>> {
  using type = decltype(std::declval<Body&>()(std::declval<const Arguments&>()...));
};
template <class Body, class Arguments>
using result_of = typename call_of<Body, Arguments>::type;

/// True if T may be a function without parameters. Clang rejects a call of a function whose body has an error, so any
/// other class is accepted if it is not a handle and takes neither one nor two arguments.
template <class T>
inline constexpr bool is_branch = takes<T, std::tuple<>> ||
                                  (std::is_class_v<std::remove_cvref_t<T>> && !handle<std::remove_cvref_t<T>> &&
                                   !takes<T, std::tuple<failed_call>> &&
                                   !takes<T, std::tuple<failed_call, failed_call>>);

/// The result of a refused verb in place of a bundle. The result for a tuple or pair has as many items, so that
/// structured bindings add no second error. For any other bundle, the result is one failed call.
template <class Bundle>
struct failed_bundle {
  using type = failed_call;
};
template <class... Items>
struct failed_bundle<std::tuple<Items...>> {
  using type = std::tuple<typename failed_bundle<Items>::type...>;
};
template <class A, class B>
struct failed_bundle<std::pair<A, B>> {
  using type = std::pair<typename failed_bundle<A>::type, typename failed_bundle<B>::type>;
};
template <class Bundle>
constexpr typename failed_bundle<Bundle>::type failed(failed_call) {
  return {};
}

/// The arguments of bodies, as a tuple.
template <class... Bundles>
using arguments_of = decltype(std::tuple_cat(items_of(std::declval<const Bundles&>())...));

/// True if two bundles have different types. False for a failed call, whose error has been reported, and for the int
/// that Clang deduces for such a call.
template <class A, class B>
inline constexpr bool differ =
    !std::same_as<A, B> && bundle<A> && bundle<B> && !std::same_as<A, failed_call> && !std::same_as<B, failed_call>;

/// The position of the first items that differ; the number of items if none do.
template <class... A, class... B>
constexpr std::size_t first_difference(std::type_identity<std::tuple<A...>>, std::type_identity<std::tuple<B...>>) {
  std::size_t position = 0;
  static_cast<void>(((differ<A, B> || (++position, false)) || ...));
  return position;
}
/// A std::type_identity of the class that reports the first difference between two types of bundles, or of
/// does_not_fit<>, which reports nothing, if the types do not differ.
template <template <std::size_t, class, class> class Problem, class A, class B>
constexpr auto refusal_of_difference() {
  if constexpr (!differ<A, B>) {
    return std::type_identity<does_not_fit<>>();
  } else {
    using first = decltype(items_of(std::declval<const A&>()));
    using second = decltype(items_of(std::declval<const B&>()));
    if constexpr (std::tuple_size_v<first> != std::tuple_size_v<second> || std::same_as<first, std::tuple<A>>) {
      return std::type_identity<refusal<Problem<0, A, B>>>();
    } else {
      constexpr std::size_t at = first_difference(std::type_identity<first>(), std::type_identity<second>());
      if constexpr (at == std::tuple_size_v<first>) return std::type_identity<does_not_fit<>>();
      else
        return std::type_identity<
            refusal<Problem<at, std::tuple_element_t<at, first>, std::tuple_element_t<at, second>>>>();
    }
  }
}
/// The class that reports the first difference. Verbs name this class directly, since each function in between adds a
/// note to the compiler's message.
template <template <std::size_t, class, class> class Problem, class A, class B>
using same_types = typename decltype(refusal_of_difference<Problem, A, B>())::type;

/// True if two sequences of a scan may have the same length. For typed handles, see dsl/typed/control.hpp.
template <class First, class Other>
inline constexpr bool one_length = true;
template <class Sequences>
struct lengths {
  static constexpr bool fit = true;
};
template <class First, class... Rest>
struct lengths<std::tuple<First, Rest...>> {
  static constexpr bool fit = (one_length<First, Rest> && ...);
  static constexpr problem_text problem() {
    problem_text text;
    text.add("scan: the first extents of the sequences differ: ");
    handle_label<First>::add_to(text);
    ((text.add(", "), handle_label<Rest>::add_to(text)), ...);
    return text;
  }
};

template <class Carried>
auto as_iteration(const Carried& carried) {
  auto items = bundled(carried);
  return iteration<decltype(items)>{std::move(items), {}, {}};
}
template <class Carried, class Collected>
auto as_iteration(iteration<Carried, Collected> i) {
  return i;
}

template <class T>
std::vector<tensor_type> carried_types(graph& g, const T& carried) {
  std::vector<tensor_type> out;
  if constexpr (handle<T>) out.push_back(control_types<T>::carried(g, carried));
  else if constexpr (requires { std::tuple_size<T>::value; }) {
    const auto add = [&](const auto& item) {
      for (tensor_type& t : carried_types(g, item)) out.push_back(std::move(t));
    };
    std::apply([&](const auto&... item) { (add(item), ...); }, carried);
  } else {
    for (const auto& item : carried)
      for (tensor_type& t : carried_types(g, item)) out.push_back(std::move(t));
  }
  return out;
}

/// The type of the first handle in a bundle type; `value` if it has none.
template <class T>
struct first_handle {
  using type = value;
};
template <handle T>
struct first_handle<T> {
  using type = T;
};
template <class First, class... Rest>
struct first_handle<std::tuple<First, Rest...>> : first_handle<First> {};
template <class A, class B>
struct first_handle<std::pair<A, B>> : first_handle<A> {};
template <class Item>
struct first_handle<std::vector<Item>> : first_handle<Item> {};
template <class Item, std::size_t N>
struct first_handle<std::array<Item, N>> : first_handle<Item> {};

/// The trip count of a Loop: `trips` if it is a value, or an int64 constant if it is a C++ integer.
template <class Trips>
value trip_count(graph& g, const Trips& trips) {
  if constexpr (std::integral<Trips>) return scalar(g, dtype::i64, static_cast<std::int64_t>(trips));
  else return static_cast<value>(trips);
}

/// The elements of the sequences in one iteration of a scan.
template <class Sequences>
struct elements_of {
  using type = typename control_types<Sequences>::element;
};
template <class... Items>
struct elements_of<std::tuple<Items...>> {
  using type = std::tuple<typename control_types<Items>::element...>;
};
template <class A, class B>
struct elements_of<std::pair<A, B>> {
  using type = std::pair<typename control_types<A>::element, typename control_types<B>::element>;
};
template <class Item>
struct elements_of<std::vector<Item>> {
  using type = std::vector<typename control_types<Item>::element>;
};

/// SequenceMap with a body that maps a list of values to another list.
template <class Body>
std::vector<value> map_sequences(const std::vector<value>& sequences, const Body& body) {
  graph& g = graph_of(sequences, "sequence_map");
  const auto is_sequence = [](const value& v) { return v.type().kind == value_kind::sequence; };
  if (!is_sequence(sequences.front()))
    throw build_error(message("SequenceMap: operand 0 must be a sequence, not {}", text(sequences.front())));
  block_id inside = block_id::none;
  std::vector<tensor_type> types;
  {
    const function_scope scope(g);
    inside = scope.id();
    std::vector<value> elements;
    for (const value& v : sequences) {
      tensor_type t = v.type();
      if (is_sequence(v)) t.kind = value_kind::tensor;
      elements.push_back(g.input(std::move(t), "element"));
    }
    const std::vector<value> results = body(elements);
    g.set_outputs(inside, results);
    for (const value& v : results) {
      if (v.type().kind != value_kind::tensor)
        throw build_error(message("SequenceMap: its body must return tensors, not {}", text(v)));
      types.push_back(v.type());
      types.back().kind = value_kind::sequence;
    }
  }
  g.at(inside).parent = g.current();
  return g.emit_many("SequenceMap", sequences, types, {{"body", inside}});
}

}  // namespace detail

/// If: the result of `then` if the bool scalar `condition` holds, else the result of `otherwise`. Both branches return
/// the same type of bundle. Erased results must have the same dtypes and ranks; extents that differ become unknown.
///
///     auto z = if_(is_training, [&] { return dropout(x).output; }, [&] { return x; });
template <class Condition, class Then, class Else>
auto if_(const Condition& condition, Then&& then, Else&& otherwise) {
  if constexpr (!detail::condition<Condition>) {
    return typename refusal<detail::no_condition<Condition>>::result();
  } else if constexpr (!detail::is_branch<Then> || !detail::is_branch<Else>) {
    return typename refusal<detail::no_branch<Then>>::result();
  } else if constexpr (!detail::takes<Then, std::tuple<>> || !detail::takes<Else, std::tuple<>>) {
    static_cast<void>(then()), static_cast<void>(otherwise());  // the compiler reports the error in the branch
    return failed_call();
  } else if constexpr (!detail::returnable<decltype(then())>) {
    return typename refusal<detail::no_handles<"if_: a branch", decltype(then())>>::result();
  } else if constexpr (!detail::returnable<decltype(otherwise())>) {
    return typename refusal<detail::no_handles<"if_: a branch", decltype(otherwise())>>::result();
  } else {
    using first = decltype(detail::bundled(then()));
    using second = decltype(detail::bundled(otherwise()));
    static_cast<void>(sizeof(detail::same_types<detail::different_branches, first, second>));
    const auto erased = static_cast<value>(condition);
    erased.require_graph();
    const std::vector<value> results =
        ops::if_(erased, ops::branch_body([&] { return detail::values_of(detail::bundled(then())); }),
                 ops::branch_body([&] { return detail::values_of(detail::bundled(otherwise())); }));
    return detail::bundle_from<first>(results);
  }
}

/// The carried values of the next iteration, and whether there is a next iteration: `return go_on_while(less(i, n), i +
/// 1);`
template <class Condition, class Carried>
auto go_on_while(const Condition& condition, Carried carried) {
  if constexpr (!detail::condition<Condition>) {
    return typename refusal<detail::no_condition<Condition>>::result();
  } else {
    auto next = detail::as_iteration(std::move(carried));
    next.keep_going = static_cast<value>(condition);
    return next;
  }
}
/// The carried values of the next iteration, and a bundle of this iteration's values, which are stacked along a new
/// leading axis: `return collect(next, tanh(next));`
template <class Carried, detail::bundle_like Collected>
auto collect(const Carried& carried, const Collected& collected) {
  auto items = detail::bundled(carried);
  auto stacked = detail::bundled(collected);
  return iteration<decltype(items), decltype(stacked)>{std::move(items), {}, std::move(stacked)};
}

/// Loop: at most `trips` iterations (an int64 scalar, a number, or an absent value for no limit), none if the bool
/// scalar `condition` is given and false. `body(step, carried...)` gets the iteration's index, which counts from 0, and
/// the items of `carried`. The body returns the carried values of the next iteration, either alone or with
/// go_on_while() and collect(). Carried values keep their types. loop() returns the last carried values. If the body
/// collects values, loop() returns a pair of the last carried values and the stacks.
///
///     auto [i, acc] = loop(trips, std::tuple(zero, x), [&](auto step, auto i, auto acc) {
///       return std::tuple(i + 1, acc * 2.0f);
///     });
template <class Trips, bundle Carried, class Body>
requires std::integral<Trips> || std::convertible_to<const Trips&, value>
auto loop(const Trips& trips, const Carried& carried, Body&& body, const value& condition = {}) {
  using step = typename detail::control_types<typename detail::first_handle<Carried>::type>::step;
  using arguments = detail::arguments_of<step, Carried>;
  if constexpr (!detail::takes<Body, arguments>) {
    using refused = typename detail::refused_arguments<"loop: the body has to take ", Body, arguments>::type;
    return detail::failed<Carried>(typename refused::result());
  } else if constexpr (!detail::returnable<detail::result_of<Body, arguments>, true>) {
    using refused = refusal<detail::no_handles<"loop: the body", detail::result_of<Body, arguments>>>;
    return detail::failed<Carried>(typename refused::result());
  } else {
    const auto call = [&](const step& number, const Carried& now) {
      return std::apply([&](const auto&... item) { return detail::as_iteration(body(number, item...)); },
                        detail::items_of(now));
    };
    using result = decltype(call(std::declval<const step&>(), carried));
    using collected = decltype(result::collected);
    using after = decltype(result::carried);
    static_cast<void>(sizeof(detail::same_types<detail::changed_carried_value, Carried, after>));
    std::vector<value> first = detail::values_of(carried);
    if constexpr (!std::integral<Trips>) first.push_back(static_cast<value>(trips));
    graph& g = detail::graph_of(first, "loop");
    if constexpr (!std::integral<Trips>) first.pop_back();
    ops::loop_options options;
    options.carried_types = detail::carried_types(g, carried);
    const ops::loop_result last = ops::loop(
        g, detail::trip_count(g, trips), condition, first,
        [&](const value& number, const std::vector<value>& now) {
          const result r = call(detail::bundle_from<step>(std::span(&number, 1)), detail::bundle_from<Carried>(now));
          return ops::loop_step{r.keep_going, detail::values_of(r.carried), detail::values_of(r.collected)};
        },
        options);
    constexpr bool collects = !std::same_as<collected, std::tuple<>>;
    if constexpr (!collects && detail::differ<Carried, after>) return detail::failed<after>(failed_call());
    else if constexpr (!collects) return detail::bundle_from<Carried>(last.carried);
    else
      return std::pair(detail::bundle_from<Carried>(last.carried),
                       detail::bundle_from<typename detail::stacked_bundle<collected, void>::type>(last.collected));
  }
}

/// Loop for carried items that convert to handles, such as `x * 2.0`.
template <class Trips, detail::bundle_like Carried, class Body>
requires(!bundle<Carried>) auto loop(const Trips& trips, const Carried& carried, Body&& body,
                                     const value& condition = {}) {
  return loop(trips, detail::bundled(carried), std::forward<Body>(body), condition);
}

/// The carried values after the last iteration of `body(carried...)`, which runs while the bool scalar
/// `condition(carried...)` holds. The condition is also evaluated before the first iteration.
///
///     auto x = while_(x0, [&](auto x) { return x < 100.0f; }, [&](auto x) { return x * 2.0f; });
template <bundle Carried, class Condition, class Body>
auto while_(const Carried& carried, Condition&& condition, Body&& body) {
  using arguments = detail::arguments_of<Carried>;
  if constexpr (!detail::takes<Condition, arguments>) {
    using refused =
        typename detail::refused_arguments<"while_: the condition has to take ", Condition, arguments>::type;
    return detail::failed<Carried>(typename refused::result());
  } else if constexpr (!detail::takes<Body, arguments>) {
    using refused = typename detail::refused_arguments<"while_: the body has to take ", Body, arguments>::type;
    return detail::failed<Carried>(typename refused::result());
  } else if constexpr (!detail::condition<std::remove_cvref_t<detail::result_of<Condition, arguments>>>) {
    using held = std::remove_cvref_t<detail::result_of<Condition, arguments>>;
    return detail::failed<Carried>(typename refusal<detail::no_condition<held>>::result());
  } else if constexpr (!detail::returnable<detail::result_of<Body, arguments>>) {
    using refused = refusal<detail::no_handles<"while_: the body", detail::result_of<Body, arguments>>>;
    return detail::failed<Carried>(typename refused::result());
  } else {
    const auto holds = [&](const Carried& now) {
      return static_cast<value>(std::apply(condition, detail::items_of(now)));
    };
    const auto next = [&](const auto&, const auto&... now) {
      auto after = detail::bundled(body(now...));
      return go_on_while(holds(after), after);
    };
    return loop(value(), carried, next, holds(carried));
  }
}
/// A while loop for carried items that convert to handles, such as `x * 2.0`.
template <detail::bundle_like Carried, class Condition, class Body>
requires(!bundle<Carried>) auto while_(const Carried& carried, Condition&& condition, Body&& body) {
  return while_(detail::bundled(carried), std::forward<Condition>(condition), std::forward<Body>(body));
}

/// Scan: one iteration for every element of `sequences` (a handle, or a tuple of handles) along their first axis. The
/// sequences have the same extent along this axis. `body(carried..., elements...)` gets the items of `carried` and an
/// element of each sequence. The body returns a pair: the carried values of the next iteration, and a bundle of values
/// to stack along a new first axis. Carried values keep their types, and the bundle may be an empty tuple. scan()
/// returns a pair of the last carried values and the stacks.
///
///     auto [last, all] = scan(h0, xs, [&](auto h, auto x) {
///       auto next = tanh(matmul(h, u) + x);
///       return std::pair(next, next);
///     });
template <bundle Carried, bundle Sequences, class Body>
auto scan(const Carried& carried, const Sequences& sequences, Body&& body, const scan_order& order = {}) {
  using elements = typename detail::elements_of<Sequences>::type;
  using arguments = detail::arguments_of<Carried, elements>;
  using lengths = detail::lengths<Sequences>;
  if constexpr (!lengths::fit) {
    return std::pair(detail::failed<Carried>(typename refusal<lengths>::result()), failed_call());
  } else if constexpr (!detail::takes<Body, arguments>) {
    using refused = typename detail::refused_arguments<"scan: the body has to take ", Body, arguments>::type;
    return std::pair(detail::failed<Carried>(typename refused::result()), failed_call());
  } else if constexpr (!detail::pair_like<detail::result_of<Body, arguments>>) {
    return std::pair(detail::failed<Carried>(typename refusal<detail::no_pair<Body>>::result()), failed_call());
  } else {
    const auto call = [&](const Carried& now, const elements& e) {
      return detail::bundled(std::apply(body, std::tuple_cat(detail::items_of(now), detail::items_of(e))));
    };
    using result = decltype(call(carried, std::declval<const elements&>()));
    using after = std::remove_cvref_t<typename result::first_type>;
    using collected = std::remove_cvref_t<typename result::second_type>;
    static_cast<void>(sizeof(detail::same_types<detail::changed_carried_value, Carried, after>));
    const std::vector<value> first = detail::values_of(carried), walked = detail::values_of(sequences);
    graph& g = detail::graph_of(walked, "scan");
    ops::scan_options options;
    options.carried_types = detail::carried_types(g, carried);
    options.reverse = order.reverse;
    const ops::loop_result last = ops::scan(
        g, first, walked,
        [&](const std::vector<value>& now, const std::vector<value>& e) {
          const result r = call(detail::bundle_from<Carried>(now), detail::bundle_from<elements>(e));
          return ops::loop_step{{}, detail::values_of(r.first), detail::values_of(r.second)};
        },
        options);
    using along = typename detail::first_handle<Sequences>::type;
    return std::pair(detail::bundle_from<Carried>(last.carried),
                     detail::bundle_from<typename detail::stacked_bundle<collected, along>::type>(last.collected));
  }
}

/// Scan for items that convert to handles, such as `x * 2.0`.
template <detail::bundle_like Carried, detail::bundle_like Sequences, class Body>
requires(!bundle<Carried> || !bundle<Sequences>) auto scan(const Carried& carried, const Sequences& sequences,
                                                           Body&& body, const scan_order& order = {}) {
  return scan(detail::bundled(carried), detail::bundled(sequences), std::forward<Body>(body), order);
}

/// SequenceMap: `body(element...)` for every element of `sequences`, a value or a tuple of values. The first value must
/// be a sequence. Other sequences have the same length as the first one, and a tensor in `sequences` is passed to every
/// call. Returns a sequence for each value that the body returns. The body can use its arguments and constants only, so
/// pass any other value in `sequences`.
///
///     auto activated = sequence_map(parts, [](auto part) { return relu(part); });
template <bundle Sequences, class Body>
auto sequence_map(const Sequences& sequences, Body&& body) {
  using arguments = detail::arguments_of<Sequences>;
  if constexpr (!detail::takes<Body, arguments>) {
    return typename detail::refused_arguments<"sequence_map: the body has to take ", Body, arguments>::type::result();
  } else if constexpr (!detail::returnable<detail::result_of<Body, arguments>>) {
    return typename refusal<detail::no_handles<"sequence_map: the body", detail::result_of<Body, arguments>>>::result();
  } else {
    using result = decltype(detail::bundled(std::apply(body, detail::items_of(sequences))));
    const std::vector<value> operands = detail::values_of(sequences);
    const std::vector<value> results = detail::map_sequences(operands, [&](const std::vector<value>& elements) {
      return detail::values_of(
          detail::bundled(std::apply(body, detail::items_of(detail::bundle_from<Sequences>(elements)))));
    });
    return detail::bundle_from<result>(results);
  }
}

}  // namespace jax2onnx
