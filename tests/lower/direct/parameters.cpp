// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <limits>

#include <jax2onnx/lower/direct/parameters.hpp>

using namespace jax2onnx;

static const parameter& only(const parameters& p) {
  REQUIRE(p.list().size() == 1);
  return p.list()[0].value;
}
template <class T>
static const T& held(const parameter& p) {
  return std::get<T>(p.get());
}
static const parameter::list_type& items(const parameter& p) { return held<parameter::list_type>(p); }

TEST_CASE("parameters are braced lists of names and values") {
  CHECK(parameters({}).list().empty());
  const parameters two = {{"axis", 0}, {"reverse", false}};
  REQUIRE(two.list().size() == 2);
  CHECK(two.list()[1].name == "reverse");
  CHECK(held<std::int64_t>(two.list()[0].value) == 0);
  CHECK(held<bool>(two.list()[1].value) == false);
  const parameters texts = {{"a", "b"}, {"c", "d"}};
  REQUIRE(texts.list().size() == 2);
  CHECK(held<std::string>(texts.list()[1].value) == "d");
}

TEST_CASE("a parameter holds what Python's object is") {
  CHECK(held<double>(only({{"x", 1.5f}})) == 1.5);
  CHECK(held<dtype>(only({{"x", dtype::bf16}})) == dtype::bf16);
  CHECK(held<dim>(only({{"x", dim::symbol("B")}})) == dim::symbol("B"));
  CHECK(std::holds_alternative<std::nullopt_t>(only({{"x", std::nullopt}}).get()));
  CHECK(held<std::string>(only({{"x", std::string_view("CLIP")}})) == "CLIP");
  const parameter members = only({{"x", parameters{{"offset_dims", {1}}, {"map", {0}}}}});
  CHECK(held<std::shared_ptr<const parameters>>(members)->list().size() == 2);
}

TEST_CASE("lists of parameters nest") {
  CHECK(items(only({{"x", {}}})).empty());
  CHECK(items(only({{"x", {2}}})).size() == 1);
  const parameter nested = only({{"x", {{1, 2}}}});
  REQUIRE(items(nested).size() == 1);
  CHECK(items(items(nested)[0]).size() == 2);
  CHECK(items(only({{"x", {{{1}, {0}}, {{}, {}}}}})).size() == 2);
  CHECK(items(only({{"x", ints{3, 4, 5}}})).size() == 3);
  CHECK(held<dim>(items(only({{"x", shape{3, dim::symbol("B")}}}))[1]) == dim::symbol("B"));
  CHECK(items(only({{"x", std::vector{true, false}}})).size() == 2);
  CHECK(items(only({{"x", {"a", "b"}}})).size() == 2);
}

TEST_CASE("a number that no parameter can hold is an error") {
  CHECK_THROWS_AS(parameter(std::numeric_limits<std::uint64_t>::max()), build_error);
  CHECK(held<std::int64_t>(parameter(std::uint64_t{7})) == 7);
}

TEST_CASE("parameters share the function of a computation") {
  const auto shared = std::make_shared<int>(0);
  const computation c({{dtype::f32, {}}}, {{dtype::f32, {}}}, [shared](std::span<const value>) {
    ++*shared;
    return std::vector<value>();
  });
  const parameters p = {{"branches", {c, c}}};
  held<computation>(items(only(p))[1]).call()({});
  CHECK(*shared == 1);
  CHECK(computation("add", {dtype::f32, {}}).inputs().size() == 2);
}
