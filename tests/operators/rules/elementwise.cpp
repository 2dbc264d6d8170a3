// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/elementwise.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr op_record op = record_of();
constexpr dim B = dim::symbol("B"), T = dim::symbol("T");

static_assert(applied(op, f32({B, 3})).run(rules::same).is({B, 3}));
static_assert(applied(op, f32({B, 3}), f32({3}), f32({1, 1})).run(rules::broadcast).is({B, 3}));
static_assert(!applied(op, f32({2}), f32({3})).run(rules::broadcast).ok());

}  // namespace

TEST_CASE("elementwise rules broadcast all operands", "[graph]") {
  CHECK(applied(op, f32({}), f32({B, 1}), f32({1, 4})).run(rules::broadcast).is({B, 4}));
  CHECK(applied(op, f32({B}), f32({T})).run(rules::broadcast).is({dim::dyn()}));
  CHECK(applied(op, f32({2, 3}), f32({2})).run(rules::broadcast).problem == "the shapes do not broadcast");
  CHECK(applied(op, of(dtype::boolean, {2, 1}), f32({3}), f32({})).run(rules::where).is({2, 3}));
  CHECK(!applied(op, of(dtype::boolean, {2}), f32({3}), f32({})).run(rules::where).ok());
}

TEST_CASE("tests have the shape of their operand", "[graph]") {
  static constexpr type_constraint boolean[] = {{"tensor(bool)", {records::types({dtype::boolean})}}};
  static constexpr op_record to_boolean = record_to(boolean);
  CHECK(applied(to_boolean, f32({B, 2})).run(rules::test).are(of(dtype::boolean, {B, 2})));
}

TEST_CASE("the bounds of Clip are scalars", "[graph]") {
  CHECK(applied(op, f32({B, 2}), std::nullopt, f32({})).run(rules::clip).is({B, 2}));
  const outcome bad = applied(op, f32({2}), f32({1})).run(rules::clip);
  CHECK(bad.problem == "a bound has {} dimension{|s}; it must be a scalar");
  CHECK(bad.details[0] == dim(1));
}

TEST_CASE("Mod: remainders of floats need fmod before opset 28", "[graph]") {
  static constexpr formal_attribute fmod[] = {standard("fmod", 0)};
  const auto rest = [](dtype t, int version, std::int64_t flag) {
    op_record r = record_of(fmod);
    r.since = version;
    return applied(r, of(t, {3}), of(t, {})).with("fmod", flag).run(rules::mod);
  };
  CHECK(rest(dtype::f32, 13, 1).is({3}));
  CHECK(rest(dtype::i32, 13, 0).is({3}));
  CHECK(rest(dtype::f32, 28, 0).is({3}));
  CHECK(rest(dtype::f32, 13, 0).problem == "remainders of floats need fmod=1 before opset 28");
}
