#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <jax2onnx/graph/infer.hpp>
#include <jax2onnx/ops/typed/tensor.hpp>

/// From a shape function to the type of a typed handle, or to a readable error.
namespace jax2onnx {

/// What is wrong with the operands, as a template argument that the compiler prints.
template <std::size_t N>
struct problem_text {
  char text[N + 1] = {};  ///< null-terminated
  /// Copies a text of N characters.
  constexpr explicit problem_text(std::string_view t) {
    for (std::size_t i = 0; i < N; ++i) text[i] = t[i];
  }
};

/// Instantiated with the operands' types when they do not fit: the compiler's note names the problem and both tensors.
template <problem_text Problem, class... Operands>
struct operands_do_not_fit {
  static_assert(
      sizeof...(Operands) == 0,
      "the operands do not fit: the instantiation of operands_do_not_fit<problem, tensors...> above says why");
};

/// `d` as a template argument, with the name that it has among the operands; an extent that no operand has is `dyn`.
template <typed... Operands>
constexpr extent named(dim d) {
  extent found = d.is_constant() ? extent(d.extent()) : dyn;
  const auto look_in = [&](const auto& extents) {
    for (const extent& e : extents)
      if (d.is_symbolic() && dim(e) == d) found = e;
  };
  (look_in(Operands::extents), ...);
  return found;
}

/// A result of shape inference without heap memory, so that it can be a constant.
struct fixed_result {
  /// The most axes that a typed handle can have.
  static constexpr std::size_t highest_rank = 16;
  std::array<dim, highest_rank> dims{};  ///< the first `rank` count
  std::size_t rank = 0;                  ///< the number of axes
  std::string_view problem = {};         ///< what is wrong; empty: nothing
};

/// Calls a shape function while compiling.
template <class Rule>
consteval fixed_result evaluate(Rule rule) {
  const infer::result r = rule();
  if (r.dims.size() > fixed_result::highest_rank) return {.problem = "the result has more than 16 dimensions"};
  fixed_result out{.rank = r.dims.size(), .problem = r.problem};
  for (std::size_t i = 0; i < r.dims.size(); ++i) out.dims[i] = r.dims[i];
  return out;
}

/// The typed handle of what `verb` builds: element type T, and the shape that `Rule` computes from Operands.
template <class T, typed... Operands, class Rule>
auto typed_value(Rule, const auto& verb) {
  constexpr fixed_result r = evaluate(Rule{});
  if constexpr (r.problem.empty()) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tensor<T, named<Operands...>(r.dims[I])...>(verb());
    }
    (std::make_index_sequence<r.rank>{});
  } else {
    return operands_do_not_fit<problem_text<r.problem.size()>(r.problem), Operands...>{};
  }
}

/// The one element type of the operands.
template <typed First, typed... Rest>
constexpr bool one_element_type = (std::is_same_v<typename First::element, typename Rest::element> && ...);

}  // namespace jax2onnx
