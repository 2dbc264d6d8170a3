// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/constant_folding.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("steps: row-major, 0 where an axis is broadcast") {
  CHECK(detail::row_major_steps({2, 3, 4}) == ints{12, 4, 1});
  CHECK(detail::row_major_steps({}) == ints{});
  CHECK(detail::broadcast_steps({3, 1}, {2, 3, 4}) == ints{0, 1, 0});
}

TEST_CASE("strided_constant: transposes, repeats and reverses") {
  graph g;
  const value x = reshape(int64s(g, {1, 2, 3, 4, 5, 6}), {2, 3});
  const auto numbers = [&](const shape& dims, std::int64_t offset, const ints& steps) {
    return *constant_integers(detail::strided_constant(x, dims, offset, steps));
  };
  CHECK(numbers({3, 2}, 0, {1, 3}) == ints{1, 4, 2, 5, 3, 6});
  CHECK(numbers({2, 2}, 1, {0, 1}) == ints{2, 3, 2, 3});
  CHECK(numbers({3}, 5, {-1}) == ints{6, 5, 4});
  CHECK(numbers({0, 3}, 0, {3, 1}) == ints{});
}

TEST_CASE("is_foldable: small constants of whole bytes") {
  graph g;
  CHECK(detail::is_foldable(int64s(g, {1})));
  CHECK_FALSE(detail::is_foldable(g.input({dtype::i64, {}}, "x")));
  CHECK_FALSE(detail::is_foldable(g.constant({dtype::i4, {2}}, bytes(std::string(1, 0)))));
  CHECK_FALSE(
      detail::is_foldable(g.constant({dtype::u8, {folding_limit + 1}}, bytes(std::string(folding_limit + 1, 0)))));
}

TEST_CASE("folded_concat, folded_slice: nothing for what is not constant, or grows too large") {
  model m;
  const value half = m.g.constant({dtype::u8, {3000}}, bytes(std::string(3000, 1)));
  CHECK_FALSE(detail::folded_concat(std::vector{half, half}, 0, {6000}));
  CHECK(detail::folded_concat(std::vector{half}, 0, {3000}));
  CHECK_FALSE(detail::folded_slice(m.x, {1}, {0}, {1}, {m.B, 2, 6}));
}

TEST_CASE("strided_constant: arrays without elements") {
  graph g;
  const value empty = g.constant({dtype::f32, {std::int64_t{1} << 40, 0}}, {});
  CHECK(detail::strided_constant(empty, {0, std::int64_t{1} << 40}, 0, {1, 0}).data().size() == 0);
  CHECK_THROWS_AS(detail::strided_constant(empty, {1}, 0, {1}), build_error);
}
