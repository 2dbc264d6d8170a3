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
  CHECK(after(add(y, n.in({1, 4, 5, 3})), "sink-broadcast") == "another operand would need a Transpose");
}

TEST_CASE("sink-broadcast: operands whose axes of extent 1 move") {
  model m;
  const value x = transpose(m.in({2, 3, 4, 5}), to_last);
  CHECK(after(mul(x, m.in({2, 1, 1, 3})), "sink-broadcast") == "Reshape Mul Transpose");
  model n;  // along two axes that exchange their places
  const value y = transpose(n.in({2, 3, 4, 5}), to_last);
  CHECK(after(mul(y, n.in({1, 4, 1, 3})), "sink-broadcast") == "another operand would need a Transpose");
}

TEST_CASE("layout: a reduction takes the axes where they are") {
  model o;  // what it keeps moves by a Reshape, whoever else reads the transposed value
  const value x = transpose(o.in({2, 3, 4, 5}), to_last);
  CHECK(after({reduce("ReduceMean", x, {1, 2}, true), exp(x)}, {"reduce-transposed"}) ==
        "Transpose ReduceMean Reshape Exp");
  model m;
  CHECK(sunk(reduce("ReduceMean", transpose(m.in({2, 3, 4, 5}), to_last), {1, 2})) == "ReduceMean");
  model n;
  CHECK(sunk(reduce("ReduceMean", transpose(n.in({2, 3, 4, 5}), to_last), {1, 2}, true)) == "ReduceMean Reshape");
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

TEST_CASE("sink-broadcast, sink-concat, reduce-transposed: a transpose that is read elsewhere stays where it is") {
  const std::string_view elsewhere = "the transposed values are read elsewhere too";
  const auto moved = [](model& m) { return transpose(m.in({1, 3, 4, 5}), to_last); };
  model a, b, c;
  const value x = moved(a), y = moved(b), z = moved(c);
  CHECK(after({add(x, 1), exp(x)}, {"sink-broadcast"}) == elsewhere);
  CHECK(after({concat({y, y}, 3), exp(y)}, {"sink-concat"}) == elsewhere);
  CHECK(after({reduce("ReduceMax", z, {1}, true), exp(z)}, {"reduce-transposed"}) ==
        "the transposed value is read elsewhere too");
}
