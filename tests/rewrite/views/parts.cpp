#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>

#include <jax2onnx/rewrite/views/parts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators that make f(x[:, :2]) and f(x[:, 2:]) joined along `axis`.
std::string joined(const std::function<value(model&, const value&, int)>& f, std::int64_t axis = 1) {
  model m;
  const value x = m.in({4, 6});
  return after(concat({f(m, slice(x, 1, 0, 2), 0), f(m, slice(x, 1, 2, 6), 1)}, axis), "joined-parts");
}

}  // namespace

TEST_CASE("joined_parts: operators that map elements, with what they broadcast") {
  CHECK(joined([](model&, const value& v, int) { return exp(v); }) == "Exp");
  CHECK(joined([](model&, const value& v, int) { return mul(v, 2); }) == "Mul");
  model m;
  const value x = m.in({4, 6}), y = m.in({4, 1}), z = m.in({4, 6});
  const auto f = [&](std::int64_t i, std::int64_t j) { return add(mul(slice(x, 1, i, j), y), slice(z, 1, i, j)); };
  CHECK(after(concat({f(0, 3), f(3, 6)}, 1), "joined-parts") == "Mul Add");
  // The constants are joined, and the Concat of them is folded.
  CHECK(joined([](model& n, const value& v, int i) { return mul(v, i == 0 ? n.weight({2}) : n.weight({4})); }) ==
        "Mul");
  CHECK(joined([](model& n, const value& v, int) { return mul(v, n.in({4, 1})); }).ends_with("Concat"));
  CHECK(joined([](model&, const value& v, int i) { return i == 0 ? exp(v) : log(v); }).ends_with("Concat"));
  CHECK(joined([](model& n, const value& v, int i) {
          return mul(v, i == 0 ? n.weight({1, 2}) : n.weight({4, 4}));
        }).ends_with("Concat"));
}

TEST_CASE("joined_parts: products by rows, columns and batches") {
  model m;
  const value a = m.in({3, 4}), x = m.in({4, 6});
  const auto columns = [&](std::int64_t i, std::int64_t j) { return matmul(a, slice(x, 1, i, j)); };
  CHECK(after(concat({columns(0, 2), columns(2, 6)}, 1), "joined-parts") == "MatMul");
  model n;
  const value y = n.in({4, 6}), w = n.in({6, 5});
  const auto rows = [&](std::int64_t i, std::int64_t j) { return matmul(slice(y, 0, i, j), w); };
  CHECK(after(concat({rows(0, 2), rows(2, 4)}, 0), "joined-parts") == "MatMul");
  model o;
  const value s = o.in({6, 2, 4}), t = o.in({6, 4, 3});
  const auto batches = [&](std::int64_t i, std::int64_t j) { return matmul(slice(s, 0, i, j), slice(t, 0, i, j)); };
  CHECK(after(concat({batches(0, 2), batches(2, 6)}, 0), "joined-parts") == "MatMul");
}

TEST_CASE("joined_parts: views and operators that leave the axis alone") {
  CHECK(joined([](model&, const value& v, int) { return transpose(v, {1, 0}); }, 0) == "Transpose");
  CHECK(joined(
            [](model&, const value& v, int) {
              return jax2onnx::ops::reshape(v, {2, 2, v.extent(1)});
            },
            2) == "Reshape");
  CHECK(joined([](model&, const value& v, int) { return reduce("ReduceMax", v, {0}); }, 0) == "ReduceMax");
  CHECK(joined([](model&, const value& v, int) { return reduce("ReduceMax", v, {1}, true); }).ends_with("Concat"));
  CHECK(joined(
            [](model&, const value& v, int) {
              return jax2onnx::ops::reshape(v, {v.extent(1), 4});
            },
            0)
            .ends_with("Concat"));
}

TEST_CASE("joined_parts: what is read elsewhere is not computed twice") {
  model m;
  const value x = m.in({4, 6}), first = exp(slice(x, 1, 0, 2));
  CHECK(after({concat({first, exp(slice(x, 1, 2, 6))}, 1), neg(first)}, {"joined-parts"}) ==
        "Slice Exp Slice Exp Concat Neg");
}
