// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/element_count.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// An array in the caller's memory: little endian, row major. It is not copied, so it must outlive this source and must
/// not change until the model is written.
class borrowed_source final : public byte_source {
 public:
  /// The bytes of the array.
  explicit borrowed_source(std::span<const std::byte> data) : data_(data) {}
  std::uint64_t size() const override { return data_.size(); }
  void stream(const sink& out) const override { out(data_); }
  std::span<const std::byte> view() const override { return data_; }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    std::ranges::copy(data_.subspan(static_cast<std::size_t>(offset), to.size()), to.begin());
    return true;
  }

 private:
  std::span<const std::byte> data_;
};

namespace detail {

/// A contiguous range whose elements outlive the expression (not a temporary container).
template <typename R>
concept lasting_array =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && std::ranges::borrowed_range<R>;

/// The encoding of the elements of a C++ type.
template <typename T>
constexpr stored_kind stored_kind_of() {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "weights cannot have elements of this type");
  if (std::is_same_v<T, bool>) return stored_kind::boolean;
  if (std::is_floating_point_v<T>) return stored_kind::floating;
  return std::is_signed_v<T> ? stored_kind::signed_integer : stored_kind::unsigned_integer;
}

/// The name of a type as jaxprs print it: f32, i64, u8, bool.
inline std::string type_name(stored_kind kind, std::uint32_t bits) {
  if (kind == stored_kind::boolean) return "bool";
  const char letter = kind == stored_kind::floating ? 'f' : kind == stored_kind::signed_integer ? 'i' : 'u';
  return message("{}{}", letter, bits);
}

}  // namespace detail

/// A range of numbers in the caller's memory, row major, as a weight called `name`. It is not copied, so it must not
/// change until the model is written. Throws `error` if the number of elements is not the product of the extents.
template <detail::lasting_array R>
weight borrowed_array(std::string name, R&& elements, std::vector<std::int64_t> extents) {
  using number = std::ranges::range_value_t<R>;
  constexpr stored_kind kind = detail::stored_kind_of<number>();
  constexpr std::uint32_t bits = 8 * sizeof(number);
  const std::span<const number> all(std::ranges::data(elements), std::ranges::size(elements));
  const bool negative = item_loops::any_of(extents, [](std::int64_t extent) { return extent < 0; });
  if (negative || detail::element_count(extents) != all.size())
    throw error(failure::malformed, "weights.mismatch",
                detail::message("the array '{}' has {} element{|s}, but its shape is [{}]", name, all.size(),
                                detail::joined_text(extents, ",")));
  return {std::move(name),
          true,
          detail::type_name(kind, bits),
          kind,
          bits,
          std::move(extents),
          std::make_shared<borrowed_source>(std::as_bytes(all))};
}

}  // namespace jax2onnx
