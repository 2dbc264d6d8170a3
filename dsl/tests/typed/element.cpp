#include "catch.hpp"

#include <type_traits>

#include <jax2onnx/dsl/typed/element.hpp>

using namespace jax2onnx;

TEST_CASE("element: C++ types and dtypes, both ways") {
  STATIC_REQUIRE(dtype_of<float> == dtype::f32);
  STATIC_REQUIRE(dtype_of<bfloat16> == dtype::bf16);
  STATIC_REQUIRE(dtype_of<void*> == dtype::undefined);
  STATIC_REQUIRE(std::is_same_v<element_of<dtype::i64>, std::int64_t>);
  STATIC_REQUIRE(std::is_same_v<element_of<dtype::u4>, uint4>);
}
