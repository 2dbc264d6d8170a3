// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The signal operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of affine_grid.
struct affine_grid_attributes {
  flag align_corners = false;
};
/// Generates the 2D or 3D sampling grids of a batch of affine matrices, as PyTorch's affine_grid does (AffineGrid,
/// opset 20).
inline value affine_grid(const operand& theta, const operand& size, const affine_grid_attributes& attributes = {}) {
  node_builder n("AffineGrid", {theta, size});
  n.set("align_corners", attributes.align_corners, false);
  return n.build();
}

/// The attributes of blackman_window.
struct blackman_window_attributes {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
};
/// Generates a Blackman window (https://ieeexplore.ieee.org/document/1455106) (BlackmanWindow).
inline value blackman_window(const operand& size, const blackman_window_attributes& attributes = {}) {
  node_builder n("BlackmanWindow", {size});
  n.set("output_datatype", attributes.output_datatype, jax2onnx::dtype::f32);
  n.set("periodic", attributes.periodic, true);
  return n.build();
}

/// The attributes of dft.
struct dft_attributes {
  flag inverse = false;
  flag onesided = false;
};
/// Computes the discrete Fourier transform along an axis, or its inverse (DFT).
inline value dft(const operand& input, const operand& dft_length = {}, const operand& axis = {},
                 const dft_attributes& attributes = {}) {
  node_builder n("DFT", {input, dft_length, axis});
  n.set("inverse", attributes.inverse, false);
  n.set("onesided", attributes.onesided, false);
  return n.build();
}

/// The attributes of grid_sample.
struct grid_sample_attributes {
  chosen<jax2onnx::sample_mode> mode = jax2onnx::sample_mode::linear;
  flag align_corners = false;
  chosen<jax2onnx::padding_mode> padding_mode = jax2onnx::padding_mode::zeros;
};
/// Samples a tensor at the positions of a grid by interpolation, as PyTorch's grid_sample does (GridSample).
inline value grid_sample(const operand& x, const operand& grid, const grid_sample_attributes& attributes = {}) {
  node_builder n("GridSample", {x, grid});
  n.set("mode", attributes.mode.value, jax2onnx::sample_mode::linear);
  n.set("align_corners", attributes.align_corners, false);
  n.set("padding_mode", attributes.padding_mode.value, jax2onnx::padding_mode::zeros);
  return n.build();
}

/// The attributes of hamming_window.
struct hamming_window_attributes {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
};
/// Generates a Hamming window (https://ieeexplore.ieee.org/document/1455106) (HammingWindow).
inline value hamming_window(const operand& size, const hamming_window_attributes& attributes = {}) {
  node_builder n("HammingWindow", {size});
  n.set("output_datatype", attributes.output_datatype, jax2onnx::dtype::f32);
  n.set("periodic", attributes.periodic, true);
  return n.build();
}

/// The attributes of hann_window.
struct hann_window_attributes {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
  flag periodic = true;
};
/// Generates a Hann window (https://ieeexplore.ieee.org/document/1455106) (HannWindow).
inline value hann_window(const operand& size, const hann_window_attributes& attributes = {}) {
  node_builder n("HannWindow", {size});
  n.set("output_datatype", attributes.output_datatype, jax2onnx::dtype::f32);
  n.set("periodic", attributes.periodic, true);
  return n.build();
}

/// The attributes of image_decoder.
struct image_decoder_attributes {
  chosen<jax2onnx::pixel_format> pixel_format = jax2onnx::pixel_format::rgb;
};
/// Decodes an image file that is given as bytes (ImageDecoder, opset 20).
inline value image_decoder(const operand& encoded_stream, const image_decoder_attributes& attributes = {}) {
  node_builder n("ImageDecoder", {encoded_stream});
  n.set("pixel_format", attributes.pixel_format.value, jax2onnx::pixel_format::rgb);
  return n.build();
}

/// The attributes of mel_weight_matrix.
struct mel_weight_matrix_attributes {
  jax2onnx::dtype output_datatype = jax2onnx::dtype::f32;
};
/// Generates the matrix that converts a spectrum of a DFT or STFT to mel frequencies (MelWeightMatrix).
inline value mel_weight_matrix(const operand& num_mel_bins, const operand& dft_length, const operand& sample_rate,
                               const operand& lower_edge_hertz, const operand& upper_edge_hertz,
                               const mel_weight_matrix_attributes& attributes = {}) {
  node_builder n("MelWeightMatrix", {num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz});
  n.set("output_datatype", attributes.output_datatype, jax2onnx::dtype::f32);
  return n.build();
}

/// The attributes of resize.
struct resize_attributes {
  ints axes = {};
  chosen<jax2onnx::resize_mode> mode = jax2onnx::resize_mode::nearest;
  flag antialias = false;
  chosen<jax2onnx::coordinate_mode> coordinate_transformation_mode = jax2onnx::coordinate_mode::half_pixel;
  float cubic_coeff_a = -0.75f;
  flag exclude_outside = false;
  float extrapolation_value = 0.0f;
  chosen<jax2onnx::aspect_ratio> keep_aspect_ratio_policy = jax2onnx::aspect_ratio::stretch;
  chosen<jax2onnx::nearest_mode> nearest_mode = jax2onnx::nearest_mode::round_prefer_floor;
};
/// Resizes a tensor by interpolation (Resize).
inline value resize(const operand& x, const operand& roi = {}, const operand& scales = {}, const operand& sizes = {},
                    const resize_attributes& attributes = {}) {
  node_builder n("Resize", {x, roi, scales, sizes});
  n.set("axes", attributes.axes);
  n.set("mode", attributes.mode.value, jax2onnx::resize_mode::nearest);
  n.set("antialias", attributes.antialias, false);
  n.set("coordinate_transformation_mode", attributes.coordinate_transformation_mode.value,
        jax2onnx::coordinate_mode::half_pixel);
  n.set("cubic_coeff_a", attributes.cubic_coeff_a, -0.75f);
  n.set("exclude_outside", attributes.exclude_outside, false);
  n.set("extrapolation_value", attributes.extrapolation_value, 0.0f);
  n.set("keep_aspect_ratio_policy", attributes.keep_aspect_ratio_policy.value, jax2onnx::aspect_ratio::stretch);
  n.set("nearest_mode", attributes.nearest_mode.value, jax2onnx::nearest_mode::round_prefer_floor);
  return n.build();
}

/// The attributes of stft.
struct stft_attributes {
  flag onesided = true;
};
/// Computes the short-time Fourier transform of a signal (STFT).
inline value stft(const operand& signal, const operand& frame_step, const operand& window = {},
                  const operand& frame_length = {}, const stft_attributes& attributes = {}) {
  node_builder n("STFT", {signal, frame_step, window, frame_length});
  n.set("onesided", attributes.onesided, true);
  return n.build();
}

}  // namespace jax2onnx
