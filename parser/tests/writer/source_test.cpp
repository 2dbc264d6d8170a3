// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <string_view>

#include <jaxpr/writer/source.hpp>

using jaxpr::writer::known_layout;
using jaxpr::writer::source;

TEST_CASE("source: the layout between parts of the text is known") {
  const std::string text = "ab cd\nef";
  const std::string_view view = text;
  const source s(text);
  CHECK(s.between(view.substr(0, 2), view.substr(3, 2)) == known_layout::one_line);
  CHECK(s.between(view.substr(0, 2), view.substr(6, 2)) == known_layout::broken);
  CHECK(s.between(view.substr(6, 2), view.substr(0, 2)) == known_layout::unknown);
  CHECK(s.between("ab", view.substr(6, 2)) == known_layout::unknown);
  CHECK(s.of({0, 5}) == known_layout::one_line);
  CHECK(s.of({0, 8}) == known_layout::broken);
  CHECK(s.of({0, 9}) == known_layout::unknown);
}

TEST_CASE("source: literals of old texts have no type") {
  const std::string text = "1.0:f32[] 2.0 3";
  const std::string_view view = text;
  const jaxpr::type f32{jaxpr::type_kind::array, "f32[]", "f32", {}};
  const source s(text);
  CHECK(!s.untyped({view.substr(0, 3), &f32}));
  CHECK(s.untyped({view.substr(10, 3), &f32}));
  CHECK(s.untyped({view.substr(14, 1), &f32}));
  CHECK(!s.untyped({"4.0", &f32}));
  CHECK(s.untyped({"4.0", nullptr}));
}

TEST_CASE("source: an equation without results may start with =") {
  const std::string text = "= f a";
  jaxpr::equation e;
  e.primitive = std::string_view(text).substr(2, 1);
  CHECK(source(text).bare_equals(e));
  e.where.begin = 2;
  CHECK(!source(text).bare_equals(e));
  CHECK(!source("").bare_equals(e));
}
