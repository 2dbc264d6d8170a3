// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/control/ref_state.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

TEST_CASE("the references of an equation, each once, with the types and values of their contents") {
  const lowered_text done("{ lambda ; a:f32[3]. let r:Ref{float32[3]} = make a; b:f32[3] = p r r a in (b,) }",
                          [](const site& s) -> jax_values {
                            if (s.primitive() == "make") return {s.new_ref(s.in(0))};
                            const ref_state state(s);
                            REQUIRE(state.refs.size() == 1);
                            REQUIRE(state.types.size() == 1);
                            CHECK(state.types[0].dims == shape{3});
                            CHECK_FALSE(state.types[0].ref);
                            const value before = state.contents(s)[0].re();
                            CHECK(same_value(before, s.in(2)));
                            const jax_values after{neg(before)};
                            state.assign(s, after);
                            CHECK(same_value(s.content(s.in_parts(1)).re(), after[0].re()));
                            return {after[0]};
                          });
  CHECK(done.problem() == "(none)");
}
