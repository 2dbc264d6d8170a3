// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program computes one layer in float16, and one in float32 with weights in bfloat16.
PROGRAM(half_precision) {
  graph g(23);
  const auto x = input<float, "batch"_d, 4>(g, "x");
  const auto w16 = constant<float16, 4, 8>(g, numbers(32, 0.5), "w16");
  const auto wb16 = constant<bfloat16, 8, 2>(g, numbers(16, 0.5, 1), "wb16");
  const auto eight = constant<float16, 2>(g, {float16(8.0), 0.1}, "eight");
  const auto h = relu(matmul(cast<float16>(x), w16)) * 0.5f;
  const auto y = cast<float>(h) + reduce_sum<0>(cast<float>(eight));
  const auto z = matmul(y, cast<float>(wb16)) + cast(scalar(g, dtype::bf16, 0.1), {.to = dtype::f32});
  output(h, "h");
  output(z, "z");
  write_model(g, folder / "half_precision.onnx");
}

// The program stores weights in four float8 types and as integers of four bits, and casts the weights to float32.
PROGRAM(narrow_weights) {
  graph g(23);
  const std::vector<float> w = numbers(8, 3);
  const auto x = input<float, 8>(g, "x");
  output(x + cast<float>(constant<float8_e4m3fn, 8>(g, w, "e4m3fn")), "e4m3fn");
  output(x + cast<float>(constant<float8_e4m3fnuz, 8>(g, w, "e4m3fnuz")), "e4m3fnuz");
  output(x + cast<float>(constant<float8_e5m2, 8>(g, w, "e5m2")), "e5m2");
  output(x + cast<float>(constant<float8_e5m2fnuz, 8>(g, w, "e5m2fnuz")), "e5m2fnuz");
  output(cast<float>(constant<uint4, 3>(g, {15, 7, 0}, "u4")), "uint4");
  output(cast<float>(constant<int4, 2>(g, {-8, 7}, "i4")), "int4");
  write_model(g, folder / "narrow_weights.onnx");
}

// The program stores weights in float8_e8m0fnu, in float4_e2m1fn and as integers of two bits, and casts the weights to
// float32.
PROGRAM(smallest_weights) {
  graph g(25);
  const auto x = input<float, 8>(g, "x");
  const auto powers = constant<float8_e8m0fnu, 4>(g, std::vector<float>{0.5f, 1, 2, 8}, "e8m0");
  output(cast<float>(powers), "e8m0fnu");
  output(x + cast<float>(constant<float4_e2m1fn, 8>(g, numbers(8, 3), "e2m1")), "e2m1fn");
  output(cast<float>(constant<int2, 5>(g, {-2, -1, 0, 1, 1}, "i2")), "int2");
  output(cast<float>(constant<uint2, 3>(g, {0, 2, 3}, "u2")), "uint2");
  write_model(g, {.ir_version = 13}, folder / "smallest_weights.onnx");
}

// The program multiplies by weights of four bits: first by weights with a scale and a zero point for each block, then
// by weights with one scale.
PROGRAM(int4_blocks) {
  graph g(21);
  const auto x = input<float, "batch"_d, 32>(g, "x");
  std::vector<uint4> w;
  for (int i = 0; i < 32 * 4; ++i) w.push_back((i * 7 + 3) % 16);
  const auto packed = constant<uint4, 32, 4>(g, w, "packed");
  const auto scales = constant<float, 2, 4>(g, numbers(8, 0.1), "scales");
  const auto zeros = constant<uint4, 2, 4>(g, {8, 7, 6, 9, 8, 8, 0, 15}, "zeros");
  const auto dense_w =
      dequantize_linear<dequantize_linear_attributes_of{.axis = 0, .block_size = 16}>(packed, scales, zeros);
  const value signed_w = array(g, dtype::i4, {4, 3}, {-8, 7, 0, 1, 2, 3, -1, -2, -3, 4, 5, 6});
  const value rest = dequantize_linear(signed_w, scalar(g, dtype::f32, 0.25));
  const tensor<float, "batch"_d, 4> y = matmul(x, dense_w);
  output(y, "y");
  output(matmul(y, rest), "z");
  write_model(g, folder / "int4_blocks.onnx");
}

// The program returns constants of the types that C++ has, or sums with them. Some constants are initializers, the
// others are nodes.
PROGRAM(every_constant) {
  graph g(23);
  const auto n = input<std::int64_t>(g, "n");
  const auto add_n = [&](const auto& c) { return cast<double>(c) + cast<double>(n); };
  output(add_n(constant<std::int8_t, 2>(g, {-128, 127})), "i8");
  output(add_n(constant<std::int16_t, 2>(g, {-32768, 32767})), "i16");
  output(add_n(constant<std::int32_t, 2>(g, {-5, 1 << 30})), "i32");
  output(add_n(constant<std::int64_t, 2>(g, {-5, 1LL << 40})), "i64");
  output(add_n(constant<std::uint8_t, 2>(g, {0, 255})), "u8");
  output(add_n(constant<std::uint16_t, 2>(g, {0, 65535})), "u16");
  output(add_n(constant<std::uint32_t, 2>(g, {0, 4000000000u})), "u32");
  output(add_n(constant<std::uint64_t, 2>(g, {0, 1ull << 40})), "u64");
  output(add_n(constant<double, 2>(g, {0.1, -1e300})), "f64");
  output(constant<bool, 3>(g, {true, false, true}, "flags"), "flags_out");
  output(add_n(filled<std::int32_t, 2, 2>(g, 7)), "filled");
  output(constant_of_shape(shape_of(expand(n, {2, 3})), {.value = tensor_of<float>(dtype::f32, {1}, numbers(1))}),
         "shape");
  output(constant(g, {.value_float = 2.5f}), "node_float");
  output(constant(g, {.value_ints = {3, 1, 2}}), "node_ints");
  output(constant(g, {.value_string = "text"}), "node_string");
  output(constant(g, {.value_strings = {"a", "", "ü"}}), "node_strings");
  output(constant(g, {.value = tensor_of<std::int64_t>(dtype::i64, {2}, std::vector<std::int64_t>{4, 5})}),
         "node_tensor");
  output(array(g, dtype::u16, {2, 2}, {1, 2, 3, 65535}), "u16s");
  write_model(g, folder / "every_constant.onnx");
}

// The program returns constants of complex numbers.
PROGRAM(complex_constants) {
  graph g(23);
  output(constant<complex64, 2>(g, {{1, -2}, {0.5f, 4}}, "complex"), "complex_out");
  output(constant<complex128, 1>(g, {{1e100, -2}}, "wide_complex"), "wide_complex_out");
  write_model(g, folder / "complex_constants.onnx");
}

// The program hashes rows of integers by products, shifts and exclusive ors, and returns the bits of floats.
PROGRAM(bit_hash) {
  graph g(26);
  const auto x = input<std::uint32_t, "n"_d, 4>(g, "x");
  const auto f = input<float, "n"_d>(g, "f");
  const auto seed = constant<std::uint32_t>(g, {2166136261u});
  const auto seeds = expand<"n"_d>(reshape<1>(seed));
  const auto columns = split<1, 4>(x);
  auto hash = seeds;
  std::apply(
      [&](const auto&... column) {
        ((hash = (hash ^ squeeze<1>(column)) * 16777619u,
          hash = hash ^ bit_shift(hash, 5u, {.direction = shift_direction::right})),
         ...);
      },
      columns);
  const auto low = (hash & 255u) | 256u;
  const auto odd = low % 2u == 1u;
  const auto both = and_(odd, not_(f < 0.0f));
  const auto either = xor_(or_(odd, isnan(f)), isinf(f, {.detect_negative = false}));
  output(hash, "hash");
  output(~low, "inverted");
  output(both, "both");
  output(either, "either");
  output(bitcast<bitcast_attributes_of{.to = dtype::i32}>(f), "pattern");
  write_model(g, folder / "bit_hash.onnx");
}
