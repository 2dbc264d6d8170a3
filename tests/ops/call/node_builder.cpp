// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/call/split_count.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

const node& last(const graph& g) { return g.at(g.at(block_id::main).nodes.back()); }

}  // namespace

TEST_CASE("verbs: defaults are not written, what differs is") {
  graph g;
  const value x = g.input({dtype::f32, {1, 3, 8, 8}}, "x"), w = g.input({dtype::f32, {4, 3, 3, 3}}, "w");
  CHECK(text(conv(x, w)) == "f32[1,4,6,6]");
  CHECK(last(g).attributes.empty());
  CHECK(text(conv(x, w, {}, {.strides = {2, 2}, .auto_pad = auto_pad::same_upper})) == "f32[1,4,4,4]");
  CHECK(std::get<std::string>(last(g).find("auto_pad")->value) == "SAME_UPPER");
  CHECK(last(g).inputs.size() == 2);
}

TEST_CASE("verbs: numbers take the dtype that the operator requires, and meet tensors of their kind") {
  graph g;
  const value x = g.input({dtype::f16, {2, 3}}, "x"), n = g.input({dtype::i32, {2}}, "n");
  clip(x, 0, 6.5);
  CHECK(g.at(last(g).inputs[1]).type == tensor_type{dtype::f16, {}});
  CHECK(text(jax2onnx::unsqueeze(x, {0})) == "f16[1,2,3]");
  CHECK(g.at(last(g).inputs[1]).type == tensor_type{dtype::i64, {1}});
  CHECK_THROWS_WITH(jax2onnx::mul(n, 0.5), Catch::Contains("0.5") && Catch::Contains("i32"));
  CHECK_THROWS_AS(jax2onnx::add(n, 3'000'000'000), build_error);
  CHECK_THROWS_AS(jax2onnx::add(x, true), build_error);
}

TEST_CASE("verbs: the form of the graph's opset") {
  graph old(17), g(18);
  const auto mean = [](graph& of) { return jax2onnx::reduce_mean(of.input({dtype::f32, {2, 3}}, "x"), {1}); };
  CHECK(text(mean(old)) == "f32[2,1]");
  CHECK(last(old).inputs.size() == 1);
  CHECK(std::get<ints>(last(old).find("axes")->value) == ints{1});
  CHECK(text(mean(g)) == "f32[2,1]");
  CHECK(last(g).inputs.size() == 2);
  const value x = old.input({dtype::f32, {1, 1, 4, 4}}, "y");
  CHECK_THROWS_WITH(jax2onnx::gelu(x), "Gelu needs opset 20");
  CHECK_THROWS_WITH(jax2onnx::average_pool(x, {.kernel_shape = {2, 2}, .dilations = {2, 2}}),
                    "the attribute dilations of AveragePool needs opset 19");
  CHECK_THROWS_AS(jax2onnx::reduce_mean(x, old.input({dtype::i64, {1}}, "axes")), build_error);
}

TEST_CASE("verbs: operands of two graphs, or of none") {
  graph g, h;
  const value x = g.input({dtype::f32, {2}}, "x"), y = h.input({dtype::f32, {2}}, "y");
  CHECK_THROWS_WITH(jax2onnx::add(x, y), "Add: the operands are of two graphs");
  CHECK_THROWS_AS(jax2onnx::relu(value()), build_error);
}

TEST_CASE("split_count: from the attribute or the lengths") {
  graph g;
  const value x = g.input({dtype::f32, {6}}, "x");
  CHECK(detail::split_count({}, 3) == 3);
  CHECK(detail::split_count({2, 4}, {}) == 2);
  CHECK(jax2onnx::split(x, {2, 4}).size() == 2);
  CHECK_THROWS_AS(detail::split_count({}, {}), build_error);
}

TEST_CASE("op: an operator whose name is known at run time") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK(text(op(g, std::string("Relu"), {x})[0]) == "f32[2]");
  CHECK_THROWS_WITH(op(g, "Rleu", {x}), "ONNX has no operator 'Rleu'; did you mean 'Relu'?");
}

TEST_CASE("node builder: sizes that no memory has are refused, with the operator") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK_THROWS_WITH(tile(x, {std::int64_t{1} << 62}), Contains("Tile: "));
  CHECK_THROWS_WITH(expand(x, {std::int64_t{1} << 61, 2}),
                    Contains("Expand: its result ") && Contains(" is too large for any memory"));
  CHECK(text(expand(tile(x, {0}), {std::int64_t{1} << 61, 0})) == "f32[2305843009213693952,0]");
}

TEST_CASE("node builder: absent items of lists, numbers out of range, negative extents") {
  graph g;
  const value x = g.input({dtype::f16, {4}}, "x"), y = g.input({dtype::f32, {2, 2, 3}}, "y");
  const auto refused = [](node_builder n) {
    try {
      n.build();
    } catch (const build_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused(node_builder("Max", {x, value()})) == "Max: item 1 of its list is absent");
  CHECK(refused(node_builder("Add", {x, 70000})) == "Add: 70000 cannot be represented in f16");
  CHECK(refused(node_builder("Div", {x, 1e-9})) == "Div: 1e-09 cannot be represented in f16");
  CHECK(refused(node_builder("Add", {x, true})) == "Add: true cannot be combined with a tensor of f16");
  CHECK(refused(node_builder("AffineGrid", {y, {2, 3, -5, 6}})) ==
        "AffineGrid: its result would have the negative extent -5");
}
