// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/signal.hpp>
#include <jax2onnx/ops/verbs/signal.hpp>

/// The signal operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using affine_grid = operator_at<records::signal_records, 0>;
using blackman_window = operator_at<records::signal_records, 1>;
using dft = operator_at<records::signal_records, 3>;
using grid_sample = operator_at<records::signal_records, 6>;
using hamming_window = operator_at<records::signal_records, 7>;
using hann_window = operator_at<records::signal_records, 8>;
using image_decoder = operator_at<records::signal_records, 9>;
using mel_weight_matrix = operator_at<records::signal_records, 10>;
using resize = operator_at<records::signal_records, 13>;
using stft = operator_at<records::signal_records, 14>;
}  // namespace typed_operators

/// The attributes of affine_grid as a template argument.
struct affine_grid_attributes_of {
  flag align_corners = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{
        .name = "align_corners", .given = align_corners != false, .integer = static_cast<std::int64_t>(align_corners)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::affine_grid_attributes run_time() const { return {.align_corners = align_corners}; }
};

/// Generates the 2D or 3D sampling grids of a batch of affine matrices, as PyTorch's affine_grid does (AffineGrid).
/// @{
template <class ThetaType, class SizeType>
requires typed_operands<ThetaType, SizeType>
auto affine_grid(const ThetaType& theta, const SizeType& size) {
  using call = typed_call<typed_operators::affine_grid, default_attributes, 1, ThetaType, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::affine_grid(as_value(theta), as_operand(size), {}));
  else return typename refusal<call>::result();
}
template <class ThetaType, class SizeType>
requires typed_operands<ThetaType, SizeType>
auto affine_grid(const ThetaType& theta, const SizeType& size, const jax2onnx::affine_grid_attributes& attributes) {
  using call = typed_call<typed_operators::affine_grid, run_time_attributes, 1, ThetaType, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::affine_grid(as_value(theta), as_operand(size), attributes));
  else return typename refusal<call>::result();
}
template <affine_grid_attributes_of Attributes, class ThetaType, class SizeType>
requires typed_operands<ThetaType, SizeType>
auto affine_grid(const ThetaType& theta, const SizeType& size) {
  using call = typed_call<typed_operators::affine_grid, fixed_attributes<Attributes>, 1, ThetaType, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::affine_grid(as_value(theta), as_operand(size), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of blackman_window as a template argument.
struct blackman_window_attributes_of {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "output_datatype",
                        .given = output_datatype != jax2onnx::dtype::f32,
                        .integer = static_cast<std::int64_t>(output_datatype)},
        known_attribute{.name = "periodic", .given = periodic != true, .integer = static_cast<std::int64_t>(periodic)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::blackman_window_attributes run_time() const {
    return {.output_datatype = output_datatype, .periodic = periodic};
  }
};

/// Generates a Blackman window (https://ieeexplore.ieee.org/document/1455106) (BlackmanWindow).
/// @{
template <class SizeType>
requires typed_operands<SizeType>
auto blackman_window(const SizeType& size) {
  using call = typed_call<typed_operators::blackman_window, default_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::blackman_window(as_value(size), {}));
  else return typename refusal<call>::result();
}
template <class SizeType>
requires typed_operands<SizeType>
auto blackman_window(const SizeType& size, const jax2onnx::blackman_window_attributes& attributes) {
  using call = typed_call<typed_operators::blackman_window, run_time_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::blackman_window(as_value(size), attributes));
  else return typename refusal<call>::result();
}
template <blackman_window_attributes_of Attributes, class SizeType>
requires typed_operands<SizeType>
auto blackman_window(const SizeType& size) {
  using call = typed_call<typed_operators::blackman_window, fixed_attributes<Attributes>, 1, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::blackman_window(as_value(size), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of dft as a template argument.
struct dft_attributes_of {
  flag inverse = false;
  flag onesided = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "inverse", .given = inverse != false, .integer = static_cast<std::int64_t>(inverse)},
        known_attribute{
            .name = "onesided", .given = onesided != false, .integer = static_cast<std::int64_t>(onesided)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::dft_attributes run_time() const { return {.inverse = inverse, .onesided = onesided}; }
};

/// Computes the discrete Fourier transform along an axis, or its inverse (DFT).
/// @{
template <class InputType, class DftLengthType = absent, class AxisType = absent>
requires typed_operands<InputType, DftLengthType, AxisType>
auto dft(const InputType& input, const DftLengthType& dft_length = {}, const AxisType& axis = {}) {
  using call = typed_call<typed_operators::dft, default_attributes, 1, InputType, DftLengthType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::dft(as_value(input), as_operand(dft_length), as_operand(axis), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class DftLengthType = absent, class AxisType = absent>
requires typed_operands<InputType, DftLengthType, AxisType>
auto dft(const InputType& input, const DftLengthType& dft_length, const AxisType& axis,
         const jax2onnx::dft_attributes& attributes) {
  using call = typed_call<typed_operators::dft, run_time_attributes, 1, InputType, DftLengthType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dft(as_value(input), as_operand(dft_length), as_operand(axis), attributes));
  else return typename refusal<call>::result();
}
template <dft_attributes_of Attributes, class InputType, class DftLengthType = absent, class AxisType = absent>
requires typed_operands<InputType, DftLengthType, AxisType>
auto dft(const InputType& input, const DftLengthType& dft_length = {}, const AxisType& axis = {}) {
  using call = typed_call<typed_operators::dft, fixed_attributes<Attributes>, 1, InputType, DftLengthType, AxisType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dft(as_value(input), as_operand(dft_length), as_operand(axis), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of grid_sample as a template argument.
struct grid_sample_attributes_of {
  jax2onnx::sample_mode mode = jax2onnx::sample_mode::linear;
  flag align_corners = false;
  jax2onnx::padding_mode padding_mode = jax2onnx::padding_mode::zeros;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{.name = "mode", .given = mode != jax2onnx::sample_mode::linear, .text = jax2onnx::name(mode)},
        known_attribute{.name = "align_corners",
                        .given = align_corners != false,
                        .integer = static_cast<std::int64_t>(align_corners)},
        known_attribute{.name = "padding_mode",
                        .given = padding_mode != jax2onnx::padding_mode::zeros,
                        .text = jax2onnx::name(padding_mode)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::grid_sample_attributes run_time() const {
    return {.mode = mode, .align_corners = align_corners, .padding_mode = padding_mode};
  }
};

/// Samples a tensor at the positions of a grid by interpolation, as PyTorch's grid_sample does (GridSample).
/// @{
template <class XType, class GridType>
requires typed_operands<XType, GridType>
auto grid_sample(const XType& x, const GridType& grid) {
  using call = typed_call<typed_operators::grid_sample, default_attributes, 1, XType, GridType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::grid_sample(as_value(x), as_operand(grid), {}));
  else return typename refusal<call>::result();
}
template <class XType, class GridType>
requires typed_operands<XType, GridType>
auto grid_sample(const XType& x, const GridType& grid, const jax2onnx::grid_sample_attributes& attributes) {
  using call = typed_call<typed_operators::grid_sample, run_time_attributes, 1, XType, GridType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::grid_sample(as_value(x), as_operand(grid), attributes));
  else return typename refusal<call>::result();
}
template <grid_sample_attributes_of Attributes, class XType, class GridType>
requires typed_operands<XType, GridType>
auto grid_sample(const XType& x, const GridType& grid) {
  using call = typed_call<typed_operators::grid_sample, fixed_attributes<Attributes>, 1, XType, GridType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::grid_sample(as_value(x), as_operand(grid), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of hamming_window as a template argument.
struct hamming_window_attributes_of {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "output_datatype",
                        .given = output_datatype != jax2onnx::dtype::f32,
                        .integer = static_cast<std::int64_t>(output_datatype)},
        known_attribute{.name = "periodic", .given = periodic != true, .integer = static_cast<std::int64_t>(periodic)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::hamming_window_attributes run_time() const {
    return {.output_datatype = output_datatype, .periodic = periodic};
  }
};

/// Generates a Hamming window (https://ieeexplore.ieee.org/document/1455106) (HammingWindow).
/// @{
template <class SizeType>
requires typed_operands<SizeType>
auto hamming_window(const SizeType& size) {
  using call = typed_call<typed_operators::hamming_window, default_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hamming_window(as_value(size), {}));
  else return typename refusal<call>::result();
}
template <class SizeType>
requires typed_operands<SizeType>
auto hamming_window(const SizeType& size, const jax2onnx::hamming_window_attributes& attributes) {
  using call = typed_call<typed_operators::hamming_window, run_time_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hamming_window(as_value(size), attributes));
  else return typename refusal<call>::result();
}
template <hamming_window_attributes_of Attributes, class SizeType>
requires typed_operands<SizeType>
auto hamming_window(const SizeType& size) {
  using call = typed_call<typed_operators::hamming_window, fixed_attributes<Attributes>, 1, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::hamming_window(as_value(size), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of hann_window as a template argument.
struct hann_window_attributes_of {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {
        known_attribute{.name = "output_datatype",
                        .given = output_datatype != jax2onnx::dtype::f32,
                        .integer = static_cast<std::int64_t>(output_datatype)},
        known_attribute{.name = "periodic", .given = periodic != true, .integer = static_cast<std::int64_t>(periodic)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::hann_window_attributes run_time() const {
    return {.output_datatype = output_datatype, .periodic = periodic};
  }
};

/// Generates a Hann window (https://ieeexplore.ieee.org/document/1455106) (HannWindow).
/// @{
template <class SizeType>
requires typed_operands<SizeType>
auto hann_window(const SizeType& size) {
  using call = typed_call<typed_operators::hann_window, default_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hann_window(as_value(size), {}));
  else return typename refusal<call>::result();
}
template <class SizeType>
requires typed_operands<SizeType>
auto hann_window(const SizeType& size, const jax2onnx::hann_window_attributes& attributes) {
  using call = typed_call<typed_operators::hann_window, run_time_attributes, 1, SizeType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::hann_window(as_value(size), attributes));
  else return typename refusal<call>::result();
}
template <hann_window_attributes_of Attributes, class SizeType>
requires typed_operands<SizeType>
auto hann_window(const SizeType& size) {
  using call = typed_call<typed_operators::hann_window, fixed_attributes<Attributes>, 1, SizeType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::hann_window(as_value(size), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of image_decoder as a template argument.
struct image_decoder_attributes_of {
  jax2onnx::pixel_format pixel_format = jax2onnx::pixel_format::rgb;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "pixel_format",
                            .given = pixel_format != jax2onnx::pixel_format::rgb,
                            .text = jax2onnx::name(pixel_format)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::image_decoder_attributes run_time() const { return {.pixel_format = pixel_format}; }
};

/// Decodes an image file that is given as bytes (ImageDecoder).
/// @{
template <class EncodedStreamType>
requires typed_operands<EncodedStreamType>
auto image_decoder(const EncodedStreamType& encoded_stream) {
  using call = typed_call<typed_operators::image_decoder, default_attributes, 1, EncodedStreamType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::image_decoder(as_value(encoded_stream), {}));
  else return typename refusal<call>::result();
}
template <class EncodedStreamType>
requires typed_operands<EncodedStreamType>
auto image_decoder(const EncodedStreamType& encoded_stream, const jax2onnx::image_decoder_attributes& attributes) {
  using call = typed_call<typed_operators::image_decoder, run_time_attributes, 1, EncodedStreamType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::image_decoder(as_value(encoded_stream), attributes));
  else return typename refusal<call>::result();
}
template <image_decoder_attributes_of Attributes, class EncodedStreamType>
requires typed_operands<EncodedStreamType>
auto image_decoder(const EncodedStreamType& encoded_stream) {
  using call = typed_call<typed_operators::image_decoder, fixed_attributes<Attributes>, 1, EncodedStreamType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::image_decoder(as_value(encoded_stream), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of mel_weight_matrix as a template argument.
struct mel_weight_matrix_attributes_of {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "output_datatype",
                            .given = output_datatype != jax2onnx::dtype::f32,
                            .integer = static_cast<std::int64_t>(output_datatype)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::mel_weight_matrix_attributes run_time() const { return {.output_datatype = output_datatype}; }
};

/// Generates the matrix that converts a spectrum of a DFT or STFT to mel frequencies (MelWeightMatrix).
/// @{
template <class NumMelBinsType, class DftLengthType, class SampleRateType, class LowerEdgeHertzType,
          class UpperEdgeHertzType>
requires typed_operands<NumMelBinsType, DftLengthType, SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>
auto mel_weight_matrix(const NumMelBinsType& num_mel_bins, const DftLengthType& dft_length,
                       const SampleRateType& sample_rate, const LowerEdgeHertzType& lower_edge_hertz,
                       const UpperEdgeHertzType& upper_edge_hertz) {
  using call = typed_call<typed_operators::mel_weight_matrix, default_attributes, 1, NumMelBinsType, DftLengthType,
                          SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mel_weight_matrix(as_value(num_mel_bins), as_operand(dft_length),
                                                                as_operand(sample_rate), as_operand(lower_edge_hertz),
                                                                as_operand(upper_edge_hertz), {}));
  else return typename refusal<call>::result();
}
template <class NumMelBinsType, class DftLengthType, class SampleRateType, class LowerEdgeHertzType,
          class UpperEdgeHertzType>
requires typed_operands<NumMelBinsType, DftLengthType, SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>
auto mel_weight_matrix(const NumMelBinsType& num_mel_bins, const DftLengthType& dft_length,
                       const SampleRateType& sample_rate, const LowerEdgeHertzType& lower_edge_hertz,
                       const UpperEdgeHertzType& upper_edge_hertz,
                       const jax2onnx::mel_weight_matrix_attributes& attributes) {
  using call = typed_call<typed_operators::mel_weight_matrix, run_time_attributes, 1, NumMelBinsType, DftLengthType,
                          SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mel_weight_matrix(as_value(num_mel_bins), as_operand(dft_length),
                                                                as_operand(sample_rate), as_operand(lower_edge_hertz),
                                                                as_operand(upper_edge_hertz), attributes));
  else return typename refusal<call>::result();
}
template <mel_weight_matrix_attributes_of Attributes, class NumMelBinsType, class DftLengthType, class SampleRateType,
          class LowerEdgeHertzType, class UpperEdgeHertzType>
requires typed_operands<NumMelBinsType, DftLengthType, SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>
auto mel_weight_matrix(const NumMelBinsType& num_mel_bins, const DftLengthType& dft_length,
                       const SampleRateType& sample_rate, const LowerEdgeHertzType& lower_edge_hertz,
                       const UpperEdgeHertzType& upper_edge_hertz) {
  using call = typed_call<typed_operators::mel_weight_matrix, fixed_attributes<Attributes>, 1, NumMelBinsType,
                          DftLengthType, SampleRateType, LowerEdgeHertzType, UpperEdgeHertzType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mel_weight_matrix(as_value(num_mel_bins), as_operand(dft_length),
                                                                as_operand(sample_rate), as_operand(lower_edge_hertz),
                                                                as_operand(upper_edge_hertz), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of resize as a template argument.
struct resize_attributes_of {
  fixed_integers axes = {};
  jax2onnx::resize_mode mode = jax2onnx::resize_mode::nearest;
  flag antialias = false;
  jax2onnx::coordinate_mode coordinate_transformation_mode = jax2onnx::coordinate_mode::half_pixel;
  flag exclude_outside = false;
  jax2onnx::aspect_ratio keep_aspect_ratio_policy = jax2onnx::aspect_ratio::stretch;
  jax2onnx::nearest_mode nearest_mode = jax2onnx::nearest_mode::round_prefer_floor;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {
        known_attribute{.name = "axes", .given = !(axes == fixed_integers{}), .integers = axes.list()},
        known_attribute{.name = "mode", .given = mode != jax2onnx::resize_mode::nearest, .text = jax2onnx::name(mode)},
        known_attribute{
            .name = "antialias", .given = antialias != false, .integer = static_cast<std::int64_t>(antialias)},
        known_attribute{.name = "coordinate_transformation_mode",
                        .given = coordinate_transformation_mode != jax2onnx::coordinate_mode::half_pixel,
                        .text = jax2onnx::name(coordinate_transformation_mode)},
        known_attribute{.name = "exclude_outside",
                        .given = exclude_outside != false,
                        .integer = static_cast<std::int64_t>(exclude_outside)},
        known_attribute{.name = "keep_aspect_ratio_policy",
                        .given = keep_aspect_ratio_policy != jax2onnx::aspect_ratio::stretch,
                        .text = jax2onnx::name(keep_aspect_ratio_policy)},
        known_attribute{.name = "nearest_mode",
                        .given = nearest_mode != jax2onnx::nearest_mode::round_prefer_floor,
                        .text = jax2onnx::name(nearest_mode)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::resize_attributes run_time() const {
    return {.axes = axes.vector(),
            .mode = mode,
            .antialias = antialias,
            .coordinate_transformation_mode = coordinate_transformation_mode,
            .exclude_outside = exclude_outside,
            .keep_aspect_ratio_policy = keep_aspect_ratio_policy,
            .nearest_mode = nearest_mode};
  }
};

/// Resizes a tensor by interpolation (Resize).
/// @{
template <class XType, class RoiType = absent, class ScalesType = absent, class SizesType = absent>
requires typed_operands<XType, RoiType, ScalesType, SizesType>
auto resize(const XType& x, const RoiType& roi = {}, const ScalesType& scales = {}, const SizesType& sizes = {}) {
  using call = typed_call<typed_operators::resize, default_attributes, 1, XType, RoiType, ScalesType, SizesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::resize(as_value(x), as_operand(roi), as_operand(scales), as_operand(sizes), {}));
  else return typename refusal<call>::result();
}
template <class XType, class RoiType = absent, class ScalesType = absent, class SizesType = absent>
requires typed_operands<XType, RoiType, ScalesType, SizesType>
auto resize(const XType& x, const RoiType& roi, const ScalesType& scales, const SizesType& sizes,
            const jax2onnx::resize_attributes& attributes) {
  using call = typed_call<typed_operators::resize, run_time_attributes, 1, XType, RoiType, ScalesType, SizesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::resize(as_value(x), as_operand(roi), as_operand(scales), as_operand(sizes), attributes));
  else return typename refusal<call>::result();
}
template <resize_attributes_of Attributes, class XType, class RoiType = absent, class ScalesType = absent,
          class SizesType = absent>
requires typed_operands<XType, RoiType, ScalesType, SizesType>
auto resize(const XType& x, const RoiType& roi = {}, const ScalesType& scales = {}, const SizesType& sizes = {}) {
  using call =
      typed_call<typed_operators::resize, fixed_attributes<Attributes>, 1, XType, RoiType, ScalesType, SizesType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::resize(as_value(x), as_operand(roi), as_operand(scales), as_operand(sizes), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of stft as a template argument.
struct stft_attributes_of {
  flag onesided = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {
        known_attribute{.name = "onesided", .given = onesided != true, .integer = static_cast<std::int64_t>(onesided)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::stft_attributes run_time() const { return {.onesided = onesided}; }
};

/// Computes the short-time Fourier transform of a signal (STFT).
/// @{
template <class SignalType, class FrameStepType, class WindowType = absent, class FrameLengthType = absent>
requires typed_operands<SignalType, FrameStepType, WindowType, FrameLengthType>
auto stft(const SignalType& signal, const FrameStepType& frame_step, const WindowType& window = {},
          const FrameLengthType& frame_length = {}) {
  using call =
      typed_call<typed_operators::stft, default_attributes, 1, SignalType, FrameStepType, WindowType, FrameLengthType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::stft(as_value(signal), as_operand(frame_step), as_operand(window), as_operand(frame_length), {}));
  else return typename refusal<call>::result();
}
template <class SignalType, class FrameStepType, class WindowType = absent, class FrameLengthType = absent>
requires typed_operands<SignalType, FrameStepType, WindowType, FrameLengthType>
auto stft(const SignalType& signal, const FrameStepType& frame_step, const WindowType& window,
          const FrameLengthType& frame_length, const jax2onnx::stft_attributes& attributes) {
  using call =
      typed_call<typed_operators::stft, run_time_attributes, 1, SignalType, FrameStepType, WindowType, FrameLengthType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::stft(as_value(signal), as_operand(frame_step), as_operand(window),
                                                   as_operand(frame_length), attributes));
  else return typename refusal<call>::result();
}
template <stft_attributes_of Attributes, class SignalType, class FrameStepType, class WindowType = absent,
          class FrameLengthType = absent>
requires typed_operands<SignalType, FrameStepType, WindowType, FrameLengthType>
auto stft(const SignalType& signal, const FrameStepType& frame_step, const WindowType& window = {},
          const FrameLengthType& frame_length = {}) {
  using call = typed_call<typed_operators::stft, fixed_attributes<Attributes>, 1, SignalType, FrameStepType, WindowType,
                          FrameLengthType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::stft(as_value(signal), as_operand(frame_step), as_operand(window),
                                                   as_operand(frame_length), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
