// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>
#include <cstdint>

#include <jax2onnx/lower/linalg/elimination.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// The types of the factors of an [..., m, n] matrix.
void check_types(const shape& batch, std::int64_t m, std::int64_t n) {
  graph g;
  const auto with = [&](const shape& last) {
    shape dims = batch;
    dims.append(last);
    return dims;
  };
  const auto f = linalg::elimination(g.input({dtype::f32, with({m, n})}, "a")).factors();
  CHECK(f.a.re().type() == tensor_type{dtype::f32, with({m, n})});
  CHECK(f.order.re().type() == tensor_type{dtype::i64, with({m, 1})});
  CHECK(f.pivots.type() == tensor_type{dtype::i64, with({std::min(m, n)})});
  for (const node_id made : g.at(block_id::main).nodes) CHECK(g.at(made).op != "Loop");
}

}  // namespace

TEST_CASE("elimination: the types of factors of square, wide and tall matrices, without a Loop") {
  check_types({}, 1, 1);
  check_types({7}, 3, 3);
  check_types({2, 3}, 2, 4);
  check_types({5}, 4, 2);
}

TEST_CASE("elimination: complex factors have both parts") {
  graph g;
  const jax_value a(g.input({dtype::f32, {3, 2, 2}}, "re"), g.input({dtype::f32, {3, 2, 2}}, "im"));
  CHECK(linalg::elimination(a).factors().a.im().dims() == shape{3, 2, 2});
}
