#include "catch.hpp"

#include <vector>

#include <jax2onnx/ops/typed/tensor.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("tensor: an erased handle is checked when it gets a type") {
  graph g;
  const value v = g.input({dtype::f32, {g.dims().symbol("B"), 4}}, "v");
  CHECK(tensor<float, "B"_d, 4>(v).erased() == v);
  CHECK(tensor<float, dyn, 4>(v).erased() == v);
  CHECK_THROWS_WITH((tensor<float, "B"_d, 5>(v)), "tensor: f32[B,4] is no f32[B,5]");
  CHECK_THROWS_WITH((tensor<int, dyn, 4>(v)), "tensor: f32[B,4] is no i32[?,4]");
  CHECK_THROWS_WITH((tensor<float, 4>(v)), "tensor: f32[B,4] is no f32[4]");
}

TEST_CASE("constant: as many numbers as the type has elements") {
  graph g;
  const std::vector<float> six(6, 1.5f);
  CHECK(constant<float, 2, 3>(g, six, "w").erased().data().size() == 24);
  CHECK_THROWS_WITH((constant<float, 2, 4>(g, six, "w")), "constant 'w': 6 numbers for 8 elements");
}

TEST_CASE("input: has the type, and makes its symbols known") {
  graph g;
  const auto x = input<float16, "B"_d, 4>(g, "x");
  CHECK(text(x.erased()) == "f16[B,4]");
  CHECK(g.dims().symbols() == std::vector<std::string>{"B"});
}
