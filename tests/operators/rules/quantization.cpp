// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/quantization.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B");
constexpr std::optional<tensor_type> absent;

constexpr formal_attribute attributes[] = {standard("axis", 1)};
constexpr formal operands[] = {{"x", 0}, {"scale", 1}, {"zero_point", 2, presence::optional}}, results[] = {{"y", 2}};
constexpr type_constraint constraints[] = {
    {"T1", {~0u}}, {"T2", {~0u}}, {"T3", {records::types({dtype::i8, dtype::u8, dtype::f16})}}};
constexpr op_record op{"Op", "", 23, operands, results, constraints, attributes, 2, 1, {}, ""};

constexpr tensor_type u8(std::initializer_list<dim> dims) { return of(dtype::u8, dims); }
constexpr tensor_type i8(std::initializer_list<dim> dims) { return of(dtype::i8, dims); }

}  // namespace

static_assert(applied(op, f32({B, 4}), f32({})).run(rules::quantize_linear).are(u8({B, 4})));
static_assert(applied(op, f32({B, 4}), f32({4}), i8({4})).run(rules::quantize_linear).are(i8({B, 4})));
static_assert(
    applied(op, f32({B, 4}), f32({})).with("output_dtype", dtype::i8).run(rules::quantize_linear).are(i8({B, 4})));
static_assert(applied(op, f32({B, 4}), f32({}))
                  .attributes_at_run_time()
                  .run(rules::quantize_linear)
                  .are(of(dtype::undefined, {B, 4})));
static_assert(
    applied(op, i8({B, 5}), f32({B, 3})).with("block_size", 2).run(rules::dequantize_linear).are(f32({B, 5})));
static_assert(applied(op, i8({B, 5}), f32({}))
                  .with("output_dtype", dtype::f16)
                  .run(rules::dequantize_linear)
                  .are(of(dtype::f16, {B, 5})));

TEST_CASE("scales and zero points", "[graph]") {
  const auto run = [](tensor_type scale, auto... zero_point) {
    return applied(op, f32({2, 4, 6}), scale, zero_point...);
  };
  for (const auto rule : {rules::quantize_linear, rules::dequantize_linear}) {
    CHECK(run(f32({1})).run(rule).ok());
    CHECK(run(f32({B})).run(rule).ok());
    CHECK(run(f32({6})).with("axis", -1).run(rule).ok());
    CHECK(run(f32({6})).run(rule).problem == "the scale has {} element{|s} for an axis of {}");
    CHECK(run(f32({6})).with("axis", 3).run(rule).problem == "the axis {} is out of range for {} dimension{|s}");
    CHECK(run(f32({2, 4})).run(rule).problem.starts_with("the scale has {} dimension{|s}"));
    CHECK(run(f32({4}), u8({3})).run(rule).problem == "the zero point has an extent of {}, the scale of {}");
    CHECK(run(f32({4}), u8({})).run(rule).problem == "the zero point has {} dimension{|s}, the scale {}");
    CHECK(run(f32({2, 2, 6})).with("block_size", 2).run(rule).ok());
    CHECK(run(f32({2, 2, 6})).with("block_size", 3).run(rule).ok());
    CHECK(run(f32({2, 2, 6})).with("block_size", 4).run(rule).problem ==
          "the scale has {} element{|s} for {} block{|s}");
    CHECK_FALSE(run(f32({2, 2, 6})).with("block_size", 2).with("axis", 2).run(rule).ok());
    CHECK_FALSE(run(f32({2, 2})).with("block_size", 2).run(rule).ok());
    CHECK(run(f32({})).with("block_size", -1).run(rule).problem == "block_size is {}; it must not be negative");
  }
  CHECK(applied(op, f32({4}), f32({4})).run(rules::quantize_linear).ok());  // the only axis, whatever `axis` says
  CHECK_FALSE(applied(op, f32({4}), f32({3})).run(rules::quantize_linear).ok());
}

TEST_CASE("types of quantized tensors", "[graph]") {
  const auto problem = [](auto&& application, auto rule) { return application.run(rule).problem; };
  CHECK(problem(applied(op, f32({2}), f32({}), i8({})).with("output_dtype", dtype::u8), rules::quantize_linear) ==
        "output_dtype is not the type of the zero point");
  for (const auto rule : {rules::quantize_linear, rules::dequantize_linear})
    CHECK(problem(applied(op, f32({2}), f32({})).with("output_dtype", dtype::i64), rule) ==
          "output_dtype is not an allowed type of the result");
  const outcome dynamic = applied(op, f32({B, 2}), absent, u8({})).wants(3).run(rules::dynamic_quantize_linear);
  CHECK(dynamic.dims(0) == shape{B, 2});
  CHECK(dynamic.dims(1).empty());
  CHECK(dynamic.dims(2).empty());
}

TEST_CASE("int32 has a zero point of 0, and divisions a floating precision", "[graph]") {
  const auto point = [](dim number) {
    return applied(op, of(dtype::i32, {2}), f32({}), of(dtype::i32, {}))
        .known(2, {number})
        .run(rules::dequantize_linear);
  };
  CHECK(point(0).ok());
  CHECK(point(5).problem == "the zero point of int32 is {}; it must be {}");
  const auto precise = [](dtype t) {
    return applied(op, f32({2}), f32({}), u8({})).with("precision", t).run(rules::quantize_linear);
  };
  CHECK(precise(dtype::f16).ok());
  CHECK(precise(dtype::i32).problem == "precision is not a floating-point type");
}
