// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/pooling.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("AveragePool: divided by the size of the window") {
  const auto pool = [](const value& x, std::int64_t padding) {
    return x.owner().emit(
        "AveragePool", {x}, {dtype::f32, {x.dims()[0], x.dims()[1], 4, 4}},
        {{"kernel_shape", ints{3, 3}}, {"pads", ints(4, padding)}, {"count_include_pad", std::int64_t{1}}});
  };
  model m;
  CHECK(after(div(mul(pool(m.in({2, 3, 4, 4}), 1), 9), 9), "AveragePool") == "AveragePool");
  model n;
  CHECK(after(div(mul(pool(n.in({2, 3, 4, 4}), 1), 9), 8), "AveragePool") ==
        "the divisor is not the size of the window");
  model o;
  const value ones = filled(o.g, dtype::f32, {1, 1, 4, 4}, 1.0);
  CHECK(after(div(mul(pool(o.in({2, 3, 4, 4}), 1), 9), mul(pool(ones, 1), 9)), "AveragePool-unpadded") ==
        "AveragePool");
  CHECK(o.g.at(o.g.at(block_id::main).nodes[0]).find("count_include_pad") == nullptr);
  model p;
  const value twos = filled(p.g, dtype::f32, {1, 1, 4, 4}, 2.0);
  CHECK(after(div(mul(pool(p.in({2, 3, 4, 4}), 1), 9), mul(pool(twos, 1), 9)), "AveragePool-unpadded") ==
        "the divisor does not count the window's elements");
}

TEST_CASE("AveragePool-unpadded: not with the counts of other windows") {
  model m;
  const auto pool = [](const value& x, std::int64_t extent) {
    return x.owner().emit("AveragePool", {x}, {dtype::f32, {x.dims()[0], x.dims()[1], extent, extent}},
                          {{"kernel_shape", ints{3, 3}}, {"count_include_pad", std::int64_t{1}}});
  };
  const value ones = filled(m.g, dtype::f32, {1, 1, 3, 3}, 1.0);
  CHECK(after(div(mul(pool(m.in({2, 3, 6, 6}), 4), 9), mul(pool(ones, 1), 9)), "AveragePool-unpadded") ==
        "the divisor counts other windows than the dividend");
}

namespace {

/// A sum of windows of 2 by 2, with a row after the image and a column before it.
value window_sum(const value& x, dim height, dim width, std::int64_t include_pad = 1, std::int64_t stride = 1) {
  return mul(x.owner().emit("AveragePool", {x}, {dtype::f32, {x.dims()[0], x.dims()[1], height, width}},
                            {{"kernel_shape", ints{2, 2}},
                             {"pads", ints{0, 1, 1, 0}},
                             {"strides", ints(2, stride)},
                             {"count_include_pad", include_pad}}),
             4);
}

constexpr std::string_view other_windows = "the divisor counts other windows than the dividend";

}  // namespace

TEST_CASE("AveragePool-unpadded: counts of an image of another extent") {
  model m;
  const value ones = filled(m.g, dtype::f32, {1, 1, 8, 7}, 1.0);
  const value sum = window_sum(m.in({1, 3, 7, 7}), 4, 4, 1, 2), count = window_sum(ones, 4, 4, 1, 2);
  CHECK(after(div(sum, count), "AveragePool-unpadded") == other_windows);
}

TEST_CASE("AveragePool-unpadded: a Transpose that exchanges rows and columns") {
  const auto mean = [](model& m, const ints& perm) {
    const value count = window_sum(filled(m.g, dtype::f32, {1, 1, 7, 7}, 1.0), 7, 7);
    return after(div(transpose(window_sum(m.in({2, 3, 7, 7}), 7, 7), perm), reshape(count, {1, 7, 7, 1})),
                 "AveragePool-unpadded");
  };
  model m, n;
  CHECK(mean(m, {0, 2, 3, 1}) == "AveragePool Transpose");
  CHECK(mean(n, {0, 3, 2, 1}) == other_windows);
}

TEST_CASE("AveragePool-unpadded: not of what is a mean already") {
  const auto quotient = [](std::int64_t include_pad, std::int64_t count_includes_pad) {
    model m;
    const value sum = window_sum(m.in({1, 3, 7, 7}), 7, 7, include_pad);
    const value count = window_sum(filled(m.g, dtype::f32, {1, 1, 7, 7}, 1.0), 7, 7, count_includes_pad);
    return after(div(sum, count), "AveragePool-unpadded");
  };
  CHECK(quotient(0, 1) == "AveragePool Mul Expand AveragePool Mul Div");
  CHECK(quotient(1, 0) == "AveragePool Mul Expand AveragePool Mul Div");
}

TEST_CASE("AveragePool-blocks: means of blocks of pixels") {
  const ints to_last{0, 2, 3, 1};
  const auto mean = [](const value& x, const shape& blocks, const ints& axes) {
    return after({reduce("ReduceMean", reshape(x, blocks), axes)}, {"AveragePool-blocks"}, target::ort);
  };
  model m, n, o, p, q, r, s;
  CHECK(mean(transpose(m.in({m.B, 8, 4, 6}), to_last), {m.B, 2, 2, 2, 3, 8}, {2, 4}) == "AveragePool Transpose");
  CHECK(*std::get_if<ints>(&m.g.at(m.g.at(block_id::main).nodes[0]).find("kernel_shape")->value) == ints{2, 3});
  CHECK(mean(n.in({n.B, 8, 4, 6}), {n.B, 8, 2, 2, 2, 3}, {3, 5}) == "AveragePool");
  CHECK(mean(o.in({1, 4, 6, 8}), {1, 2, 2, 2, 3, 8}, {2, 4}) == "Reshape ReduceMean");  // channels last
  CHECK(mean(p.in({1, 8, 4, 6}), {1, 8, 2, 2, 2, 3}, {2, 4}) == "Reshape ReduceMean");  // every second pixel
  CHECK(mean(q.in({1, 8, 4, 6}), {1, 8, 4, 2, 3}, {4}) == "Reshape ReduceMean");        // rows only
  CHECK(mean(r.in({1, 7, 4, 6}), {1, 7, 2, 2, 2, 3}, {3, 5}) ==
        "the number of channels is symbolic, or so small that ReduceMean is as fast");
  CHECK(mean(s.in({1, 8, 4, 6}, dtype::f64), {1, 8, 2, 2, 2, 3}, {3, 5}) ==
        "ONNX Runtime has no kernel for the element type");
}
