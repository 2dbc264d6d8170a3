// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/pallas/first_access.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx::lower::pallas;

namespace {

/// The first access to the reference r; `id` is the value of program_id.
ref_use first(const std::string& equations, known_number id = {}) {
  const std::string text = "{ lambda ; r:Ref{f32[3]}. let " + equations + " in () }";
  const jaxpr::program p = jaxpr::parse(text);
  return first_access(*p.main, p.main->invars[0].slot, {std::nullopt}, {id});
}
const std::string first_program =
    "i:i32[] = program_id[axis=0]; t:bool[] = eq i 0:i32[]; c:i32[] = convert_element_type[new_dtype=int32] t; ";
const std::string writes_if =
    "cond[branches=({ lambda ; x:Ref{f32[3]}. let  in () } { lambda ; x:Ref{f32[3]}. let x[...] "
    "<- 1.0 in () })] c r; ";

}  // namespace

TEST_CASE("a reference is written as a whole before it is read") {
  CHECK(first("r[...] <- 1.0; a:f32[3] <- r[...]") == ref_use::written);
  CHECK(first("r[:] <- 1.0") == ref_use::written);
  CHECK(first("a:f32[3] <- r[...]; r[...] <- a") == ref_use::read);
  CHECK(first("r[0] <- 1.0") == ref_use::read);
  CHECK(first("a:f32[3], r[...] <- r[...], 1.0; b:f32[3] = neg a") == ref_use::read);
  CHECK(first("r[...] += 1.0") == ref_use::read);
  CHECK(first("a:f32[] = neg 1.0") == ref_use::none);
}

TEST_CASE("branches whose condition is known") {
  CHECK(first(first_program + writes_if + "a:f32[3] <- r[...]", 0) == ref_use::written);
  CHECK(first(first_program + writes_if + "a:f32[3] <- r[...]", 1) == ref_use::read);
  CHECK(first(first_program + writes_if + "a:f32[3] <- r[...]") == ref_use::read);
}
