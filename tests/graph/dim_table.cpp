// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/dim_table.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

struct table : dim_table {
  std::string normal(std::string_view expression) { return text(parse(expression)); }
};

}  // namespace

TEST_CASE("dim_table: expressions have one normal form") {
  table t;
  CHECK(t.normal("784") == "784");
  CHECK(t.normal("B") == "B");
  CHECK(t.normal(" 1 + B*2 ") == "2*B + 1");
  CHECK(t.normal("B - B") == "0");
  CHECK(t.normal("-B + 3") == "-B + 3");
  CHECK(t.normal("-(2*B - 1)") == "-2*B + 1");
  CHECK(t.normal("3 - -B") == "B + 3");
  CHECK(t.normal("b*a + a*b") == "2*a*b");
  CHECK(t.normal("a + b*a^2*3 + a^2") == "3*a^2*b + a^2 + a");
  CHECK(t.normal("(a + b)*(a - b)") == "a^2 - b^2");
  CHECK(t.normal("(a + 1)^3") == "a^3 + 3*a^2 + 3*a + 1");
  CHECK(t.normal("a^0") == "1");
  CHECK(t.normal("max(B, 0)") == "B");
  CHECK(t.normal("non_negative(3)") == "3");
  CHECK(t.parse("A + B") == t.parse("B + A"));
  CHECK(t.parse("B") == dim::symbol("B"));
  CHECK(t.text(shape{2, t.parse("B"), dim::dyn()}) == "[2,B,?]");
  CHECK(t.text(shape{}) == "[]");
}

TEST_CASE("dim_table: a symbol is visible text") {
  table t;
  CHECK(t.text(t.symbol("größe")) == "größe");
  for (const char* name : {"\xff", "a\x1b", "a\xe2\x80\xae", "a\n"})
    CHECK_THROWS_WITH(t.symbol(name), Contains("control or invisible character"));
}

TEST_CASE("dim_table: floordiv and mod are Python's") {
  table t;
  CHECK(t.normal("floordiv(7, 2)") == "3");
  CHECK(t.normal("floordiv(-7, 2)") == "-4");
  CHECK(t.normal("mod(-7, 2)") == "1");
  CHECK(t.normal("mod(7, -2)") == "-1");
  CHECK(t.normal("floordiv(B, 1)") == "B");
  CHECK(t.normal("mod(B, 1)") == "0");
  CHECK(t.normal("floordiv(B, B)") == "1");
  CHECK(t.normal("floordiv(4*B + 5, 4)") == "B + 1");
  CHECK(t.normal("floordiv(5*B + 3, 2)") == "2*B + floordiv(B + 1, 2) + 1");
  CHECK(t.normal("mod(5*B + 3, 2)") == "mod(B + 1, 2)");
  CHECK(t.normal("mod(4*B + 6, 2)") == "0");
  CHECK(t.normal("floordiv(2*B, B)") == "2");
  CHECK(t.normal("floordiv(6*B*T + 4*B^2, 2*B)") == "2*B + 3*T");
  CHECK(t.normal("floordiv(B*T + 1, B)") == "floordiv(B*T + 1, B)");
  CHECK(t.normal("floordiv(3*B, 2*B)") == "floordiv(3*B, 2*B)");
  CHECK(t.normal("floordiv(B, B^2)") == "floordiv(B, B^2)");
  CHECK(t.normal("mod(6*B*T, 2*B)") == "0");
  CHECK(t.normal("mod(6*T, B)") == "mod(6*T, B)");
  CHECK_THROWS_WITH(t.parse("floordiv(B, 0)"), Contains("divides by zero"));
  CHECK_THROWS_WITH(t.parse("mod(3, 0)"), Contains("divides by zero"));
}

TEST_CASE("dim_table: max and min of what is comparable") {
  table t;
  CHECK(t.normal("max(B, B + 1)") == "B + 1");
  CHECK(t.normal("min(B, B + 1)") == "B");
  CHECK(t.normal("max(B, 1)") == "B");
  CHECK(t.normal("max(B, 2)") == "max(B, 2)");
  CHECK(t.normal("min(A, B)") == "min(A, B)");
}

TEST_CASE("dim_table: what is known to be nonnegative") {
  table t;
  const auto known = [&](std::string_view e) { return t.known_nonnegative(t.parse(e)); };
  CHECK(known("0"));
  CHECK_FALSE(known("-1"));
  CHECK(known("B - 1"));
  CHECK_FALSE(known("B - 2"));
  CHECK(known("2*A*B - 2"));
  CHECK_FALSE(known("A - B"));
  CHECK(known("floordiv(B, 2)"));
  CHECK_FALSE(known("floordiv(B, 2) - 1"));
  CHECK_FALSE(known("floordiv(B - 3, 2)"));
  CHECK(known("mod(B - 7, 3)"));
  CHECK_FALSE(known("mod(7, B - 3)"));
  CHECK(known("max(B - 5, 0)"));
  CHECK(known("max(0, B - 5)"));
  CHECK_FALSE(known("min(B - 5, 3)"));
  CHECK(known("min(A, 3)"));
  CHECK(known("2 - mod(A, 3)"));
  CHECK(known("4 - 2*mod(A, 3)"));
  CHECK_FALSE(known("1 - mod(A, 3)"));
  CHECK_FALSE(known("4 - mod(A, 3)^2"));
  CHECK_FALSE(known("3 - mod(3, A)"));
  CHECK(known("mod(-2, A)"));
  CHECK(known("A - mod(-2, A) - 1"));
  CHECK_FALSE(known("A - mod(-2, A) - 2"));
  CHECK(known("2*A + B - 2*mod(B, A) - 3"));
  CHECK(known("A - mod(7, mod(B, A) + 1) - 1"));
  CHECK_FALSE(known("mod(7, mod(B, A))"));
  CHECK_FALSE(known("A - mod(7, B)"));
  CHECK(known("3 - min(A, 3)"));
  CHECK_FALSE(known("2 - min(A, 3)"));
  CHECK_FALSE(t.known_nonnegative(dim::dyn()));
}

TEST_CASE("dim_table: an unknown extent makes unknown ones") {
  dim_table t;
  const dim b = t.symbol("B");
  for (dim d : {t.add(b, dim::dyn()), t.sub(dim::dyn(), dim::dyn()), t.mul(b, dim::dyn()), t.floordiv(dim::dyn(), 2),
                t.mod(b, dim::dyn()), t.max(dim::dyn(), 1), t.min(1, dim::dyn())})
    CHECK(d.is_dyn());
  CHECK(t.mul(0, dim::dyn()).is(0));
  CHECK(t.product({2, b, 3}) == t.mul(6, b));
  CHECK(t.product({}).is(1));
}

TEST_CASE("dim_table: bound symbols are replaced") {
  table t;
  t.bind("N", 8);
  t.bind("M", 3);
  t.bind("B", 2);
  CHECK(t.unused_bindings() == std::vector<std::string>{"B", "M", "N"});
  CHECK(t.normal("2*N + K") == "K + 16");
  CHECK(t.unused_bindings() == std::vector<std::string>{"B", "M"});
  CHECK(t.symbols() == std::vector<std::string>{"K", "N"});
  t.bind("N", 9);
  CHECK(t.normal("N") == "9");
  CHECK_THROWS_AS(t.bind("N", dim::limit), limit_error);
}

TEST_CASE("dim_table: malformed expressions are errors that say where") {
  dim_table t;
  CHECK_THROWS_WITH(t.parse(""), Contains("expected a number, a name or an operation at character 1"));
  CHECK_THROWS_WITH(t.parse("B +"), Contains("at character 4"));
  CHECK_THROWS_WITH(t.parse("B C"), Contains("expected end of expression at character 3"));
  CHECK_THROWS_WITH(t.parse("(B"), Contains("expected ) at character 3"));
  CHECK_THROWS_WITH(t.parse("cbrt(B)"), Contains("unknown operation 'cbrt'"));
  CHECK_THROWS_WITH(t.parse("B^x"), Contains("expected a number"));
}

TEST_CASE("dim_table: limits") {
  dim_table t;
  CHECK_THROWS_AS(t.parse("9223372036854775807"), limit_error);
  CHECK_THROWS_AS(t.parse("99999999999999999999"), limit_error);
  CHECK_THROWS_AS(t.parse("4611686018427387903 + 1"), limit_error);
  CHECK_THROWS_AS(t.parse("4611686018427387903*B*4"), limit_error);
  CHECK_THROWS_AS(t.parse("B^17"), limit_error);
  CHECK_THROWS_AS(t.parse(std::string(100, '(') + "B"), limit_error);
  CHECK_THROWS_AS(t.parse("(a+b+c+d+e+f+g)^8"), limit_error);  // 1716 terms
  CHECK_NOTHROW(t.parse("(((B^4)^4)^4)"));
  CHECK_THROWS_AS(t.parse("((((B^4)^4)^4)^4)"), limit_error);
  CHECK_THROWS_AS(t.parse("max(" + std::string(5000, 'a') + ", 0)*B"), limit_error);
}

TEST_CASE("dim_table: another table's extents are errors") {
  dim_table a, b;
  const dim d = a.symbol("B");
  CHECK_THROWS_WITH(b.add(d, 1), Contains("another graph"));
}

TEST_CASE("dim_table: what is known of an atom is not computed again for all that holds it") {
  std::string nested = "-a";
  for (int i = 0; i < 40; ++i) nested = "max(" + nested + " - b, -c)";
  dim_table t;
  t.limit_work(100'000);
  CHECK_FALSE(t.known_nonnegative(t.parse("(x + y)*" + nested)));
}
