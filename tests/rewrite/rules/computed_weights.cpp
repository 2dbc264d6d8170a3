// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"
#include "rewrite/written.hpp"

#include <cmath>

#include <jax2onnx/rewrite/rules/computed_weights.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

value named(model& m, const ints& extents, dtype t = dtype::f32) {
  const value w = m.weight(extents, t);
  return m.g.constant(w.type(), w.data(), "w");
}

}  // namespace

TEST_CASE("fold-statistic: reductions of a weight") {
  const auto of = [](operator_name op, const ints& axes, bool keep = false) {
    model m;
    const value y = reduce(op, named(m, {2, 2, 2}), axes, keep);
    CHECK(after(mul(m.in(y.dims()), y), "fold-statistic") == "Mul");
    return written(m.g, "Mul", 1);
  };
  CHECK(of("ReduceSum", {0}) == numbers{6, 8, 10, 12});
  CHECK(of("ReduceSum", {1}, true) == numbers{4, 6, 12, 14});
  CHECK(of("ReduceSum", {0, 2}) == numbers{14, 22});
  CHECK(of("ReduceMean", {1, 2}) == numbers{2.5, 6.5});
  CHECK(of("ReduceSumSquare", {0, 1, 2}) == numbers{204});
  CHECK(of("ReduceL1", {2}) == numbers{3, 7, 11, 15});
  CHECK(of("ReduceL2", {1, 2})[0] == Approx(std::sqrt(30)));
}

TEST_CASE("fold-statistic: what stays") {
  model m, n, o;
  const std::string stays = "ReduceSum Mul";
  CHECK(after(mul(m.in({2}), reduce("ReduceSum", m.in({2, 3}), {1}, false)), "fold-statistic") == stays);
  CHECK(after(mul(n.in({2}, dtype::f16), reduce("ReduceSum", named(n, {2, 3}, dtype::f16), {1}, false)),
              "fold-statistic") == stays);
  const value many = named(o, {65537, 2});
  CHECK(after(mul(o.in({65537}), reduce("ReduceSum", many, {1}, false)), "fold-statistic") == stays);
}

TEST_CASE("scale-weight: along one axis") {
  model m, n, o;
  CHECK(after(add(m.in({2, 3}), div(named(m, {2, 3}), m.weight({2, 1}))), "scale-weight") == "Add");
  CHECK(written(m.g, "Add", 1) == numbers{1, 2, 3, 2, 2.5, 3});
  CHECK(after(add(n.in({2, 3}), mul(n.weight({3}), named(n, {2, 3}))), "scale-weight") == "Add");
  CHECK(written(n.g, "Add", 1) == numbers{1, 4, 9, 4, 10, 18});
  const value half = scalar(o.g, dtype::f32, 0.5);
  CHECK(after(add(o.in({2, 2}), mul(named(o, {2, 2}), half)), "scale-weight") == "Add");
  CHECK(written(o.g, "Add", 1) == numbers{0.5, 1, 1.5, 2});
}

TEST_CASE("scale-weight: weight normalization") {
  model m;
  const value w = named(m, {2, 2}), norm = reduce("ReduceL1", w, {0}, true);
  CHECK(after({add(m.in({2, 2}), div(w, norm))}, {"fold-statistic", "scale-weight"}) == "Add");
  CHECK(written(m.g, "Add", 1) == numbers{0.25, float(2.0 / 6), 0.75, float(4.0 / 6)});
}

TEST_CASE("scale-weight: reasons to decline") {
  model m, n, o;
  CHECK(after(add(m.in({2, 2}), mul(named(m, {2, 2}), m.weight({2, 2}))), "scale-weight") ==
        "the factors vary along several axes, or there are too many factors");
  const value w = named(n, {2, 2});
  CHECK(after({add(n.in({2, 2}), mul(w, n.weight({2}))), add(n.in({2, 2}), w)}, {"scale-weight"}) ==
        "the weight is also read unscaled");
  const value zero = scalar(o.g, dtype::f32, 0.0);
  CHECK(after(add(o.in({2, 2}), div(named(o, {2, 2}), zero)), "scale-weight") ==
        "a factor is not finite, or is very large or very small");
}
