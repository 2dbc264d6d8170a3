// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using Catch::Matchers::Contains;

// dsl/tests/misuse tests the same errors with typed handles, where they do not compile.

TEST_CASE("misuse: calls on erased values throw") {
  graph g;
  g.dims().symbol("B");
  const auto of = [&](dtype t, shape dims) { return g.input({t, std::move(dims)}, ""); };
  const dim batch = dim::symbol("B");
  const value x = of(dtype::f32, {batch, 784}), i = of(dtype::i32, {3}), b = of(dtype::boolean, {3});
  const value image = of(dtype::f32, {batch, 3, 224, 224}), three = of(dtype::f32, {batch, 3});
  CHECK_THROWS_WITH(i * 0.5, Contains("Mul: 0.5"));
  CHECK_THROWS_WITH(b + 1, Contains("Add"));
  CHECK_THROWS_WITH(and_(x, b), Contains("And(A: f32[B,784], B: bool[3]): A is f32[B,784]"));
  CHECK_THROWS_WITH(jax2onnx::add(x, of(dtype::f64, {784})), Contains("the same type"));
  CHECK_THROWS_WITH(jax2onnx::sqrt(i), Contains("Sqrt"));
  CHECK_THROWS_WITH(relu(b), Contains("Relu"));
  CHECK_THROWS_WITH(top_k(three, {9}, {}), Contains("k is 9, but the axis has 3 elements"));
  CHECK_THROWS_WITH(jax2onnx::matmul(x, of(dtype::f32, {783, 10})), Contains("the inner dimensions differ"));
  CHECK_THROWS_WITH(concat({x, of(dtype::f32, {batch})}, {.axis = 0}), Contains("2 and 1 dimensions"));
  CHECK_THROWS_WITH(concat({x, three}, {.axis = 0}), Contains("784 and 3"));
  CHECK_THROWS_WITH(jax2onnx::transpose(x, {.perm = {0, 0}}), Contains("twice"));
  CHECK_THROWS_WITH(jax2onnx::transpose(x, {.perm = {0, 2, 1}}),
                    Contains("the permutation needs one entry for each dimension"));
  CHECK_THROWS_WITH(jax2onnx::reshape(of(dtype::f32, {784}), {28, 27}), Contains("number of elements"));
  CHECK_THROWS_WITH(softmax(x, {.axis = 2}), Contains("the axis 2 is out of range"));
  CHECK_THROWS_WITH(reduce_sum(x, {-3}), Contains("the axis -3 is out of range"));
  CHECK_THROWS_WITH(gather(x, x, {.axis = 0}), Contains("Gather"));
  CHECK_THROWS_WITH(jax2onnx::where(x, x, x), Contains("Where"));
  CHECK_THROWS_WITH(conv(image, of(dtype::f32, {16, 4, 3, 3})), Contains("the operand has 3 channels"));
  CHECK_THROWS_WITH(conv(image, of(dtype::f32, {16, 3, 3, 3}), of(dtype::f32, {15})), Contains("the bias has 15"));
  CHECK_THROWS_WITH(max_pool(x, {.kernel_shape = {2}}), Contains("the operand has 2 dimensions"));
  CHECK_THROWS_WITH(layer_normalization(x, of(dtype::f32, {783})), Contains("does not broadcast"));
  CHECK_THROWS_WITH(jax2onnx::squeeze(of(dtype::f32, {batch, 2}), {1}), Contains("is not 1"));
  CHECK_THROWS_WITH(expand(of(dtype::f32, {2}), {5, 3}), Contains("do not broadcast"));
  CHECK_THROWS_WITH(split(three, {}, {.axis = 1, .num_outputs = 5}), Contains("5"));
  CHECK_THROWS_WITH(einsum({three}, {.equation = "ijk->ij"}), Contains("a term has 3 subscripts"));
  CHECK_THROWS_WITH(bitwise_and(x, x), Contains("BitwiseAnd"));
  CHECK_THROWS_WITH(jax2onnx::reshape(image, {5, 7}), Contains("number of elements"));
  CHECK_THROWS_WITH(gather(x, array(g, dtype::i64, {2}, {0, 784}), {.axis = 1}),
                    Contains("the index 784 is out of range"));
  CHECK_THROWS_WITH(pad(three, {0, 3, 0, 0}, {}, {}, {.mode = pad_mode::reflect}),
                    Contains("an axis of 3 can reflect"));
  CHECK_THROWS_WITH(pad(three, {1, 1}), Contains("it has 2 amounts for 2 axes; each axis needs 2"));
  CHECK_THROWS_WITH(array(g, dtype::f32, {2, 2}, {1, 2, 3}), Contains("f32[2,2] has 3 numbers (12 bytes); it needs 4"));
  const value rate = of(dtype::f32, {}), step = of(dtype::i64, {});
  CHECK_THROWS_WITH(adam(rate, step, {x, x, x}), Contains("it has 3 operands after R and T; each tensor needs 4"));
  const value steps = of(dtype::f32, {5, 2, 4}), weights = of(dtype::f32, {2, 3, 4}),
              states = of(dtype::f32, {2, 3, 3});
  CHECK_THROWS_WITH(
      rnn(steps, weights, states, {}, {}, {}, {.direction = direction::bidirectional, .activations = {"Tanh"}}),
      Contains("it has 1 activation; all directions together need 2"));
  CHECK_THROWS_WITH(array(g, dtype::i8, {2}, {1, 300}), Contains("300 cannot be represented in i8"));
  CHECK_THROWS_WITH(array(g, dtype::i32, {2}, std::vector<double>{1.5, 3.0}),
                    Contains("1.5 cannot be represented in i32"));
  CHECK_THROWS_WITH(array(g, dtype::i32, {2}, {1.5, 3}), Contains("1.5 cannot be represented in i32"));
  CHECK_THROWS_WITH(array(g, dtype::f16, {1}, {1e6}), Contains("cannot be represented in f16"));
  CHECK_THROWS_WITH(of(dtype::f32, {g.dims().mul(batch, -1)}), Contains("negative extent"));
  const value odd = array(g, dtype::i64, {1}, {3}), list = of(dtype::f32, {3});
  CHECK_THROWS_WITH(gather_elements(list, odd), Contains("the index 3 is out of range for an extent of 3"));
  CHECK_THROWS_WITH(scatter_elements(list, odd, of(dtype::f32, {1})), Contains("the index 3 is out of range"));
  CHECK_THROWS_WITH(compress(three, of(dtype::boolean, {4}), {.axis = 1}), Contains("4 conditions for an extent of 3"));
  CHECK_THROWS_WITH(g.set_domain_version("com.example", 0), Contains("must be at least 1, not 0"));
  graph other;
  CHECK_THROWS_WITH(jax2onnx::add(x, other.input({dtype::f32, {784}}, "y")), Contains("two graphs"));
}
