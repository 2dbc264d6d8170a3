// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/reduction/cumulative.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 5}}, "x"), start = g.input({dtype::f32, {2}}, "start");
};

constexpr auto sum = [](const jax_values& accumulators, const jax_values& element) {
  return jax_values{add(accumulators[0].re(), element[0].re())};
};

}  // namespace

TEST_CASE("scan_axis: the last accumulators, and on request all of them") {
  model m;
  const scan_results last = scan_axis(m.g, {m.start}, {m.x}, 1, false, false, sum);
  CHECK(op_of(last.last[0].re()) == "Scan");
  CHECK(last.last[0].re().dims() == shape{2});
  CHECK(last.running.empty());
  const scan_results all = scan_axis(m.g, {m.start}, {m.x}, 1, true, true, sum);
  REQUIRE(all.running.size() == 1);
  CHECK(all.running[0].re().dims() == shape{2, 5});
  CHECK(std::get<ints>(producer(all.running[0].re()).find("scan_input_directions")->value) == ints{1});
  CHECK(std::get<ints>(producer(all.running[0].re()).find("scan_output_axes")->value) == ints{1});
}

TEST_CASE("scan_axis: what a step returns beyond accumulators is collected") {
  model m;
  const scan_results both =
      scan_axis(m.g, {m.start}, {jax_value(m.x, m.x)}, 1, false, false, [](const jax_values& acc, const jax_values& e) {
        return jax_values{acc[0], jax_value(e[0].im(), e[0].re())};
      });
  REQUIRE(both.running.size() == 1);
  CHECK(both.running[0].count == 2);
  CHECK(both.running[0].im().dims() == shape{2, 5});
}

TEST_CASE("scan_axis: results that may be empty are stacked along axis 0") {
  graph g;
  const dim batch = g.dims().sub(g.dims().symbol("B"), 1);
  const value x = g.input({dtype::f32, {batch, 5}}, "x"), start = g.input({dtype::f32, {batch}}, "start");
  const value all = scan_axis(g, {start}, {x}, 1, false, true, sum).running.at(0).re();
  CHECK(all.dims() == shape{batch, 5});
  REQUIRE(op_of(all) == "Transpose");
  const value stacked(g, producer(all).inputs[0]);
  CHECK(op_of(stacked) == "Scan");
  CHECK(stacked.dims() == shape{5, batch});
  CHECK(std::get<ints>(producer(stacked).find("scan_input_axes")->value) == ints{1});
  CHECK(producer(stacked).find("scan_output_axes") == nullptr);
}

TEST_CASE("scan_axis: along an axis that may be empty, a Loop") {
  graph g;
  const dim n = g.dims().sub(g.dims().symbol("N"), 1);
  const value x = g.input({dtype::f32, {2, n}}, "x"), start = g.input({dtype::f32, {2}}, "start");
  for (const bool reverse : {false, true}) {
    const scan_results all = scan_axis(g, {start}, {x}, 1, reverse, true, sum);
    CHECK(op_of(all.last[0].re()) == "Loop");
    CHECK(all.running.at(0).re().dims() == shape{2, n});
  }
}

TEST_CASE("cumprod: a Loop along an axis that may be empty") {
  constexpr lower_fn product = [](const site& s) { return lower::cumprod(s); };
  const auto op_along = [&](const char* axis) {
    const lowered_text text(
        "{ lambda ; a:f32[B - 1,3]. let b:f32[B - 1,3] = p[axis=" + std::string(axis) + " reverse=False] a in (b,) }",
        product);
    CHECK(text.problem() == "(none)");
    const value& y = text.results.at(0).re();
    return std::string(op_of(op_of(y) == "Reshape" ? value(y.owner(), producer(y).inputs[0]) : y));
  };
  CHECK(op_along("0") == "Loop");
  CHECK(op_along("1") == "Transpose");
}
