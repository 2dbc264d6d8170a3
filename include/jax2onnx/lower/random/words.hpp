#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/ops/ops.hpp>

/// 32-bit words for the bit mixing of random generators. In the graph they are int64: that is where runtimes have Add and
/// Mul, and a word times another fits. Small constants are computed with on the host.
namespace jax2onnx::lower {

inline constexpr std::int64_t word_mask = 0xffffffff;

inline void require_bitwise(const graph& g) {
  if (g.opset() < 18) throw build_error("random bits need BitwiseXor of opset 18: convert with --opset 18 or more");
}
inline value bitwise(std::string_view op, const value& a, const value& b) {
  require_bitwise(a.owner());
  return binary(op, a, b);
}
inline value bitwise(std::string_view op, const value& a, std::int64_t b) {
  return bitwise(op, a, scalar(a.owner(), dtype::i64, b));
}
inline value xor_of(const value& a, const value& b) { return bitwise("BitwiseXor", a, b); }
inline value low_word(const value& x) { return bitwise("BitwiseAnd", x, word_mask); }

/// The elements of a small integer constant.
inline std::optional<std::vector<std::uint64_t>> known_numbers(const value& v) {
  if (!is_foldable(v) || !is_integer(v.dtype())) return std::nullopt;
  const auto raw = v.data().view();
  const auto width = static_cast<std::size_t>(bits(v.dtype()) / 8);
  std::vector<std::uint64_t> out(raw.size() / width);
  for (std::size_t i = 0; i < raw.size(); ++i)
    out[i / width] |= std::to_integer<std::uint64_t>(raw[i]) << (8 * (i % width));
  return out;
}

inline value constant_numbers(graph& g, dtype t, const shape& dims, const std::vector<std::uint64_t>& numbers) {
  std::string data;
  for (std::uint64_t n : numbers) data += pattern_bytes(t, n);
  return g.constant({t, dims}, bytes(std::move(data)));
}

/// x as an integer of type t: its low bits, or zeros above them. (Words in int64 are not negative.)
inline value integer_cast(const value& x, dtype t) {
  const auto numbers = is_signed_integer(x.dtype()) && bits(x.dtype()) < 64 ? std::nullopt : known_numbers(x);
  return numbers ? constant_numbers(x.owner(), t, x.dims(), *numbers) : cast(x, t);
}

/// An integer's low 32 bits as a word; of narrower ones the sign is extended first, as in JAX's conversion to uint32.
inline value as_word(const value& x) {
  if (const auto known = constant_integer(x)) return scalar(x.owner(), dtype::i64, *known & word_mask);
  if (x.dtype() == dtype::u32 || bits(x.dtype()) < 32) {
    const value w = integer_cast(x, dtype::i64);
    return is_signed_integer(x.dtype()) ? low_word(w) : w;
  }
  return integer_cast(integer_cast(x, dtype::u32), dtype::i64);
}

/// The bits 32 to 63 of a 64-bit integer as a word; 0 of a narrower one. Source: jax's threefry_seed.
inline value high_word(const value& x) {
  graph& g = x.owner();
  if (bits(x.dtype()) < 64) return scalar(g, dtype::i64, 0);
  if (const auto known = constant_integer(x)) return scalar(g, dtype::i64, static_cast<std::uint64_t>(*known) >> 32);
  const value shift = scalar(g, dtype::u64, 32);
  return cast(
      g.emit("BitShift", {cast(x, dtype::u64), shift}, {dtype::u64, x.dims()}, {{"direction", std::string("RIGHT")}}),
      dtype::i64);
}

/// 0, 1, … in row-major order over `dims`, as int64.
inline value linear_index(graph& g, const shape& dims) {
  const dim count = g.dims().product(dims);
  constexpr std::int64_t table = fold_limit / sizeof(std::int64_t);
  if (count.is_constant() && count.extent() <= table) {
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count.extent()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    return constant_numbers(g, dtype::i64, dims, numbers);
  }
  const value counted = g.emit("Range", {scalar(g, dtype::i64, 0), dim_scalar(g, count), scalar(g, dtype::i64, 1)},
                               {dtype::i64, {count}});
  return reshape(counted, dims);
}

}  // namespace jax2onnx::lower
