#include "catch.hpp"

#include <jax2onnx/ops/typed/typed_value.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("named: an extent keeps the name that it has among the operands") {
  using a = tensor<float, "B"_d, 4>;
  using b = tensor<float, "C"_d, dyn>;
  static_assert(named<a, b>(dim::symbol("C")).name() == "C");
  static_assert(named<a, b>(dim(7)).size == 7);
  static_assert(dim(named<a, b>(dim::symbol("D"))).is_dyn());
  static_assert(one_element_type<a, b>);
  static_assert(!one_element_type<a, tensor<double, 4>>);
}

TEST_CASE("evaluate: a rule's shape without heap memory") {
  constexpr fixed_result r = evaluate([] { return infer::broadcast({2, 1}, {3}); });
  static_assert(r.rank == 2 && r.dims[0].is(2) && r.dims[1].is(3) && r.problem.empty());
  static_assert(!evaluate([] { return infer::fail("no"); }).problem.empty());
}
