#pragma once

// Written by scripts/generate-operators.
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Attributes that are one of a few texts, as enumerations.
namespace jax2onnx {

/// Attributes of type aspect_ratio.
enum class aspect_ratio : std::uint8_t { stretch, not_larger, not_smaller };
/// The text that models have for it.
constexpr std::string_view name(aspect_ratio choice) {
  constexpr std::string_view names[] = {"stretch", "not_larger", "not_smaller"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type auto_pad.
enum class auto_pad : std::uint8_t { notset, same_upper, same_lower, valid };
/// The text that models have for it.
constexpr std::string_view name(auto_pad choice) {
  constexpr std::string_view names[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type cache_mode.
enum class cache_mode : std::uint8_t { linear, circular };
/// The text that models have for it.
constexpr std::string_view name(cache_mode choice) {
  constexpr std::string_view names[] = {"linear", "circular"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type case_change.
enum class case_change : std::uint8_t { none, lower, upper };
/// The text that models have for it.
constexpr std::string_view name(case_change choice) {
  constexpr std::string_view names[] = {"NONE", "LOWER", "UPPER"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type conv_activation.
enum class conv_activation : std::uint8_t { none, silu, swish };
/// The text that models have for it.
constexpr std::string_view name(conv_activation choice) {
  constexpr std::string_view names[] = {"none", "silu", "swish"};
  return names[static_cast<std::size_t>(choice)];
}

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
/// The text that models have for it.
constexpr std::string_view name(coordinate_mode choice) {
  constexpr std::string_view names[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                        "asymmetric", "tf_crop_and_resize",   "output_half_pixel"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type depth_mode.
enum class depth_mode : std::uint8_t { dcr, crd };
/// The text that models have for it.
constexpr std::string_view name(depth_mode choice) {
  constexpr std::string_view names[] = {"DCR", "CRD"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type direction.
enum class direction : std::uint8_t { forward, reverse, bidirectional };
/// The text that models have for it.
constexpr std::string_view name(direction choice) {
  constexpr std::string_view names[] = {"forward", "reverse", "bidirectional"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type gelu_approximation.
enum class gelu_approximation : std::uint8_t { none, tanh };
/// The text that models have for it.
constexpr std::string_view name(gelu_approximation choice) {
  constexpr std::string_view names[] = {"none", "tanh"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type loss_reduction.
enum class loss_reduction : std::uint8_t { none, sum, mean };
/// The text that models have for it.
constexpr std::string_view name(loss_reduction choice) {
  constexpr std::string_view names[] = {"none", "sum", "mean"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type nearest_mode.
enum class nearest_mode : std::uint8_t { round_prefer_floor, round_prefer_ceil, floor, ceil };
/// The text that models have for it.
constexpr std::string_view name(nearest_mode choice) {
  constexpr std::string_view names[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type pad_mode.
enum class pad_mode : std::uint8_t { constant, reflect, edge, wrap };
/// The text that models have for it.
constexpr std::string_view name(pad_mode choice) {
  constexpr std::string_view names[] = {"constant", "reflect", "edge", "wrap"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type padding_mode.
enum class padding_mode : std::uint8_t { zeros, border, reflection };
/// The text that models have for it.
constexpr std::string_view name(padding_mode choice) {
  constexpr std::string_view names[] = {"zeros", "border", "reflection"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type pixel_format.
enum class pixel_format : std::uint8_t { rgb, bgr, grayscale };
/// The text that models have for it.
constexpr std::string_view name(pixel_format choice) {
  constexpr std::string_view names[] = {"RGB", "BGR", "Grayscale"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type resize_mode.
enum class resize_mode : std::uint8_t { nearest, linear, cubic };
/// The text that models have for it.
constexpr std::string_view name(resize_mode choice) {
  constexpr std::string_view names[] = {"nearest", "linear", "cubic"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type roi_mode.
enum class roi_mode : std::uint8_t { avg, max };
/// The text that models have for it.
constexpr std::string_view name(roi_mode choice) {
  constexpr std::string_view names[] = {"avg", "max"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type sample_mode.
enum class sample_mode : std::uint8_t { linear, nearest, cubic };
/// The text that models have for it.
constexpr std::string_view name(sample_mode choice) {
  constexpr std::string_view names[] = {"linear", "nearest", "cubic"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type scatter_reduction.
enum class scatter_reduction : std::uint8_t { none, add, mul, max, min };
/// The text that models have for it.
constexpr std::string_view name(scatter_reduction choice) {
  constexpr std::string_view names[] = {"none", "add", "mul", "max", "min"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type shift_direction.
enum class shift_direction : std::uint8_t { left, right };
/// The text that models have for it.
constexpr std::string_view name(shift_direction choice) {
  constexpr std::string_view names[] = {"LEFT", "RIGHT"};
  return names[static_cast<std::size_t>(choice)];
}

/// Attributes of type update_rule.
enum class update_rule : std::uint8_t { linear, gated, delta, gated_delta };
/// The text that models have for it.
constexpr std::string_view name(update_rule choice) {
  constexpr std::string_view names[] = {"linear", "gated", "delta", "gated_delta"};
  return names[static_cast<std::size_t>(choice)];
}

}  // namespace jax2onnx
