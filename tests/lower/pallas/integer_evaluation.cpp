// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/pallas/integer_evaluation.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx::lower::pallas;

namespace {

/// The results of a jaxpr of i and j.
std::vector<known_number> results(const std::string& rest, known_number i, known_number j) {
  const std::string text = "{ lambda ; i:i32[] j:i32[]. let " + rest + " }";
  const jaxpr::program p = jaxpr::parse(text);
  return integer_evaluation::results(*p.main, {i, j}, {7, std::nullopt});
}

}  // namespace

TEST_CASE("integers that are known") {
  CHECK(results("a:i32[] = mul i 4:i32[]; b:i32[] = add a j in (b, 0:i32[], i)", 3, 5) ==
        std::vector<known_number>{17, 0, 3});
  CHECK(results("a:i32[] = div i 2:i32[]; b:i32[] = rem i 2:i32[]; c:i32[] = max a b in (c,)", 7, {})[0] == 3);
  CHECK(results("a:i32[] = jit[name=f jaxpr={ lambda ; x:i32[]. let y:i32[] = neg x in (y,) }] i in (a,)", 7, {})[0] ==
        -7);
  CHECK(results("a:bool[] = lt i j; b:i32[] = select_n a i j in (b,)", 1, 2)[0] == 2);
  CHECK(results("a:i32[] = program_id[axis=0]; b:i32[] = program_id[axis=1] in (a, b)", 1, 2) ==
        std::vector<known_number>{7, std::nullopt});
}

TEST_CASE("integers that are not known") {
  CHECK_FALSE(results("a:i32[] = add i j in (a,)", 1, std::nullopt)[0]);
  CHECK_FALSE(results("a:i32[] = div i 0:i32[] in (a,)", 1, {})[0]);
  CHECK_FALSE(results("a:i32[] = unknown i in (a,)", 1, {})[0]);
  CHECK_FALSE(results("a:i32[] = mul i i in (a,)", std::int64_t{1} << 31, {})[0]);
  CHECK_FALSE(results("a:i32[] = add i i in (a,)", std::int64_t{1} << 30, {})[0]);
  CHECK_FALSE(results("a:u8[] = convert_element_type[new_dtype=uint8] i in (a,)", 256, {})[0]);
  CHECK(results("a:bool[] = eq i 0:i32[]; b:bool[] = eq j 0:i32[]; c:bool[] = and a b in (c,)", 1, {})[0] == 0);
}
