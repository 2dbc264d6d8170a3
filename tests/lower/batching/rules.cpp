// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>

#include <jax2onnx/lower/batching/batcher.hpp>
#include <jax2onnx/lower/batching/rules.hpp>
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/table.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::batching;

TEST_CASE("each primitive has one rule, and is one that can be lowered") {
  for (const batch_row& row : batch_rows()) {
    INFO(row.primitive);
    CHECK(row.apply);
    CHECK(std::ranges::count(batch_rows(), row.primitive, &batch_row::primitive) == 1);
    CHECK(find_row(builtin_lowerings(), row.primitive));
  }
}

TEST_CASE("primitives that compute elements have the rule of their family") {
  for (const char* primitive : {"tanh", "erf", "conj", "polynomial", "select_n"}) CHECK(find_rule(primitive));
  for (const char* primitive : {"hessenberg", "new_ref", "no_primitive"}) CHECK_FALSE(find_rule(primitive));
}
