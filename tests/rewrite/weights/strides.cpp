// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>
#include <cstdint>

#include <jax2onnx/rewrite/weights/strides.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;

TEST_CASE("strides: of an array row by row, and of one that is broadcast") {
  CHECK(row_major({2, 3}, {2, 3}) == strided_axes{{2, 3}, {3, 1}});
  CHECK(row_major({2, 1, 3}, {2, 4, 3}) == strided_axes{{2, 3}, {4, 0}, {3, 1}});
  CHECK(row_major({3}, {2, 3}) == strided_axes{{2, 0}, {3, 1}});
  CHECK(row_major({}, {1, 2}) == strided_axes{{2, 0}});
}

TEST_CASE("strides: axes are divided until they are alike") {
  strided_axes a = row_major({8, 3}, {8, 3}), b = row_major({2, 4, 3}, {2, 4, 3});
  CHECK(align(a, b));
  CHECK(a == strided_axes{{2, 12}, {4, 3}, {3, 1}});
  CHECK(a == b);
  strided_axes c = row_major({2, 12}, {2, 12}), d = row_major({8, 3}, {8, 3});
  CHECK(align(c, d));
  CHECK(c == strided_axes{{2, 12}, {4, 3}, {3, 1}});
  strided_axes e = row_major({6}, {6}), f = row_major({4, 3}, {4, 3});
  CHECK_FALSE(align(e, f));
}

TEST_CASE("strides: cutting off the outer elements") {
  strided_axes a = row_major({4, 6}, {4, 6});
  CHECK(cut(a, 8) == 2);
  CHECK(a == strided_axes{{4, 6}, {2, 3}, {3, 1}});
  CHECK(cut(a, 1) == 0);
  strided_axes b = row_major({4, 6}, {4, 6});
  CHECK_FALSE(cut(b, 3));
}

TEST_CASE("strides: transposed, joined, and where an element lies") {
  const auto t = transposed(row_major({2, 3}, {2, 3}), {2, 3}, std::array<std::int64_t, 2>{1, 0});
  REQUIRE(t);
  CHECK(*t == strided_axes{{3, 1}, {2, 3}});
  CHECK_FALSE(is_row_major(*t));
  CHECK(place_of(*t, 1) == 3);
  CHECK(place_of(*t, 2) == 1);
  CHECK(joined(strided_axes{{2, 12}, {4, 3}, {3, 1}}) == strided_axes{{24, 1}});
  CHECK(is_row_major(strided_axes{}));
  CHECK(count_of(*t) == 6);
  CHECK(static_count({2, 0}) == std::nullopt);
}
