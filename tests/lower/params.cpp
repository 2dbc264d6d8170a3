// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/params.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx;

namespace {

/// An equation with one parameter k.
struct parameter {
  explicit parameter(const std::string& printed)
      : text("{ lambda ; a:f32[3]. let b:f32[3] = p[k=" + printed + "] a in (b,) }"), source(jaxpr::parse(text)) {}

  template <class T>
  T as() {
    return lower::param_decoder(g, text).decode<T>(tree());
  }
  const jaxpr::value& tree() const { return source.main->equations[0].params[0].val; }

  std::string text;
  jaxpr::program source;
  graph g;
};

template <class T>
T decoded(const std::string& printed) {
  return parameter(printed).as<T>();
}

template <class T>
std::string refusal(const std::string& printed) {
  parameter p(printed);
  try {
    p.as<T>();
  } catch (const unsupported_error& e) {
    const diagnostic& d = e.diagnostics().front();
    CHECK(p.text.substr(d.where.begin, d.where.end - d.where.begin) == p.tree().text);
    return d.message;
  }
  return "(none)";
}

}  // namespace

TEST_CASE("parameters are decoded as what a lowerer asks for") {
  CHECK(decoded<bool>("True"));
  CHECK_FALSE(decoded<bool>("False"));
  CHECK(decoded<bool>("1"));
  CHECK_FALSE(decoded<bool>("0"));
  CHECK(decoded<std::int64_t>("-3") == -3);
  CHECK(decoded<double>("1.5") == 1.5);
  CHECK(decoded<double>("2") == 2.0);
  CHECK(decoded<ints>("(1, 2, 3)") == ints{1, 2, 3});
  CHECK(decoded<ints>("()") == ints{});
  CHECK(decoded<ints>("range(0, 3)") == ints{0, 1, 2});
  CHECK(decoded<ints>("range(2, -1, -2)") == ints{2, 0});
  CHECK(decoded<ints>("range(1, 1)") == ints{});
  CHECK(decoded<std::vector<ints>>("((1, 2), (), (3,))") == std::vector<ints>{{1, 2}, {}, {3}});
  CHECK(parameter("int32").as<element>() == element_named("i32"));
  CHECK(parameter("RNG_DEFAULT").as<std::string_view>() == "RNG_DEFAULT");
}

TEST_CASE("a symbolic extent is decoded as a dimension") {
  parameter p("(3, b + 1)");
  const shape dims = p.as<shape>();
  REQUIRE(dims.size() == 2);
  CHECK(dims[0].is(3));
  CHECK_FALSE(dims[1].is_constant());
  CHECK(dims[1] == p.g.dims().parse("b + 1"));
}

TEST_CASE("a parameter of another type is an error at its value") {
  CHECK(refusal<bool>("1.5") == "expected True or False, found '1.5'");
  CHECK(refusal<std::int64_t>("None") == "expected an integer, found 'None'");
  CHECK(refusal<double>("True") == "expected a number, found 'True'");
  CHECK(refusal<ints>("3") == "expected a tuple, found '3'");
  CHECK(refusal<ints>("range(0, 9999)") == "expected a tuple, found 'range(0, 9999)'");
  CHECK(refusal<ints>("range(0, 3, 0)") == "expected a tuple, found 'range(0, 3, 0)'");
  CHECK(refusal<dim>("True") == "expected a dimension, found 'True'");
  CHECK(refusal<const jaxpr::body*>("3") == "expected a jaxpr, found '3'");
}

TEST_CASE("keyword finds an argument of a printed call") {
  const parameter p("Numbers(offset_dims=(1,), mode=2)");
  REQUIRE(lower::keyword(p.tree(), "mode") != nullptr);
  CHECK(lower::keyword(p.tree(), "mode")->text == "2");
  CHECK(lower::keyword(p.tree(), "offset") == nullptr);
}
