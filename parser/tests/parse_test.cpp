// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

using jaxpr::parse;

TEST_CASE("parse: the parts of a jaxpr are where they were printed") {
  const std::string text =
      "{ lambda c:f32[4,8]; d:f32[3] e:i32[]. let\n"
      "    f:f32[3] = neg d\n"
      "    _:f32[2] g:i32[2] = top_k[axis=0 k=2] d\n"
      "  in (f, g, 2.0:f32[]) }";
  const jaxpr::program m = parse(text);
  const jaxpr::body& j = *m.main;
  REQUIRE(j.constvars.size() == 1);
  REQUIRE(j.invars.size() == 2);
  REQUIRE(j.equations.size() == 2);
  REQUIRE(j.results.size() == 3);
  CHECK(j.slots == 6);
  CHECK(j.constvars[0].annotation->dims[1].size == 8);
  CHECK(j.invars[1].annotation->dims.empty());
  CHECK(j.equations[0].ins[0].slot == j.invars[0].slot);
  CHECK(j.equations[1].outs[0].name == "_");
  CHECK(j.equations[1].outs[1].slot == 5);
  CHECK(j.results[0].slot == j.equations[0].outs[0].slot);
  CHECK(j.results[2].is_literal());
  CHECK(j.results[2].text == "2.0");
  CHECK(j.results[2].annotation->text == "f32[]");
  CHECK(jaxpr::text_at(m, j.equations[1].where) == "_:f32[2] g:i32[2] = top_k[axis=0 k=2] d");
  CHECK(jaxpr::text_at(m, j.where) == text);
  CHECK(j.effects.data() == nullptr);
}

TEST_CASE("parse: equal types share one node") {
  const jaxpr::program m = parse("{ lambda ; a:f32[3] b:f32[3]. let c:f32[3] = add a b in (c,) }");
  CHECK(m.main->invars[0].annotation == m.main->invars[1].annotation);
  CHECK(m.main->equations[0].outs[0].annotation == m.main->invars[0].annotation);
}

TEST_CASE("parse: operands that wrap belong to their equation") {
  const jaxpr::program m = parse(
      "{ lambda ; a:f32[3]. let\n"
      "    b:f32[3] c:f32[3]\n"
      "      d:f32[3] = split[axis=0] a\n"
      "    e:f32[3] = concatenate[dimension=0] b\n"
      "      c d\n"
      "  in (e,) }");
  REQUIRE(m.main->equations.size() == 2);
  CHECK(m.main->equations[0].outs.size() == 3);
  CHECK(m.main->equations[1].ins.size() == 3);
}

TEST_CASE("parse: in, inf, nan and let are names of variables too") {
  const jaxpr::program m = parse(
      "{ lambda ; in:f32[] inf:f32[] nan:f32[]. let\n"
      "    let:f32[] = add in inf\n"
      "    a:f32[] = mul let nan\n"
      "    b:f32[] = mul inf:f32[] nan:f32[]\n"
      "  in (in, a, b, inf:f32[]) }");
  const jaxpr::body& j = *m.main;
  CHECK(j.equations[0].ins[0].slot == 0);
  CHECK(j.equations[0].ins[1].slot == 1);
  CHECK(j.equations[1].ins[1].slot == 2);
  CHECK(j.equations[2].ins[0].is_literal());
  CHECK(j.equations[2].ins[1].is_literal());
  CHECK(j.results[0].slot == 0);
  CHECK(j.results[3].is_literal());
}

TEST_CASE("parse: an operand named in does not end a one-line body") {
  const jaxpr::program m =
      parse("{ lambda ; in:c64[]. let a:c64[] = mul in (1+2j):c64[]; b:c64[] = neg in in (a, b) }");
  REQUIRE(m.main->equations.size() == 2);
  CHECK(m.main->equations[0].ins[1].text == "(1+2j)");
  CHECK(m.main->equations[1].ins.size() == 1);
}

TEST_CASE("parse: an inner jaxpr sees no variables of the outer jaxpr and may use the same names") {
  const jaxpr::program m = parse(
      "{ lambda ; a:f32[2] b:f32[3]. let\n"
      "    c:f32[3] = jit[name=f jaxpr={ lambda ; b:f32[3]. let a:f32[3] = sin b; c:f32[3] = cos a in (c,) }] b\n"
      "    d:f32[2] = neg a\n"
      "  in (c, d) }");
  const jaxpr::body& inner = *m.main->equations[0].find("jaxpr")->body;
  CHECK(inner.equations[0].ins[0].slot == 0);
  CHECK(inner.equations[1].ins[0].slot == 1);
  CHECK(m.main->equations[1].ins[0].slot == 0);
  CHECK(m.main->equations[1].ins[0].annotation->text == "f32[2]");
  CHECK(
      support::refusal("{ lambda ; a:f32[]. let\n    b:f32[] = jit[jaxpr={ lambda ; . let  in (a,) }] \n  in (b,) }") ==
      "parse.unbound-variable");
}

TEST_CASE("parse: a text may use a shared jaxpr before its let") {
  const jaxpr::program m = parse(
      "let outer = { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=inner] a in (b,) } in\n"
      "let inner = { lambda ; c:f32[]. let d:f32[] = sin c in (d,) } in\n"
      "{ lambda ; e:f32[]. let f:f32[] = jit[name=outer jaxpr=outer] e in (f,) }");
  REQUIRE(m.shared.size() == 2);
  CHECK(m.shared[0].name == "outer");
  CHECK(m.main->equations[0].find("jaxpr")->body == m.shared[0].body);
  CHECK(m.shared[0].body->equations[0].find("jaxpr")->body == m.shared[1].body);
  CHECK(m.main->equations[0].find("name")->tag == jaxpr::value::kind::name);
}

TEST_CASE("parse: shared names are free text") {
  const std::string text = support::read(support::parser_dir() / "tests/data/0.10.2/trap_shared_odd_names.jaxpr");
  const jaxpr::program m = parse(text);
  REQUIRE(m.shared.size() == 3);
  CHECK(m.shared[0].name == "odd [name] = 3, x");
  CHECK(m.main->equations[0].find("jaxpr")->body == m.shared[0].body);
  CHECK(m.main->equations[0].find("name")->text == "odd [name] = 3, x");
  CHECK(m.main->equations[4].find("jaxpr")->body == m.shared[2].body);
}

TEST_CASE("parse: an indented text is read like a text without indentation") {
  const jaxpr::program m = parse(
      "    let a b = { lambda ; a:f32[]. let\n"
      "        b:f32[] = sin a\n"
      "      in (b,) } in\n"
      "    { lambda ; a:f32[]. let\n"
      "        b:f32[] = jit[jaxpr=a b] a\n"
      "      in (b,) }\n");
  CHECK(m.main->equations[0].find("jaxpr")->body == m.shared[0].body);
}

TEST_CASE("parse: a jaxpr inside of a Python repr may have its own shared jaxprs") {
  const std::string text = support::read(support::parser_dir() / "tests/data/0.10.2/linalg.jaxpr");
  const jaxpr::program m = parse(text);
  bool found = false;
  jaxpr::for_each_body(m, [&](const jaxpr::body& j) { found = found || (&j != m.main && !j.shared.empty()); });
  CHECK(found);
}

TEST_CASE("parse: a read of _ is exact if only one result has this name") {
  const jaxpr::program m = parse("{ lambda ; a:f32[]. let _:f32[] = sin a; b:f32[] = cos _ in (b,) }");
  CHECK(m.main->equations[1].ins[0].slot == 1);
  CHECK(support::refusal("{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = cos a; b:f32[] = cos _ in (b,) }") ==
        "parse.ambiguous-dropped");
  CHECK(support::refusal("{ lambda ; a:f32[]. let b:f32[] = cos _ in (b,) }") == "parse.unbound-variable");
}

TEST_CASE("parse: an operand _ that may be any of several results is left open on request") {
  const jaxpr::program m =
      jaxpr::parse("{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = cos a; b:f32[] = add _ a in (b,) }",
                   {.keep_ambiguous = true});
  const jaxpr::atom& operand = m.main->equations[2].ins[0];
  CHECK(operand.is_dropped());
  CHECK(operand.annotation == nullptr);
  CHECK(jaxpr::print(m).find("add _ a") != std::string::npos);
}

TEST_CASE("parse: an operand _ is the only _ so far whose type the equation can read") {
  const jaxpr::program m = parse(
      "{ lambda ; a:f32[3] _:u8[]. let\n"
      "    _:f32[3] _:i32[3] b:i32[3] = jit[jaxpr={ lambda ; a:f32[3]. let\n"
      "          _:f32[3] _:i32[3] = frexp a\n"
      "          b:i32[3] = neg _\n"
      "          _:i32[] = argmax[axes=(0,) index_dtype=int32] a\n"
      "        in (_, _, b) }] a\n"
      "    c:f32[3] = jit[jaxpr={ lambda ; d:f32[3]. let c:f32[3] = sin d in (c,) }] _\n"
      "  in (b, c) }");
  const jaxpr::body& inner = *m.main->equations[0].find("jaxpr")->body;
  CHECK(inner.equations[1].ins[0].slot == inner.equations[0].outs[1].slot);
  CHECK(m.main->equations[1].ins[0].slot == m.main->equations[0].outs[0].slot);
  CHECK(inner.results[0].slot == inner.equations[0].outs[0].slot);
}

TEST_CASE("parse: results that the caller drops need no variable") {
  const jaxpr::program m = parse(
      "{ lambda ; a:f32[]. let\n"
      "    _:f32[] _:f32[] b:f32[] = jit[jaxpr={ lambda ; a:f32[]. let\n"
      "          _:f32[] = sin a\n"
      "          _:f32[] = sign a\n"
      "          b:f32[] = tan a\n"
      "        in (_, _, b) }] a\n"
      "  in (b,) }");
  const jaxpr::body& inner = *m.main->equations[0].find("jaxpr")->body;
  CHECK(inner.results[0].is_dropped());
  CHECK(inner.results[0].annotation->text == "f32[]");
  CHECK(inner.results[1].annotation->text == "f32[]");
  CHECK(support::refusal("{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = cos a in (_,) }") ==
        "parse.ambiguous-dropped");
}

TEST_CASE("parse: a result _ that the caller reads is the only _ of its type") {
  const auto text = [](std::string_view first) {
    return fmt::format(
        "{{ lambda ; a:f32[3]. let\n"
        "    b:i32[3] _:i32[3] = jit[jaxpr={{ lambda ; a:f32[3]. let\n"
        "          _:i32[3] = jit[jaxpr={{ lambda ; a:f32[3]. let _:{0}[3] _:i32[3] = sort a a in (_,) }}] a\n"
        "          b:i32[3] = neg _\n"
        "        in (b, _) }}] a\n"
        "  in (b,) }}",
        first);
  };
  const std::string good = text("f32");
  const jaxpr::program m = parse(good);
  const jaxpr::body& outer = *m.main->equations[0].find("jaxpr")->body;
  const jaxpr::body& inner = *outer.equations[0].find("jaxpr")->body;
  CHECK(inner.results[0].slot == inner.equations[0].outs[1].slot);
  CHECK(support::refusal(text("i32")) == "parse.ambiguous-dropped");
}

TEST_CASE("parse: state syntax is sugar for get, swap and addupdate") {
  const jaxpr::program m = parse(
      "{ lambda ; a:Ref{f32[4]} i:i32[]. let\n"
      "    b:f32[4] <- a[...]\n"
      "    c:f32[], a[i] <- a[i], 2.0:f32[]\n"
      "    a[0] <- c\n"
      "    a[:] += b\n"
      "  in () }");
  const auto& e = m.main->equations;
  REQUIRE(e.size() == 4);
  CHECK(e[0].form == jaxpr::equation_form::get);
  CHECK(e[0].primitive == "get");
  CHECK(e[0].index == "[...]");
  CHECK(e[1].form == jaxpr::equation_form::swap);
  REQUIRE(e[1].ins.size() == 3);
  CHECK(e[1].ins[2].text == "i");
  CHECK(e[2].outs.empty());
  CHECK(e[2].index == "[0]");
  CHECK(e[3].form == jaxpr::equation_form::addupdate);
  CHECK(m.main->invars[0].annotation->kind == jaxpr::type_kind::ref);
  CHECK(m.main->invars[0].annotation->dims[0].size == 4);
}

TEST_CASE("parse: masks of Pallas are parameters and operands") {
  const jaxpr::program m = jaxpr::parse(
      "{ lambda ; a:Ref{f32[4]} i:i32[] m:bool[]. let\n"
      "    b:f32[] <- a[i] mask=m other=0.0:f32[]\n"
      "    c:f32[], a[0] <- a[0], b mask=m\n"
      "  in (c,) }");
  const auto& e = m.main->equations;
  CHECK(e[0].primitive == "masked_load");
  REQUIRE(e[0].ins.size() == 4);
  CHECK(e[0].ins[2].text == "m");
  CHECK(e[0].ins[3].is_literal());
  CHECK(e[0].find("other")->text == "0.0:f32[]");
  CHECK(e[1].primitive == "masked_swap");
  REQUIRE(e[1].ins.size() == 3);
  CHECK(e[1].ins[2].text == "m");
}

TEST_CASE("parse: copies and semaphores of Pallas") {
  const jaxpr::program m = jaxpr::parse(
      "{ lambda ; a:Ref{f32[8]} b:Ref{f32[8]} i:i32[]. let\n"
      "    dma_start(p0) a[i:i+4] -> b[...] b[0]\n"
      "    semaphore_wait[dec] b[...] 1:i32[]\n"
      "    dma_wait b[...] b[0]\n"
      "  in () }");
  const auto& e = m.main->equations;
  REQUIRE(e.size() == 3);
  CHECK(e[0].form == jaxpr::equation_form::access);
  CHECK(e[0].primitive == "dma_start");
  CHECK(e[0].index == "(p0) a[i:i+4] -> b[...] b[0]");
  CHECK(e[0].ins.size() == 5);
  CHECK(e[1].primitive == "semaphore_wait");
  CHECK(e[2].ins.size() == 2);
  const jaxpr::program line = jaxpr::parse("{ lambda ; a:Ref{f32[8]}. let dma_wait a[...] a[0]; free_ref a in () }");
  CHECK(line.main->equations.size() == 2);
}

TEST_CASE("parse: a class with its parameters is a primitive, a class without stays a parameter") {
  const jaxpr::program m = jaxpr::parse(
      "{ lambda ; a:f32[]. let\n"
      "    b:f32[] = call_hi_primitive[\n"
      "      _prim=Rounded[\n"
      "  jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n"
      "  side=left\n"
      "]\n"
      "    ] a\n"
      "    c:f32[] = call_hi_primitive[_prim=Rounded] b\n"
      "  in (c,) }");
  const auto& e = m.main->equations;
  CHECK(e[0].primitive == "Rounded");
  CHECK(e[0].find("side")->text == "left");
  CHECK(e[0].find("jaxpr")->body != nullptr);
  CHECK(e[1].primitive == "call_hi_primitive");
  CHECK(e[1].find("_prim")->text == "Rounded");
  CHECK_THROWS_AS(jaxpr::parse("{ lambda ; a:f32[]. let b:f32[] = call_hi_primitive[_prim=X[k=1] l=2] a in (b,) }"),
                  jaxpr::error);
}

TEST_CASE("parse: source and name stack comments stay with their equation") {
  const jaxpr::program m = parse(
      "{ lambda ; a:f32[3]. let\n"
      "    b:f32[3] = sin a    # f.py:1:2 (f)\n"
      "                        # [scope]\n"
      "    c:f32[3] = jit[     # f.py:3:4 (f)\n"
      "      name=g\n"
      "      jaxpr={ lambda ; d:f32[3]. let e:f32[3] = cos d in (e,) } # f.py:5:6 (g)\n"
      "    ] b\n"
      "    d:f32[3] = neg c\n"
      "  in (d,) }");
  const auto& e = m.main->equations;
  CHECK(e[0].annotation == "f.py:1:2 (f)\n[scope]");
  CHECK(e[1].annotation == "f.py:3:4 (f)");
  CHECK(e[1].find("jaxpr")->body->equations[0].annotation == "f.py:5:6 (g)");
  CHECK(e[2].annotation.empty());
}

TEST_CASE("parse: comments after a jaxpr on one line do not belong to the next equation") {
  const jaxpr::program m = parse(
      "let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in # f.py:1:2 (f)\n"
      "{ lambda ; c:f32[3]. let\n"
      "    d:f32[3] = cos c # f.py:3:4 (g)\n"
      "    e:f32[3] = tan d\n"
      "  in (e,) }");
  CHECK(m.shared[0].body->equations[0].annotation == "f.py:1:2 (f)");
  CHECK(m.main->equations[0].annotation == "f.py:3:4 (g)");
  CHECK(m.main->equations[1].annotation.empty());
}

TEST_CASE("parse: names with brackets that do not balance end where operands or parameters begin") {
  const jaxpr::program shared = parse(
      "let odd [n] = 3, {x} (y = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
      "{ lambda ; c:f32[]. let d:f32[] = jit[name=odd [n] = 3, {x} (y jaxpr=odd [n] = 3, {x} (y] c in (d,) }");
  CHECK(shared.main->equations[0].find("name")->text == "odd [n] = 3, {x} (y");
  CHECK(shared.main->equations[0].find("jaxpr")->body == shared.shared[0].body);
  const jaxpr::program plain = parse("{ lambda ; c:f32[]. let d:f32[] = named[name=odd [n] = 3, (y] c in (d,) }");
  CHECK(plain.main->equations[0].find("name")->text == "odd [n] = 3, (y");
  CHECK(plain.main->equations[0].ins.size() == 1);
}

TEST_CASE("parse: colours are taken out, and errors still point into the text as given") {
  const jaxpr::program m = parse("{ \x1b[34;1mlambda \x1b[39;22m; a\x1b[35m:f32[]\x1b[39m. let  in (a,) }");
  CHECK(m.text == "{ lambda ; a:f32[]. let  in (a,) }");
  try {
    (void)parse("{ \x1b[34;1mlambda \x1b[39;22m; a:f32[]. let  in (b,) }");
    FAIL("accepted");
  } catch (const jaxpr::error& e) {
    CHECK(e.details().where == jaxpr::span{44, 45});
  }
}

TEST_CASE("parse: a text without types and one with effects are read") {
  const jaxpr::program m =
      parse("{ lambda ; a b. let c = add a b; print_it c; _ = sin c; d <- a[0] in (c,) : { Debug, Read<a> } }");
  CHECK(m.main->invars[0].annotation == nullptr);
  REQUIRE(m.main->equations.size() == 4);
  CHECK(m.main->equations[1].primitive == "print_it");
  CHECK(m.main->equations[1].outs.empty());
  REQUIRE(m.main->effects.size() == 2);
  CHECK(m.main->effects[1] == "Read<a>");
}

TEST_CASE("parse: a byte order mark, Windows line ends and tabs do no harm") {
  const jaxpr::program m =
      parse("\xef\xbb\xbf{ lambda ; a:f32[3]. let\r\n    b:f32[3] = sin a\r\n    c:f32[3] = cos b\r\n  in (c,) }\r\n");
  CHECK(m.main->equations.size() == 2);
}

namespace {

template <class Text>
concept parsable = requires(Text&& text) {
  jaxpr::parse(std::forward<Text>(text));
};

constexpr std::string_view identity = "{ lambda ; a:f32[3] b:f32[]. let  in (a,) }";

/// Parses a string that is moved in, then overwrites the string, and returns the program.
jaxpr::program parse_and_overwrite(std::string text) {
  jaxpr::program p = parse(std::move(text));
  text.assign(identity.size(), '?');
  return p;
}

}  // namespace

TEST_CASE("parse: every kind of string is accepted") {
  STATIC_REQUIRE(parsable<std::string&>);
  STATIC_REQUIRE(parsable<const std::string&>);
  STATIC_REQUIRE(parsable<std::string>);
  STATIC_REQUIRE(parsable<const std::string>);
  STATIC_REQUIRE(parsable<std::string_view>);
  STATIC_REQUIRE(parsable<const char*>);
}

TEST_CASE("parse: a program views the caller's text and owns a temporary one") {
  const std::string text(identity);
  CHECK(parse(text).text.data() == text.data());
  const jaxpr::program copy = parse_and_overwrite(text);
  CHECK(copy.text.data() != text.data());
  CHECK(copy.text == identity);
  CHECK(copy.main->invars[0].name.data() == copy.text.data() + 11);
  CHECK(jaxpr::print(copy) == identity);
  const std::string short_text = "{lambda}";  // is stored inside the string object
  CHECK(support::refusal(short_text) == "parse.expected-jaxpr");
}

TEST_CASE("parse: copies of a program share its nodes and keep them alive") {
  jaxpr::program copy;
  {
    const jaxpr::program p = parse(std::string(identity));
    copy = p;
    CHECK(copy.main == p.main);
  }
  CHECK(copy.storage.use_count() == 1);
  CHECK(copy.main->invars[1].annotation->text == "f32[]");
}

TEST_CASE("parse: the error takes over a temporary text, colours included") {
  const auto fails = [](auto&& text, std::string_view expected) {
    try {
      (void)parse(std::forward<decltype(text)>(text));
      FAIL("accepted");
    } catch (const jaxpr::error& e) {
      CHECK(e.text() == expected);
    }
  };
  const std::string kept = "{ lambda ; a:\x1b[35mf32[]\x1b[39m. let  in (b,) }";
  fails(kept, "");
  fails(std::string(kept), kept);
  fails(std::string("{"), "{");
}
