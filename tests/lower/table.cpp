#include "catch.hpp"

#include <jax2onnx/lower/builtin.hpp>

using namespace jax2onnx;

TEST_CASE("a row is found by the whole name of its primitive") {
  const lowering* add = find_row(builtin_lowerings(), "add");
  REQUIRE(add != nullptr);
  CHECK(add->primitive == "add");
  CHECK(find_row(builtin_lowerings(), "ad") == nullptr);
  CHECK(find_row(builtin_lowerings(), "adds") == nullptr);
  CHECK(find_row(builtin_lowerings(), "") == nullptr);
}
