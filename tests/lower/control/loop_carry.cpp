// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/control/loop_carry.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// A body of three loop-carried values: b depends on c, a and c on themselves; c is invariant.
constexpr std::string_view printed =
    "{ lambda ; a:f32[] b:f32[] c:f32[]. let d:f32[] = neg a; e:f32[] = mul b c in (d, e, c) }";

}  // namespace

TEST_CASE("a carried value is needed if it is wanted, or if a needed one depends on it") {
  const jaxpr::program p = jaxpr::parse(printed);
  CHECK(needed_carry(*p.main, 0, 3, {true, false, false}) == selection{true, false, false});
  CHECK(needed_carry(*p.main, 0, 3, {false, true, false}) == selection{false, true, true});
  CHECK(needed_carry(*p.main, 0, 3, {}) == selection{true, true, true});
}

TEST_CASE("a long chain of dependencies keeps all carried values") {
  std::string chain =
      "{ lambda ; a:f32[] b:f32[] c:f32[] d:f32[] e:f32[] f:f32[] g:f32[] h:f32[] i:f32[] j:f32[]. let"
      " in (b, c, d, e, f, g, h, i, i, j) }";
  const jaxpr::program p = jaxpr::parse(chain);
  selection last(10, false);
  last[0] = true;
  CHECK(needed_carry(*p.main, 0, 10, last) == selection(10, true));
}

TEST_CASE("a value that the body returns unchanged is invariant") {
  const jaxpr::program p = jaxpr::parse(printed);
  CHECK(passes_through(*p.main, 2, 2));
  CHECK_FALSE(passes_through(*p.main, 0, 0));
  CHECK_FALSE(passes_through(*p.main, 1, 2));
}
