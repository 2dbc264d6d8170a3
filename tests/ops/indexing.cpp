// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/indexing.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("gather, pick: the axis is replaced by the indices' axes") {
  model m;
  const value i = m.g.input({dtype::i64, {5, 2}}, "i");
  CHECK(gather(m.x, i, 1).dims() == shape{m.B, 5, 2, 6});
  CHECK(pick(m.x, 3, 1).dims() == shape{m.B, 6});
  CHECK(constant_integers(pick(reshape(int64s(m.g, {1, 2, 3, 4}), {2, 2}), 1, 1)) == ints{2, 4});
  CHECK_THROWS_WITH(gather(m.x, i, 3), Contains("): the axis 3 is out of range"));
}

TEST_CASE("pick: of constants as of other values, nothing out of range") {
  model m;
  const value two = reshape(int64s(m.g, {1, 2, 3, 4}), {2, 2});
  CHECK(constant_integers(pick(two, -1, 0)) == ints{3, 4});
  for (const std::int64_t index : {INT64_MIN, INT64_C(-3), INT64_C(2), INT64_MAX}) {
    CHECK_THROWS_WITH(pick(two, index, 0), Contains("pick: the index") && Contains("axis 0 of i64[2,2]"));
    CHECK_THROWS_AS(pick(m.g.input({dtype::f32, {2}}, "v"), index, 0), build_error);
  }
  for (const std::int64_t axis : {-1, 2}) CHECK_THROWS_WITH(pick(two, 0, axis), Contains("pick: the axis"));
}

TEST_CASE("gather_nd: indices address the axes after the batch") {
  model m;
  const value i = m.g.input({dtype::i32, {m.B, 7, 1}}, "i");
  const value y = gather_nd(m.x, i, 1);
  CHECK(y.dims() == shape{m.B, 7, 6});
  CHECK(integer(y, "batch_dims") == 1);
  CHECK(operand_of(y, 1).dtype() == dtype::i64);
}

TEST_CASE("scatter_nd, scatter_elements: reductions need opsets, which errors name") {
  const auto scatter = [](int opset, const std::string& reduction, bool elements) {
    graph g(opset);
    const value x = g.input({dtype::f32, {4}}, "x"), i = g.input({dtype::i64, {2, 1}}, "i");
    const value u = g.input({dtype::f32, {2}}, "u");
    const value y = elements ? scatter_elements(x, reshape(i, {2}), u, 0, reduction) : scatter_nd(x, i, u, reduction);
    CHECK(y.dims() == shape{4});
    return producer(y).find("reduction") ? word(y, "reduction") : "";
  };
  for (bool elements : {false, true}) {
    CHECK(scatter(17, "none", elements).empty());
    CHECK(scatter(17, "add", elements) == "add");
    CHECK(scatter(18, "max", elements) == "max");
    CHECK_THROWS_WITH(scatter(17, "min", elements), Contains("with reduction min needs opset 18"));
  }
  try {
    scatter(17, "min", false);
  } catch (const opset_error& e) {
    CHECK(e.opset == 18);
    CHECK(e.kind() == failure::unsupported);
  }
}

TEST_CASE("top_k: values and indices") {
  model m;
  const auto [values, places] = top_k(m.x, 2, 1, false);
  CHECK(values.dims() == shape{m.B, 2, 6});
  CHECK(places.type() == tensor_type{dtype::i64, {m.B, 2, 6}});
  CHECK(integer(values, "largest") == 0);
}

TEST_CASE("compress: as many slices as are kept is not known") {
  model m;
  CHECK(compress(m.x, m.g.input({dtype::boolean, {m.B}}, "keep")).dims() == shape{dim::dyn(), 4, 6});
}
