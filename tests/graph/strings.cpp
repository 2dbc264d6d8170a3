// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/strings.hpp>

using namespace jax2onnx;

TEST_CASE("strings: packed and unpacked again") {
  const std::vector<std::string> texts{"", "a", std::string("b\0c", 3)};
  const std::string packed = detail::packed_strings(texts);
  std::vector<std::string> found;
  CHECK(detail::for_each_string(std::as_bytes(std::span(packed)), [&](std::string_view s) { found.emplace_back(s); }));
  CHECK(found == texts);
  CHECK(detail::string_count(std::as_bytes(std::span(packed))) == 3);
}

TEST_CASE("strings: bytes that end inside of a string are none") {
  const std::string packed = detail::packed_strings(std::vector<std::string>{"abc"});
  for (std::size_t n = 1; n < packed.size(); ++n)
    CHECK(detail::string_count(std::as_bytes(std::span(packed).first(n))) == UINT64_MAX);
  graph g;
  CHECK_THROWS_AS(g.constant({dtype::string, {1}}, bytes(packed.substr(0, 5))), build_error);
  CHECK_THROWS_AS(g.constant({dtype::string, {2}}, bytes(packed)), build_error);
  CHECK(g.constant({dtype::string, {1}}, bytes(packed)).dtype() == dtype::string);
}
