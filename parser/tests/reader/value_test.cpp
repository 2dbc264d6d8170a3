// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <fmt/format.h>

using kind = jaxpr::value::kind;

namespace {

/// A text whose only equation has this parameter.
struct one_param {
  explicit one_param(std::string_view value, std::string_view key = "v")
      : text(fmt::format("{{ lambda ; a:f32[]. let b:f32[] = p[{}={} z=1] a in (b,) }}", key, value)),
        owner(jaxpr::parse(text)) {}
  const jaxpr::value& operator*() const { return owner.main->equations[0].params[0].val; }
  const jaxpr::value* operator->() const { return &**this; }
  std::string text;
  jaxpr::program owner;
};

}  // namespace

TEST_CASE("value: scalars") {
  CHECK(one_param("None")->tag == kind::none);
  CHECK(one_param("True")->flag);
  CHECK(one_param("-3")->integer == -3);
  CHECK(one_param("9223372036854775807")->integer == 9223372036854775807);
  CHECK(one_param("np.int64(3)")->tag == kind::integer);
  CHECK(one_param("np.int64(3)")->text == "np.int64(3)");
  CHECK(one_param("np.int64(3)")->floating == 3.0);
  CHECK(one_param("np.float32(1e-05)")->floating == 1e-05);
  CHECK(one_param("0.95")->tag == kind::floating);
  CHECK(one_param("-inf")->tag == kind::floating);
  CHECK(one_param("nan")->tag == kind::floating);
  CHECK(one_param("1e999")->floating > 1e308);
  CHECK(one_param("-1e-999")->floating == 0);
  CHECK(one_param("'a b]'")->tag == kind::string);
  CHECK(one_param("float32")->tag == kind::name);
  CHECK(one_param("GatherScatterMode.CLIP")->tag == kind::name);
}

TEST_CASE("value: tuples and sequences nest") {
  const one_param v("(([2], [1]), ([], []))");
  REQUIRE(v->tag == kind::tuple);
  CHECK(v->items[0].items[0].tag == kind::sequence);
  CHECK(v->items[0].items[1].items[0].integer == 1);
  CHECK(v->items[1].items[0].items.empty());
  CHECK(one_param("(0,)")->items.size() == 1);
  CHECK(one_param("()")->tag == kind::tuple);
}

TEST_CASE("value: dimensions in tuples are raw text next to integers") {
  const one_param v("(2*b + 1, floordiv(b, 2), b, 4)");
  REQUIRE(v->items.size() == 4);
  CHECK(v->items[0].tag == kind::raw);
  CHECK(v->items[0].text == "2*b + 1");
  CHECK(v->items[1].tag == kind::call);
  CHECK(v->items[1].text == "floordiv(b, 2)");
  CHECK(v->items[2].tag == kind::name);
  CHECK(v->items[3].integer == 4);
  CHECK(one_param("b + 1")->tag == kind::raw);
}

TEST_CASE("value: a call with an argument without keyword after one with a keyword is free text") {
  CHECK(one_param("F(1, a=2)", "name")->tag == kind::call);
  CHECK(one_param("F(a=2, 1)", "name")->tag == kind::raw);
  CHECK(one_param("F(a=2, 1)", "name")->text == "F(a=2, 1)");
}

TEST_CASE("value: calls keep their keywords") {
  const one_param v("GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))");
  REQUIRE(v->tag == kind::call);
  CHECK(v->callee == "GatherDimensionNumbers");
  REQUIRE(v->keywords.size() == 3);
  CHECK(v->keywords[1].key == "collapsed_slice_dims");
  CHECK(v->keywords[1].val.items[0].integer == 0);
}

TEST_CASE("value: reprs are raw text, alone and as elements") {
  CHECK(one_param("<function f.<locals>.<lambda> at 0xXXXX>")->tag == kind::raw);
  const one_param v("(<Precision.HIGH: 1>, None)");
  CHECK(v->items[0].text == "<Precision.HIGH: 1>");
  CHECK(v->items[1].tag == kind::none);
  const one_param mesh("NamedSharding(mesh=Mesh('x': 2, 'y': 2), spec=P('x', None))");
  CHECK(mesh->keywords[0].val.items[1].text == "'y': 2");
  CHECK(one_param("frozenset({'i'})")->items[0].text == "{'i'}");
}

TEST_CASE("value: free text ends where the next parameter begins") {
  CHECK(one_param("x = {x} {{}}; [y]", "fmt")->text == "x = {x} {{}}; [y]");
  CHECK(one_param("", "fmt")->text.empty());
  CHECK(one_param("my named/call<1>", "name")->text == "my named/call<1>");
}

TEST_CASE("value: unbalanced free text ends where the layout says") {
  const std::string text =
      "{ lambda ; a:f32[]. let\n    b:f32[] = p[\n      fmt=a ) ] ( b\n      k=2\n    ] a\n  in (b,) }";
  const jaxpr::program m = jaxpr::parse(text);
  const jaxpr::equation& e = m.main->equations[0];
  CHECK(e.params[0].val.text == "a ) ] ( b");
  CHECK(e.params[1].val.integer == 2);
  CHECK(e.ins.size() == 1);
}

TEST_CASE("value: tuples of jaxprs have no commas") {
  const one_param v("({ lambda ; . let  in (2.0:f32[],) } { lambda ; . let  in (1.0:f32[],) })", "branches");
  REQUIRE(v->items.size() == 2);
  CHECK(v->items[1].body->results[0].text == "1.0");
  const one_param single("({ lambda ; . let  in () })", "branches");
  REQUIRE(single->items.size() == 1);
  CHECK(single->items[0].tag == kind::body);
}

TEST_CASE("value: tuples name shared jaxprs, whose names are free text") {
  const std::string text =
      "let f = { lambda ; a:f32[]. let  in (a,) } in\nlet g h = { lambda ; a:f32[]. let  in (a,) } in\n"
      "{ lambda ; a:i32[] b:f32[]. let c:f32[] = cond[branches=(f g h f)] a b in (c,) }";
  const jaxpr::program m = jaxpr::parse(text);
  const auto& items = m.main->equations[0].params[0].val.items;
  REQUIRE(items.size() == 3);
  CHECK(items[1].text == "g h");
  CHECK(items[1].body == m.shared[1].body);
  CHECK(items[2].body == m.shared[0].body);
}

TEST_CASE("value: equal values of later equations keep their own place in the text") {
  const std::string text =
      "{ lambda ; a:f32[]. let b:f32[] = p[axes=(0, 1)] a; c:f32[] = p[axes=(0, 1)] b; d:f32[] = p[axes=(0, 12)] c in "
      "(d,) }";
  const jaxpr::program m = jaxpr::parse(text);
  const auto& e = m.main->equations;
  CHECK(e[0].params[0].val.text.data() != e[1].params[0].val.text.data());
  CHECK(e[1].params[0].val.items.size() == 2);
  CHECK(e[2].params[0].val.items[1].integer == 12);
}

TEST_CASE("value: functions of old versions span lines") {
  const std::string text = support::read(support::parser_dir() / "tests/data/0.5.1/custom_vjp.jaxpr");
  const jaxpr::program m = jaxpr::parse(text);
  const jaxpr::value* bwd = m.main->equations[0].find("bwd");
  REQUIRE(bwd);
  CHECK(bwd->tag == kind::raw);
  CHECK(bwd->text.ends_with("Core: <lambda>"));
  CHECK(m.main->equations[0].find("fun_jaxpr")->tag == kind::body);
}
