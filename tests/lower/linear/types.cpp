// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/linear/types.hpp>

namespace {

std::string dot_problem(std::string_view inputs, std::string_view result, std::string_view numbers,
                        std::string_view more = {}) {
  const std::string equation =
      "dot_general[dimension_numbers=" + std::string(numbers) + " " + std::string(more) + "] a b";
  return reason_of(inputs, result, equation);
}
std::string ragged_problem(std::string_view sizes, std::string_view result, std::string_view numbers) {
  return reason_of(
      "a:f32[6,4] b:f32[2,4,5] s:" + std::string(sizes), result,
      "ragged_dot_general[ragged_dot_dimension_numbers=RaggedDotDimensionNumbers(" + std::string(numbers) + ")] a b s");
}
std::string fft_problem(std::string_view input, std::string_view result, std::string_view parameters) {
  return reason_of(input, result, "fft[" + std::string(parameters) + "] a");
}

}  // namespace

TEST_CASE("the type of a product is that of jax.lax.dot_general") {
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[2,4]", "(([1], [0]), ([], []))") == "(none)");
  CHECK(dot_problem("a:f32[B,2,3] b:f32[B,3]", "c:f32[B,2]", "(([2], [1]), ([0], [0]))") == "(none)");
  CHECK(dot_problem("a:i8[2,3] b:f32[3,4]", "c:f32[2,4]", "(([1], [0]), ([], []))") == "(none)");
  CHECK(dot_problem("a:bf16[2] b:f16[2]", "c:bf16[]", "(([0], [0]), ([], []))") == "(none)");
  CHECK(dot_problem("a:i8[2] b:u8[2]", "c:i8[]", "(([0], [0]), ([], []))") == "(none)");
  CHECK(dot_problem("a:f32[2] b:f32[2]", "c:i8[]", "(([0], [0]), ([], []))", "preferred_element_type=int8") ==
        "(none)");
}

TEST_CASE("products that JAX refuses") {
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[2,4]", "(([2], [0]), ([], []))") ==
        "its dimension_numbers names axis 2, but the array has 2 dimensions");
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[2,4]", "(([1], [0]), ([1], [1]))") ==
        "its dimension_numbers names axis 1 twice");
  CHECK(dot_problem("a:f32[2,3] b:f32[4,3]", "c:f32[2,3]", "(([1], [0]), ([], []))") ==
        "the axes that it pairs in lhs and rhs have the different extents [3] and [4]");
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[2,4]", "(([1], []), ([], []))") ==
        "the axes that it pairs in lhs and rhs have the different extents [3] and []");
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[2,4]", "(([1], [0]),)") ==
        "its dimension_numbers are not two pairs of lists");
  CHECK(dot_problem("a:f32[2,3] b:f32[3,4]", "c:f32[4,2]", "(([1], [0]), ([], []))") ==
        "result 0 is f32[2,4], but is stated as f32[4,2]");
  CHECK(dot_problem("a:i32[2] b:i32[2]", "c:f16[]", "(([0], [0]), ([], []))", "preferred_element_type=float16") ==
        "its preferred_element_type is narrower than i32");
}

TEST_CASE("the groups of a ragged product") {
  constexpr std::string_view rows =
      "dot_dimension_numbers=(([1], [1]), ([], [])), lhs_ragged_dimensions=[0], rhs_group_dimensions=[0]";
  CHECK(ragged_problem("i32[2]", "c:f32[6,5]", rows) == "(none)");
  CHECK(ragged_problem("f32[2]", "c:f32[6,5]", rows) ==
        "operand 2 is f32[2]; it must be signed integer or unsigned integer");
  CHECK(ragged_problem("i32[3]", "c:f32[6,5]", rows) ==
        "the axes that it pairs in operands 1 and 2 have the extents [2] and [3]");
  CHECK(ragged_problem("i32[]", "c:f32[6,5]", rows) == "its group sizes are a scalar");
  CHECK(ragged_problem("i32[2]", "c:f32[6,5]",
                       "dot_dimension_numbers=(([1], [1]), ([], [])), lhs_ragged_dimensions=[], "
                       "rhs_group_dimensions=[0]") == "it must have exactly one ragged dimension");
  CHECK(ragged_problem("i32[2]", "c:f32[6,5]",
                       "dot_dimension_numbers=(([1], [1]), ([], [])), lhs_ragged_dimensions=[1], "
                       "rhs_group_dimensions=[0]") == "its rhs_group_dimensions has 1 entry instead of 0");
}

TEST_CASE("the types of transforms") {
  CHECK(fft_problem("a:c64[2,8]", "b:c64[2,8]", "fft_lengths=(8,) fft_type=0") == "(none)");
  CHECK(fft_problem("a:f64[2,8]", "b:c128[2,5]", "fft_lengths=(2, 8) fft_type=jaxlib.FftType.RFFT") == "(none)");
  CHECK(fft_problem("a:c64[2,5]", "b:f32[2,9]", "fft_lengths=(9,) fft_type=3") == "(none)");
  CHECK(fft_problem("a:c64[8]", "b:c64[8]", "fft_lengths=(9,) fft_type=1") ==
        "operand 0 is c64[8], but the shape of an array for its fft_lengths is [9]");
  CHECK(fft_problem("a:c64[5]", "b:f32[10]", "fft_lengths=(10,) fft_type=3") ==
        "operand 0 is c64[5], but the shape of an array for its fft_lengths is [6]");
  CHECK(fft_problem("a:f32[8]", "b:c64[8]", "fft_lengths=(8,) fft_type=0") ==
        "operand 0 is f32[8]; it must be complex");
  CHECK(fft_problem("a:f16[8]", "b:c64[5]", "fft_lengths=(8,) fft_type=2") ==
        "operand 0 is f16; its real numbers must have 32 or 64 bits");
  CHECK(fft_problem("a:c64[8]", "b:c64[8]", "fft_lengths=(8,) fft_type=4") ==
        "its fft_type is '4'; it must be FFT, IFFT, RFFT or IRFFT");
  CHECK(fft_problem("a:c64[8]", "b:c64[8]", "fft_lengths=() fft_type=0") ==
        "its fft_lengths has 0 entries for 1 axis; it must have 1 to 3, and at most one for each axis");
}
