// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/ops/ops.hpp>

/// Discrete Fourier transforms as products with constant matrices, which runtimes compute faster than DFT. A transform
/// takes one step, or two steps with the factors of Cooley and Tukey
/// (docs/decisions/0081-fourier-transforms-are-products.md).
namespace jax2onnx::lower {

/// The cosine and the sine of 2 pi k / n for k >= 0; exact at multiples of a quarter turn.
inline std::array<double, 2> root_of_unity(std::int64_t k, std::int64_t n) {
  const std::int64_t quarters = 4 * (k % n) / n, rest = 4 * (k % n) - quarters * n;
  const double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  const double c = std::cos(angle), s = std::sin(angle);
  switch (quarters) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}

/// A transform of n elements along one axis.
struct fourier_axis {
  std::int64_t n = 0;
  std::int64_t inputs = 0;   ///< number of given elements; the rest are zeros, or conjugates if `real_result`
  std::int64_t outputs = 0;  ///< number of wanted elements, from the first one on
  bool real_operand = false;
  bool real_result = false;  ///< real result, from a spectrum whose second half is the conjugate of the first half
  bool inverse = false;

  std::int64_t inner = 1;  ///< a divisor of n: n is inner times outer; 1 if the transform takes one step
  std::int64_t outer() const { return n / inner; }
};

/// The largest factor of n that does not exceed its square root.
inline std::int64_t middle_factor(std::int64_t n) {
  std::int64_t factor = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n))) + 1;
  while (factor > 1 && (n % factor != 0 || factor * factor > n)) --factor;
  return factor;
}

/// Chooses one or two steps by the number of multiplications; nullopt if n is less than 1 or too large, or if the
/// matrix is too large for one step and n has no factors for two steps.
inline std::optional<fourier_axis> planned(fourier_axis a) {
  constexpr std::int64_t small = 1 << 18, large = 1 << 20, largest_length = 1 << 16, largest_factor = 512;
  constexpr std::int64_t overhead = 600;  // cost of the second step per element, in multiplications
  if (a.n < 1 || a.n > largest_length) return std::nullopt;
  const std::int64_t in = a.inputs * (a.real_operand ? 1 : 2), out = a.outputs * (a.real_result ? 1 : 2);
  const std::int64_t inner = middle_factor(a.n), outer = a.n / inner;
  const bool divides = inner > 1 && outer <= largest_factor;
  if (in * out <= (divides ? small : large) &&
      (!divides || in * out <= 2 * (in * inner + outer * out) + overhead * a.n))
    return a;
  if (!divides) return std::nullopt;
  a.inner = inner;
  return a;
}

namespace fourier {

/// Products with the matrix of exp(-2 pi i j k / n), or of exp(2 pi i j k / n) if `inverse` is set, along an axis.
struct matrix_product {
  std::int64_t n = 0, rows = 0, columns = 0;  ///< j < rows, k < columns
  bool inverse = false;
  double scale = 1;
  bool half_spectrum = false;  ///< rows whose conjugates are missing count twice

  double weight(std::int64_t row) const { return half_spectrum && row != 0 && 2 * row != n ? 2 * scale : scale; }

  /// The matrix that maps the operand's parts, one after another, to part `part` of the result; transposed if `left`.
  value matrix(graph& g, dtype t, std::size_t operand_parts, std::size_t part, bool left) const {
    const std::int64_t height = rows * static_cast<std::int64_t>(operand_parts);
    std::vector<double> numbers(static_cast<std::size_t>(height * columns));
    for (std::int64_t row = 0; row < height; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const bool imaginary = row >= rows;
        const std::int64_t j = imaginary ? row - rows : row;
        const auto [c, s] = root_of_unity(j * column % n, n);
        const double sine = inverse ? s : -s;
        const double number = imaginary == (part == 1) ? c : imaginary ? -sine : sine;
        numbers[static_cast<std::size_t>(left ? column * height + row : row * columns + column)] = weight(j) * number;
      }
    return array(g, t, left ? ints{columns, height} : ints{height, columns}, numbers);
  }

  /// Multiplies along the last axis, or the axis before it; parts must have been concatenated along that axis.
  jax_value operator()(const value& joined, std::size_t operand_parts, std::size_t result_parts, bool last) const {
    return from_parts(result_parts, [&](std::size_t part) {
      const value w = matrix(joined.owner(), joined.dtype(), operand_parts, part, !last);
      return last ? matmul(joined, w) : matmul(w, joined);
    });
  }
};

inline value joined(const jax_value& z, std::int64_t axis) {
  return z.count == 1 ? z.re() : concat({z.re(), z.im()}, axis);
}

/// x with all axes after `axis` merged.
inline value with_joined_tail(const value& x, std::int64_t axis) {
  if (axis >= x.rank() - 2) return x;
  shape dims = x.dims().head(axis + 1);
  std::int64_t tail = 1;
  for (std::int64_t i = axis + 1; i < x.rank(); ++i) tail *= x.extent(i).extent();
  dims.push_back(tail);
  return reshape(x, dims);
}

inline jax_value in_one_step(const jax_value& z, const fourier_axis& a, std::int64_t axis) {
  const matrix_product product{
      a.n, a.inputs, a.outputs, a.inverse, a.inverse ? 1 / static_cast<double>(a.n) : 1, a.real_result};
  shape dims = z.re().dims();
  dims[static_cast<std::size_t>(axis)] = a.outputs;
  const bool last = axis == z.re().rank() - 1;
  const jax_value flat = each_part(z, [&](const value& v) { return with_joined_tail(v, axis); });
  const jax_value y = product(joined(flat, axis), z.count, a.real_result ? 1 : 2, last);
  return each_part(y, [&](const value& v) { return reshape(v, dims); });
}

/// Doubles the elements of half a spectrum that also count for their conjugates. Zeroes the imaginary parts of the
/// other elements, which a real result does not depend on.
inline jax_value doubled(const jax_value& z, std::int64_t n) {
  graph& g = z.re().owner();
  std::vector<double> weights(static_cast<std::size_t>(n / 2 + 1), 2);
  const auto apply = [&](const value& v, double at_ends) {
    weights.front() = at_ends;
    if (n % 2 == 0) weights.back() = at_ends;
    return mul(v, array(g, v.dtype(), {n / 2 + 1}, weights));
  };
  return {apply(z.re(), 1), apply(z.im(), 0)};
}

/// Appends zeros to the last axis and splits it into two, the second of extent `inner`.
inline value in_rows(const value& x, std::int64_t rows, std::int64_t inner) {
  shape dims = x.dims(), zeros(dims.size(), dim(0));
  const std::int64_t given = dims.back().extent();
  shape after = zeros;
  after.back() = rows * inner - given;
  dims.back() = rows;
  dims.push_back(inner);
  return reshape(given == rows * inner ? x : pad(x, zeros, after, scalar(x.owner(), x.dtype(), 0)), dims);
}

/// The transform along the last axis in two steps. Index j = outer j1 + j2 becomes k = k1 + inner k2: a transform over
/// j1, a factor for each pair of j2 and k1, and a transform over j2.
inline jax_value in_two_steps(const jax_value& operand, const fourier_axis& a) {
  const std::int64_t inner = a.inner, outer = a.outer();
  const std::int64_t given = (a.inputs + outer - 1) / outer, wanted = (a.outputs + inner - 1) / inner;
  const jax_value z = a.real_result ? doubled(operand, a.n) : operand;
  const std::int64_t last = z.re().rank();
  const value rows = joined(each_part(z, [&](const value& v) { return in_rows(v, given, outer); }), last - 1);
  ints swapped;
  for (std::int64_t i = 0; i <= last; ++i) swapped.push_back(i < last - 1 ? i : 2 * last - 1 - i);
  const jax_value first = matrix_product{inner, given, inner, a.inverse}(transpose(rows, swapped), z.count, 2, true);
  const matrix_product factors{a.n, outer, inner, a.inverse};
  graph& g = rows.owner();
  const jax_value turned =
      cx::mul(first, {factors.matrix(g, rows.dtype(), 1, 0, false), factors.matrix(g, rows.dtype(), 1, 1, false)});
  const matrix_product second{outer, outer, wanted, a.inverse, a.inverse ? 1 / static_cast<double>(a.n) : 1};
  shape dims = operand.re().dims();
  dims.back() = wanted * inner;
  const jax_value y = second(joined(turned, last - 1), 2, a.real_result ? 1 : 2, false);
  return each_part(y, [&](const value& v) { return slice(reshape(v, dims), last - 1, 0, a.outputs); });
}

}  // namespace fourier

/// The transform of z along an axis. All extents after that axis are constants.
inline jax_value fourier_transform(const jax_value& z, const fourier_axis& a, std::int64_t axis) {
  if (a.inner == 1) return fourier::in_one_step(z, a, axis);
  const std::int64_t rank = z.re().rank();
  ints swapped;
  for (std::int64_t i = 0; i < rank; ++i) swapped.push_back(i == axis ? rank - 1 : i == rank - 1 ? axis : i);
  const auto swap = [&](const value& v) { return transpose(v, swapped); };
  return each_part(fourier::in_two_steps(each_part(z, swap), a), swap);
}

}  // namespace jax2onnx::lower
