// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/functions.hpp>
#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/facts/verify.hpp>

using namespace jax2onnx;

TEST_CASE("typed functions: the result's type follows from each call's operands") {
  graph g;
  const auto x = input<float, "batch"_d, 4>(g, "x");
  const auto w = input<float, 4, 8>(g, "w");
  const auto v = input<float, 8, 2>(g, "v");
  const auto layer = define(g, "com.example", "Layer", [](auto a, auto b) { return relu(matmul(a, b)); });
  const tensor<float, "batch"_d, 8> hidden = layer(x, w);
  const tensor<float, "batch"_d, 2> y = layer(hidden, v);
  CHECK(y.erased().rank() == 2);
  CHECK(g.functions().size() == 1);
  CHECK(problems_of(g).empty());
}

TEST_CASE("typed operators of custom domains") {
  graph g;
  const auto x = input<float, "batch"_d, 16>(g, "x");
  const tensor<float, "batch"_d, 9> t = op<"com.example", "Fft">(g, {x}, {{"n", 16}}, type<float, "batch"_d, 9>);
  const auto [a, b] = op<"com.example", "Parts">(g, {t, x}, {}, type<float, "batch"_d>, type<std::int64_t>);
  static_assert(std::same_as<std::remove_cvref_t<decltype(b)>, tensor<std::int64_t>>);
  const node& n = g.at(g.at(a.erased().id()).producer);
  CHECK(n.op == "Parts");
  CHECK(n.inputs.size() == 2);
}

TEST_CASE("typed constants: copies, views, vectors that are taken over") {
  graph g;
  std::vector<float> weights(64 * 64, 1.0f);
  const auto view = constant_view<float, 64, 64>(g, weights, "w");
  CHECK(static_cast<const void*>(view.erased().data().view().data()) == weights.data());
  const auto copy = constant<float, 64, 64>(g, weights, "c");
  weights[0] = 2.0f;
  CHECK(copy.erased().data().view()[3] == std::byte{0x3f});
  CHECK(copy.erased().data().view()[2] == std::byte{0x80});
  const float* const where = weights.data();
  const auto taken = constant<float, 64, 64>(g, std::move(weights), "taken");
  CHECK(static_cast<const void*>(taken.erased().data().view().data()) == where);
}
