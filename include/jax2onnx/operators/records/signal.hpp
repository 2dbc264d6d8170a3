// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/signal.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// AffineGrid
inline constexpr formal affine_grid_inputs[] = {{"theta", 0}, {"size", 1}};
inline constexpr formal affine_grid_outputs[] = {{"grid", 0}};
inline constexpr type_constraint affine_grid_types[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                        {"T2", {.tensors = types({i64})}}};
inline constexpr formal_attribute affine_grid_attributes[] = {{"align_corners", integer, defaulted}};
// BlackmanWindow
inline constexpr formal blackman_window_inputs[] = {{"size", 0}};
inline constexpr formal blackman_window_outputs[] = {{"output", 1}};
inline constexpr type_constraint blackman_window_types[] = {{"T1", {.tensors = types({i32, i64})}},
                                                            {"T2", {.tensors = numbers | types({bf16})}}};
inline constexpr formal_attribute blackman_window_attributes[] = {
    {"output_datatype", integer, defaulted, {.integer = 1}}, {"periodic", integer, defaulted, {.integer = 1}}};
// DFT
inline constexpr formal dft_inputs[] = {{"input", 0}, {"dft_length", 1, presence::optional}};
inline constexpr formal dft_outputs[] = {{"output", 0}};
inline constexpr type_constraint dft_types[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                {"T2", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute dft_attributes[] = {
    {"axis", integer, defaulted, {.integer = 1}}, {"inverse", integer, defaulted}, {"onesided", integer, defaulted}};
inline constexpr formal dft_inputs_20[] = {
    {"input", 0}, {"dft_length", 1, presence::optional}, {"axis", 2, presence::optional}};
inline constexpr type_constraint dft_types_20[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                   {"T2", {.tensors = types({i32, i64})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute dft_attributes_20[] = {{"inverse", integer, defaulted},
                                                         {"onesided", integer, defaulted}};
// GridSample
inline constexpr formal grid_sample_inputs[] = {{"X", 0}, {"grid", 1}};
inline constexpr formal grid_sample_outputs[] = {{"Y", 0}};
inline constexpr type_constraint grid_sample_types[] = {{"T1", {.tensors = basic_types}}, {"T2", {.tensors = floats}}};
inline constexpr formal_attribute grid_sample_attributes[] = {{"align_corners", integer, defaulted},
                                                              {"mode", text, defaulted, {.text = "bilinear"}},
                                                              {"padding_mode", text, defaulted, {.text = "zeros"}}};
inline constexpr formal_attribute grid_sample_attributes_20[] = {{"align_corners", integer, defaulted},
                                                                 {"mode", text, defaulted, {.text = "linear"}},
                                                                 {"padding_mode", text, defaulted, {.text = "zeros"}}};
inline constexpr type_constraint grid_sample_types_22[] = {{"T1", {.tensors = basic_types | types({bf16})}},
                                                           {"T2", {.tensors = floats | types({bf16})}}};
// HammingWindow
inline constexpr formal hamming_window_inputs[] = {{"size", 0}};
inline constexpr formal hamming_window_outputs[] = {{"output", 1}};
inline constexpr type_constraint hamming_window_types[] = {{"T1", {.tensors = types({i32, i64})}},
                                                           {"T2", {.tensors = numbers | types({bf16})}}};
inline constexpr formal_attribute hamming_window_attributes[] = {
    {"output_datatype", integer, defaulted, {.integer = 1}}, {"periodic", integer, defaulted, {.integer = 1}}};
// HannWindow
inline constexpr formal hann_window_inputs[] = {{"size", 0}};
inline constexpr formal hann_window_outputs[] = {{"output", 1}};
inline constexpr type_constraint hann_window_types[] = {{"T1", {.tensors = types({i32, i64})}},
                                                        {"T2", {.tensors = numbers | types({bf16})}}};
inline constexpr formal_attribute hann_window_attributes[] = {{"output_datatype", integer, defaulted, {.integer = 1}},
                                                              {"periodic", integer, defaulted, {.integer = 1}}};
// ImageDecoder
inline constexpr formal image_decoder_inputs[] = {{"encoded_stream", 0}};
inline constexpr formal image_decoder_outputs[] = {{"image", 1}};
inline constexpr type_constraint image_decoder_types[] = {{"T1", {.tensors = types({u8})}},
                                                          {"T2", {.tensors = types({u8})}}};
inline constexpr formal_attribute image_decoder_attributes[] = {{"pixel_format", text, defaulted, {.text = "RGB"}}};
// MelWeightMatrix
inline constexpr formal mel_weight_matrix_inputs[] = {
    {"num_mel_bins", 0}, {"dft_length", 0}, {"sample_rate", 0}, {"lower_edge_hertz", 1}, {"upper_edge_hertz", 1}};
inline constexpr formal mel_weight_matrix_outputs[] = {{"output", 2}};
inline constexpr type_constraint mel_weight_matrix_types[] = {{"T1", {.tensors = types({i32, i64})}},
                                                              {"T2", {.tensors = floats | types({bf16})}},
                                                              {"T3", {.tensors = numbers | types({bf16})}}};
inline constexpr formal_attribute mel_weight_matrix_attributes[] = {
    {"output_datatype", integer, defaulted, {.integer = 1}}};
// Resize
inline constexpr formal resize_inputs[] = {
    {"X", 0}, {"roi", 1, presence::optional}, {"scales", 2, presence::optional}, {"sizes", 3, presence::optional}};
inline constexpr formal resize_outputs[] = {{"Y", 0}};
inline constexpr type_constraint resize_types[] = {{"T1", {.tensors = basic_types | types({bf16})}},
                                                   {"T2", {.tensors = floats}},
                                                   {"tensor(float)", {.tensors = types({f32})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute resize_attributes[] = {
    {"coordinate_transformation_mode", text, defaulted, {.text = "half_pixel"}},
    {"cubic_coeff_a", real, defaulted, {.real = -0.75}},
    {"exclude_outside", integer, defaulted},
    {"extrapolation_value", real, defaulted},
    {"mode", text, defaulted, {.text = "nearest"}},
    {"nearest_mode", text, defaulted, {.text = "round_prefer_floor"}}};
inline constexpr formal_attribute resize_attributes_18[] = {
    {"antialias", integer, defaulted},
    {"axes", integers},
    {"coordinate_transformation_mode", text, defaulted, {.text = "half_pixel"}},
    {"cubic_coeff_a", real, defaulted, {.real = -0.75}},
    {"exclude_outside", integer, defaulted},
    {"extrapolation_value", real, defaulted},
    {"keep_aspect_ratio_policy", text, defaulted, {.text = "stretch"}},
    {"mode", text, defaulted, {.text = "nearest"}},
    {"nearest_mode", text, defaulted, {.text = "round_prefer_floor"}}};
// STFT
inline constexpr formal stft_inputs[] = {
    {"signal", 0}, {"frame_step", 1}, {"window", 0, presence::optional}, {"frame_length", 1, presence::optional}};
inline constexpr formal stft_outputs[] = {{"output", 0}};
inline constexpr type_constraint stft_types[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                 {"T2", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute stft_attributes[] = {{"onesided", integer, defaulted, {.integer = 1}}};

inline constexpr op_record signal_records[] = {
    {"AffineGrid",
     "",
     20,
     affine_grid_inputs,
     affine_grid_outputs,
     affine_grid_types,
     affine_grid_attributes,
     2,
     1,
     {rules::affine_grid},
     "Generates the 2D or 3D sampling grids of a batch of affine matrices, as PyTorch's affine_grid does"},
    {"BlackmanWindow",
     "",
     17,
     blackman_window_inputs,
     blackman_window_outputs,
     blackman_window_types,
     blackman_window_attributes,
     1,
     1,
     {rules::window},
     "Generates a Blackman window (https://ieeexplore.ieee.org/document/1455106)"},
    {"DFT",
     "",
     17,
     dft_inputs,
     dft_outputs,
     dft_types,
     dft_attributes,
     1,
     1,
     {rules::dft},
     "Computes the discrete Fourier transform along an axis, or its inverse"},
    {"DFT",
     "",
     20,
     dft_inputs_20,
     dft_outputs,
     dft_types_20,
     dft_attributes_20,
     1,
     1,
     {rules::dft},
     "Computes the discrete Fourier transform along an axis, or its inverse"},
    {"GridSample",
     "",
     16,
     grid_sample_inputs,
     grid_sample_outputs,
     grid_sample_types,
     grid_sample_attributes,
     2,
     1,
     {rules::grid_sample},
     "Samples a tensor at the positions of a grid by interpolation, as PyTorch's grid_sample does"},
    {"GridSample",
     "",
     20,
     grid_sample_inputs,
     grid_sample_outputs,
     grid_sample_types,
     grid_sample_attributes_20,
     2,
     1,
     {rules::grid_sample},
     "Samples a tensor at the positions of a grid by interpolation, as PyTorch's grid_sample does"},
    {"GridSample",
     "",
     22,
     grid_sample_inputs,
     grid_sample_outputs,
     grid_sample_types_22,
     grid_sample_attributes_20,
     2,
     1,
     {rules::grid_sample},
     "Samples a tensor at the positions of a grid by interpolation, as PyTorch's grid_sample does"},
    {"HammingWindow",
     "",
     17,
     hamming_window_inputs,
     hamming_window_outputs,
     hamming_window_types,
     hamming_window_attributes,
     1,
     1,
     {rules::window},
     "Generates a Hamming window (https://ieeexplore.ieee.org/document/1455106)"},
    {"HannWindow",
     "",
     17,
     hann_window_inputs,
     hann_window_outputs,
     hann_window_types,
     hann_window_attributes,
     1,
     1,
     {rules::window},
     "Generates a Hann window (https://ieeexplore.ieee.org/document/1455106)"},
    {"ImageDecoder",
     "",
     20,
     image_decoder_inputs,
     image_decoder_outputs,
     image_decoder_types,
     image_decoder_attributes,
     1,
     1,
     {rules::image_decoder},
     "Decodes an image file that is given as bytes"},
    {"MelWeightMatrix",
     "",
     17,
     mel_weight_matrix_inputs,
     mel_weight_matrix_outputs,
     mel_weight_matrix_types,
     mel_weight_matrix_attributes,
     5,
     1,
     {rules::mel_weight_matrix},
     "Generates the matrix that converts a spectrum of a DFT or STFT to mel frequencies"},
    {"Resize",
     "",
     13,
     resize_inputs,
     resize_outputs,
     resize_types,
     resize_attributes,
     1,
     1,
     {rules::resize},
     "Resizes a tensor by interpolation"},
    {"Resize",
     "",
     18,
     resize_inputs,
     resize_outputs,
     resize_types,
     resize_attributes_18,
     1,
     1,
     {rules::resize},
     "Resizes a tensor by interpolation"},
    {"Resize",
     "",
     19,
     resize_inputs,
     resize_outputs,
     resize_types,
     resize_attributes_18,
     1,
     1,
     {rules::resize},
     "Resizes a tensor by interpolation"},
    {"STFT",
     "",
     17,
     stft_inputs,
     stft_outputs,
     stft_types,
     stft_attributes,
     2,
     1,
     {rules::stft},
     "Computes the short-time Fourier transform of a signal"},
};

}  // namespace jax2onnx::records
