// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/set_rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value with_rows(const value& x, std::initializer_list<std::int64_t> indices, const value& updates) {
  const ints numbers = indices;
  return scatter_nd(x, array(x.owner(), dtype::i64, {std::ssize(numbers), 1}, std::span<const std::int64_t>(numbers)),
                    updates);
}
value row(const value& x, std::int64_t index) { return gather(x, scalar(x.owner(), dtype::i64, index), 0); }

}  // namespace

TEST_CASE("read-set-row: the update, or the array before") {
  const auto left = [](const auto& build) {
    model m;
    return after(build(m, m.in({4})), "read-set-row");
  };
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {1}, abs(m.in({1}))), 1); }) == "Abs Squeeze");
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {-3}, abs(m.in({1}))), 1); }) == "Abs Squeeze");
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {1}, m.in({1})), 2); }) == "Gather");
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {1, 2}, abs(m.in({2}))), -2); }) == "Abs Gather");
  CHECK(left([](model& m, const value& x) {
          return row(with_rows(with_rows(x, {1}, abs(m.in({1}))), {2}, m.in({1})), 1);
        }) == "Abs Squeeze");
  CHECK(left([](model& m, const value&) {
          return row(with_rows(m.in({4, 3}), {1}, abs(m.in({1, 3}))), 1);
        }) == "Abs Reshape");
}

TEST_CASE("read-set-row: what stays") {
  const auto left = [](const auto& build) {
    model m;
    return after(build(m, m.in({4})), "read-set-row");
  };
  const std::string same = "ScatterND Gather";
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {1}, m.in({1})), 4); }) == same);
  CHECK(left([](model& m, const value& x) { return row(with_rows(x, {1, 1}, m.in({2})), 1); }) == same);
  CHECK(left([](model& m, const value&) {
          return gather(with_rows(m.in({4, 4}), {1}, m.in({1, 4})), scalar(m.g, dtype::i64, 1), 1);
        }) == same);
  CHECK(left([](model& m, const value& x) {
          return row(scatter_nd(x, m.in({1, 1}, dtype::i64), m.in({1})), 1);
        }) == same);
  CHECK(left([](model& m, const value& x) {
          return row(scatter_nd(x, array(m.g, dtype::i64, {1, 1}, std::vector<std::int64_t>{1}), m.in({1}), "add"), 1);
        }) == same);
  CHECK(left([](model& m, const value&) { return row(with_rows(m.in({5000}), {1}, m.in({1})), 2); }) ==
        "the array is large");
}

TEST_CASE("join-set-rows: the last update of each row") {
  const auto twice = [](std::initializer_list<std::int64_t> first, std::initializer_list<std::int64_t> second) {
    model m;
    std::vector<value> updates;
    for (std::size_t i = 0; i < first.size(); ++i) updates.push_back(abs(m.in({1})));
    return after(with_rows(with_rows(m.in({4}), first, concat(updates, 0)), second, exp(m.in({1}))), "join-set-rows");
  };
  CHECK(twice({1}, {2}) == "Abs Exp Concat ScatterND");
  CHECK(twice({1}, {1}) == "Exp ScatterND");
  CHECK(twice({0, 1, 3}, {2}) == "Abs Abs Abs Exp Concat");
  CHECK(twice({0, 1, 3}, {-4}) == "Abs Abs Exp Concat ScatterND");
}

TEST_CASE("join-set-rows: what stays") {
  model m, n;
  const value inner = with_rows(m.in({4}), {1}, m.in({1}));
  CHECK(after({with_rows(inner, {2}, m.in({1})), inner}, {"join-set-rows"}) == "ScatterND ScatterND");
  CHECK(after(with_rows(with_rows(n.in({4}), {1, 2}, n.in({2})), {3}, n.in({1})), "join-set-rows") ==
        "ScatterND ScatterND");
}
