// SPDX-License-Identifier: Apache-2.0
// Builds a multilayer perceptron by hand, without any text: mlp OUT.onnx
//
// Element types and extents are part of the C++ types; "B"_d is a dimension that the model leaves open. Layers that do
// not fit do not compile.

#include <cstdlib>
#include <vector>

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/emit/model.hpp>

using namespace jax2onnx;

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const std::vector<float> w1(784 * 128, 0.01f), b1(128, 0.1f), w2(128 * 10, 0.02f), b2(10, 0.2f);

  graph g;
  const auto x = input<float, "B"_d, 784>(g, "image");
  const auto hidden = relu(dense(x, constant<float, 784, 128>(g, w1, "w1"), constant<float, 128>(g, b1, "b1")));
  const auto logits = dense(hidden, constant<float, 128, 10>(g, w2, "w2"), constant<float, 10>(g, b2, "b2"));
  const tensor<float, "B"_d, 10> y = softmax<1>(logits);  // the compiler computed this type
  output(y, "probabilities");
  write_model(g, {}, std::filesystem::path(argv[1]));
}
