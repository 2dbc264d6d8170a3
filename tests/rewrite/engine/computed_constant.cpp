#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include <jax2onnx/rewrite/engine/computed_constant.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/support/permuted_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("computed_constant: of others that are computed, up to a depth") {
  graph g;
  bytes data(std::string(8, 'a'));
  const auto turned = [&] {
    return std::make_shared<const jax2onnx::detail::permuted_source>(data, std::vector<std::uint64_t>{2, 4},
                                                                     std::vector<std::uint64_t>{1, 2}, 1);
  };
  for (std::size_t i = 0; i <= deepest_source; ++i) data = computed_constant(g, {dtype::u8, {2, 4}}, turned()).data();
  CHECK_THROWS_AS(computed_constant(g, {dtype::u8, {2, 4}}, turned()), declined);
}

TEST_CASE("computed_constant: what all of them hold has a limit") {
  graph g;
  g.set_limits({.bytes = 10000});
  const auto numbers = [&] { return constant_of_numbers(g, {dtype::f32, {100}}, std::vector<double>(100)); };
  for (int i = 0; i < 4; ++i) CHECK(numbers().data().size() == 400);
  CHECK_THROWS_AS(numbers(), declined);
}

TEST_CASE("computed_constant: a rule that would exceed the limit does not apply") {
  model m;
  m.g.set_limits({.bytes = 20000});
  const value w = m.g.constant({dtype::f32, {1500}}, m.weight({1500}).data(), "scale");
  CHECK(after(mul(m.in({2, 1500}), div(w, 3)), "fold-weights") == "computed weights hold too much memory");
}
