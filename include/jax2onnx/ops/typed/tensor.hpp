#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/infer.hpp>
#include <jax2onnx/ops/structure/memory_view.hpp>
#include <jax2onnx/ops/typed/element.hpp>
#include <jax2onnx/ops/typed/extent_math.hpp>
#include <jax2onnx/ops/typed/mismatch.hpp>
#include <jax2onnx/support/message.hpp>

/// The typed handle: dtype and shape are part of the C++ type, and operands that do not fit do not compile.
namespace jax2onnx {

template <class T, extent... Extents>
class tensor;

namespace detail {

/// Whether an extent of a value can be one that is declared: `dyn` fits everything, and so does a value's unknown
/// extent, which is checked where the model runs.
constexpr bool extent_fits(dim actual, dim declared) { return !infer::may_differ(actual, declared); }

/// The text of a declaration that does not fit, `tensor: f32[B,10] is declared as f32[B,11]`, while compiling.
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

/// Whether all extents of one typed handle can be those of another.
template <class Declared, class Actual>
constexpr bool declared_fits() {
  if (Declared::rank != Actual::rank) return false;
  if (dtype_of<typename Declared::element> != dtype_of<typename Actual::element>) return false;
  for (std::size_t i = 0; i < Declared::rank; ++i)
    if (!extent_fits(Actual::extents[i], Declared::extents[i])) return false;
  return true;
}

/// Throws a build_error unless the type of a value fits a declaration. Different symbols do not, if `strict`.
void require_type(const value& v, dtype element, std::span<const extent> extents, bool strict);

}  // namespace detail

/// Whether T is a typed handle.
/// @{
template <class T>
inline constexpr bool is_tensor = false;
template <class T, extent... E>
inline constexpr bool is_tensor<tensor<T, E...>> = true;
/// @}

/// Typed handles.
template <class T>
concept typed = is_tensor<T>;

/// A value whose element type and extents the compiler knows: `tensor<float, "B"_d, 784>`.
template <class T, extent... Extents>
class tensor {
 public:
  using element = T;                                              ///< the C++ element type
  static constexpr std::size_t rank = sizeof...(Extents);         ///< the number of axes
  static constexpr std::array<extent, rank> extents{Extents...};  ///< outermost first
  /// The shape, with symbols in place of their names.
  static constexpr shape dims() { return {Extents...}; }
  static_assert(dtype_of<T> != dtype::undefined, "tensor: ONNX has no such element type");

  /// The typed view of an erased handle, checked at run time: throws a build_error for another element type or rank,
  /// and for extents that are known and others. An extent that the graph does not know is checked where the model runs.
  explicit tensor(const value& v) : value_(v) { detail::require_type(v, dtype_of<T>, extents, true); }
  /// A typed handle declared as another type: extents are the same, or one is `dyn`. Others do not compile.
  template <class U, extent... Others>
  tensor(const tensor<U, Others...>& other) : value_(other.erased()) {
    if constexpr (!detail::declared_fits<tensor, tensor<U, Others...>>())
      (void)typename refusal<detail::declared_mismatch<tensor, tensor<U, Others...>>>::result();
    else detail::require_type(value_, dtype_of<T>, extents, false);
  }
  /// The first output of a verb with several.
  template <class Results>
  requires requires(const Results& r) { r.first_output(); }
  tensor(const Results& results) : tensor(results.first_output()) {}
  /// What a call that did not compile returns.
  tensor(const failed_call&) {}

  /// The handle without its static type.
  const value& erased() const { return value_; }
  /// Typed handles can be passed to verbs on erased values.
  operator const value&() const { return value_; }

  /// The handle of a verb's result, whose type the verb has computed.
  static tensor of_result(const value& v) {
    tensor out{failed_call()};
    out.value_ = v;
    detail::require_type(v, dtype_of<T>, extents, false);
    return out;
  }

 private:
  value value_;
};

namespace detail {

inline std::string declared_text(dtype element, std::span<const extent> extents) {
  problem_text out;
  out.add_type(name(element), extents);
  return std::string(out.view());
}

inline void require_type(const value& v, dtype element, std::span<const extent> extents, bool strict) {
  const tensor_type& type = v.type();
  bool fits = v.dtype() == element && type.kind == value_kind::tensor;
  const bool unknown = !type.ranked;
  if (!unknown) {
    fits = fits && type.dims.size() == extents.size();
    for (std::size_t i = 0; fits && i < extents.size(); ++i) {
      const dim actual = type.dims[i], declared = extents[i];
      fits = strict ? extent_fits(actual, declared) : !definitely_differ(actual, declared);
    }
  }
  if (!fits) throw build_error(message("tensor: {} is declared as {}", text(v), declared_text(element, extents)));
}

}  // namespace detail

/// tensor_type of a typed handle; its symbols become known to the graph.
template <typed T>
tensor_type type_of(graph& g) {
  shape dims;
  for (const extent& e : T::extents) dims.push_back(in_table(g.dims(), e));
  return {dtype_of<typename T::element>, std::move(dims)};
}

/// An input of the model: `input<float, "B"_d, 784>(g, "x")`.
template <class T, extent... Extents>
// NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved, which the check does not see in a template
tensor<T, Extents...> input(graph& g, std::string name) {
  using result = tensor<T, Extents...>;
  return result::of_result(g.input(type_of<result>(g), std::move(name)));
}

namespace detail {

template <class T, extent... Extents>
tensor<T, Extents...> constant_of(graph& g, std::size_t count, bytes&& data, std::string&& name) {
  static_assert((Extents.is_constant() && ...), "constant: an extent is not a number");
  using result = tensor<T, Extents...>;
  if (constexpr std::size_t wanted = (std::size_t{1} * ... * static_cast<std::size_t>(Extents.size)); count != wanted)
    throw build_error(message("constant '{}': {} numbers for {} elements", name, count, wanted));
  return result::of_result(g.constant(type_of<result>(g), std::move(data), std::move(name)));
}

}  // namespace detail

/// A constant of constant extents: `constant<float, 784, 128>(g, weights, "w")`. The numbers are not copied: they have
/// to stay as they are until the model is written; `owner`, if it is given, keeps them alive. Up to 4096 bytes are
/// copied. Throws a build_error for another number of them than the extents say.
template <class T, extent... Extents>
tensor<T, Extents...> constant(graph& g, std::span<const T> numbers, std::string name = {},
                               std::shared_ptr<const void> owner = nullptr) {
  return detail::constant_of<T, Extents...>(g, numbers.size(), view_of(numbers, std::move(owner)), std::move(name));
}
/// The same for a vector that the graph takes over.
template <class T, extent... Extents>
tensor<T, Extents...> constant(graph& g, std::vector<T>&& numbers, std::string name = {}) {
  const std::size_t count = numbers.size();
  return detail::constant_of<T, Extents...>(g, count, moved(std::move(numbers)), std::move(name));
}
/// The same for numbers that are copied, so that they may change.
template <class T, extent... Extents>
tensor<T, Extents...> constant_copy(graph& g, std::span<const T> numbers, std::string name = {}) {
  return detail::constant_of<T, Extents...>(g, numbers.size(), copy_of(numbers), std::move(name));
}

/// x with the extent Known in place of every extent Other: for extents that the program knows to be the same.
template <extent Known, extent Other, class T, extent... Extents>
auto assume_same(const tensor<T, Extents...>& x) {
  return tensor<T, (Extents == Other ? Known : Extents)...>::of_result(x.erased());
}

}  // namespace jax2onnx
