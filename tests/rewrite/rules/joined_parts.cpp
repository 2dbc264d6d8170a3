// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/joined_parts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value picked(const value& x, std::int64_t k, std::int64_t axis) {
  return unsqueeze(gather(x, scalar(x.owner(), dtype::i64, k), axis), {axis});
}

}  // namespace

TEST_CASE("joined-parts: elements in their order") {
  model m;
  const value x = m.in({3, 2});
  CHECK(after(unary("Neg", concat({picked(x, 0, 0), picked(x, 1, 0), picked(x, 2, 0)}, 0)), "joined-parts") == "Neg");
  model n;
  const std::vector<value> parts = n.g.emit_many(
      "Split", std::vector{n.in({n.B, 2}), int64s(n.g, {1, 1})},
      std::vector<tensor_type>{{dtype::f32, {n.B, 1}}, {dtype::f32, {n.B, 1}}}, {{"axis", std::int64_t{1}}});
  CHECK(after(unary("Neg", concat({parts[0], parts[1]}, 1)), "joined-parts") == "Neg");
  model o;
  const value y = o.in({5, 2});
  CHECK(after(unary("Neg", concat({slice(y, 0, 0, 2), slice(y, 0, 2, 5)}, 0)), "joined-parts") == "Neg");
  model p;  // not all of them
  const value z = p.in({5, 2});
  CHECK(after(unary("Neg", concat({picked(z, 1, 0), picked(z, 2, 0)}, 0)), "joined-parts") == "Slice Neg");
}

TEST_CASE("joined-parts: what stays") {
  model m;
  const value x = m.in({3, 2}), y = m.in({3, 2});
  const auto left = [](const std::vector<value>& rows) {
    return apply({concat(rows, 0)}, {"joined-parts"}).applied("joined-parts");
  };
  CHECK(left({picked(x, 0, 0), picked(x, 2, 0), picked(x, 1, 0)}) == 0);  // in another order
  CHECK(left({picked(x, 0, 0), picked(y, 1, 0), picked(x, 2, 0)}) == 0);  // of another value
  const value columns = unsqueeze(gather(m.in({2, 2}), scalar(m.g, dtype::i64, 0), 1), {0});
  CHECK(left({columns, columns}) == 0);  // along another axis
}

TEST_CASE("summed-products: blocks of terms") {
  const auto product = [](const value& a, const value& b, std::int64_t i, std::int64_t j) {
    return matmul(slice(a, 1, i, j), slice(b, 0, i, j));
  };
  model m;
  const value a = m.in({m.B, 6}), b = m.in({6, 5});
  CHECK(after(add(product(a, b, 0, 2), product(a, b, 2, 6)), "summed-products") == "MatMul");
  model n;  // three blocks, and the zeros of an accumulator
  const value c = n.in({4, 6}), d = n.in({6, 5});
  const value first = add(scalar(n.g, dtype::f32, 0), product(c, d, 0, 2));
  CHECK(after(add(add(first, product(c, d, 2, 4)), product(c, d, 4, 6)), "summed-products") == "MatMul");
  model o;  // the blocks are not those of one matrix
  CHECK(after(add(product(o.in({4, 6}), o.in({6, 5}), 0, 2), product(o.in({4, 6}), o.in({6, 5}), 2, 4)),
              "summed-products") == "Slice Slice MatMul Slice Slice MatMul Add");
  model p;
  const value e = p.in({4, 4}), f = p.in({4, 5}), q = product(e, f, 0, 2);
  CHECK(after({add(q, product(e, f, 2, 4)), neg(q)}, {"summed-products"}) == "the products are read elsewhere too");
  model g;  // with an existing Gemm
  const value s = g.in({4, 4}), t = g.in({4, 5});
  CHECK(after({add(product(s, t, 2, 4), product(s, t, 0, 2))}, {"Gemm", "summed-products"}) == "MatMul");
}

TEST_CASE("reduced-parts: blocks of what is reduced") {
  const auto part = [](operator_name op, const value& x, std::int64_t i, std::int64_t j) {
    return reduce(op, slice(x, 0, i, j), {0});
  };
  model m;
  const value x = m.in({4, 3});
  CHECK(after(binary("Max", part("ReduceMax", x, 0, 1), part("ReduceMax", x, 1, 4)), "reduced-parts") == "ReduceMax");
  model n;  // an accumulator with a nonzero start
  const value y = n.in({6, 3}), start = broadcast_to(scalar(n.g, dtype::f32, 0), {3});
  const value sum = add(add(start, part("ReduceSum", y, 0, 2)), part("ReduceSum", y, 2, 4));
  CHECK(after({add(sum, part("ReduceSum", y, 4, 6))}, {"one-number", "drop-broadcast", "reduced-parts"}) ==
        "ReduceSum Add");
  model o;  // another reduction, and another part
  const value z = o.in({4, 3});
  CHECK(after(add(part("ReduceMax", z, 0, 2), part("ReduceMax", z, 2, 4)), "reduced-parts").ends_with("Add"));
  CHECK(after(add(part("ReduceSum", z, 0, 2), part("ReduceSum", z, 3, 4)), "reduced-parts").ends_with("Add"));
  model i;  // sums of integers that are not exact in double, or saturate
  const value many = i.in({1 << 22}, dtype::u32), narrow = cast(i.in({1 << 16}, dtype::i16), dtype::i32);
  const auto sum_of = [&](const value& v, std::int64_t k, std::int64_t n) {
    return add(part("ReduceSum", v, 0, k), part("ReduceSum", v, k, n));
  };
  CHECK(after(sum_of(many, 1 << 21, 1 << 22), "reduced-parts") == "the sum of all parts would not be exact");
  CHECK(after(sum_of(narrow, 1 << 15, 1 << 16), "reduced-parts") == "the sum of all parts would not be exact");
  model j;
  CHECK(after(sum_of(j.in({1 << 21}, dtype::u32), 1 << 20, 1 << 21), "reduced-parts") == "ReduceSum");
  model p;
  const value w = p.in({4, 3}), first = part("ReduceSum", w, 0, 2);
  CHECK(after({add(first, part("ReduceSum", w, 2, 4)), neg(first)}, {"reduced-parts"}) ==
        "the reductions are read elsewhere too");
  for (const std::int64_t rows : {1 << 10, 1 << 25}) {  // of int8 that is cast to int32
    model q;
    const value small = q.in({rows, 3}, dtype::i8);
    const auto small_sum = [&](std::int64_t from, std::int64_t to) {
      return reduce("ReduceSum", cast(slice(small, 0, from, to), dtype::i32), {0});
    };
    CHECK(after({add(small_sum(0, rows / 2), small_sum(rows / 2, rows))}, {"reduced-parts"}) ==
          (rows == 1 << 10 ? "Cast ReduceSum" : "the sum of all parts would not be exact"));
  }
  for (const dtype t : {dtype::f32, dtype::i32}) {
    model q;
    const value factors = q.in({4, 3}, t);
    CHECK(after(mul(part("ReduceProd", factors, 0, 2), part("ReduceProd", factors, 2, 4)), "reduced-parts") ==
          (t == dtype::f32 ? "ReduceProd" : "products of integers wrap"));
  }
}
