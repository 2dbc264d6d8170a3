// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/weights/byte_function.hpp>
#include <jax2onnx/rewrite/weights/products.hpp>
#include <jax2onnx/rewrite/weights/quantized_array.hpp>

/// Keeps weights of 8 or 4 bits narrow, instead of widening them to float32 in memory (docs/decisions/0077).
namespace jax2onnx::rewrite::detail {

/// Returns whether f gives the half of a byte that is `shift` bits from the right, as a signed number.
inline bool is_signed_half(const byte_function& f, int shift) {
  for (std::size_t b = 0; b < byte_values; ++b) {
    const auto half = decode_integer(dtype::i4, (b >> static_cast<unsigned>(shift)) & 15U);
    if (decode_integer(f.type, f.results[b]) != half) return false;
  }
  return true;
}

/// The bytes whose halves, `shift` bits from the right, are the elements of `v`; absent for any other value.
inline value halved(const value& v, int shift) {
  constexpr int most_nodes = 64;
  int budget = most_nodes;
  const auto f = byte_function_of(v, budget);
  return f && f->bytes && is_signed_integer(v.dtype()) && is_signed_half(*f, shift) ? f->bytes : value();
}

/// If a Concat joins both halves of constant bytes along an axis, replaces it by an int4 constant with the same bytes.
inline outcome unpack_halves(const context& c, const value& root) {
  value low, high;
  if (producer(root)->inputs.size() != 2 || !is_integer(root.dtype())) return {};
  const std::int64_t axis = axis_of(root);
  const auto unsqueezed = [&](const value& v) {
    return v.extent(axis).is(1) && is_reshape(v) && v.rank() == input_of(v, 0).rank() + 1 ? input_of(v, 0) : value();
  };
  low = unsqueezed(input_of(root, 0));
  high = low ? unsqueezed(input_of(root, 1)) : value();
  if (!high) return {};
  const value packed = halved(low, 0);
  if (!packed || !same_value(packed, halved(high, half_bits))) return {};
  if (c.g.opset() < opset_of_int4) return decline("DequantizeLinear of int4 needs opset 21");
  shape dims = root.dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  if (dims != packed.dims()) return {};
  return cast(unpacked_constant(c.g, packed, axis), root.dtype());
}

/// The fewest elements of a weight that is worth a rewrite: smaller weights are read in no noticeable time.
inline constexpr std::uint64_t fewest_quantized = std::uint64_t{1} << 16;

inline std::string_view why_not_dequantized(const context& c, const value& w) {
  if (c.g.current() != c.g.root()) return "in a loop, ONNX Runtime would compute the weight in every iteration";
  if (c.g.opset() < opset_of_int4) return "DequantizeLinear of blocks needs opset 21";
  const auto count = static_count(w.dims());
  return !count || *count < fewest_quantized ? "the weight is small" : "";
}

/// The largest number of rows of a block. For larger blocks, ONNX Runtime 1.26 and older compute NaN, and without
/// blocks, older releases are slow. A factor for more rows is repeated for each block. Other runtimes take any block.
inline std::uint64_t largest_block(const target& t) {
  return is_onnx_runtime(t) ? std::uint64_t{256} : std::numeric_limits<std::uint64_t>::max();
}

/// Returns whether the target is a release of ONNX Runtime without a kernel for products by weights of 8 bits. Such a
/// release would compute the weight in each run.
inline bool lacks_products(const target& t, dtype numbers) {
  constexpr int first = 26;
  return is_onnx_runtime(t) && t.release != 0 && t.release < first && bits(numbers) == 8;
}

/// A DequantizeLinear that replaces `w`, the weight of a product. Absent if `w` is not computed from numbers of few
/// bits, factors and zero points. Also absent if the rule does not apply to `w`; then `why` is the reason.
inline value dequantized(const context& c, const value& w, bool transposes, std::string_view& why) {
  if (w.rank() != 2 || w.dtype() != dtype::f32 || w.is_constant()) return {};
  if (producer(w, "DequantizeLinear")) return {};
  auto array = quantized_array_of(w);
  if (!array) return {};
  why = why_not_dequantized(c, w);
  if (!why.empty()) return {};
  if (transposes) array = transposed(*array, w.dims());
  if (!array) return {};
  const dim rows = w.extent(transposes ? 1 : 0), columns = w.extent(transposes ? 0 : 1);
  if (lacks_products(c.runtime, array->numbers.constant.dtype())) {
    why = "ONNX Runtime before 1.26 has no products by weights of 8 bits";
    return {};
  }
  const value made = dequantize(c.g, *array, rows, columns, largest_block(c.runtime));
  if (!made) why = "the factors are neither for columns nor for blocks of 16, 32, 64, ... rows";
  return made;
}

inline outcome dequantize_operand(const context& c, const value& root) {
  const auto gemm = gemm_of(root);
  std::string_view why;
  const value w = dequantized(c, input_of(root, 1), gemm && gemm->transposes_b, why);
  if (!w) return why.empty() ? outcome() : decline(why);
  return product_by(root, w);
}

inline constexpr rule quantized_product_rules[] = {
    {"int4", "Concat(Unsqueeze(low(c)), Unsqueeze(high(c)), axis) -> Cast(d)",
     "c is a constant; low and high compute the signed halves of its bytes, in any way; "
     "d has the same bytes as int4; opset 21",
     ops<"Concat">, unpack_halves, stage::fuse},
    {"DequantizeLinear", "P(x, (Cast(c) - z) s) -> P(x, DequantizeLinear(c, s, z))",
     "P is MatMul or Gemm, of float32; a constant matrix c of int8, uint8, int4 or uint4 with 65536 elements or more; "
     "s and z are constants, with one number for the weight, for each column, or for each block of rows; the number "
     "of rows of a block is a power of two from 16 on; s or z may be missing; Transposes and Reshapes may lie "
     "between; opset 21; not in loops; for ONNX Runtime, blocks have at most 256 rows",
     ops<"MatMul", "Gemm">, dequantize_operand, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
