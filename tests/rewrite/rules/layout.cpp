#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/layout.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

const ints to_last{0, 2, 3, 1}, to_second{0, 3, 1, 2};

std::string sunk(const value& v) {
  return after(
      {v}, {"reshape-constant", "join-transposes", "sink-unary", "sink-broadcast", "sink-concat", "reduce-transposed"});
}

}  // namespace

TEST_CASE("layout: transposes between channel orders cancel through bias, gate and residual") {
  model m;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(unary("Relu", add(x, m.weight({3}))), to_second)) == "Add Relu");
  model n;
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(mul(y, unary("Sigmoid", y)), to_second)) == "Sigmoid Mul");
  model o;
  const value a = transpose(o.in({1, 3, 4, 5}), to_last), b = transpose(o.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(add(a, b)) == "Add Transpose");
}

TEST_CASE("layout: a transpose that is read elsewhere stays where it is") {
  model m;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(after({exp(x), x}, {"sink-unary"}) == "the transposed value is read elsewhere too");
  model n;
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  CHECK(after(add(y, n.in({1, 4, 5, 3})), "sink-broadcast") == "another operand would have to be transposed");
}

TEST_CASE("layout: a reduction takes the axes where they are") {
  model m;
  CHECK(sunk(reduce("ReduceMean", transpose(m.in({2, 3, 4, 5}), to_last), {1, 2})) == "ReduceMean");
  model n;
  CHECK(sunk(reduce("ReduceMean", transpose(n.in({2, 3, 4, 5}), to_last), {1, 2}, true)) == "ReduceMean Transpose");
}

TEST_CASE("layout: concatenation along the moved axis") {
  model m;
  const value x = concat({transpose(m.in({1, 3, 4, 5}), to_last), transpose(m.in({1, 2, 4, 5}), to_last)}, 3);
  CHECK(sunk(transpose(x, to_second)) == "Concat");
}

TEST_CASE("drop-double-reverse: twice is not at all, also around a Transpose") {
  model m;
  const value x = m.in({4, 3, 2, 2});
  CHECK(after(reverse(transpose(reverse(x, {2, 3}), {1, 0, 2, 3}), {2, 3}), "drop-double-reverse") == "Transpose");
  model n;
  CHECK(after(reverse(transpose(reverse(n.in({4, 3, 2}), {0}), {1, 0, 2}), {1}), "drop-double-reverse") == "Transpose");
  model o;
  CHECK(after(reverse(transpose(reverse(o.in({4, 3, 2}), {0}), {1, 0, 2}), {0}), "drop-double-reverse") ==
        "Slice Transpose Slice");
  model p;
  CHECK(after(add(reverse(reverse(p.in({4, 3}), {0}), {0}), 1), "drop-double-reverse") == "Add");
}

TEST_CASE("matmul-of-merged: heads that are merged with the batch and taken apart again stay apart") {
  const auto product = [](model& m, const shape& left, const shape& right) {
    const auto merged = [&](const shape& dims) {
      return jax2onnx::reshape(m.in(dims), {m.g.dims().mul(dims[0], dims[1]), dims[2], dims[3]});
    };
    return matmul(merged(left), merged(right));
  };
  model m;
  const value p = product(m, {m.B, 2, 5, 4}, {m.B, 2, 4, 6});
  CHECK(after({jax2onnx::reshape(p, {m.B, 2, 5, 6})}, {"join-reshapes", "drop-reshape", "matmul-of-merged"}) ==
        "MatMul");
  model other;  // 2 x 3 and 3 x 2 are both 6
  CHECK(after(product(other, {2, 3, 5, 4}, {3, 2, 4, 6}), "matmul-of-merged") == "Reshape Reshape MatMul");
}

TEST_CASE("transpose-of-merged and softmax-of-merged: the last axes are what they see") {
  model m;
  const value x = jax2onnx::reshape(m.in({m.B, 2, 5, 4}), {m.g.dims().mul(m.B, 2), 5, 4});
  CHECK(after({jax2onnx::reshape(transpose(x, {0, 2, 1}), {m.B, 2, 4, 5})},
              {"join-reshapes", "drop-reshape", "transpose-of-merged"}) == "Transpose");
  model n;
  const value y = jax2onnx::reshape(n.in({6, 4, 5}), {24, 5});
  CHECK(after(transpose(y, {1, 0}), "transpose-of-merged") == "Reshape Transpose");
  model s;
  const value z = jax2onnx::reshape(s.in({2, 3, 5}), {6, 5});
  const value soft = s.g.emit("Softmax", {z}, z.type(), {{"axis", std::int64_t{-1}}});
  CHECK(after({jax2onnx::reshape(soft, {2, 3, 5})}, {"join-reshapes", "drop-reshape", "softmax-of-merged"}) ==
        "Softmax");
  model t;
  const value w = jax2onnx::reshape(t.in({2, 3, 5}), {6, 5});
  CHECK(after(t.g.emit("Softmax", {w}, w.type(), {{"axis", std::int64_t{0}}}), "softmax-of-merged") ==
        "Reshape Softmax");
}
