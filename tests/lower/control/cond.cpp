// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/control/cond.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/ops/indexing.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("a constant index is known inside casts and the clamp of jax.lax.switch") {
  graph g;
  const value x = g.input({dtype::i32, {}}, "x");
  CHECK(known_integer(scalar(g, dtype::i32, 7)) == 7);
  CHECK(known_integer(g.emit("Max", {scalar(g, dtype::i32, -3), scalar(g, dtype::i32, 0)}, {dtype::i32, {}})) == 0);
  const value clamped = g.emit("Min", {scalar(g, dtype::i32, 9), scalar(g, dtype::i32, 4)}, {dtype::i32, {}});
  CHECK(known_integer(g.emit("Cast", {clamped}, {dtype::i64, {}})) == 4);
  CHECK_FALSE(known_integer(x).has_value());
  CHECK_FALSE(known_integer(g.emit("Min", {x, scalar(g, dtype::i32, 4)}, {dtype::i32, {}})).has_value());
}

TEST_CASE("a clamped index is not negative") {
  graph g;
  const value x = g.input({dtype::i32, {}}, "x"), zero = scalar(g, dtype::i32, 0), two = scalar(g, dtype::i32, 2);
  CHECK_FALSE(is_not_negative(x));
  CHECK(is_not_negative(two));
  CHECK_FALSE(is_not_negative(scalar(g, dtype::i32, -1)));
  const value most = g.emit("Max", {zero, x}, {dtype::i32, {}});
  CHECK(is_not_negative(most));
  CHECK(is_not_negative(g.emit("Min", {most, two}, {dtype::i32, {}})));
  CHECK_FALSE(is_not_negative(g.emit("Min", {x, two}, {dtype::i32, {}})));
  CHECK(is_not_negative(g.emit("Clip", {x, zero, two}, {dtype::i32, {}})));
  CHECK_FALSE(is_not_negative(g.emit("Clip", {x, scalar(g, dtype::i32, -1), two}, {dtype::i32, {}})));
  CHECK(is_not_negative(g.emit("Cast", {g.input({dtype::u8, {}}, "u")}, {dtype::i32, {}})));
  CHECK_FALSE(is_not_negative(g.emit("Cast", {g.input({dtype::u32, {}}, "v")}, {dtype::i32, {}})));
}

TEST_CASE("a negative index of many branches selects the last one") {
  const auto of_index = [](const std::string& index) {
    const lowered_text made("{ lambda ; a:i32[] b:f32[2]. let " + index +
                                "; c:f32[2] = cond[branches=({ lambda ; d:f32[2]. let e:f32[2] = exp d in (e,) } "
                                "{ lambda ; f:f32[2]. let g:f32[2] = tanh f in (g,) } "
                                "{ lambda ; h:f32[2]. let i:f32[2] = neg h in (i,) })] j b in (c,) }",
                            lower_builtin);
    CHECK(made.problem() == "(none)");
    for (const node_id n : made.g.at(block_id::main).nodes)
      if (made.g.at(n).op == "Where") return true;
    return false;
  };
  CHECK(of_index("j:i32[] = add a 1:i32[]"));
  CHECK_FALSE(of_index("j:i32[] = clamp 0:i32[] a 2:i32[]"));
}

TEST_CASE("wanted results go back to their positions") {
  graph g;
  const value a = scalar(g, dtype::i32, 1), b = scalar(g, dtype::i32, 2);
  const jax_values all{a, b, a};
  const jax_values some = selected<jax_value>(all, {false, true, true});
  REQUIRE(some.size() == 2);
  CHECK(same_value(some[0].re(), b));
  const jax_values back = with_unwanted(some, {false, true, true}, 3);
  REQUIRE(back.size() == 3);
  CHECK(back[0].count == 0);
  CHECK(same_value(back[1].re(), b));
  CHECK(same_value(back[2].re(), a));
  CHECK(selected<jax_value>(all, {}).size() == 3);
}

TEST_CASE("a branch that only raises is told from one that returns") {
  const std::string_view raises_text =
      "{ lambda ; a:f32[]. let b:f32[] = pure_callback[callback=<function _.raises at 0x1>] a in (b,) }";
  const jaxpr::program failing = jaxpr::parse(raises_text), fine = jaxpr::parse("{ lambda ; a:f32[]. let  in (a,) }");
  CHECK(raises(*failing.main));
  CHECK_FALSE(raises(*fine.main));
  const std::vector<const jaxpr::body*> both{failing.main, fine.main}, none{fine.main, fine.main};
  CHECK(only_returning(both) == fine.main);
  CHECK(only_returning(none) == nullptr);
}
