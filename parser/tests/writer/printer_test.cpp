// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jaxpr/parse.hpp>
#include <jaxpr/writer/printer.hpp>

using namespace jaxpr::writer;

namespace {

/// The value of the only parameter of `text`, a text of one equation.
const jaxpr::value& only_value(const jaxpr::program& p) { return p.main->equations[0].params[0].val; }

}  // namespace

TEST_CASE("printer: values that hold a body, and references to one") {
  const jaxpr::program in_place = jaxpr::parse("{ lambda ; . let p[v=f((1, { lambda ; . let  in () }))]  in () }");
  CHECK(holds_body(only_value(in_place)));
  CHECK(!is_reference(only_value(in_place)));
  const jaxpr::program named =
      jaxpr::parse("let f = { lambda ; . let  in () } in\n{ lambda ; . let p[jaxpr=f]  in () }");
  CHECK(holds_body(only_value(named)));
  CHECK(is_reference(only_value(named)));
  const jaxpr::program plain = jaxpr::parse("{ lambda ; . let p[v=(1, x=2)]  in () }");
  CHECK(!holds_body(only_value(plain)));
}

TEST_CASE("printer: every form of an equation") {
  const std::string text =
      "{ lambda ; a:Ref{f32[4]} i:i32[]. let\n"
      "    b:f32[] <- a[i]\n"
      "    c:f32[], a[0] <- a[0], b\n"
      "    a[:] <- c\n"
      "    a[i] += 2.0:f32[]\n"
      "    d:f32[] e:f32[] = f[k=1 l=(2, 3)] b c\n"
      "  in (d, e) : { Read<a> } }";
  const jaxpr::program p = jaxpr::parse(text);
  CHECK(printer(p).run(*p.main) == text);
}
