// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include <jax2onnx/graph/chunked_vector.hpp>

using jax2onnx::detail::chunked_vector;

namespace {

chunked_vector<std::string> numbers(std::size_t count) {
  chunked_vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(std::to_string(i));
  return all;
}

}  // namespace

TEST_CASE("chunked_vector: elements stay where they are while it grows") {
  chunked_vector<std::string> all;
  const std::string& first = all.push_back("first");
  const std::string* const place = &first;
  for (int i = 0; i < 1000; ++i) all.push_back(std::to_string(i));
  CHECK(all.size() == 1001);
  CHECK(&all[0] == place);
  CHECK(first == "first");
  CHECK(all[64] == "63");
  CHECK(all[1000] == "999");
}

TEST_CASE("chunked_vector: a copy has elements of its own, which also stay where they are") {
  const chunked_vector<std::string> original = numbers(70);
  chunked_vector<std::string> copy = original, assigned;
  const std::string* const last = &copy[69];
  copy.push_back("more");
  copy[0] = "changed";
  CHECK(&copy[69] == last);
  CHECK(copy.size() == 71);
  CHECK(original.size() == 70);
  CHECK(original[0] == "0");
  assigned = original;
  CHECK(assigned[69] == "69");
  const chunked_vector<std::string> moved = std::move(assigned);
  CHECK(moved[69] == "69");
}
