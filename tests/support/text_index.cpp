// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <vector>

#include <jax2onnx/support/text_index.hpp>

using jax2onnx::detail::text_index;

TEST_CASE("text index: texts are numbered in the order in which they come") {
  text_index texts;
  CHECK(texts.find("a") == text_index::none);
  CHECK(texts.number("a") == 0);
  CHECK(texts.number("") == 1);
  CHECK(texts.number("a") == 0);
  CHECK_FALSE(texts.add("a"));
  CHECK(texts.add("b"));
  CHECK(texts.find("b") == 2);
  CHECK(texts.contains(""));
  CHECK(texts.size() == 3);
  CHECK(texts[2] == "b");
}

TEST_CASE("text index: texts stay where they are") {
  text_index texts;
  texts.add("first");
  const std::string& first = texts[0];
  for (int i = 0; i < 10'000; ++i) CHECK(texts.add(std::to_string(i)));
  CHECK(&first == &texts[0]);
  for (int i = 0; i < 10'000; ++i) CHECK(texts.find(std::to_string(i)) == static_cast<std::uint32_t>(i + 1));
}
