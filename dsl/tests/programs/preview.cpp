// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program computes many functions of one tensor and adds their results in five groups.
PROGRAM(activation_zoo) {
  graph g(24);
  const auto x = input<float, "n"_d, 4>(g, "x");
  const auto smooth = celu(x, {.alpha = 2.0f}) + elu(x) + selu(x) + softplus(x) + softsign(x) + mish(x) + swish(x);
  const auto hard = hard_sigmoid(x, {.alpha = 0.5f, .beta = 0.6f}) + hard_swish(x) + hardmax<1>(x) + leaky_relu(x) +
                    shrink(x, {.bias = 0.1f}) + thresholded_relu(x, {.alpha = 0.3f}) + relu(x);
  const auto sloped = prelu(x, weight<4>(g, "slope"));
  const auto angles = sin(x) + cos(x) + tan(x) + sinh(x) + cosh(x) + atan(x) + asinh(x) + acosh(abs(x) + 1.0f);
  const auto inside = clip(x, -0.9f, 0.9f);
  const auto others =
      asin(inside) + acos(inside) + atanh(inside) + erf(x) + log(abs(x) + 1.0f) + reciprocal(x * x + 1.0f);
  output(smooth, "smooth");
  output(hard, "hard");
  output(sloped + gelu(x, {.approximate = gelu_approximation::tanh}), "sloped");
  output(angles, "angles");
  output(others + pow(abs(x), 1.5f) + floor(x), "others");
  write_model(g, folder / "activation_zoo.onnx");
}

// The program builds a block of linear attention, with a short convolution before the attention and a gated layer after
// it.
PROGRAM(linear_attention_block) {
  graph g(28);
  const auto x = input<float, 2, 4, 8>(g, "x");
  const auto channels = transpose<0, 2, 1>(x);
  const auto mixed =
      causal_conv_with_state(channels, weight<8, 1, 3>(g, "kernel"), {}, {}, {.activation = conv_activation::silu});
  const auto h = transpose<0, 2, 1>(mixed.output);
  const auto a = linear_attention<linear_attention_attributes_of{
      .q_num_heads = 2, .kv_num_heads = 2, .update_rule = update_rule::linear}>(h, h, x);
  const auto gated = swiglu(tensor<float, 2, 4, 8>(a.output.erased()), x);
  output(gated, "y");
  output(mixed.present_state, "state");
  output(a.present_state, "memory");
  write_model(g, folder / "linear_attention_block.onnx");
}

// The program classifies rows by a tree, with words for the classes, and encodes words as numbers.
PROGRAM(tree_classifier) {
  graph g(21);
  const value x = g.input({dtype::f32, {g.dims().symbol("rows"), 2}}, "x");
  const value word = g.input({dtype::string, {g.dims().symbol("rows")}}, "word");
  const auto trees = tree_ensemble_classifier(x, {.class_ids = {0, 1},
                                                  .class_nodeids = {1, 2},
                                                  .class_treeids = {0, 0},
                                                  .class_weights = {1, 1},
                                                  .classlabels_strings = {"low", "high", "none"},
                                                  .nodes_falsenodeids = {2, 0, 0},
                                                  .nodes_featureids = {0, 0, 0},
                                                  .nodes_modes = {"BRANCH_LEQ", "LEAF", "LEAF"},
                                                  .nodes_nodeids = {0, 1, 2},
                                                  .nodes_treeids = {0, 0, 0},
                                                  .nodes_truenodeids = {1, 0, 0},
                                                  .nodes_values = {0.25f, 0, 0}});
  output(trees.y, "label");
  output(trees.z, "votes");
  output(one_hot_encoder(word, {.cats_strings = {"a", "b"}}), "hot");
  output(category_mapper(word, {.cats_int64s = {10, 20}, .cats_strings = {"a", "b"}, .default_int64 = -5}), "number");
  write_model(g, folder / "tree_classifier.onnx");
}

// The program scores rows by a tree in the form of the newest version of ONNX's operators for machine learning.
PROGRAM(tree_scores) {
  graph g(21);
  const value x = g.input({dtype::f32, {g.dims().symbol("rows"), 2}}, "x");
  const std::vector<float> splits{0.25f}, leaves{-1.5f, 2.5f};
  const std::vector<std::uint8_t> modes{0};
  const value forest = tree_ensemble(x, {.leaf_targetids = ints{0, 0},
                                         .leaf_weights = tensor_of<float>(dtype::f32, {2}, leaves),
                                         .n_targets = 1,
                                         .nodes_falseleafs = ints{1},
                                         .nodes_falsenodeids = ints{1},
                                         .nodes_featureids = ints{0},
                                         .nodes_modes = tensor_of<std::uint8_t>(dtype::u8, {1}, modes),
                                         .nodes_splits = tensor_of<float>(dtype::f32, {1}, splits),
                                         .nodes_trueleafs = ints{1},
                                         .nodes_truenodeids = ints{0},
                                         .tree_roots = ints{0}});
  output(forest, "forest");
  write_model(g, folder / "tree_scores.onnx");
}

// The program decodes an image file and scales the pixels to [0, 1].
PROGRAM(picture_reader) {
  graph g(20);
  const auto file = input<std::uint8_t, "bytes"_d>(g, "file");
  const auto pixels = image_decoder(file, {.pixel_format = pixel_format::rgb});
  const auto scaled = cast<float>(pixels) / 255.0f;
  output(transpose<2, 0, 1>(scaled), "planes");
  write_model(g, folder / "picture_reader.onnx");
}
