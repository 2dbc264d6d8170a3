// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

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
