// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

/// Attributes that are one of a few texts, as enumerations.
namespace jax2onnx {

namespace detail {

template <class Choice>
constexpr std::string_view text_of(Choice c, std::initializer_list<std::string_view> texts) {
  return texts.begin()[static_cast<std::size_t>(c)];
}

}  // namespace detail

/// An attribute that is an enumerator of these.
template <class Choice>
struct chosen {
  /// As given.
  constexpr chosen(Choice c) : value(c) {}
  /// Does not compile.
  chosen(const char*) : value() { static_assert(std::is_void_v<Choice>, "an enumerator is wanted, not a text"); }
  /// As given.
  constexpr operator Choice() const { return value; }
  Choice value;  ///< as given
};

/// Attributes of type aspect_ratio.
enum class aspect_ratio : std::uint8_t { stretch, not_larger, not_smaller };
/// The name of the value in models.
constexpr std::string_view name(aspect_ratio c) { return detail::text_of(c, {"stretch", "not_larger", "not_smaller"}); }

/// Attributes of type auto_pad.
enum class auto_pad : std::uint8_t { notset, same_upper, same_lower, valid };
/// The name of the value in models.
constexpr std::string_view name(auto_pad c) {
  return detail::text_of(c, {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
}

/// Attributes of type cache_mode.
enum class cache_mode : std::uint8_t { linear, circular };
/// The name of the value in models.
constexpr std::string_view name(cache_mode c) { return detail::text_of(c, {"linear", "circular"}); }

/// Attributes of type case_change.
enum class case_change : std::uint8_t { none, lower, upper };
/// The name of the value in models.
constexpr std::string_view name(case_change c) { return detail::text_of(c, {"NONE", "LOWER", "UPPER"}); }

/// Attributes of type conv_activation.
enum class conv_activation : std::uint8_t { none, silu, swish };
/// The name of the value in models.
constexpr std::string_view name(conv_activation c) { return detail::text_of(c, {"none", "silu", "swish"}); }

/// Attributes of type coordinate_mode.
enum class coordinate_mode : std::uint8_t {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  align_corners,
  asymmetric,
  tf_crop_and_resize,
  output_half_pixel
};
/// The name of the value in models.
constexpr std::string_view name(coordinate_mode c) {
  return detail::text_of(c, {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                             "tf_crop_and_resize", "output_half_pixel"});
}

/// Attributes of type depth_mode.
enum class depth_mode : std::uint8_t { dcr, crd };
/// The name of the value in models.
constexpr std::string_view name(depth_mode c) { return detail::text_of(c, {"DCR", "CRD"}); }

/// Attributes of type direction.
enum class direction : std::uint8_t { forward, reverse, bidirectional };
/// The name of the value in models.
constexpr std::string_view name(direction c) { return detail::text_of(c, {"forward", "reverse", "bidirectional"}); }

/// Attributes of type gelu_approximation.
enum class gelu_approximation : std::uint8_t { none, tanh };
/// The name of the value in models.
constexpr std::string_view name(gelu_approximation c) { return detail::text_of(c, {"none", "tanh"}); }

/// Attributes of type loss_reduction.
enum class loss_reduction : std::uint8_t { none, sum, mean };
/// The name of the value in models.
constexpr std::string_view name(loss_reduction c) { return detail::text_of(c, {"none", "sum", "mean"}); }

/// Attributes of type nearest_mode.
enum class nearest_mode : std::uint8_t { round_prefer_floor, round_prefer_ceil, floor, ceil };
/// The name of the value in models.
constexpr std::string_view name(nearest_mode c) {
  return detail::text_of(c, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
}

/// Attributes of type pad_mode.
enum class pad_mode : std::uint8_t { constant, reflect, edge, wrap };
/// The name of the value in models.
constexpr std::string_view name(pad_mode c) { return detail::text_of(c, {"constant", "reflect", "edge", "wrap"}); }

/// Attributes of type padding_mode.
enum class padding_mode : std::uint8_t { zeros, border, reflection };
/// The name of the value in models.
constexpr std::string_view name(padding_mode c) { return detail::text_of(c, {"zeros", "border", "reflection"}); }

/// Attributes of type pixel_format.
enum class pixel_format : std::uint8_t { rgb, bgr, grayscale };
/// The name of the value in models.
constexpr std::string_view name(pixel_format c) { return detail::text_of(c, {"RGB", "BGR", "Grayscale"}); }

/// Attributes of type resize_mode.
enum class resize_mode : std::uint8_t { nearest, linear, cubic };
/// The name of the value in models.
constexpr std::string_view name(resize_mode c) { return detail::text_of(c, {"nearest", "linear", "cubic"}); }

/// Attributes of type roi_mode.
enum class roi_mode : std::uint8_t { avg, max };
/// The name of the value in models.
constexpr std::string_view name(roi_mode c) { return detail::text_of(c, {"avg", "max"}); }

/// Attributes of type sample_mode.
enum class sample_mode : std::uint8_t { linear, nearest, cubic };
/// The name of the value in models.
constexpr std::string_view name(sample_mode c) { return detail::text_of(c, {"linear", "nearest", "cubic"}); }

/// Attributes of type scatter_reduction.
enum class scatter_reduction : std::uint8_t { none, add, mul, max, min };
/// The name of the value in models.
constexpr std::string_view name(scatter_reduction c) {
  return detail::text_of(c, {"none", "add", "mul", "max", "min"});
}

/// Attributes of type shift_direction.
enum class shift_direction : std::uint8_t { left, right };
/// The name of the value in models.
constexpr std::string_view name(shift_direction c) { return detail::text_of(c, {"LEFT", "RIGHT"}); }

/// Attributes of type update_rule.
enum class update_rule : std::uint8_t { linear, gated, delta, gated_delta };
/// The name of the value in models.
constexpr std::string_view name(update_rule c) {
  return detail::text_of(c, {"linear", "gated", "delta", "gated_delta"});
}

}  // namespace jax2onnx
