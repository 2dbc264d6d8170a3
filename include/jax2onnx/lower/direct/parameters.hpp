// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/direct/array_type.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

class parameters;

/// A computation inside a primitive: a branch of cond, the body of a loop, the combining function of reduce. Copies
/// share the function.
class computation {
 public:
  /// Returns the results for given inputs. The parts of a composite value are separate inputs or results, one after
  /// another.
  using function = std::function<std::vector<value>(std::span<const value>)>;

  /// A function with the types of its inputs and results. A primitive calls the function when it needs the results:
  /// never, once, or several times. The function adds its nodes to the current block of the graph, and may use values
  /// of enclosing blocks. If a primitive applies a computation on scalars to arrays (reduce, reduce_window, scatter),
  /// inputs and results are arrays of one shape. Exceptions of the function leave lower_primitive().
  computation(std::vector<array_type> inputs, std::vector<array_type> results, function f)
      : state_(
            std::make_shared<const state>(state{std::move(inputs), std::move(results), std::move(f), std::string()})) {}
  /// The primitive without parameters, on `count` scalars of one type. Reducing primitives use ONNX's own reductions
  /// for `add`, `mul`, `max`, `min`, `and` and `or`; a function is applied in a loop.
  computation(std::string primitive, const array_type& scalar, std::size_t count = 2)
      : state_(std::make_shared<const state>(
            state{std::vector<array_type>(count, scalar), {scalar}, {}, std::move(primitive)})) {}

  const std::vector<array_type>& inputs() const { return state_->inputs; }    ///< the types of its inputs
  const std::vector<array_type>& results() const { return state_->results; }  ///< the types of its results
  const function& call() const { return state_->call; }  ///< the function that is called; empty for a primitive
  /// The name of the primitive; empty for a function.
  const std::string& primitive() const { return state_->primitive; }

 private:
  struct state {
    std::vector<array_type> inputs, results;
    function call;
    std::string primitive;
  };
  std::shared_ptr<const state> state_;
};

/// The value of a parameter: the C++ counterpart of a Python object.
class parameter {
 public:
  using list_type = std::vector<parameter>;  ///< a tuple or list
  /// The possible contents; a string is the name of an enumerator (`GatherScatterMode.CLIP`), or text.
  using content = std::variant<std::nullopt_t, bool, std::int64_t, double, std::string, dtype, dim, list_type,
                               std::shared_ptr<const parameters>, computation>;

  /// The empty list.
  parameter() : content_(list_type()) {}
  /// Python's None.
  parameter(std::nullopt_t) : content_(std::nullopt) {}
  /// An integer or a bool. Throws build_error for an integer that int64 cannot hold.
  template <std::integral Number>
  parameter(Number n) : content_(integer(n)) {}
  /// A floating-point number.
  parameter(double x) : content_(x) {}
  /// A string or enumerator, as JAX prints it.
  /// @{
  parameter(const char* text) : content_(std::string(text)) {}
  parameter(std::string_view text) : content_(std::string(text)) {}
  parameter(std::string text) : content_(std::move(text)) {}
  /// @}
  /// An element type of ONNX. Other element types are given as strings: `complex64`.
  parameter(dtype type) : content_(type) {}
  /// An extent.
  parameter(dim extent) : content_(extent) {}
  /// A list; lists can be nested.
  parameter(std::initializer_list<parameter> items) : content_(list_type(items)) {}
  /// The list of a range's elements.
  template <std::ranges::input_range Range>
  requires std::constructible_from<parameter, std::ranges::range_reference_t<Range>> &&
      (!std::convertible_to<Range, std::string_view> && !std::same_as<std::remove_cvref_t<Range>, parameter>)
          parameter(Range&& items)  // NOLINT(bugprone-forwarding-reference-overload): Range is not a parameter
      : content_(list_type(std::ranges::begin(items), std::ranges::end(items))) {}
  /// A structure: `parameters{{"offset_dims", {1}}, {"collapsed_slice_dims", {0}}}`.
  template <std::same_as<parameters> Members>  // parameters is incomplete here
  parameter(Members members) : content_(std::make_shared<const Members>(std::move(members))) {}
  /// A nested jaxpr.
  parameter(computation body) : content_(std::move(body)) {}

  /// The content.
  const content& get() const { return content_; }

 private:
  static content integer(bool b) { return b; }
  template <std::integral Number>
  static content integer(Number n) {
    if (!std::in_range<std::int64_t>(n)) throw build_error("a parameter does not fit into int64");
    return static_cast<std::int64_t>(n);
  }

  content content_;
};

/// The parameters of a primitive, or the members of a parameter that is a structure. The names are JAX's: `{{"axis",
/// 0}, {"reverse", false}}`. docs/primitives.md lists the parameters of each primitive. Copies share computations.
class parameters {
 public:
  /// A named parameter.
  struct member {
    std::string name;  ///< JAX's newest name
    parameter value;   ///< its value
  };

  /// No parameters.
  parameters() = default;
  /// The parameters with these names and values.
  parameters(std::initializer_list<member> list) : members_(list) {}

  /// Appends a parameter.
  void add(std::string name, parameter value) { members_.push_back({std::move(name), std::move(value)}); }
  /// All parameters in order.
  std::span<const member> list() const { return members_; }

 private:
  std::vector<member> members_;
};

}  // namespace jax2onnx
