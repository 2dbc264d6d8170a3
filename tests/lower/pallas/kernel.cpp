// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/pallas/kernel.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("where the blocks of a kernel's programs are") {
  const lowered_text done(
      "{ lambda ; a:f32[6,3]. let b:f32[6,3] = p[grid_mapping=GridMapping(grid=(2, 3), "
      "block_mappings=(BlockMapping(block_shape=(Blocked(block_size=2), Blocked(block_size=3)), index_map_jaxpr={ "
      "lambda ; "
      "i:i32[] j:i32[]. let  in (j, 0:i32[]) }), BlockMapping(block_shape=(Blocked(block_size=6), "
      "Blocked(block_size=3)))), "
      "vmapped_dims=(0,)) input_output_aliases=((0, 0),) jaxpr={ lambda ; x:Ref{f32[2,3]} o:Ref{f32[6,3]} "
      "r:Ref{f32[1]}. "
      "let  in () }] a in (b,) }",
      [](const site& s) -> jax_values {
        const pallas::kernel k(s);
        CHECK(k.first_scratch() == 2);
        CHECK(k.block_type(0).dims == shape{2, 3});
        CHECK(k.initial(1).has_value());
        const std::vector<value> at = k.position(5, {true, true});
        CHECK(constant_integer(at[0]) == 1);
        CHECK(constant_integer(at[1]) == 2);
        CHECK(constant_integer(k.position(1, {true, false})[0]) == 1);
        CHECK(k.seen_grid(at).size() == 1);  // without the axis that vmap added
        const pallas::block_place place = k.place_of(0, at);
        REQUIRE(place.size() == 1);
        CHECK(place[0].known.is(4));
        CHECK(k.place_of(1, at).empty());
        return {s.in(0)};
      });
  CHECK(done.problem() == "(none)");
}

TEST_CASE("short jaxprs that run a few times are copied") {
  const jaxpr::program p = jaxpr::parse("{ lambda ; a:f32[]. let b:f32[] = neg a in (b,) }");
  CHECK(pallas::count_equations(*p.main) == 1);
  CHECK(pallas::unrolls(*p.main, 64));
  CHECK_FALSE(pallas::unrolls(*p.main, 65));
}
