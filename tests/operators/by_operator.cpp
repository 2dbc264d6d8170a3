// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/by_operator.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

namespace {

struct row {
  operator_name op;
  int number;
};
constexpr row some_rows[] = {{"Add", 1}, {"Xor", 2}};
constexpr by_operator some(some_rows);

}  // namespace

TEST_CASE("by_operator: rows, and operators without one") {
  STATIC_REQUIRE(some.find("Add")->number == 1);
  CHECK(some.find("Xor")->number == 2);
  CHECK(some.find("Abs") == nullptr);
  CHECK(some.find(operator_name::unchecked("MyAdd")) == nullptr);
}
