// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::facts;

namespace {

single_element of(dtype t, double number) { return {t, encode_float(t, number)}; }
single_element of(dtype t, std::int64_t number) { return {t, of_elements::encode(t, number)}; }

/// The result of an operator for these elements; nullopt if it is not computed.
std::optional<single_element> result(operator_name op, std::initializer_list<single_element> in, dtype t) {
  const element_row* row = rows_of_elements.find(op);
  REQUIRE(row);
  REQUIRE(row->operands == in.size());
  const auto bits = row->rule(std::span(in.begin(), in.size()), t);
  return bits ? std::optional(single_element{t, *bits}) : std::nullopt;
}
std::optional<single_element> result(operator_name op, std::initializer_list<single_element> in) {
  return result(op, in, in.begin()->type);
}
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("elements: integers wrap, in every width and signedness") {
  CHECK(result("Add", {of(dtype::i8, std::int64_t{127}), of(dtype::i8, std::int64_t{1})})->integer() == -128);
  CHECK(result("Sub", {of(dtype::u8, std::int64_t{0}), of(dtype::u8, std::int64_t{1})})->integer() == 255);
  CHECK(result("Mul", {of(dtype::i32, std::int64_t{1} << 20), of(dtype::i32, std::int64_t{1} << 12)})->integer() == 0);
  CHECK(result("Neg", {of(dtype::i16, std::int64_t{-32768})})->integer() == -32768);
  CHECK(result("Abs", {of(dtype::i8, std::int64_t{-5})})->integer() == 5);
  CHECK(result("Abs", {of(dtype::u8, std::int64_t{251})})->integer() == 251);
}

TEST_CASE("elements: floating-point numbers are rounded once, in their type") {
  const dtype half = dtype::f16;
  CHECK(result("Add", {of(half, 2048.0), of(half, 1.0)})->number() == 2048);
  CHECK(result("Mul", {of(dtype::f32, 3e38), of(dtype::f32, 2.0)})->number() == INFINITY);
  CHECK(std::signbit(result("Neg", {of(dtype::f32, 0.0)})->number()));
  CHECK(result("Reciprocal", {of(dtype::f32, 3.0)})->number() == static_cast<double>(1 / 3.0f));
  CHECK(result("Floor", {of(dtype::f64, -0.5)})->number() == -1);
}

TEST_CASE("elements: what runtimes compute differently is not computed") {
  for (const operator_name op : {operator_name("Max"), operator_name("Min")}) {
    CHECK_FALSE(result(op, {of(dtype::f32, not_a_number), of(dtype::f32, 1.0)}));
    CHECK_FALSE(result(op, {of(dtype::f32, 1.0), of(dtype::f32, not_a_number)}));
  }
  CHECK_FALSE(result("Relu", {of(dtype::f32, -0.0)}));
  CHECK_FALSE(result("Relu", {of(dtype::f32, not_a_number)}));
  CHECK_FALSE(result("Div", {of(dtype::i32, std::int64_t{1}), of(dtype::i32, std::int64_t{0})}));
  CHECK_FALSE(result("Div", {of(dtype::i32, std::int64_t{-1}), of(dtype::i32, std::int64_t{2})}));
  CHECK_FALSE(result("Mod", {of(dtype::f32, 1.0), of(dtype::f32, 2.0)}));
  CHECK_FALSE(result("Cast", {of(dtype::f32, 300.0)}, dtype::u8));
  CHECK(result("Div", {of(dtype::f32, 1.0), of(dtype::f32, 0.0)})->number() == INFINITY);
  CHECK(result("Div", {of(dtype::u8, std::int64_t{7}), of(dtype::u8, std::int64_t{2})})->integer() == 3);
}

TEST_CASE("elements: Clip raises first, and bounds that are NaN are left to runtimes") {
  for (const double x : {0.0, 3.0, 5.0})
    CHECK(result("Clip", {of(dtype::f32, x), of(dtype::f32, 4.0), of(dtype::f32, 2.0)})->number() == 2);
  const auto four = of(dtype::u32, std::int64_t{4}), two = of(dtype::u32, std::int64_t{2});
  CHECK(result("Clip", {of(dtype::u32, std::int64_t{0}), four, two})->integer() == 2);
  CHECK(result("Clip", {of(dtype::f32, 3.0), of(dtype::f32, 2.0), of(dtype::f32, 4.0)})->number() == 3);
  CHECK_FALSE(result("Clip", {of(dtype::f32, 3.0), of(dtype::f32, not_a_number), of(dtype::f32, 4.0)}));
  CHECK_FALSE(result("Clip", {of(dtype::f32, 3.0), of(dtype::f32, 2.0), of(dtype::f32, not_a_number)}));
}

TEST_CASE("elements: of two zeros, -0 is less") {
  const auto is_negative = [](operator_name op, double a, double b) {
    return std::signbit(result(op, {of(dtype::f32, a), of(dtype::f32, b)})->number());
  };
  CHECK_FALSE(is_negative("Max", -0.0, 0.0));
  CHECK_FALSE(is_negative("Max", 0.0, -0.0));
  CHECK(is_negative("Max", -0.0, -0.0));
  CHECK(is_negative("Min", -0.0, 0.0));
  CHECK(is_negative("Min", 0.0, -0.0));
  CHECK_FALSE(is_negative("Min", 0.0, 0.0));
}

TEST_CASE("elements: remainders have the sign of the divisor, or of the dividend") {
  const auto mod = [](const element_row& row, std::int64_t x, std::int64_t y) {
    const single_element in[] = {of(dtype::i8, x), of(dtype::i8, y)};
    return row.rule(in, dtype::i8);
  };
  const element_row& floored = *rows_of_elements.find("Mod");
  CHECK(mod(floored, -1, 4) == 3);
  CHECK(mod(floored, -8, 4) == 0);
  CHECK(mod(floored, 7, 4) == 3);
  CHECK(mod(row_of_truncated_remainder, -7, 4) == 0xFD);
  CHECK_FALSE(mod(floored, 7, -4));
  CHECK_FALSE(mod(floored, 7, 0));
  CHECK(result("Mod", {of(dtype::u8, std::int64_t{255}), of(dtype::u8, std::int64_t{16})})->integer() == 15);
}

TEST_CASE("elements: comparisons are in the order of the type; none holds for NaN") {
  const single_element large = of(dtype::u64, std::int64_t{-1}), one = of(dtype::u64, std::int64_t{1});
  CHECK(result("Greater", {large, one}, dtype::boolean)->integer() == 1);
  CHECK(result("Max", {large, one})->bits == large.bits);
  CHECK(result("Less", {of(dtype::i64, std::int64_t{-1}), of(dtype::i64, std::int64_t{1})}, dtype::boolean)->integer());
  for (const operator_name op : {operator_name("Equal"), operator_name("Less"), operator_name("GreaterOrEqual")})
    CHECK(result(op, {of(dtype::f32, not_a_number), of(dtype::f32, not_a_number)}, dtype::boolean)->integer() == 0);
  CHECK(result("Equal", {of(dtype::f32, 0.0), of(dtype::f32, -0.0)}, dtype::boolean)->integer() == 1);
}

TEST_CASE("elements: bits of integers") {
  const single_element six = of(dtype::i8, std::int64_t{6}), ten = of(dtype::i8, std::int64_t{10});
  CHECK(result("BitwiseAnd", {six, ten})->integer() == 2);
  CHECK(result("BitwiseOr", {six, ten})->integer() == 14);
  CHECK(result("BitwiseXor", {six, ten})->integer() == 12);
  CHECK(result("BitwiseNot", {six})->integer() == -7);
}

TEST_CASE("elements: each row fits the operator's record") {
  for (const element_row& row : element_rows) {
    INFO(row.op.text());
    const op_record& record = *records_of("", row.op).back();
    CHECK(row.operands >= record.least_inputs - (record.name == "Expand" ? 1u : 0u));
    CHECK(record.deterministic);
  }
}

TEST_CASE("element_row_of: not of another domain, nor with absent or further operands") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK(element_row_of(*operators::producer(g.emit("Max", {x, x}, x.type()))) != nullptr);
  CHECK(element_row_of(*operators::producer(g.emit("Max", {x, x, x}, x.type()))) == nullptr);
  CHECK(element_row_of(*operators::producer(exp(x))) == nullptr);
  CHECK(element_row_of(*operators::producer(neg(x))) != nullptr);
  CHECK(element_row_of(*operators::producer(g.emit("Clip", {x, value(), x}, x.type()))) == nullptr);
  CHECK(element_row_of(*operators::producer(
            g.emit_many("Neg", std::vector{x}, std::vector{x.type()}, {}, "com.example")[0])) == nullptr);
}
