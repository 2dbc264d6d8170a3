// SPDX-License-Identifier: Apache-2.0
// The same kind of network, its sizes known at run time: mlp_of_sizes OUT.onnx 784 128 10
//
// A `value` is a handle whose type is checked as the graph is built: operands that do not fit throw a build_error.

#include <cstdlib>
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/verbs/activation.hpp>
#include <jax2onnx/ops/verbs/linear.hpp>

using namespace jax2onnx;

int main(int argc, char** argv) {
  if (argc < 4) return EXIT_FAILURE;
  std::vector<std::int64_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));

  graph g;
  value h = g.input({dtype::f32, {g.dims().symbol("B"), sizes[0]}}, "x");
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const std::vector<float> w(static_cast<std::size_t>(sizes[i - 1] * sizes[i]), 0.01f);
    const std::vector<float> b(static_cast<std::size_t>(sizes[i]), 0.1f);
    if (i > 1) h = relu(h);
    h = gemm(h, array<float>(g, dtype::f32, {sizes[i - 1], sizes[i]}, w), array<float>(g, dtype::f32, {sizes[i]}, b));
  }
  output(h, "y");
  write_model(g, {}, std::filesystem::path(argv[1]));
}
