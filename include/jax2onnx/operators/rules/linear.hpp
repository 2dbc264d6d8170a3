// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of linear algebra.
namespace jax2onnx::rules {

/// The first position of a character in a text, from position `from` on; npos if there is none. string_view::find()
/// compares an address with null, which GCC's -fsanitize=undefined cannot do while compiling.
constexpr std::size_t position_of(char c, std::string_view text, std::size_t from = 0) {
  while (from < text.size() && text[from] != c) ++from;
  return from < text.size() ? from : std::string_view::npos;
}
/// The position of "->".
constexpr std::size_t position_of_arrow(std::string_view equation) {
  std::size_t at = position_of('-', equation);
  while (at != equation.npos && equation.substr(at + 1, 1) != ">") at = position_of('-', equation, at + 1);
  return at;
}

/// MatMul: the shape that numpy's matmul has.
constexpr void matmul(inference& c) { c.result(0, infer::matmul(c.dims(0), c.dims(1), c.differs)); }

/// Fails if operand i, a scale or zero point, is a vector that has neither 1 nor `lines` elements.
constexpr void expect_one_for_each(inference& c, std::size_t i, dim lines, std::string_view problem) {
  if (c.has(i) && c.rank(i) == 1 && !c.dims(i)[0].is(1)) c.expect_equal(c.dims(i)[0], lines, problem);
}
/// The number of rows or columns of operand i of a product; 1 for a vector.
constexpr dim rows_of(const inference& c, std::size_t i) { return c.rank(i) < 2 ? dim(1) : c.dims(i).end()[-2]; }
constexpr dim columns_of(const inference& c, std::size_t i) { return c.rank(i) < 2 ? dim(1) : c.dims(i).back(); }

/// MatMulInteger: a product, with a zero point for each row of the left operand and each column of the right operand.
constexpr void matmul_integer(inference& c) {
  expect_one_for_each(c, 2, rows_of(c, 0), "the left operand has {} zero point{|s} for {} row{|s}");
  expect_one_for_each(c, 3, columns_of(c, 1), "the right operand has {} zero point{|s} for {} column{|s}");
  matmul(c);
}

/// QLinearMatMul: two operands and the result, each with scale and zero point.
constexpr void qlinear_matmul(inference& c) {
  constexpr std::size_t scales[] = {1, 4, 6};
  for (std::size_t scale : scales)
    c.expect_equal(c.product(c.dims(scale)), c.product(c.dims(scale + 1)), "it has {} scale{|s} and {} zero point{|s}");
  expect_one_for_each(c, 1, rows_of(c, 0), "the left operand has {} scale{|s} for {} row{|s}");
  expect_one_for_each(c, 4, columns_of(c, 3), "the right operand has {} scale{|s} for {} column{|s}");
  expect_one_for_each(c, 6, rows_of(c, 0), "the result has {} scale{|s} for {} row{|s}");
  c.result(0, infer::matmul(c.dims(0), c.dims(3), c.differs));
}

/// Gemm: the product of two matrices, each transposed or not, plus a matrix that broadcasts to the product.
constexpr void gemm(inference& c) {
  if (!c.has_rank(0, 2) || !c.has_rank(1, 2)) return;
  if (!c.known("transA") || !c.known("transB")) return c.result(0, c.unknown(2));
  const bool a = c.flag("transA"), b = c.flag("transB");
  c.expect_equal(c.dims(0)[!a], c.dims(1)[b], "the inner dimensions {} and {} differ");
  const shape out = {c.dims(0)[a], c.dims(1)[!b]};
  if (c.has(2))
    c.expect(infer::broadcast_to(c.dims(2), out, c.differs).ok(), "the added matrix does not broadcast to the product");
  c.result(0, out);
}

/// The subscripts of Einsum's equation. Letters index the arrays.
struct einsum_subscripts {
  dim extents[128];      ///< the extent of each letter
  int counts[128] = {};  ///< how often each letter occurs on the left
  shape ellipsis;        ///< the extents that `...` covers

  /// Reads the subscripts of one operand of these extents.
  constexpr void read(inference& c, std::string_view term, const shape& dims) {
    std::size_t letters = 0;
    const bool dots = count(c, term, letters);
    const std::size_t rank = dims.size();
    if (!c.expect(dots ? rank >= letters : rank == letters, "a term has {} subscript{|s} for {} dimension{|s}",
                  static_cast<std::int64_t>(letters), static_cast<std::int64_t>(rank)))
      return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < term.size(); ++i) {
      if (term[i] == ' ') continue;
      if (term[i] != '.') {
        add(c, static_cast<unsigned char>(term[i]), dims[next++]);
        continue;
      }
      const auto first = static_cast<std::ptrdiff_t>(next);
      next += rank - letters;
      const infer::result all = infer::broadcast(ellipsis, dims.head(static_cast<std::ptrdiff_t>(next)).tail(first));
      c.expect(all.ok(), "the dimensions of ... do not broadcast");
      ellipsis = all.dims;
      i += 2;
    }
  }
  /// The extents of a result with these subscripts.
  constexpr shape write(inference& c, std::string_view term) const {
    std::size_t letters = 0;
    count(c, term, letters);
    shape out;
    for (std::size_t i = 0; i < term.size() && !c.failed(); ++i) {
      if (term[i] == ' ') continue;
      const auto letter = static_cast<unsigned char>(term[i]);
      if (term[i] == '.') {
        out.append(ellipsis);
        i += 2;
      } else if (c.expect(counts[letter] > 0, "a subscript of the result is in no term") &&
                 c.expect(position_of(term[i], term, i + 1) == term.npos, "a subscript of the result occurs twice")) {
        out.push_back(extents[letter]);
      }
    }
    return out;
  }
  /// The extents of a result whose subscripts are not given: the ellipsis, then the letters that occur once, sorted.
  constexpr shape write() const {
    shape out = ellipsis;
    for (std::size_t letter = 0; letter < 128; ++letter)
      if (counts[letter] == 1) out.push_back(extents[letter]);
    return out;
  }

 private:
  // Counts the letters in a term. Returns true if it has an ellipsis; fails for any other character.
  static constexpr bool count(inference& c, std::string_view term, std::size_t& letters) {
    bool dots = false;
    for (std::size_t i = 0; i < term.size(); ++i) {
      const char s = term[i];
      const bool letter = (s >= 'a' && s <= 'z') || (s >= 'A' && s <= 'Z');
      const bool ellipsis = !dots && term.substr(i, 3) == "...";
      c.expect(letter || ellipsis || s == ' ',
               "the equation has a character other than letters, commas, arrows and ...");
      letters += letter;
      if (ellipsis) i += 2;
      dots = dots || ellipsis;
    }
    return dots;
  }
  constexpr void add(inference& c, std::size_t letter, dim d) {
    dim& extent = extents[letter];
    if (counts[letter]++ == 0) extent = d;
    c.expect(!c.differ(extent, d) || extent.is(1) || d.is(1), "one subscript has extents of {} and {}", extent, d);
    extent = infer::broadcast_extent(extent, d);
  }
};

/// Einsum.
constexpr void einsum(inference& c) {
  if (!c.given("equation")) return c.unranked_result(0);
  const std::string_view equation = c.text("equation");
  const std::size_t arrow = position_of_arrow(equation);
  std::string_view left = equation.substr(0, arrow);
  einsum_subscripts subscripts;
  for (std::size_t i = 0; i < c.arity() && !c.failed(); ++i) {
    const std::size_t comma = position_of(',', left);
    const bool last = i + 1 == c.arity();
    if (!c.expect((comma == left.npos) == last, "the equation has a different number of terms than operands")) return;
    subscripts.read(c, left.substr(0, comma), c.dims(i));
    if (!last) left.remove_prefix(comma + 1);
  }
  if (c.failed()) return;
  if (arrow == equation.npos) return c.result(0, subscripts.write());
  c.result(0, subscripts.write(c, equation.substr(arrow + 2)));
}

/// Det: a number for each square matrix.
constexpr void det(inference& c) {
  const std::int64_t rank = c.rank(0);
  if (!c.expect(rank >= 2, "an operand of {} dimension{|s} is not a matrix", rank)) return;
  const shape sides = c.dims(0).tail(rank - 2);
  c.expect_equal(sides[0], sides[1], "a matrix of {} row{|s} and {} column{|s} has no determinant");
  c.result(0, c.dims(0).head(rank - 2));
}

}  // namespace jax2onnx::rules
