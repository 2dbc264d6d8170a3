// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/random.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {standard("dtype", 1), standard("sample_size", 1)};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

static_assert(applied(op).with("shape", {2, 3}).run(rules::random).are(f32({2, 3})));
static_assert(!applied(op).with("shape", {2, -3}).run(rules::random).ok());
static_assert(applied(op, i64({B})).with("dtype", dtype::f16).run(rules::random_like).are(of(dtype::f16, {B})));

}  // namespace

TEST_CASE("random numbers of a shape and dtype", "[graph]") {
  CHECK(applied(op).with("shape", {}).with("dtype", dtype::f64).run(rules::random).are(of(dtype::f64, {})));
  CHECK(applied(op).attributes_at_run_time().run(rules::random).are(unranked(dtype::undefined)));
  CHECK_FALSE(applied(op).with("shape", {2, -3}).run(rules::random).ok());
  CHECK(applied(op, f32({B})).run(rules::random_like).are(f32({B})));
  CHECK(applied(op, f32({B})).attributes_at_run_time().run(rules::random_like).are(of(dtype::undefined, {B})));
}

TEST_CASE("Multinomial samples rows", "[graph]") {
  CHECK(applied(op, f32({B, 9})).with("sample_size", 4).run(rules::multinomial).are(f32({B, 4})));
  CHECK(applied(op, f32({B, 9})).attributes_at_run_time().run(rules::multinomial).is({B, dyn}));
  CHECK_FALSE(applied(op, f32({9})).run(rules::multinomial).ok());
  CHECK_FALSE(applied(op, f32({B, 9})).with("sample_size", 0).run(rules::multinomial).ok());
}
