// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <jax2onnx/lower/linear/fourier.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// The operators of a matrix's transform along an axis, sorted.
std::string operators_of(const fourier_axis& a, std::int64_t axis, bool complex) {
  graph g(22);
  const shape dims = axis == 0 ? shape{a.inputs, 2} : shape{2, a.inputs};
  const value re = g.input({dtype::f64, dims}, "re");
  const jax_value z = complex ? jax_value(re, g.input({dtype::f64, dims}, "im")) : jax_value(re);
  const jax_value y = fourier_transform(z, a, axis);
  CHECK(y.count == (a.real_result ? 1 : 2));
  for (std::size_t p = 0; p < y.count; ++p) CHECK(y.part(p).extent(axis).is(a.outputs));
  std::vector<std::string> names;
  for (const node_id n : g.at(block_id::main).nodes) names.emplace_back(std::string(g.at(n).op));
  std::sort(names.begin(), names.end());
  std::string sorted;
  for (const std::string& name : names) sorted += (sorted.empty() ? "" : " ") + name;
  return sorted;
}

}  // namespace

TEST_CASE("roots of unity are exact at quarters") {
  CHECK(root_of_unity(0, 8) == std::array<double, 2>{1, 0});
  CHECK(root_of_unity(2, 8) == std::array<double, 2>{0, 1});
  CHECK(root_of_unity(12, 8) == std::array<double, 2>{-1, 0});
  CHECK(root_of_unity(6, 8)[1] == -1);
  CHECK(std::abs(root_of_unity(1, 3)[0] + 0.5) < 1e-15);
}

TEST_CASE("the factor next to the root") {
  CHECK(middle_factor(1) == 1);
  CHECK(middle_factor(16) == 4);
  CHECK(middle_factor(48) == 6);
  CHECK(middle_factor(263) == 1);
}

TEST_CASE("short lengths take one step, longer ones two, and long ones without factors none") {
  CHECK(planned({.n = 105, .inputs = 105, .outputs = 105})->inner == 1);
  CHECK(planned({.n = 210, .inputs = 210, .outputs = 210})->inner == 14);
  CHECK(planned({.n = 400, .inputs = 400, .outputs = 201, .real_operand = true})->inner == 1);
  CHECK(planned({.n = 263, .inputs = 263, .outputs = 263})->inner == 1);
  CHECK_FALSE(planned({.n = 1031, .inputs = 1031, .outputs = 1031}));
  CHECK_FALSE(planned({.n = 131072, .inputs = 131072, .outputs = 131072}));
  CHECK_FALSE(planned({}));
}

TEST_CASE("one step is a product for each part") {
  fourier_axis a{.n = 12, .inputs = 12, .outputs = 12};
  CHECK(operators_of(a, 1, true) == "Concat MatMul MatMul");
  CHECK(operators_of(a, 0, true) == "Concat MatMul MatMul");
  a.real_operand = true;
  CHECK(operators_of(a, 1, false) == "MatMul MatMul");
  CHECK(operators_of({.n = 12, .inputs = 7, .outputs = 12, .real_result = true, .inverse = true}, 1, true) ==
        "Concat MatMul");
}

TEST_CASE("two steps multiply by roots of unity between their products") {
  fourier_axis a{.n = 12, .inputs = 12, .outputs = 7, .real_operand = true, .inner = 3};
  CHECK(operators_of(a, 1, false) ==
        "Add Concat MatMul MatMul MatMul MatMul Mul Mul Mul Mul Reshape Reshape Reshape Slice Slice Sub Transpose");
  a = {.n = 12, .inputs = 7, .outputs = 12, .real_result = true, .inverse = true, .inner = 3};
  CHECK(operators_of(a, 1, true) ==
        "Add Concat Concat MatMul MatMul MatMul Mul Mul Mul Mul Mul Mul Pad Pad Reshape Reshape Reshape Sub Transpose");
}

TEST_CASE("elements also count for their conjugates, except at the ends of a half spectrum") {
  const fourier::matrix_product even{.n = 6, .rows = 4, .columns = 6, .half_spectrum = true};
  CHECK(std::vector<double>{even.weight(0), even.weight(1), even.weight(3)} == std::vector<double>{1, 2, 1});
  const fourier::matrix_product odd{.n = 5, .rows = 3, .columns = 5, .scale = 0.5, .half_spectrum = true};
  CHECK(std::vector<double>{odd.weight(0), odd.weight(2)} == std::vector<double>{0.5, 1});
}
