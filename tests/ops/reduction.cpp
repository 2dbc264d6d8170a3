// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <jax2onnx/ops/reduction.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("reduce: axes are an attribute before opset 18, except of ReduceSum") {
  graph old(17);
  const value x = old.input({dtype::f32, {2, 3}}, "x");
  CHECK(old.at(old.at(reduce("ReduceMax", x, {1}).id()).producer).find("axes"));
  CHECK(old.at(old.at(reduce("ReduceSum", x, {1}).id()).producer).inputs.size() == 2);
  graph g(18);
  const value y = g.input({dtype::f32, {2, 3}}, "y");
  CHECK(reduce("ReduceMax", y, {1}, true).dims() == shape{2, 1});
  CHECK(g.at(node_id{0}).inputs.size() == 2);
}

TEST_CASE("reduce_truth: bool is reduced as such from opset 20 on, unless nothing is reduced") {
  const auto build = [](int opset, const shape& dims) {
    graph g(opset);
    reduce_truth("ReduceMin", g.input({dtype::boolean, dims}, "x"), {0});
    return op_list(g).size();
  };
  CHECK(build(19, {2, 3}) == 3);
  CHECK(build(20, {2, 3}) == 1);
  CHECK(build(20, {dim::dyn(), 3}) == 3);
  graph g;
  const value scalar = g.input({dtype::boolean, {}}, "s");
  CHECK(same_value(reduce_truth("ReduceMax", scalar, {}), scalar));
  const value all = reduce_truth("ReduceMin", g.input({dtype::boolean, {0, 3}}, "x"), {0});
  CHECK(uniform_integer(all) == 1);
  CHECK(uniform_integer(reduce_truth("ReduceMax", g.input({dtype::boolean, {0, 3}}, "y"), {0})) == 0);
}

namespace {

/// Sorted, since compilers evaluate arguments in different orders.
op_names sorted(op_names all) {
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("exact_sum: 64-bit integers are summed by halves") {
  const auto build = [](int opset, dtype t) {
    graph g(opset);
    const value y = exact_sum(g.input({t, {2, 3}}, "x"), {1});
    CHECK(y.type() == tensor_type{t, {2}});
    return op_list(g);
  };
  CHECK(build(23, dtype::f32) == op_names{"ReduceSum"});
  CHECK(build(23, dtype::i32) == op_names{"Cast", "ReduceSum", "Cast"});
  CHECK(sorted(build(23, dtype::u64)) == op_names{"Add", "BitwiseAnd", "Div", "Mul", "ReduceSum", "ReduceSum", "Sub"});
  CHECK(sorted(build(17, dtype::u64)) == op_names{"Add", "Div", "Mod", "Mul", "ReduceSum", "ReduceSum", "Sub"});
}

TEST_CASE("exact_sum: narrow integers are summed in int32 if the sum fits") {
  const auto build = [](std::optional<std::int64_t> n, dtype t) {
    graph g(23);
    const dim extent = n ? dim(*n) : g.dims().symbol("n");
    exact_sum(cast(g.input({t, {2, extent}}, "x"), dtype::i32), {1});
    return op_list(g);
  };
  const op_names narrow{"Cast", "ReduceSum"}, wide{"Cast", "Cast", "ReduceSum", "Cast"};
  CHECK(build((1 << 16) - 1, dtype::i16) == narrow);
  CHECK(build(1 << 16, dtype::i16) == wide);
  CHECK(build((1 << 23) - 1, dtype::u8) == narrow);
  CHECK(build(1 << 23, dtype::u8) == wide);
  CHECK(build(1 << 24, dtype::boolean) == narrow);
  CHECK(build(std::nullopt, dtype::boolean) == narrow);
  CHECK(build(std::nullopt, dtype::u8) == wide);
}

TEST_CASE("exact_sum: small types wrap") {
  const auto build = [](std::int64_t n) {
    graph g(23);
    exact_sum(g.input({dtype::i16, {n}}, "x"), {0});
    return op_list(g);
  };
  CHECK(build((1 << 16) - 1) == op_names{"ReduceSum"});
  CHECK(build(1 << 16) == op_names{"Cast", "ReduceSum", "Cast"});
}

TEST_CASE("exact_sum: more elements than double sums exactly are summed in parts") {
  const auto count = [](const shape& dims, dtype t) {
    graph g(23);
    CHECK(exact_sum(g.input({t, dims}, "x"), {0, 1}).rank() == 0);
    const op_names all = op_list(g);
    return std::ranges::count(all, "ReduceSum");
  };
  CHECK(count({1, 1 << 21}, dtype::i32) == 1);
  CHECK(count({1, (1 << 21) + 1}, dtype::i32) == 2);
  CHECK(count({1 << 12, 1 << 11}, dtype::u32) == 4);
  CHECK(count({5, 1 << 20}, dtype::i64) == 8);
  CHECK(count({5, 1 << 20}, dtype::u8) == 1);
  CHECK(count({5, 1 << 20}, dtype::f32) == 1);
}

TEST_CASE("significant_bits: a widening cast adds none") {
  graph g;
  const value x = g.input({dtype::i16, {2}}, "x"), b = g.input({dtype::boolean, {2}}, "b");
  CHECK(significant_bits(x) == 16);
  CHECK(significant_bits(cast(x, dtype::i64)) == 16);
  CHECK(significant_bits(cast(x, dtype::u64)) == 65);
  CHECK(significant_bits(cast(b, dtype::i64)) == 2);
  CHECK(significant_bits(g.input({dtype::u32, {2}}, "u")) == 33);
}

TEST_CASE("softmax: along one axis") {
  model m;
  CHECK(integer(softmax(m.x, 1), "axis") == 1);
  CHECK_THROWS_WITH(softmax(m.x, 3), Contains("): the axis 3 is out of range"));
}
