// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/liveness.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx;

static std::vector<bool> live_equations(std::string_view text, const selection& wanted = {}) {
  const jaxpr::program source = jaxpr::parse(text);
  const lower::liveness live(*source.main, wanted);
  std::vector<bool> out;
  for (std::size_t i = 0; i < source.main->equations.size(); ++i) out.push_back(live.equation(i));
  return out;
}

TEST_CASE("liveness: an equation is needed through the equations that read it") {
  CHECK(live_equations("{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a; d:f32[3] = exp b in (d,) }") ==
        std::vector{true, false, true});
}

TEST_CASE("liveness: only wanted results keep their equations") {
  constexpr auto text = "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a in (b, c) }";
  CHECK(live_equations(text) == std::vector{true, true});
  CHECK(live_equations(text, {true, false}) == std::vector{true, false});
  CHECK(live_equations(text, {false, false}) == std::vector{false, false});
}

TEST_CASE("liveness: effects stay, a mere read of a reference does not") {
  CHECK(live_equations(
            "{ lambda ; a:Ref{f32[3]} b:f32[3]. let a[...] += b; c:f32[3] <- a[...]; debug_callback b in (b,) }") ==
        std::vector{true, false, true});
}

TEST_CASE("liveness: variables that nothing reads are not live") {
  const jaxpr::program source =
      jaxpr::parse("{ lambda ; a:f32[3] b:f32[3]. let c:f32[1] d:f32[2] = split[axis=0 sizes=(1, 2)] a in (d,) }");
  const lower::liveness live(*source.main, {});
  const jaxpr::body& main = *source.main;
  CHECK(live.variable(main.invars[0].slot));
  CHECK_FALSE(live.variable(main.invars[1].slot));
  CHECK_FALSE(live.variable(main.equations[0].outs[0].slot));
  CHECK(live.variable(main.equations[0].outs[1].slot));
}
