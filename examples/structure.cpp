// SPDX-License-Identifier: Apache-2.0
// Builds a model with structure by hand: structure OUT.onnx
//
// A function of the model, a branch, a loop and a scan. Bodies are lambdas; what they return is what the verbs return,
// with the types that the compiler computed.

#include <cstdlib>
#include <tuple>
#include <utility>

#include <jax2onnx/dsl/structure/notes.hpp>
#include <jax2onnx/dsl/typed/control.hpp>
#include <jax2onnx/dsl/typed/functions.hpp>
#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/emit/model.hpp>

using namespace jax2onnx;

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  graph g({.opset = 21, .name = "structure", .doc = "functions, branches and loops"});
  g.set_metadata("example", "structure");
  const auto x = input<float, "time"_d, 4>(g, "x");
  const auto w = input<float, 4, 4>(g, "w");
  const auto v = input<float, 4, 4>(g, "v");
  const auto gated = input<bool>(g, "gated");

  const auto glu =
      define(g, "com.example", "Glu", [](auto a, auto b, auto c) { return sigmoid(matmul(a, b)) * matmul(a, c); },
             {.operands = {"x", "w", "v"}, .doc = "a gated linear unit"});
  const auto h = glu(glu(x, w, v), v, w);
  const auto chosen = if_(
      gated, [&] { return h; }, [&] { return x; });

  const auto zero = constant<float, 4>(g, std::vector<float>(4, 0.0f));
  const auto [sum, sums] = scan(zero, chosen, [](auto before, auto row) {
    auto after = before + row;
    return std::pair(after, after);
  });
  const auto [last, powers] = loop(3, sum, [](auto, auto now) { return collect(now * 2.0f, now); });
  const auto small = while_(
      last, [](auto now) { return reduce_max<0>(now) > 1.0f; }, [](auto now) { return now * 0.5f; });

  output(describe(name_node(small, "halve"), "until nothing is over 1"), "small");
  output(sums, "sums");
  output(powers, "powers");
  write_model(g, {}, std::filesystem::path(argv[1]));
}
