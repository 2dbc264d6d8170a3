// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/dsl/typed/tensor.hpp>

using namespace jax2onnx;

TEST_CASE("tensor: an erased handle is checked when it gets a type") {
  graph g;
  const value v = g.input({dtype::f32, {g.dims().symbol("B"), 4}}, "v");
  CHECK(same_value(tensor<float, "B"_d, 4>(v).erased(), v));
  CHECK(same_value(tensor<float, dyn, 4>(v).erased(), v));
  CHECK_THROWS_WITH((tensor<float, "B"_d, 5>(v)), "tensor: f32[B,4] is declared as f32[B,5]");
  CHECK_THROWS_WITH((tensor<float, "T"_d, 4>(v)), "tensor: f32[B,4] is declared as f32[T,4]");
  CHECK_THROWS_WITH((tensor<float, 7, 4>(v)), "tensor: f32[B,4] is declared as f32[7,4]");
  CHECK_THROWS_WITH((tensor<int, dyn, 4>(v)), "tensor: f32[B,4] is declared as i32[?,4]");
  CHECK_THROWS_WITH((tensor<float, 4>(v)), "tensor: f32[B,4] is declared as f32[4]");
  const value open = g.input({dtype::f32, {dim::dyn(), 4}}, "open");
  CHECK(same_value(tensor<float, "B"_d, 4>(open).erased(), open));
}

TEST_CASE("tensor: a declared type may know more or less") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const tensor<float, dyn, 4> less = x;
  const tensor<float, "B"_d, 4> more = less;
  CHECK(same_value(more.erased(), x.erased()));
  CHECK_THROWS_WITH((tensor<float, 3, 4>(tensor<float, dyn, 4>(input<float, 5, 4>(g, "y")))),
                    "tensor: f32[5,4] is declared as f32[3,4]");
}

TEST_CASE("constant: as many numbers as the type has elements") {
  graph g;
  const std::vector<float> six(6, 1.5f);
  CHECK(constant<float, 2, 3>(g, six, "w").erased().data().size() == 24);
  CHECK_THROWS_WITH((constant<float, 2, 4>(g, six, "w")), "constant 'w': it has 6 numbers for 8 elements");
}

TEST_CASE("input: has the type, and makes its symbols known") {
  graph g;
  const auto x = input<float16, "B"_d * 2 + 1, 4>(g, "x");
  CHECK(text(x.erased()) == "f16[2*B + 1,4]");
  CHECK(g.dims().symbols() == std::vector<std::string>{"B"});
}

TEST_CASE("assume_same: one symbol stands for another extent") {
  graph g;
  const auto x = assume_same<"B"_d, "T"_d>(input<float, "T"_d, 4, "T"_d>(g, "x"));
  STATIC_REQUIRE(std::is_same_v<decltype(x), const tensor<float, "B"_d, 4, "B"_d>>);
  CHECK(text(x.erased()) == "f32[T,4,T]");
}
