// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <utility>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/read/opset_adapter.hpp>

using namespace jax2onnx;

namespace {

/// The node of a verb at one opset, as text, after it was joined to a model of another opset.
template <class Verb>
node adapted(int from, int to, graph& g, const tensor_type& type, const Verb& verb) {
  graph model(from);
  output(verb(model.input(type, "x")), "y");
  g = graph(to);
  const value y = inline_model(g, model, {{"x", g.input(type, "x")}})[0];
  output(y, "y");
  verify(g);
  return g.at(y.record().producer);
}

}  // namespace

TEST_CASE("opset_adapter: axes of reductions are operands or attributes") {
  graph g;
  const auto verb = [](const value& x) { return reduce_mean(x, {-1}, {.keepdims = false}); };
  const node newer = adapted(17, 23, g, {dtype::f32, {2, 4}}, verb);
  CHECK(newer.inputs.size() == 2);
  CHECK(newer.find("axes") == nullptr);
  const node older = adapted(23, 17, g, {dtype::f32, {2, 4}}, verb);
  CHECK(older.inputs.size() == 1);
  CHECK(std::get<ints>(older.find("axes")->value) == ints{-1});
  const node all = adapted(23, 17, g, {dtype::f32, {2, 4}}, [](const value& x) { return reduce_mean(x); });
  CHECK(all.find("axes") == nullptr);
}

TEST_CASE("opset_adapter: parts, modes and the axis of a Fourier transform") {
  graph g;
  const auto halves = [](const value& x) { return split(x, {}, {.axis = 1, .num_outputs = 2})[1]; };
  CHECK(std::get<std::int64_t>(adapted(17, 23, g, {dtype::f32, {2, 4}}, halves).find("num_outputs")->value) == 2);
  CHECK(adapted(23, 17, g, {dtype::f32, {2, 4}}, halves).find("num_outputs") == nullptr);
  CHECK_THROWS_AS(adapted(23, 17, g, {dtype::f32, {2, 5}}, halves), build_error);
  const auto sampled = [](const value& x) {
    return grid_sample(x, array(x.owner(), dtype::f32, {1, 1, 1, 2}, {0.0f, 0.0f}), {.mode = sample_mode::cubic});
  };
  CHECK(std::get<std::string>(adapted(17, 23, g, {dtype::f32, {1, 1, 4, 4}}, sampled).find("mode")->value) == "cubic");
  CHECK(std::get<std::string>(adapted(23, 17, g, {dtype::f32, {1, 1, 4, 4}}, sampled).find("mode")->value) ==
        "bicubic");
  const auto transformed = [](const value& x) { return dft(x, {}, 1); };
  CHECK(adapted(17, 23, g, {dtype::f32, {1, 8, 1}}, transformed).inputs.size() == 3);
  CHECK(std::get<std::int64_t>(adapted(23, 17, g, {dtype::f32, {1, 8, 1}}, transformed).find("axis")->value) == 1);
}

TEST_CASE("opset_adapter: attributes that an opset lacks go if they say nothing") {
  graph g;
  const tensor_type matrix{dtype::f32, {2, 4}};
  adapted(23, 17, g, matrix, [](const value& x) { return reduce_sum(x, {0}); });
  CHECK_THROWS_AS(adapted(23, 17, g, matrix, [](const value& x) { return gelu(x); }), opset_error);
}
