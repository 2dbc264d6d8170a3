// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/signal.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding signal_rebuildings[];
const rebuilding signal_rebuildings[] = {
    {"", "AffineGrid",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::affine_grid(n.in(0), n.in(1), {.align_corners = n.get<flag>("align_corners", false)})};
     }},
    {"", "BlackmanWindow",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::blackman_window(
           n.in(0), {.output_datatype = n.get<jax2onnx::dtype>("output_datatype", jax2onnx::dtype::f32),
                     .periodic = n.get<flag>("periodic", true)})};
     }},
    {"", "DFT",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::dft(n.in(0), n.in(1), n.in(2),
                             {.inverse = n.get<flag>("inverse", false), .onesided = n.get<flag>("onesided", false)})};
     }},
    {"", "GridSample",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::grid_sample(
           n.in(0), n.in(1),
           {.mode = n.get<jax2onnx::sample_mode>("mode", jax2onnx::sample_mode::linear),
            .align_corners = n.get<flag>("align_corners", false),
            .padding_mode = n.get<jax2onnx::padding_mode>("padding_mode", jax2onnx::padding_mode::zeros)})};
     }},
    {"", "HammingWindow",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::hamming_window(
           n.in(0), {.output_datatype = n.get<jax2onnx::dtype>("output_datatype", jax2onnx::dtype::f32),
                     .periodic = n.get<flag>("periodic", true)})};
     }},
    {"", "HannWindow",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::hann_window(
           n.in(0), {.output_datatype = n.get<jax2onnx::dtype>("output_datatype", jax2onnx::dtype::f32),
                     .periodic = n.get<flag>("periodic", true)})};
     }},
    {"", "ImageDecoder",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::image_decoder(
           n.in(0), {.pixel_format = n.get<jax2onnx::pixel_format>("pixel_format", jax2onnx::pixel_format::rgb)})};
     }},
    {"", "MelWeightMatrix",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::mel_weight_matrix(
           n.in(0), n.in(1), n.in(2), n.in(3), n.in(4),
           {.output_datatype = n.get<jax2onnx::dtype>("output_datatype", jax2onnx::dtype::f32)})};
     }},
    {"", "Resize",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::resize(n.in(0), n.in(1), n.in(2), n.in(3),
                                {.axes = n.get<ints>("axes"),
                                 .mode = n.get<jax2onnx::resize_mode>("mode", jax2onnx::resize_mode::nearest),
                                 .antialias = n.get<flag>("antialias", false),
                                 .coordinate_transformation_mode = n.get<jax2onnx::coordinate_mode>(
                                     "coordinate_transformation_mode", jax2onnx::coordinate_mode::half_pixel),
                                 .cubic_coeff_a = n.get<float>("cubic_coeff_a", -0.75f),
                                 .exclude_outside = n.get<flag>("exclude_outside", false),
                                 .extrapolation_value = n.get<float>("extrapolation_value", 0.0f),
                                 .keep_aspect_ratio_policy = n.get<jax2onnx::aspect_ratio>(
                                     "keep_aspect_ratio_policy", jax2onnx::aspect_ratio::stretch),
                                 .nearest_mode = n.get<jax2onnx::nearest_mode>(
                                     "nearest_mode", jax2onnx::nearest_mode::round_prefer_floor)})};
     }},
    {"", "STFT",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::stft(n.in(0), n.in(1), n.in(2), n.in(3), {.onesided = n.get<flag>("onesided", true)})};
     }},
    {},
};

}  // namespace jax2onnx
