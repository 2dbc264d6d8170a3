// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <fmt/format.h>

namespace {

std::string with_type(std::string_view type) { return fmt::format("{{ lambda ; a:{}. let  in (a,) }}", type); }

}  // namespace

TEST_CASE("type: arrays, keys, references and tokens") {
  const auto type_of = [](const std::string& text, const auto& check) {
    const jaxpr::program m = jaxpr::parse(text);
    check(*m.main->invars[0].annotation);
  };
  type_of(with_type("f32[2,3]"), [](const jaxpr::type& t) {
    CHECK(t.kind == jaxpr::type_kind::array);
    CHECK(t.dtype == "f32");
    CHECK(t.dims.size() == 2);
    CHECK(t.dims[1].size == 3);
  });
  type_of(with_type("key<fry>[4]"), [](const jaxpr::type& t) {
    CHECK(t.dtype == "key<fry>");
    CHECK(t.dims[0].size == 4);
  });
  type_of(with_type("f32<host>[3]"), [](const jaxpr::type& t) {
    CHECK(t.dtype == "f32");
    CHECK(t.dims[0].size == 3);
  });
  type_of(with_type("Ref{float32[4]}"), [](const jaxpr::type& t) {
    CHECK(t.kind == jaxpr::type_kind::ref);
    CHECK(t.dtype == "float32");
  });
  type_of(with_type("MemRef<None>{f32[8,128]}"), [](const jaxpr::type& t) {
    CHECK(t.kind == jaxpr::type_kind::ref);
    CHECK(t.dims[1].size == 128);
  });
  type_of(with_type("Tok"), [](const jaxpr::type& t) {
    CHECK(t.kind == jaxpr::type_kind::opaque);
    CHECK(t.dtype.empty());
  });
}

TEST_CASE("type: symbolic dimensions keep their text, annotations are left out") {
  const std::string text = with_type("f32[- b + a,floordiv(b + 3, 2),7,4@x,b@(x,y)]{V:i}");
  const jaxpr::program m = jaxpr::parse(text);
  const jaxpr::type& t = *m.main->invars[0].annotation;
  REQUIRE(t.dims.size() == 5);
  CHECK(t.dims[0].expression == "- b + a");
  CHECK(t.dims[1].expression == "floordiv(b + 3, 2)");
  CHECK(!t.dims[2].symbolic());
  CHECK(t.dims[3].size == 4);
  CHECK(t.dims[4].expression == "b");
  CHECK(t.text == "f32[- b + a,floordiv(b + 3, 2),7,4@x,b@(x,y)]{V:i}");
}

TEST_CASE("type: named axes of old versions are not dimensions") {
  const std::string none = with_type("i32[;i:2]"), one = with_type("f32[3;i:2]");
  const jaxpr::program a = jaxpr::parse(none), b = jaxpr::parse(one);
  CHECK(a.main->invars[0].annotation->dims.empty());
  CHECK(b.main->invars[0].annotation->dims.size() == 1);
}

TEST_CASE("type: anything but a dimension is refused") {
  for (const std::string_view type :
       {"f32[2,]", "f32[,2]", "f32[$]", "f32[99999999999999999999]", "f32[@x]", "f32[-2]"}) {
    INFO(type);
    CHECK(support::refusal(with_type(type)) == "parse.expected-dimension");
  }
  CHECK(support::refusal(with_type("f32[2\n]")) == "parse.expected-punctuation");
  CHECK(support::refusal(with_type("[2]")) == "parse.expected-type");
}
