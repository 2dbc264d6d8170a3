// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/linear/padding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("padding is read as pairs, which may be negative or symbolic") {
  const lowered_text done("{ lambda ; a:f32[n]. let b:f32[n] = p[padding=((1, 2), (-3, n))] a in (b,) }",
                          [](const site& s) -> jax_values {
                            const edge_padding padding = read_padding(s);
                            CHECK(padding.low == shape{1, -3});
                            CHECK(padding.high == shape{2, s.g.dims().parse("n")});
                            return {s.in(0)};
                          });
  CHECK(done.problem() == "(none)");
}

TEST_CASE("lists of ones and of zeros") {
  CHECK(all_ones({}));
  CHECK(all_ones({1, 1}));
  CHECK_FALSE(all_ones({1, 2}));
  CHECK(all_zeros({0, 0}));
  CHECK_FALSE(all_zeros({0, -1}));
}
