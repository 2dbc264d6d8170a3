// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <new>
#include <optional>
#include <utility>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/live_graphs.hpp>

using namespace jax2onnx;

TEST_CASE("live_graphs: the addresses of graphs that were destroyed are not used again at once") {
  void* const first = ::operator new(64);
  detail::note_graph(first);
  CHECK(detail::graph_exists(first));
  detail::forget_graph(first);
  CHECK_FALSE(detail::graph_exists(first));
  void* const second = ::operator new(64);
  CHECK(second != first);
  ::operator delete(second);
}

TEST_CASE("live_graphs: a value without its graph is an error, not an accident") {
  std::optional<graph> g(std::in_place, 23);
  const value x = g->input({dtype::f32, {2}}, "x");
  graph moved = std::move(*g);
  CHECK(text(x) == "f32[2]");
  g.emplace(23);  // it may have the same address
  CHECK(text(x) == "f32[2]");
  const value y = g->input({dtype::f32, {3}}, "y");
  moved = graph(23);
  CHECK_THROWS_AS(text(x), build_error);
  CHECK_THROWS_AS(output(x, "y"), build_error);
  CHECK(text(y) == "f32[3]");
  g.reset();
  CHECK_THROWS_WITH(text(y), "an operand belongs to a graph that was destroyed");
}
