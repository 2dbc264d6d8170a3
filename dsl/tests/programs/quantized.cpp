// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program quantizes activations at run time and multiplies the activations by weights of eight bits.
PROGRAM(dynamic_int8_layer) {
  graph g(23);
  const auto x = input<float, "batch"_d, 8>(g, "x");
  std::vector<std::int8_t> w;
  for (int i = 0; i < 8 * 4; ++i) w.push_back(static_cast<std::int8_t>(i * 37 % 255 - 127));
  const auto weights = constant<std::int8_t, 8, 4>(g, w, "w");
  const auto [q, scale, zero] = dynamic_quantize_linear(x);
  const auto product = matmul_integer(q, weights, zero);
  const tensor<float, "batch"_d, 4> y = cast<float>(product) * (scale * 0.01f);
  output(y, "y");
  output(product, "product");
  write_model(g, folder / "dynamic_int8_layer.onnx");
}

// The program convolves a quantized image with quantized kernels that have one scale for each channel.
PROGRAM(quantized_convolution) {
  graph g(21);
  const auto image = input<float, "batch"_d, 1, 6, 6>(g, "image");
  const auto x_scale = constant<float>(g, {0.02f}), y_scale = constant<float>(g, {0.05f});
  const auto x_zero = constant<std::uint8_t>(g, {128}), y_zero = constant<std::uint8_t>(g, {100});
  const auto w = constant<std::int8_t, 2, 1, 3, 3>(g, {1, 2, -3, 4, 50, -6, 7, -80, 9, 9, 8, -70, 6, 5, 40, -3, 2, 1});
  const auto w_scale = constant<float, 2>(g, {0.01f, 0.02f});
  const auto w_zero = constant<std::int8_t, 2>(g, {0, 0});
  const auto bias = constant<std::int32_t, 2>(g, {100, -200});
  const auto q = quantize_linear(image, x_scale, x_zero);
  const value y = qlinear_conv({.x = q,
                                .x_scale = x_scale,
                                .x_zero_point = x_zero,
                                .w = w,
                                .w_scale = w_scale,
                                .w_zero_point = w_zero,
                                .y_scale = y_scale,
                                .y_zero_point = y_zero,
                                .b = bias},
                               {.pads = {1, 1, 1, 1}});
  const auto typed_y = tensor<std::uint8_t, "batch"_d, 2, 6, 6>(y);
  const auto ints32 = conv_integer(q, w, x_zero);
  output(dequantize_linear(typed_y, y_scale, y_zero), "y");
  output(ints32, "accumulated");
  write_model(g, folder / "quantized_convolution.onnx");
}

// The program quantizes a matrix with a scale for each row, and with a scale for each 16 columns of a row, and restores
// the matrix.
PROGRAM(block_quantization) {
  graph g(23);
  const auto x = input<float, 4, 32>(g, "x");
  const auto blocks = reshape<4, 2, 16>(x);
  const auto scales = reduce_max<2>(abs(blocks)) / 7.0f + 1e-6f;
  const auto q =
      quantize_linear<quantize_linear_attributes_of{.axis = 1, .block_size = 16, .output_dtype = dtype::i4}>(x, scales);
  const tensor<int4, 4, 32> typed_q = q;
  const auto back = dequantize_linear<dequantize_linear_attributes_of{.axis = 1, .block_size = 16}>(typed_q, scales);
  const auto row_scales = reduce_max<1>(abs(x)) / 127.0f;
  const value by_row = quantize_linear(x, row_scales, {}, {.axis = 0, .output_dtype = dtype::i8});
  const value row_back = dequantize_linear(by_row, row_scales, {}, {.axis = 0});
  output(cast<std::int32_t>(typed_q), "q");
  output(back, "back");
  output(row_back - x, "row_error");
  write_model(g, folder / "block_quantization.onnx");
}

// The program multiplies two quantized matrices into a third one.
PROGRAM(quantized_product) {
  graph g(20);
  const value a = g.input({dtype::u8, {g.dims().symbol("batch"), 4}}, "a"), b = g.input({dtype::u8, {4, 3}}, "b");
  const auto real = [&](double number) { return scalar(g, dtype::f32, number); };
  const auto zero = [&](int number) { return scalar(g, dtype::u8, number); };
  const value y = qlinear_matmul({.a = a,
                                  .a_scale = real(0.02),
                                  .a_zero_point = zero(120),
                                  .b = b,
                                  .b_scale = real(0.03),
                                  .b_zero_point = zero(130),
                                  .y_scale = real(0.1),
                                  .y_zero_point = zero(110)});
  output(y, "y");
  output(dequantize_linear(y, real(0.1), zero(110)), "restored");
  write_model(g, folder / "quantized_product.onnx");
}

// The program rounds a tensor to two float8 types with a scale, and to float16 and bfloat16, and converts the results
// back.
PROGRAM(float8_roundtrip) {
  graph g(23);
  const auto x = input<float, "n"_d>(g, "x");
  const auto scale = constant<float>(g, {0.5f});
  const auto q = quantize_linear<quantize_linear_attributes_of{.output_dtype = dtype::f8_e4m3fn}>(x, scale);
  const auto zero = constant<float8_e5m2>(g, {0.0});
  const auto wide = quantize_linear(x, scale, zero);
  output(dequantize_linear(q, scale), "e4m3");
  output(dequantize_linear(wide, scale), "e5m2");
  output(cast<float>(cast<float16>(x)), "half");
  output(cast<float>(cast<bfloat16>(x)), "brain");
  write_model(g, folder / "float8_roundtrip.onnx");
}
