// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/views/lanes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using jax2onnx::rewrite::test::model;

namespace {

/// The position of the lane in the operand of the operator.
lane_place before(const lane_place& p) { return moved_lane(p).value(); }
bool stays(const lane_place& p) { return !moved_lane(p); }

value truth(graph& g, const shape& dims, const std::string& bits) {
  return g.constant({dtype::boolean, dims}, bytes(std::string(bits)));
}

using at = std::vector<lane_index>;

}  // namespace

TEST_CASE("lanes: what is left of a value") {
  model m;
  const value x = m.in({4, 3, 2});
  const lane_place p{x, {{0, 1}, {2, 0}}};
  CHECK(p.dims() == shape{3});
  CHECK(p.index(2) == 0);
  CHECK(p.index(1) == -1);
  CHECK(p.axis_in_lane(1) == 0);
  CHECK(p.beside(m.in({3, 1})).at == at{{1, 0}});
  CHECK(p.beside(m.in({3, 2})).at == at{{1, 0}});
  CHECK(taken(p).dims() == shape{3});
}

TEST_CASE("lanes: Gather, Concat, Slice and Split pass them on") {
  model m;
  const value x = m.in({4, 3});
  CHECK(before({gather(x, int64s(m.g, {2, 0}), 0), {{0, 1}}}).at == at{{0, 0}});
  CHECK(before({gather(x, scalar(m.g, dtype::i64, -1), 0), {{0, 2}}}).at == at{{0, 3}, {1, 2}});
  CHECK(before({concat({x, x}, 0), {{0, 5}}}).at == at{{0, 1}});
  CHECK(before({slice(x, 0, 1, 3), {{0, 1}}}).at == at{{0, 2}});
  CHECK(stays({slice(x, 0, 1, 3), {{1, 1}}}));
  CHECK(stays({gather(x, m.in({2}, dtype::i64), 0), {{0, 1}}}));
  CHECK(before({test::parts_of(x, 1, {1, 2})[1], {{1, 1}}}).at == at{{1, 2}});
}

TEST_CASE("lanes: a Where of a constant chooses for all of a lane") {
  model m;
  const value x = m.in({2, 3}), y = m.in({2, 3});
  const value rows = where(truth(m.g, {2, 1}, std::string("\1\0", 2)), x, y);
  CHECK(before({rows, {{0, 0}}}).v.id() == x.id());
  CHECK(before({rows, {{0, 1}}}).v.id() == y.id());
  CHECK(stays({rows, {{1, 0}}}));
  CHECK(stays({where(truth(m.g, {2, 1}, std::string("\1\0", 2)), scalar(m.g, dtype::f32, 0), y), {{0, 0}}}));
}

TEST_CASE("lanes: Reshapes split and join what indices are taken of") {
  model m;
  const value x = m.in({2, 3, 5});
  CHECK(before({reshape(x, {6, 5}), {{0, 4}}}).at == at{{0, 1}, {1, 1}});
  CHECK(before({reshape(m.in({6, 5}), {2, 3, 5}), {{0, 1}, {1, 2}}}).at == at{{0, 5}});
  CHECK(before({reshape(m.in({1, 6}), {6, 1}), {{0, 4}, {1, 0}}}).at == at{{0, 0}, {1, 4}});
  CHECK(stays({reshape(m.in({6, 5}), {2, 3, 5}), {{0, 1}}}));
  CHECK(stays({reshape(x, {2, 15}), {{0, 1}}}));  // the remaining elements have another shape
}
