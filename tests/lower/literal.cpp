// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>
#include <limits>

#include <jax2onnx/lower/literal.hpp>

using namespace jax2onnx;

TEST_CASE("parse_real reads what JAX prints of a real number") {
  CHECK(lower::parse_real("1.5") == 1.5);
  CHECK(lower::parse_real("+2") == 2.0);
  CHECK(lower::parse_real("-1e-05") == -1e-5);
  CHECK(lower::parse_real("inf") == std::numeric_limits<double>::infinity());
  CHECK(lower::parse_real("1e999") == std::numeric_limits<double>::infinity());
  CHECK(lower::parse_real("-1e999") == -std::numeric_limits<double>::infinity());
  CHECK(lower::parse_real("1e-999") == 0.0);
  CHECK(std::isnan(lower::parse_real("nan").value()));
  CHECK(std::signbit(lower::parse_real("-0.0").value()));
  for (const char* text : {"", "x", "1.5x", "1 "}) CHECK_FALSE(lower::parse_real(text));
}

TEST_CASE("parse_complex reads what Python prints of a complex number") {
  using number = std::pair<double, double>;
  CHECK(lower::parse_complex("1j") == number(0, 1));
  CHECK(lower::parse_complex("(1+2j)") == number(1, 2));
  CHECK(lower::parse_complex("(1e-05-2e+10j)") == number(1e-5, -2e10));
  CHECK(lower::parse_complex("3.5") == number(3.5, 0));
  const auto negative = lower::parse_complex("(-0-1e-09j)").value();
  CHECK(std::signbit(negative.first));
  CHECK(negative.second == -1e-9);
  const auto special = lower::parse_complex("(inf+nanj)").value();
  CHECK(std::isinf(special.first));
  CHECK(std::isnan(special.second));
  for (const char* text : {"", "j", "(1+j", "(a+2j)", "(1+2j)j"}) CHECK_FALSE(lower::parse_complex(text));
}

TEST_CASE("a literal becomes a constant of its printed type") {
  graph g;
  const auto literal = [&](std::string_view text, std::string_view type) {
    return lower::literal_value(g, text, element_named(type), {});
  };
  CHECK(same_value(literal("1.5", "f32").re(), scalar(g, dtype::f32, 1.5)));
  CHECK(same_value(literal("True", "bool").re(), scalar(g, dtype::boolean, 1)));
  CHECK(same_value(literal("-128", "i8").re(), scalar(g, dtype::i8, -128)));
  CHECK(same_value(literal("-7", "i8").re(), scalar(g, dtype::i8, -7)));
  CHECK(same_value(literal("18446744073709551615", "u64").re(), ops::scalar(g, dtype::u64, std::int64_t{-1})));
  const jax_value z = literal("(1+2j)", "c64");
  REQUIRE(z.count == 2);
  CHECK(same_value(z.re(), scalar(g, dtype::f32, 1)));
  CHECK(same_value(z.im(), scalar(g, dtype::f32, 2)));
  CHECK(same_value(literal("1.5", "c128").im(), scalar(g, dtype::f64, 0)));
}

TEST_CASE("a literal that is not a number is an error at its position") {
  graph g;
  const auto fails = [&](std::string_view text, std::string_view type, std::string_view why) {
    try {
      lower::literal_value(g, text, element_named(type), {3, 7});
      return false;
    } catch (const error& e) {
      const diagnostic& d = e.diagnostics().front();
      return d.where.begin == 3 && d.where.end == 7 && d.message.find(why) != d.message.npos;
    }
  };
  CHECK(fails("[...]", "f32", "has lost its values"));
  CHECK(fails("abc", "f32", "'abc' of type f32"));
  CHECK(fails("(1+xj)", "c64", "'(1+xj)' of type c64"));
  CHECK(fails("1", "key<fry>", "is not supported"));
  CHECK(fails("2", "bool", "is neither True nor False"));
  for (const char* text : {"128", "-129", "1.5", "nan", "True", "99999999999999999999"})
    CHECK(fails(text, "i8", "is not an integer that the type can hold"));
  CHECK(fails("-1", "u8", "is not an integer that the type can hold"));
  CHECK(fails("8", "i4", "is not an integer that the type can hold"));
}
