// SPDX-License-Identifier: Apache-2.0
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
  // The constants are joined, and their Concat is folded.
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

namespace {

/// The result of joining the elements of the parts along axis 0: whether they fit, and its extent.
struct joined_elements {
  bool fit = false;
  dim extent = dim(0);
};
joined_elements elements_of(const std::vector<value>& parts, ints elements) {
  graph& g = parts[0].owner();
  jax2onnx::rewrite::use_counts uses;
  uses.count(g);
  const jax2onnx::rewrite::context c{g, uses};
  jax2onnx::rewrite::joined_parts joined(c, std::move(elements));
  if (!joined.fit(parts, 0)) return {};
  return {true, joined.join(parts, 0).extent(0)};
}

}  // namespace

TEST_CASE("joined_parts: elements that come from one place are one") {
  model m;
  const value x = m.in({3, 4, 5});
  const auto turned = [&](const ints& from) { return gather(x, int64s(m.g, from), 0); };
  const auto mapped = [&](const value& v) { return exp(transpose(v, {0, 2, 1})); };
  const std::vector<value> parts{mapped(x), mapped(turned({2, 0, 1})), mapped(turned({1, 2, 0}))};
  const joined_elements one = elements_of(parts, {0, 1, 2});
  CHECK(one.fit);
  CHECK(one.extent.is(1));
  CHECK(elements_of({parts[0], parts[0], parts[0]}, {0, 1, 2}).extent.is(3));
  CHECK_FALSE(elements_of(parts, {1, 1, 2}).fit);
  // Made by Slices and Concats, and written differently in views.
  const value slices = concat({slice(x, 0, 2, 3), slice(x, 0, 0, 2)}, 0);
  CHECK(
      elements_of({transpose(transpose(x, {1, 0, 2}), {1, 2, 0}), transpose(slices, {0, 2, 1})}, {0, 1}).extent.is(1));
  CHECK_FALSE(elements_of({transpose(x, {0, 1, 2}), transpose(slices, {0, 2, 1})}, {0, 1}).fit);
  CHECK_FALSE(elements_of({mapped(x), log(transpose(slices, {0, 2, 1}))}, {0, 1}).fit);
}

TEST_CASE("joined_parts: rows that another axis has are a part of this one") {
  model m;
  const value x = m.in({2, 3, 4});
  CHECK(after(concat({slice(x, 0, 0, 1), slice(x, 0, 1, 2)}, 1), "joined-parts") == "Reshape");
  model n;
  const value y = n.in({3, 2, 4});
  CHECK(after(concat({slice(y, 1, 0, 1), slice(y, 1, 1, 2)}, 0), "joined-parts") == "Transpose Reshape");
  model o;
  const value z = o.in({2, 3, 4});
  CHECK(after(concat({slice(z, 0, 1, 2), slice(z, 0, 0, 1)}, 1), "joined-parts").ends_with("Concat"));
}

TEST_CASE("joined_parts: an index of a Gather may count from the end") {
  model m;
  const value x = m.in({4, 3});
  const auto row = [&](std::int64_t i) { return gather(x, int64s(m.g, ints{i}), 0); };
  CHECK(after(concat({row(-2), row(3)}, 0), "joined-parts") == "Slice");
  model n;
  const value y = n.in({n.g.dims().symbol("B"), 3});
  const auto any_row = [&](std::int64_t i) { return gather(y, int64s(n.g, ints{i}), 0); };
  CHECK(after(concat({any_row(-1), any_row(0)}, 0), "joined-parts") == "Gather Gather Concat");
}
