// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/linear.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute flags[] = {standard("transA", std::int64_t{0}), standard("transB", std::int64_t{0})};
constexpr op_record op = record_of(flags);
constexpr dim B = dim::symbol("B"), T = dim::symbol("T"), dyn = dim::dyn();

constexpr outcome einsum(std::string_view equation, auto... operands) {
  return applied(op, std::move(operands)...).with("equation", equation).run(rules::einsum);
}

static_assert(applied(op, f32({B, 2, 3}), f32({3, 4})).run(rules::matmul).is({B, 2, 4}));
static_assert(!applied(op, f32({2, 3}), f32({2, 3})).run(rules::matmul).ok());
static_assert(applied(op, f32({3, B}), f32({3, 4}), f32({4})).with("transA", 1).run(rules::gemm).is({B, 4}));
static_assert(einsum("bij, bjk -> bik", f32({B, 2, 3}), f32({B, 3, 4})).is({B, 2, 4}));
static_assert(!einsum("ij,jk->ik", f32({2, 3}), f32({2, 4})).ok());
static_assert(applied(op, f32({B, 3, 3})).run(rules::det).is({B}));

}  // namespace

TEST_CASE("products of quantized matrices", "[graph]") {
  const auto apply = [](tensor_type zero_point) {
    const tensor_type one = f32({}), b = f32({3, 4});
    return applied(op, f32({B, 3}), one, std::move(zero_point), b, one, one, one, one).run(rules::qlinear_matmul);
  };
  CHECK(apply(f32({1})).is({B, 4}));
  CHECK_FALSE(apply(f32({3})).ok());
  CHECK(applied(op, f32({2, 3}), f32({3}), f32({}), f32({})).run(rules::matmul).is({2}));
  CHECK_FALSE(applied(op, f32({}), f32({3})).run(rules::matmul).ok());
}

TEST_CASE("Gemm transposes and adds", "[graph]") {
  CHECK(applied(op, f32({B, 3}), f32({4, 3}), f32({B, 1})).with("transB", 1).run(rules::gemm).is({B, 4}));
  CHECK(applied(op, f32({B, 3}), f32({3, 4})).attributes_at_run_time().run(rules::gemm).is({dyn, dyn}));
  CHECK_FALSE(applied(op, f32({B, 3}), f32({4, 3})).run(rules::gemm).ok());
  CHECK_FALSE(applied(op, f32({3}), f32({3, 4})).run(rules::gemm).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), f32({3, 4}), f32({2})).run(rules::gemm).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), f32({3, 4}), f32({1, 2, 4})).run(rules::gemm).ok());
}

TEST_CASE("Einsum reads its equation", "[graph]") {
  CHECK(einsum("ij->ji", f32({2, B})).is({B, 2}));
  CHECK(einsum("ii", f32({3, 3})).is({}));
  CHECK(einsum("bA, b", f32({2, 3}), f32({2})).is({3}));
  CHECK(einsum("ba", f32({2, 3})).is({3, 2}));
  CHECK(einsum("...ij,...jk->...ik", f32({B, 1, 2, 3}), f32({7, 3, 4})).is({B, 7, 2, 4}));
  CHECK(einsum("i...->...", f32({2, 3, 4})).is({3, 4}));
  CHECK(einsum("...", f32({2, 3})).is({2, 3}));
  CHECK(einsum("i,i->i", f32({1}), f32({5})).is({5}));
  CHECK(einsum("i,i->i", f32({B}), f32({T})).is({dyn}));
  CHECK(einsum(",->", f32({}), f32({})).is({}));
  CHECK(applied(op, f32({2})).run(rules::einsum).is_unranked());
}

TEST_CASE("Einsum refuses what its equation does not fit", "[graph]") {
  CHECK_FALSE(einsum("ij", f32({2})).ok());
  CHECK_FALSE(einsum("i...", f32({})).ok());
  CHECK_FALSE(einsum("i,j", f32({2})).ok());
  CHECK_FALSE(einsum("i", f32({2}), f32({2})).ok());
  CHECK_FALSE(einsum("ii", f32({2, 3})).ok());
  CHECK_FALSE(einsum("i->j", f32({2})).ok());
  CHECK_FALSE(einsum("i->ii", f32({2})).ok());
  CHECK_FALSE(einsum("i1", f32({2, 2})).ok());
  CHECK_FALSE(einsum("i..", f32({2, 2})).ok());
  CHECK_FALSE(einsum("...,...->...", f32({2}), f32({3})).ok());
  CHECK_FALSE(einsum("...i...", f32({2, 3, 4})).ok());
}

TEST_CASE("Det wants square matrices", "[graph]") {
  CHECK(applied(op, f32({3, 3})).run(rules::det).is({}));
  CHECK_FALSE(applied(op, f32({3, 4})).run(rules::det).ok());
  CHECK_FALSE(applied(op, f32({3})).run(rules::det).ok());
}

TEST_CASE("MatMulInteger and QLinearMatMul: one number, or one for each row or column", "[graph]") {
  const auto a = of(dtype::u8, {2, 4}), b = of(dtype::i8, {4, 3});
  const auto points = [&](dim rows, dim columns) {
    return applied(op, a, b, of(dtype::u8, {rows}), of(dtype::i8, {columns})).run(rules::matmul_integer);
  };
  CHECK(points(2, 3).is({2, 3}));
  CHECK(points(1, 1).is({2, 3}));
  CHECK(points(7, 3).problem == "the left operand has {} zero point{|s} for {} row{|s}");
  CHECK(points(2, 2).problem == "the right operand has {} zero point{|s} for {} column{|s}");
  CHECK(applied(op, of(dtype::u8, {4}), b).run(rules::matmul_integer).is({3}));
  const auto scales = [&](dim columns, dim results) {
    return applied(op, a, f32({}), of(dtype::u8, {}), b, f32({columns}), of(dtype::i8, {columns}), f32({results}),
                   of(dtype::u8, {results}))
        .run(rules::qlinear_matmul);
  };
  CHECK(scales(3, 2).is({2, 3}));
  CHECK(scales(4, 1).problem == "the right operand has {} scale{|s} for {} column{|s}");
  CHECK(scales(3, 7).problem == "the result has {} scale{|s} for {} row{|s}");
}
