// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/dtype.hpp>

using namespace jax2onnx;

static_assert(dtype_named("f8_e4m3fn") == dtype::f8_e4m3fn);
static_assert(dtype_named("c64") == dtype::undefined);
static_assert(traits(dtype::bf16).onnx == "bfloat16");
static_assert(byte_size(dtype::i4, 3) == 2 && byte_size(dtype::f64, 3) == 24 && byte_size(dtype::u2, 5) == 2);
static_assert(is_floating(dtype::f4_e2m1fn) && is_unsigned_integer(dtype::u2) && !is_integer(dtype::boolean));

TEST_CASE("dtypes: every row is found by its code and by its name") {
  for (const dtype_traits& row : dtype_table) {
    CHECK(&traits(row.type) == &row);
    CHECK((dtype_named(row.name) == row.type));
  }
}
