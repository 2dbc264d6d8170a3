// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using jax2onnx::rewrite::test::model;

namespace {

/// The obstacles for a runtime, without the counts.
std::string stopping(const graph& g, runtime r) {
  std::string out;
  for (const obstacle& o : obstacles(g, r)) out += (out.empty() ? "" : "; ") + std::string(o.why);
  return out;
}

}  // namespace

TEST_CASE("obstacles: every row names an operator and another runtime") {
  for (const rewrite::detail::obstacle_row& row : rewrite::detail::obstacle_rows::all) {
    INFO(row.op << " " << row.why);
    CHECK((row.op.empty() || find_record("", row.op, highest_opset)));
    CHECK(row.runtimes != 0);
    CHECK((row.holds || !row.op.empty()));
    for (const target_row& known : target_table)
      CHECK((!rewrite::detail::is_for(row.runtimes, known.target) ||
             std::ranges::find(other_runtimes, known.target.runtime) != std::end(other_runtimes)));
  }
}

TEST_CASE("obstacles: operators that a runtime lacks, counted") {
  model m;
  const value x = m.in({4, 2});
  output(dft(dft(x, 0), 0), "y");
  CHECK(stopping(m.g, runtime::tract).empty());
  const std::vector<obstacle> found = obstacles(m.g, runtime::mnn);
  REQUIRE(found.size() == 1);
  CHECK(found[0].op == "DFT");
  CHECK(found[0].nodes == 2);
  CHECK(m.g.at(found[0].first).inputs[0] == x.id());
  CHECK(obstacles(m.g, runtime::ort).empty());
}

TEST_CASE("obstacles: of element types, attributes and operands") {
  model m;
  const value x = m.in({3}, dtype::u32);
  output(m.g.emit("BitShift", {x, x}, x.type(), {{"direction", std::string("RIGHT")}}), "shifted");
  CHECK(stopping(m.g, runtime::rten) == "has no unsigned integers except uint8");
  CHECK(stopping(m.g, runtime::mnn) == "shifts in the sign bit");
  model n;
  const value start = n.in({1}, dtype::i64), of = n.in({8});
  output(n.g.emit("Slice", {of, start, add(start, 2), int64s(n.g, {0})}, {dtype::f32, {2}}), "slice");
  CHECK(stopping(n.g, runtime::tract) == "loses the extent of a Slice that begins at a computed index");
  CHECK(stopping(n.g, runtime::openvino).empty());
  model k;
  const value row = k.in({3}), rows = k.in({2, 3});
  output(k.g.emit("Mod", {rows, row}, rows.type(), {{"fmod", std::int64_t{1}}}), "rest");
  CHECK(stopping(k.g, runtime::tract) == "computes Mod of operands of different shapes wrongly");
}

TEST_CASE("obstacles: a warning has the place of the first node") {
  model m;
  m.g.set_origin({.begin = 5, .end = 9});
  output(dft(m.in({4, 2}), 0), "y");
  const std::vector<diagnostic> warnings = obstacle_warnings(m.g, runtime::tvm);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == "convert.obstacle");
  CHECK(warnings[0].message == "tvm has no DFT: 1 node will not work there (the first is DFT)");
  CHECK(warnings[0].where.begin == 5);
  CHECK(warnings[0].where.end == 9);
}

TEST_CASE("obstacles: ncnn takes one example, four axes, and sums of all elements") {
  const auto of = [](const auto& build) {
    model m;
    output(build(m), "y");
    return stopping(m.g, runtime::ncnn);
  };
  const auto pooled = [](std::int64_t batch) {
    return [batch](model& m) {
      return m.g.emit("MaxPool", {m.in({batch, 3, 8, 8})}, {dtype::f32, {batch, 3, 4, 4}},
                      {{"kernel_shape", ints{2, 2}}, {"strides", ints{2, 2}}});
    };
  };
  CHECK(of(pooled(1)).empty());
  CHECK(of(pooled(2)) == "only pools a batch of 1");
  CHECK(of([](model& m) { return abs(m.in({2, 2, 2, 2})); }).empty());
  CHECK(of([](model& m) { return abs(m.in({1, 2, 2, 2, 2})); }) == "has no arrays of more than four axes");
  CHECK(of([](model& m) { return abs(m.in({2}, dtype::f64)); }) == "supports float32 only");
  CHECK(of([](model& m) { return reduce("ReduceSum", m.in({2, 4}), {0, 1}, false); }).empty());
  CHECK(of([](model& m) { return reduce("ReduceSum", m.in({2, 4}), {1}, true); }) == "sums along all axes only");
  CHECK(of([](model& m) { return gather(m.in({5, 2}), m.in({3}, dtype::i64), 0); }).empty());
  CHECK(of([](model& m) {
          return gather(m.in({5, 2}), m.in({3, 1}, dtype::i64), 0);
        }) == "only looks up vectors of indices");
  CHECK(of([](model& m) { return less(m.in({2}), m.in({2})); }) == "has no Less");
}

TEST_CASE("obstacles: ncnn keeps the first axis for a batch, and folds few constants") {
  const auto of = [](const auto& build) {
    model m;
    output(build(m), "y");
    return stopping(m.g, runtime::ncnn);
  };
  const auto token = [](std::int64_t batch) {
    return [batch](model& m) { return gather(m.in({batch, 5, 8}), scalar(m.g, dtype::i64, 0), 1); };
  };
  CHECK(of(token(1)).empty());
  CHECK(of(token(3)) == "only picks elements of a batch of 1");
  CHECK(of([](model& m) {
          return gather(m.in({3, 8}), int64s(m.g, {0, 2}), 1);
        }) == "only looks up vectors of indices");
  const auto heads = [](std::int64_t batch) {
    return [batch](model& m) { return reshape(m.in({batch * 5, 16}), {batch, 5, 4, 4}); };
  };
  CHECK(of(heads(1)).empty());
  CHECK(of(heads(3)) == "treats the first of four axes as a batch of 1");
  CHECK(of([](model& m) {
          return concat({m.in({1, 2, 3, 3}), m.in({1, 2, 3, 3})}, 1);
        }) == "cannot concatenate arrays of four axes");
  const auto normalized = [](std::int64_t axis) {
    return [axis](model& m) {
      return m.g.emit("LayerNormalization", {m.in({2, 8}), m.in({8})}, {dtype::f32, {2, 8}}, {{"axis", axis}});
    };
  };
  CHECK(of(normalized(-1)).empty());
  CHECK(of(normalized(0)) == "does not normalize over the first axis");
  CHECK(of([](model& m) {
          const value x = m.in({4});
          return div(x, add(scalar(m.g, dtype::f32, 1.0), abs(x)));
        }) == "recognizes x / (1 + |x|) as Softsign, which it lacks");
  CHECK(of([](model& m) {
          return add(int64s(m.g, {1, 2}), int64s(m.g, {3}));
        }) == "cannot compute integers or scalars from constants");
  CHECK(of([](model& m) {
          const value c = int64s(m.g, {1, 2});
          const std::vector<tensor_type> types(2, c.type());
          const std::vector<value> ys = m.g.emit_many("LSTM", std::vector<value>{c, c, c}, types);
          m.g.at(ys[0].record().producer).outputs[0] = value_id::none;
          return ys[1];
        }) == "cannot compute integers or scalars from constants; has no LSTM");
  CHECK(of([](model& m) {
          const value ones = array(m.g, dtype::f32, {2}, std::vector<float>{1, 1});
          return add(ones, ones);
        }).empty());
}
