#include "catch.hpp"

#include <string>

#include <jaxpr/reader/hash.hpp>

TEST_CASE("hash: every byte and the length count") {
  const std::string text = "f32[128,256]{V:i}";
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = '#';
    CHECK(jaxpr::reader::hash(other) != jaxpr::reader::hash(text));
  }
  CHECK(jaxpr::reader::hash(std::string("a\0", 2)) != jaxpr::reader::hash("a"));
  CHECK(jaxpr::reader::hash(std::string(text)) == jaxpr::reader::hash(text));
}
