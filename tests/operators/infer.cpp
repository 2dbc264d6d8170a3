// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>

#include <jax2onnx/dsl/typed/extent.hpp>
#include <jax2onnx/dsl/typed/literal.hpp>
#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/operators/infer.hpp>

using namespace jax2onnx;

namespace {

constexpr dim B = "B"_d, N = "N"_d;

constexpr bool is(const infer::result& r, const shape& expected) { return r.ok() && r.dims == expected; }
constexpr bool is(const infer::result& r, std::string_view problem) { return r.problem == problem; }
constexpr infer::constant_dims constants{};

}  // namespace

// Rules that are constant expressions are tested by the compiler; the test cases run the same code at run time.

static_assert(is(infer::broadcast({2, 1}, {3}), shape{2, 3}));
static_assert(is(infer::broadcast({B, 784}, {784}), shape{B, 784}));
static_assert(is(infer::broadcast({B}, {1}), shape{B}));
static_assert(is(infer::broadcast({B}, {N}), shape{dim::dyn()}));
static_assert(is(infer::broadcast({B}, {5}), shape{5}));
static_assert(is(infer::broadcast({0}, {1}), shape{0}));
static_assert(is(infer::broadcast({}, {}), shape{}));
static_assert(is(infer::broadcast({2}, {3}), "the shapes do not broadcast"));
static_assert(is(infer::broadcast({2, 1}, {3}, {4, 1, 1}), shape{4, 2, 3}));
static_assert(is(infer::broadcast({2, 1}, {3}, {4, 5, 1}), "the shapes do not broadcast"));

static_assert(is(infer::broadcast_to({1, 3}, {B, 3}), shape{B, 3}));
static_assert(is(infer::broadcast_to({2}, {1}), "only a dimension of 1 can be repeated"));
static_assert(is(infer::broadcast_to({2, 1}, {2}), "the target has fewer dimensions than the operand"));

static_assert(is(infer::matmul({2, 3}, {3, 4}), shape{2, 4}));
static_assert(is(infer::matmul({B, 1, 2, 3}, {7, 3, 4}), shape{B, 7, 2, 4}));
static_assert(is(infer::matmul({2, 3}, {4, 5}), "the inner dimensions differ"));
static_assert(is(infer::matmul({3}, {3, 4}), shape{4}));
static_assert(is(infer::matmul({B, 3}, {3}), shape{B}));
static_assert(is(infer::matmul({3}, {3}), shape{}));
static_assert(is(infer::matmul({}, {3, 4}), "the operands need one dimension or more"));
static_assert(is(infer::matmul({2, 5, 3}, {3, 3, 4}), "the batch dimensions do not broadcast"));

static_assert(is(infer::dense({B, 7, 784}, {784, 10}, {10}), shape{B, 7, 10}));
static_assert(is(infer::dense({B, 784}, {783, 10}, {10}), "the inner dimensions differ"));
static_assert(is(infer::dense({B, 784}, {784, 10}, {11}), "the bias needs one element for each column of the weights"));

static_assert(is(infer::transpose({2, B, 4}, std::array<std::int64_t, 3>{2, 0, 1}), shape{4, 2, B}));
static_assert(is(infer::transpose({2, 3}, std::array<std::int64_t, 1>{0}),
                 "the permutation needs one entry for each dimension"));
static_assert(is(infer::transpose({2, 3}, std::array<std::int64_t, 2>{0, 0}),
                 "the permutation names a dimension twice"));
static_assert(is(infer::transpose({2, 3}, std::array<std::int64_t, 2>{0, 2}),
                 "the permutation names a dimension that does not exist"));

static_assert(is(infer::reduce({2, B, 4}, std::array<std::int64_t, 2>{0, 2}, false), shape{B}));
static_assert(is(infer::reduce({2, B, 4}, std::array<std::int64_t, 2>{0, 2}, true), shape{1, B, 1}));
static_assert(is(infer::reduce({2}, std::array<std::int64_t, 1>{1}, true), "the axis {} is out of range"));
static_assert(is(infer::along({2, B}, 1), shape{2, B}));
static_assert(is(infer::along({2, B}, 2), "the axis {} is out of range"));

static_assert(is(infer::unsqueeze({2, 3}, std::array<std::int64_t, 2>{0, 3}), shape{1, 2, 3, 1}));
static_assert(is(infer::unsqueeze({2}, std::array<std::int64_t, 1>{2}), "an axis is out of range or named twice"));
static_assert(is(infer::squeeze({1, 2, 1}, std::array<std::int64_t, 1>{2}), shape{1, 2}));
static_assert(is(infer::squeeze({1, 2}, std::array<std::int64_t, 1>{1}),
                 "axis {} cannot be squeezed: its extent is not 1"));

static_assert(is(infer::reshape({B, 28, 28}, {B, 784}), shape{B, 784}));
static_assert(is(infer::reshape({B, 28, 28}, {784, B}), shape{784, B}));
static_assert(is(infer::reshape({B, 28, 28}, {B, 783}), "the number of elements differs"));
static_assert(is(infer::reshape({}, {1, 1}), shape{1, 1}));
static_assert(is(infer::reshape({0, 3}, {0}), shape{0}));

static_assert(is(infer::gather({10, 4}, {B, 3}, 0), shape{B, 3, 4}));
static_assert(is(infer::gather({10, 4}, {}, 1), shape{10}));
static_assert(is(infer::gather({10}, {}, 1), "the axis {} is out of range"));

static_assert(is(infer::concat(constants, {2, B}, {3, B}, 0), shape{5, B}));
static_assert(is(infer::concat(constants, {B}, {B}, 0), shape{dim::dyn()}));
static_assert(is(infer::concat(constants, {2, 3}, {2, 4}, 0), "the extents of axis {} differ"));
static_assert(is(infer::concat(constants, {2}, {2, 4}, 0), "the ranks differ"));

static_assert(is(infer::pad(constants, {3, B}, {1, 0}, {-2, 0}), shape{2, B}));
static_assert(is(infer::pad(constants, {3}, {-2}, {-2}), "axis {} has fewer elements than are cropped"));
static_assert(is(infer::pad(constants, {3}, {}, {}), "there must be one amount for every dimension"));

TEST_CASE("slice: extents round up with the stride, whole axes keep their expression") {
  dim_table table;
  const dim batch = table.symbol("B");
  const ints axes{0, 1};
  CHECK(is(infer::slice(table, {batch, 7}, axes, {0, 1}, {batch, 7}, ints{1, 2}), shape{batch, 3}));
  CHECK(is(infer::slice(table, {batch, 7}, axes, {1, 0}, {batch, 7}, ints{1, 1}), shape{table.parse("B - 1"), 7}));
  CHECK(is(infer::slice(table, {4}, ints{0}, {3}, {2}, ints{1}), "a bound of axis {} is out of range"));
  CHECK(is(infer::slice(table, {4}, ints{0}, {0}, {5}, ints{1}), "a bound of axis {} is out of range"));
  CHECK(is(infer::slice(table, {4}, ints{1}, {0}, {1}, ints{1}), "the axis {} is out of range"));
  CHECK(is(infer::slice(table, {4}, ints{0}, {0}, {1}, ints{0}), "the stride {} is not positive"));
}

TEST_CASE("concat and pad: a dim_table adds symbolic extents") {
  dim_table table;
  const dim batch = table.symbol("B");
  CHECK(is(infer::concat(table, {batch}, {batch}, 0), shape{table.parse("2*B")}));
  CHECK(is(infer::pad(table, {batch}, {1}, {table.parse("B")}), shape{table.parse("2*B + 1")}));
}
