// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/dsl/evaluate/evaluate.hpp>
#include <jax2onnx/dsl/evaluate/shape_kernels.hpp>

using namespace jax2onnx;

namespace {

/// The result of a verb for [[0, 1, 2], [3, 4, 5]].
template <class Verb>
std::string of(const Verb& verb) {
  graph g;
  const value x = g.input({dtype::i64, {2, 3}}, "x");
  return text(evaluate(verb(x), {{"x", array_of<std::int64_t>({2, 3}, {0, 1, 2, 3, 4, 5})}}));
}

}  // namespace

TEST_CASE("shape_kernels: the same elements with other extents") {
  CHECK(of([](const value& x) { return reshape(x, {0, -1, 1}); }) == "i64[2,3,1] {0, 1, 2, 3, 4, 5}");
  CHECK(of([](const value& x) { return flatten(x, {.axis = 2}); }) == "i64[6,1] {0, 1, 2, 3, 4, 5}");
  CHECK(of([](const value& x) { return squeeze(unsqueeze(x, {0, 3})); }) == "i64[2,3] {0, 1, 2, 3, 4, 5}");
  CHECK(of([](const value& x) { return shape_of(x, {.start = -1}); }) == "i64[1] {3}");
  CHECK(of([](const value& x) { return size(x); }) == "i64[] {6}");
}

TEST_CASE("shape_kernels: elements in another order") {
  CHECK(of([](const value& x) { return transpose(x); }) == "i64[3,2] {0, 3, 1, 4, 2, 5}");
  CHECK(of([](const value& x) {
          return expand(unsqueeze(x, {0}), {2, 2, 3});
        }) == "i64[2,2,3] {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}");
  CHECK(of([](const value& x) { return tile(x, {1, 2}); }) == "i64[2,6] {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}");
  CHECK(of([](const value& x) {
          return concat({x, x}, {.axis = 1});
        }) == "i64[2,6] {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}");
  CHECK(of([](const value& x) { return split(x, {1, 2}, {.axis = 1})[1]; }) == "i64[2,2] {1, 2, 4, 5}");
  CHECK(of([](const value& x) { return slice(x, {-1}, {-4}, {1}, {-2}); }) == "i64[2,2] {2, 0, 5, 3}");
  CHECK(of([](const value& x) { return slice(x, {1}, {100}, {1}); }) == "i64[2,2] {1, 2, 4, 5}");
  CHECK(of([](const value& x) {
          return gather(x, array(x.owner(), dtype::i64, {2}, {2, -3}), {.axis = 1});
        }) == "i64[2,2] {2, 0, 5, 3}");
  CHECK(of([](const value& x) {
          return gather_elements(x, array(x.owner(), dtype::i64, {2, 1}, {2, 1}), {.axis = 1});
        }) == "i64[2,1] {2, 4}");
  CHECK(of([](const value& x) { return trilu(x, 1); }) == "i64[2,3] {0, 1, 2, 0, 0, 5}");
}
