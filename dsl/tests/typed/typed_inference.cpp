// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/typed_inference.hpp>
#include <jax2onnx/operators/records/elementwise.hpp>
#include <jax2onnx/operators/records/reduction.hpp>
#include <jax2onnx/operators/records/shape.hpp>

using namespace jax2onnx;

namespace {

constexpr const op_record& newest(std::span<const op_record> records, std::string_view name) {
  const op_record* found = nullptr;
  for (const op_record& r : records)
    if (r.name == name) found = &r;
  return *found;
}

template <class... Operands>
constexpr std::array<known_operand, sizeof...(Operands)> given{detail::argument<Operands>::known()...};

constexpr const op_record& add_record = newest(records::elementwise_records, "Add");
constexpr const op_record& sum_record = newest(records::reduction_records, "ReduceSum");

}  // namespace

TEST_CASE("typed inference: a rule runs while compiling") {
  constexpr auto r = infer_known<1>(add_record, given<tensor<float, "B"_d, 4>, tensor<float, 3, 1, 1>>, {});
  STATIC_REQUIRE(r.ok);
  STATIC_REQUIRE(r.list[0].rank == 3);
  STATIC_REQUIRE(r.list[0].dims[1] == dim("B"_d));
}

TEST_CASE("typed inference: different symbols do not fit, dyn fits") {
  STATIC_REQUIRE_FALSE(infer_known<1>(add_record, given<tensor<float, "B"_d>, tensor<float, "T"_d>>, {}).ok);
  STATIC_REQUIRE_FALSE(infer_known<1>(add_record, given<tensor<float, "B"_d>, tensor<float, 7>>, {}).ok);
  STATIC_REQUIRE(infer_known<1>(add_record, given<tensor<float, "B"_d>, tensor<float, dyn>>, {}).ok);
  STATIC_REQUIRE(infer_known<1>(add_record, given<tensor<float, "B"_d>, tensor<float, 1>>, {}).ok);
}

TEST_CASE("typed inference: run-time attributes leave the rank unknown") {
  constexpr auto known = infer_known<1>(sum_record, given<tensor<float, 3, 4>, known_integers<1>>, {});
  STATIC_REQUIRE(known.list[0].dims[0] == dim(3));
  constexpr auto open = infer_known<1>(sum_record, given<tensor<float, 3, 4>, known_integers<1>>, {{}, false});
  STATIC_REQUIRE(open.ok);
  STATIC_REQUIRE_FALSE(open.list[0].is_tensor);
}

TEST_CASE("typed inference: the problem names operator, operands and types") {
  const auto problem = [](auto list) { return std::string(problem_of(add_record, list, {}, 1).view()); };
  CHECK(problem(given<tensor<float, "B"_d, 784>, tensor<float, "T"_d, 784>>) ==
        "Add(A: f32[B,784], B: f32[T,784]): the shapes do not broadcast");
  CHECK(problem(given<tensor<float, 4>, tensor<double, 4>>) ==
        "Add(A: f32[4], B: f64[4]): operands 0 and 1 must have the same element type");
  CHECK(problem(given<tensor<int, 4>, double>) ==
        "Add(A: i32[4], B: a number): a number with a fraction can only be combined with floats");
  CHECK(problem(given<tensor<bool, 4>, tensor<bool, 4>>)
            .starts_with("Add(A: bool[4], B: bool[4]): A is none of f32, u8"));
}

TEST_CASE("typed inference: an extent that no operand has") {
  constexpr auto& operands = given<tensor<float, "B"_d, 4>, known_integers<-1>>;
  constexpr const op_record& reshape_record = newest(records::shape_records, "Reshape");
  constexpr auto r = infer_known<1>(reshape_record, operands, {});
  STATIC_REQUIRE(r.list[0].rank == 1);
  STATIC_REQUIRE(computed_extent(reshape_record, operands, {}, 1, r.list[0].dims[0]) == "B"_d * 4);
}
