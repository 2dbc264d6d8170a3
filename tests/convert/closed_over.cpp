// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/convert/closed_over.hpp>
#include <jaxpr/parse.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using Catch::Matchers::Contains;

namespace {

constexpr const char* nested = R"({ lambda w:f32[3]; a:f32[3]. let
    b:f32[3] = jit[name=f jaxpr={ lambda v:f32[3]; c:f32[3]. let d:f32[3] = add c v in (d,) }] a
    e:f32[3] = jit[name=g jaxpr={ lambda v:f32[3]; c:f32[3]. let d:f32[3] = add c v in (d,) }] b
    f:f32[3] = mul e w
  in (f,) })";

weight named(std::string name) {
  weight w;
  w.name = std::move(name);
  w.type = "<f4";
  w.shape = {3};
  return w;
}

}  // namespace

TEST_CASE("closed over: outer constvars first, then inner ones in reading order") {
  const std::string text = nested;
  const auto source = jaxpr::parse(text);
  const closed_over found(source);
  REQUIRE(found.constvars().size() == 3);
  CHECK(found.constvars()[0].binder->name == "w");
  CHECK(found.constvars()[0].body == source.main);
  CHECK(found.constvars()[1].body != found.constvars()[2].body);
  CHECK(found.equations() == 5);
}

TEST_CASE("closed over: identical printed copies share their constants on request") {
  const std::string text = nested;
  const auto source = jaxpr::parse(text);
  closed_over found(source);
  found.merge_repeated();
  CHECK(found.constvars().size() == 2);
  CHECK(found.repeated().size() == 1);
}

TEST_CASE("closed over: a wrong number of weights lists both sides") {
  const std::string text = nested;
  const auto source = jaxpr::parse(text);
  const closed_over found(source);
  const weight only = named("kernel");
  CHECK_THROWS_WITH(found.check_count({&only}), Contains("closes over 3 arrays, but 1 weight is given") &&
                                                    Contains("w:f32[3]") && Contains("'kernel' <f4[3]"));
  CHECK_NOTHROW(found.check_count({&only, &only, &only}));
}

TEST_CASE("weights map: keys select and order the weights") {
  const std::vector<weight> all{named("a"), named("b"), named("c")};
  const auto ordered = ordered_weights(all, {"c", "a"});
  REQUIRE(ordered.size() == 2);
  CHECK(ordered[0]->name == "c");
  CHECK(ordered[1]->name == "a");
  CHECK(ordered_weights(all, {}).size() == 3);
  CHECK_THROWS_WITH(ordered_weights(all, {"d"}), Contains("no array 'd'"));
  CHECK_THROWS_WITH(ordered_weights({named("a"), named("a")}, {"a"}), Contains("2 weights are called 'a'"));
}
