// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jaxpr/detail/hash.hpp>

TEST_CASE("hash: every byte and the length count") {
  const std::string text = "f32[128,256]{V:i}";
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = '#';
    CHECK(jaxpr::detail::hash(other) != jaxpr::detail::hash(text));
  }
  CHECK(jaxpr::detail::hash(std::string("a\0", 2)) != jaxpr::detail::hash("a"));
  CHECK(jaxpr::detail::hash(std::string(text)) == jaxpr::detail::hash(text));
}
