// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/control/written_refs.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx::lower;

namespace {

/// Returns whether each of the references r and q may be written by these equations.
std::vector<bool> written(const std::string& equations) {
  const std::string text = "{ lambda ; i:i32[] r:Ref{f32[3]} q:Ref{f32[3]}. let " + equations + " in () }";
  const jaxpr::program p = jaxpr::parse(text);
  return {may_write(*p.main, p.main->invars[1].slot), may_write(*p.main, p.main->invars[2].slot)};
}

}  // namespace

TEST_CASE("what an equation writes to") {
  CHECK(written("a:f32[3] <- r[...]; q[...] <- a") == std::vector{false, true});
  CHECK(written("q[...] += 1.0") == std::vector{false, true});
  CHECK(written("unknown r") == std::vector{true, false});
}

TEST_CASE("what inner jaxprs write to") {
  CHECK(written("cond[branches=({ lambda ; x:Ref{f32[3]} y:Ref{f32[3]}. let  in () } { lambda ; x:Ref{f32[3]} "
                "y:Ref{f32[3]}. let y[...] <- 1.0 in () })] i r q") == std::vector{false, true});
  CHECK(written("jit[name=f jaxpr={ lambda ; x:Ref{f32[3]} y:Ref{f32[3]}. let x[...] <- 1.0 in () }] r q") ==
        std::vector{true, false});
  CHECK(written(
            "n:i32[] = while[cond_nconsts=1 body_nconsts=1 cond_jaxpr={ lambda ; x:Ref{f32[3]} n:i32[]. let a:bool[] = "
            "lt n 3:i32[] in (a,) } body_jaxpr={ lambda ; y:Ref{f32[3]} n:i32[]. let y[...] <- 1.0 in (n,) }] r q i") ==
        std::vector{false, true});
  CHECK(written("run_scoped[jaxpr={ lambda x:Ref{f32[3]} y:Ref{f32[3]}; z:Ref{f32[3]}. let z[...] <- 1.0; "
                "y[...] <- 1.0 in () }] r q") == std::vector{false, true});
}
