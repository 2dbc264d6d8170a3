// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/read/merge_types.hpp>

using namespace jax2onnx;
using detail::merged;
using detail::unknown_type;

TEST_CASE("merged: what is known stays") {
  const dim n = dim::symbol("N"), m = dim::symbol("M"), any = dim::dyn();
  CHECK(merged(tensor_type{dtype::f32, {any, n, 3, n}}, {dtype::f32, {2, m, any, 4}}) ==
        tensor_type{dtype::f32, {2, n, 3, 4}});
  CHECK(merged(unknown_type(), {dtype::i64, {n}}) == tensor_type{dtype::i64, {n}});
  CHECK(merged(tensor_type{dtype::i64, {n}}, unknown_type()) == tensor_type{dtype::i64, {n}});
  CHECK(merged(unranked(dtype::f32), {dtype::f32, {3}}) == tensor_type{dtype::f32, {3}});
  CHECK(merged(tensor_type{dtype::f32, {3}}, unranked(dtype::f32)) == tensor_type{dtype::f32, {3}});
  CHECK(merged(tensor_type{dtype::undefined, {3}}, unranked(dtype::f32)) == tensor_type{dtype::f32, {3}});
}

TEST_CASE("merged: contradictions") {
  CHECK_FALSE(merged(tensor_type{dtype::f32, {3}}, {dtype::f32, {4}}));
  CHECK_FALSE(merged(tensor_type{dtype::f32, {3}}, {dtype::f32, {3, 1}}));
  CHECK_FALSE(merged(tensor_type{dtype::f32, {3}}, {dtype::f16, {3}}));
  CHECK_FALSE(merged(tensor_type{dtype::f32, {3}}, unranked(dtype::f32, value_kind::sequence)));
}
