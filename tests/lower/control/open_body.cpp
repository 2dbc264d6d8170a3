// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/control/open_body.hpp>
#include <jax2onnx/lower/site.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("what a jaxpr closes over becomes its first parameters") {
  const lowered_text done(
      "{ lambda ; a:f32[3]. let b:f32[3] = p[jaxpr={ lambda x:f32[3]; y:f32[3]. let  in (x,) }] a in (b,) }",
      [](const site& s) -> jax_values {
        const jaxpr::body& body = opened(s.driver(), *s.param<const jaxpr::body*>("jaxpr"));
        REQUIRE(body.invars.size() == 2);
        CHECK(body.constvars.empty());
        CHECK(body.invars[0].name == "x");
        const jax_values both{s.in(0), neg(s.in(0))};
        return s.inline_body(body, both);
      });
  CHECK(done.problem() == "(none)");
  CHECK(done.results.size() == 1);
}
