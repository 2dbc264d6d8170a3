// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/typed/element.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/message.hpp>

/// Arrays in memory.
namespace jax2onnx {

/// The elements of a tensor, in row-major order.
class ndarray {
 public:
  /// An array from bit patterns, one for each element. Throws a build_error if the number of patterns does not match
  /// the extents.
  ndarray(dtype t, ints extents, std::vector<std::uint64_t> patterns)
      : extents_(std::move(extents)), elements_{t, std::move(patterns)} {
    std::uint64_t count = 1;
    for (const std::int64_t n : extents_) count *= static_cast<std::uint64_t>(n);
    if (count != elements_.bits.size())
      throw build_error(detail::message("an array has {} element{|s} instead of {}", elements_.bits.size(), count));
  }

  /// The element type.
  dtype type() const { return elements_.type; }
  /// The extents, outermost first.
  const ints& extents() const { return extents_; }
  /// The number of axes.
  std::int64_t rank() const { return std::ssize(extents_); }
  /// The number of elements.
  std::size_t size() const { return elements_.bits.size(); }
  /// Element i in row-major order.
  facts::single_element operator[](std::size_t i) const { return elements_[i]; }
  /// The bit pattern of each element.
  const std::vector<std::uint64_t>& patterns() const { return elements_.bits; }
  /// Each element as a number, which is exact except for 64-bit integers whose absolute value is over 2^53.
  std::vector<double> numbers() const {
    std::vector<double> out;
    for (std::size_t i = 0; i < size(); ++i) out.push_back(elements_[i].number());
    return out;
  }
  /// The elements in a C++ type: `y.as<float>()`. Throws a build_error if the array has another type.
  template <class T>
  std::vector<T> as() const {
    if (dtype_of<T> != type())
      throw build_error(detail::message("an array of {} has no elements of {}", name(type()), name(dtype_of<T>)));
    std::vector<T> out;
    for (const std::uint64_t pattern : elements_.bits) {
      T element;
      std::memcpy(&element, &pattern, sizeof element);
      out.push_back(element);
    }
    return out;
  }

 private:
  ints extents_;
  facts::elements elements_;
};

/// An array from numbers in row-major order: `array_of<float>({2, 2}, {1, 2, 3, 4})`. Throws a build_error if the
/// count of numbers does not match the extents.
/// @{
template <class T>
requires(sizeof(T) <= sizeof(std::uint64_t)) ndarray array_of(ints extents, std::span<const T> numbers) {
  std::vector<std::uint64_t> patterns;
  for (const T& number : numbers) {
    std::uint64_t pattern = 0;
    std::memcpy(&pattern, &number, sizeof number);
    patterns.push_back(pattern);
  }
  return {dtype_of<T>, std::move(extents), std::move(patterns)};
}
template <class T>
ndarray array_of(ints extents, std::initializer_list<T> numbers) {
  return array_of(std::move(extents), std::span<const T>(numbers.begin(), numbers.size()));
}
template <class T>
ndarray array_of(ints extents, const std::vector<T>& numbers) {
  return array_of(std::move(extents), std::span<const T>(numbers));
}
/// @}

/// `f32[2,2] {1, 2, 3, 4}`, for messages and tests; long arrays are cut after the first elements.
inline std::string text(const ndarray& a) {
  constexpr std::size_t most = 16;
  std::string out(name(a.type()));
  for (std::int64_t axis = 0; axis < a.rank(); ++axis)
    out += (axis ? "," : "[") + std::to_string(a.extents()[static_cast<std::size_t>(axis)]);
  out += a.rank() ? "] {" : "[] {";
  for (std::size_t i = 0; i < a.size() && i < most; ++i)
    out += (i ? ", " : "") +
           (is_floating(a.type()) ? detail::message("{}", a[i].number()) : std::to_string(a[i].integer()));
  return out + (a.size() > most ? ", ...}" : "}");
}

}  // namespace jax2onnx
