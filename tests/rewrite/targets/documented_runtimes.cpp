// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <sstream>
#include <string>

#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/rewrite/targets/documented_runtimes.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::detail;
using jax2onnx::rewrite::test::model;

TEST_CASE("documented runtimes: their operators are ONNX's") {
  for (const documented_runtime& row : documented_runtimes) {
    std::istringstream names{std::string(row.operators)};
    for (std::string op; names >> op;) {
      INFO(op);
      CHECK(find_record("", op, highest_opset));
      CHECK(has_operator(row, op));
    }
    CHECK_FALSE(has_operator(row, "Reduce"));
  }
  CHECK(documented_row(runtime::tract) == nullptr);
}

TEST_CASE("documented runtimes: what they are not documented to have is an obstacle, once for each operator") {
  model m;
  const value x = m.in({4, 2});
  output(m.g.emit("Relu", {ops::dft(ops::dft(x, 0), 0)}, x.type()), "y");
  const std::vector<obstacle> found = obstacles(m.g, runtime::qnn);
  REQUIRE(found.size() == 1);
  CHECK(found[0].op == "DFT");
  CHECK(found[0].why == "has no DFT, by its documentation");
  CHECK(found[0].nodes == 2);
  CHECK(obstacles(m.g, runtime::tensorrt).size() == 1);
  CHECK(obstacles(m.g, runtime::ncnn)[0].why == "has no DFT");
}

TEST_CASE("documented runtimes: element types") {
  model m;
  const value x = m.in({4}, dtype::f64);
  output(m.g.emit("Relu", {x}, x.type()), "y");
  for (const runtime r : {runtime::tensorrt, runtime::coreml, runtime::qnn, runtime::webnn})
    CHECK(obstacles(m.g, r).size() == 1);
}
