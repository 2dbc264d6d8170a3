// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>
#include <cstring>
#include <type_traits>

#include <jax2onnx/dsl/typed/element.hpp>
#include <jax2onnx/dsl/typed/tensor.hpp>

using namespace jax2onnx;

TEST_CASE("element: C++ types and dtypes, both ways") {
  STATIC_REQUIRE(dtype_of<float> == dtype::f32);
  STATIC_REQUIRE(dtype_of<bfloat16> == dtype::bf16);
  STATIC_REQUIRE(dtype_of<void*> == dtype::undefined);
  STATIC_REQUIRE(std::is_same_v<element_of<dtype::i64>, std::int64_t>);
  STATIC_REQUIRE(std::is_same_v<element_of<dtype::u4>, uint4>);
}

TEST_CASE("element: types that C++ lacks have values") {
  CHECK(float16(1.5).bits == 0x3e00);
  CHECK(static_cast<double>(bfloat16(3.140625)) == 3.140625);
  CHECK(static_cast<int>(int4(-8)) == -8);
  CHECK_THROWS_WITH(int4(8), "i4 does not hold 8");
  CHECK_THROWS_WITH(uint2(-1), "u2 does not hold -1");
  graph g;
  const auto bytes_of = [](const value& v) {
    const auto view = v.data().view();
    return std::string(reinterpret_cast<const char*>(view.data()), view.size());
  };
  CHECK(bytes_of(constant<int4, 3>(g, {-8, 7, 1})) == "\x78\x01");
  CHECK(bytes_of(constant<float16, 2>(g, {1.5f, 2.0f})) == std::string("\x00\x3e\x00\x40", 4));
  CHECK(bytes_of(constant<bool, 2>(g, std::vector<bool>{true, false})) == std::string("\x01\x00", 2));
  const std::vector<float> weights{1.5f, 2.0f};
  CHECK(bytes_of(constant<float16, 2>(g, weights)) == std::string("\x00\x3e\x00\x40", 4));
}

TEST_CASE("constant: owns its numbers, however many they are") {
  graph g;
  std::vector<float> weights(5000, 1.0f);
  const auto w = constant<float, 5000>(g, weights);
  weights.assign(5000, 2.0f);
  float first = 0;
  REQUIRE(w.erased().data().view().size() == 20000);
  std::memcpy(&first, w.erased().data().view().data(), sizeof first);
  CHECK(first == 1.0f);
}

template <class Range>
concept viewable = requires(graph& g, Range&& r) {
  constant_view<float, 2>(g, std::forward<Range>(r));
};

TEST_CASE("constant_view: takes no array that ends with the call") {
  STATIC_REQUIRE(viewable<std::vector<float>&>);
  STATIC_REQUIRE(viewable<const std::vector<float>&>);
  STATIC_REQUIRE(viewable<std::span<const float>>);
  STATIC_REQUIRE_FALSE(viewable<std::vector<float>>);
  STATIC_REQUIRE_FALSE(viewable<const std::vector<float>>);
  STATIC_REQUIRE_FALSE(viewable<std::array<float, 2>>);
}
