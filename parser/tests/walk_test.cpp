// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

TEST_CASE("walk: inner jaxprs are visited once each, in the order of first mention") {
  const std::string text =
      "let f = { lambda ; a:f32[]. let b:f32[] = tan a in (b,) } in\n"
      "let unused = { lambda ; a:f32[]. let b:f32[] = exp a in (b,) } in\n"
      "{ lambda ; a:f32[]. let\n"
      "    b:f32[] = jit[jaxpr=f] a\n"
      "    c:f32[] = jit[jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }] b\n"
      "    d:f32[] = jit[jaxpr=f] c\n"
      "  in (d,) }";
  const jaxpr::program m = jaxpr::parse(text);
  std::string order;
  jaxpr::for_each_equation(
      m, [&](const jaxpr::equation& e, const jaxpr::body&) { order += std::string(e.primitive) + " "; });
  CHECK(order == "jit jit jit tan sin exp ");
  const auto counts = jaxpr::count_primitives(m);
  REQUIRE(counts.size() == 4);
  CHECK(counts[0].primitive == "exp");
  CHECK(counts[1].primitive == "jit");
  CHECK(counts[1].count == 3);
  CHECK(counts[3].primitive == "tan");
  CHECK(counts[3].count == 1);
  CHECK(jaxpr::bodies_of(m.main->equations[1]).size() == 1);
}

TEST_CASE("walk: spans and views of the text lead to each other") {
  const std::string text = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }";
  const jaxpr::program m = jaxpr::parse(text);
  const jaxpr::span where = jaxpr::span_of(m.main->equations[0].primitive, m.text);
  CHECK(jaxpr::text_at(m, where) == "sin");
  CHECK(jaxpr::span_of("sin", m.text) == jaxpr::span{});
  CHECK(jaxpr::text_at(m, {5, 1000}).empty());
}
