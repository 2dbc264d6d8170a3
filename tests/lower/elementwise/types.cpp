// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/elementwise/types.hpp>

namespace {

std::string problem(std::string_view inputs, std::string_view results, std::string_view equation) {
  const std::string found = problem_of(inputs, results, equation);
  return found.substr(found.find(": ") + 2);
}

}  // namespace

TEST_CASE("elementwise primitives take what JAX takes") {
  CHECK(problem_of("a:f32[2,3] b:f32[1,3]", "c:f32[2,3]", "add a b") == "(none)");
  CHECK(problem_of("a:u8[2] b:u8[2]", "c:bool[2]", "lt a b") == "(none)");
  CHECK(problem_of("a:c64[2]", "c:f32[2]", "abs a") == "(none)");
  CHECK(problem_of("a:f32[2] b:i32[2]", "c:f32[2]", "pow a b") == "(none)");
  CHECK(problem_of("a:bool[] b:f32[2] d:f32[2]", "c:f32[2]", "select_n a b d") == "(none)");
  CHECK(problem_of("a:u8[2,4]", "c:u32[2]", "bitcast_convert_type[new_dtype=uint32] a") == "(none)");
}

TEST_CASE("elementwise primitives refuse what JAX refuses") {
  CHECK(problem("a:i32[3]", "c:i32[3]", "sin a") ==
        "primitive 'sin': operand 0 is i32[3]; it must be floating-point or complex");
  CHECK(problem("a:f32[3]", "c:f32[3]", "and a a") ==
        "primitive 'and': operand 0 is f32[3]; it must be bool, signed integer or unsigned integer");
  CHECK(problem("a:f32[3] b:i32[3]", "c:f32[3]", "add a b") ==
        "primitive 'add': operand 1 is i32[3], but operand 0 is f32[3]: their element types must be equal");
  CHECK(problem("a:f32[3] b:i32[]", "c:f32[3]", "clamp b a b") ==
        "primitive 'clamp': operand 0 is i32[], but operand 1 is f32[3]: their element types must be equal");
  CHECK(problem("a:f32[3]", "c:i32[3]", "convert_element_type[new_dtype=float64] a") ==
        "primitive 'convert_element_type': result 0 is f64[3], but is stated as i32[3]");
  CHECK(problem("a:u8[2,3]", "c:u32[2]", "bitcast_convert_type[new_dtype=uint32] a") ==
        "primitive 'bitcast_convert_type': operand 0 is u8[2,3]; its last axis must hold the 32 bits of an element");
}
