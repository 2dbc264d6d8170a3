// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/memory_form.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("memory_form: the extents of matrices, and the axis of a vector") {
  model m;
  using jax2onnx::rewrite::detail::last_wide_axis;
  using jax2onnx::rewrite::detail::matrix_extents;
  CHECK(matrix_extents(m.in({3, 8, 4})) == std::pair<dim, dim>{8, 4});
  CHECK(matrix_extents(m.in({4})) == std::pair<dim, dim>{1, 4});
  CHECK(matrix_extents(m.in({40, 4}), true) == std::pair<dim, dim>{1, 4});
  CHECK(last_wide_axis(m.in({3, 8, 1})) == 1);
  CHECK(last_wide_axis(m.in({3, 8, 4})) == 2);
}
