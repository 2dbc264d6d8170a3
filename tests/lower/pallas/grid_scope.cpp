// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/pallas/grid_scope.hpp>
#include <jax2onnx/lower/site.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("a kernel sees its own grid, and then the outer one again") {
  lowered_text done("{ lambda ; a:f32[]. let  in (a,) }", [](const site&) { return jax_values(); });
  const value one = scalar(done.g, dtype::i32, 1);
  const pallas::grid_scope outer(done.machine, {{"i", one, one}});
  {
    const pallas::grid_scope inner(done.machine, {});
    CHECK(done.machine.grid.empty());
  }
  REQUIRE(done.machine.grid.size() == 1);
  CHECK(done.machine.grid[0].name == "i");
}
