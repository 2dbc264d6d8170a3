#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/typed/extent.hpp>
#include <jax2onnx/support/message.hpp>

/// The typed handle: dtype and shape are part of the C++ type, and operands that do not fit do not compile.
namespace jax2onnx {

/// C++ has no such types; these names stand for them as element types.
struct float16 {};
struct bfloat16 {};

/// The ONNX dtype of a C++ element type.
/// @{
template <class T>
inline constexpr dtype dtype_of = dtype::undefined;
template <>
inline constexpr dtype dtype_of<float> = dtype::f32;
template <>
inline constexpr dtype dtype_of<double> = dtype::f64;
template <>
inline constexpr dtype dtype_of<float16> = dtype::f16;
template <>
inline constexpr dtype dtype_of<bfloat16> = dtype::bf16;
template <>
inline constexpr dtype dtype_of<bool> = dtype::boolean;
template <>
inline constexpr dtype dtype_of<std::int8_t> = dtype::i8;
template <>
inline constexpr dtype dtype_of<std::int16_t> = dtype::i16;
template <>
inline constexpr dtype dtype_of<std::int32_t> = dtype::i32;
template <>
inline constexpr dtype dtype_of<std::int64_t> = dtype::i64;
template <>
inline constexpr dtype dtype_of<std::uint8_t> = dtype::u8;
template <>
inline constexpr dtype dtype_of<std::uint16_t> = dtype::u16;
template <>
inline constexpr dtype dtype_of<std::uint32_t> = dtype::u32;
template <>
inline constexpr dtype dtype_of<std::uint64_t> = dtype::u64;
/// @}

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

  /// The typed view of an erased handle, checked at run time.
  explicit tensor(const value& v) : value_(v) {
    bool fits = v.dtype() == dtype_of<T> && v.dims().size() == rank;
    for (std::size_t i = 0; fits && i < rank; ++i) fits = !definitely_differ(v.dims()[i], extents[i]);
    if (!fits) throw build_error(detail::message("tensor: {} is no {}{}", text(v), name(dtype_of<T>), wanted()));
  }

  /// The handle without its static type.
  const value& erased() const { return value_; }
  /// Typed handles can be passed to verbs on erased values.
  operator const value&() const { return value_; }

 private:
  static std::string wanted() {
    std::string out;
    for (const extent& e : extents)
      out += (out.empty() ? "" : ",") + (e.symbol[0]  ? std::string(e.name())
                                         : e.size < 0 ? "?"
                                                      : std::to_string(e.size));
    return "[" + out + "]";
  }

  value value_;
};

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

/// tensor_type of a typed handle; its symbols become known to the graph.
template <typed T>
tensor_type type_of(graph& g) {
  for (const extent& e : T::extents)
    if (e.symbol[0]) g.dims().symbol(e.name());
  return {dtype_of<typename T::element>, T::dims()};
}

/// An input of the model: `input<float, "B"_d, 784>(g, "x")`.
template <class T, extent... Extents>
// NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved, which the check does not see in a template
tensor<T, Extents...> input(graph& g, std::string name) {
  using result = tensor<T, Extents...>;
  return result(g.input(type_of<result>(g), std::move(name)));
}

/// A constant of constant extents: `constant<float, 784, 128>(g, weights, "w")`.
template <class T, extent... Extents>
tensor<T, Extents...> constant(graph& g, std::span<const T> numbers, std::string name = {}) {
  static_assert(((Extents.size >= 0 && !Extents.symbol[0]) && ...), "constant: an extent is not a number");
  using result = tensor<T, Extents...>;
  if (constexpr std::size_t wanted = (std::size_t{1} * ... * static_cast<std::size_t>(Extents.size));
      numbers.size() != wanted)
    throw build_error(detail::message("constant '{}': {} numbers for {} elements", name, numbers.size(), wanted));
  std::string data(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  return result(g.constant(type_of<result>(g), bytes(std::move(data)), std::move(name)));
}

}  // namespace jax2onnx
