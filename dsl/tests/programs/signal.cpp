// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program turns sound into a spectrogram on the mel scale.
PROGRAM(mel_spectrogram) {
  graph g(17);
  const auto sound = input<float, "batch"_d, 64, 1>(g, "sound");
  const auto window = hann_window(scalar(g, dtype::i64, 16));
  const value both = stft(sound, scalar(g, dtype::i64, 8), window, scalar(g, dtype::i64, 16), {.onesided = false});
  const value frames = slice(both, {0}, {9}, {2});
  const value power = reduce_sum_square(frames, {-1}, {.keepdims = false});
  const value mel = mel_weight_matrix({.num_mel_bins = scalar(g, dtype::i64, 5),
                                       .dft_length = scalar(g, dtype::i64, 16),
                                       .sample_rate = scalar(g, dtype::i64, 8000),
                                       .lower_edge_hertz = scalar(g, dtype::f32, 0.0),
                                       .upper_edge_hertz = scalar(g, dtype::f32, 4000.0)});
  output(power, "power");
  output(matmul(power, mel), "mel");
  output(hamming_window(scalar(g, dtype::i32, 8), {.periodic = false}), "hamming");
  output(blackman_window(scalar(g, dtype::i32, 8)), "blackman");
  write_model(g, folder / "mel_spectrogram.onnx");
}

// The program filters a series in the frequency domain and transforms the result back.
PROGRAM(fft_filter) {
  graph g(23);
  const auto x = input<float, "batch"_d, 16>(g, "x");
  const auto spectrum = dft(unsqueeze<2>(x), {}, 1);
  const auto keep = input<float, 16, 1>(g, "keep");
  const auto filtered = spectrum * keep;
  const value back = dft(filtered, {}, 1, {.inverse = true});
  const value half = dft(unsqueeze<2>(x), {}, 1, {.onesided = true});
  const value longer = dft(value(unsqueeze<2>(x)), 20, 1);
  output(slice(back, {0}, {1}, {2}), "back");
  output(half, "half");
  output(longer, "longer");
  write_model(g, folder / "fft_filter.onnx");
}

// The program draws random numbers in many ways; expected.py checks their shapes and ranges.
PROGRAM(random_augmentation) {
  graph g(21);
  const value x = g.input({dtype::f32, {g.dims().symbol("batch"), 50}}, "x");
  const value noise = random_normal_like(x, {.scale = 0.1f, .mean = 3.0f, .seed = 7.0f});
  const value flips = bernoulli(sigmoid(x), {.dtype = dtype::i32, .seed = 1.0f});
  const value grid = random_uniform(g, {.high = 2.0f, .low = 1.0f, .seed = 5.0f, .shape = {4, 100}});
  const value normal = random_normal(g, {.dtype = dtype::f64, .seed = 5.0f, .shape = {200}});
  const value same = random_uniform_like(x, {.dtype = dtype::f32, .low = -1.0f});
  const value classes = multinomial(x, {.sample_size = 3, .seed = 2.0f});
  const auto [dropped, mask] = dropout(x, 0.25, scalar(g, dtype::boolean, 1), {.seed = 3});
  output(x + noise, "noisy");
  output(flips, "flips");
  output(grid, "grid");
  output(normal, "normal");
  output(same, "same");
  output(classes, "classes");
  output(dropped, "dropped");
  output(mask, "mask");
  write_model(g, folder / "random_augmentation.onnx");
}

// The program computes the losses of a classifier, and normalizes a batch by its moments as in training.
PROGRAM(training_losses) {
  graph g(22);
  const auto logits = input<float, "batch"_d, 5>(g, "logits");
  const auto labels = input<std::int64_t, "batch"_d>(g, "labels");
  const auto weights = weight<5>(g, "weights", 1);
  const auto positive = abs(weights) + 0.5f;
  const auto [loss, log_prob] = softmax_cross_entropy_loss(logits, labels, positive, {.ignore_index = 2});
  const auto each =
      negative_log_likelihood_loss<negative_log_likelihood_loss_attributes_of{.reduction = loss_reduction::none}>(
          log_softmax<1>(logits), labels);
  const auto image = input<float, "batch"_d, 2, 3>(g, "image");
  const auto two = filled<float, 2>(g, 1.0f);
  const auto normed = batch_normalization(image, two, two * 0.0f, two * 0.0f, two, {.training_mode = true});
  output(loss, "loss");
  output(log_prob, "log_prob");
  output(each, "each");
  output(normed.y, "normed");
  output(normed.running_mean, "running_mean");
  output(normed.running_var, "running_var");
  output(dropout(image), "kept");
  write_model(g, folder / "training_losses.onnx");
}

// The program makes one step of Adam, one of Adagrad and one with momentum.
PROGRAM(optimizer_steps) {
  graph g(21);
  const auto in = [&](const char* name) { return g.input({dtype::f32, {3}}, name); };
  const value rate = g.input({dtype::f32, {}}, "rate"), count = g.input({dtype::i64, {}}, "count");
  const value x = in("x"), gradient = in("gradient"), v = in("v"), h = in("h");
  const auto adam_step = adam(rate, count, {x, gradient, v, h}, {.norm_coefficient = 0.001f});
  const auto ada = adagrad(rate, count, {x, gradient, h}, {.decay_factor = 0.1f});
  const auto moved = momentum(rate, count, {x, gradient, v},
                              {.mode = "nesterov", .alpha = 0.9f, .beta = 1.0f, .norm_coefficient = 0.01f});
  output(adam_step[0], "adam_x");
  output(adam_step[2], "adam_h");
  output(ada[0], "adagrad_x");
  output(moved[0], "momentum_x");
  output(moved[1], "momentum_v");
  write_model(g, folder / "optimizer_steps.onnx");
}

// The program cleans rows, classifies the rows with a linear model, and scores them with a tree, a support vector
// machine and a linear model.
PROGRAM(classical_classifiers) {
  graph g(23);
  const value x = g.input({dtype::f32, {g.dims().symbol("rows"), 3}}, "x");
  const value filled_in = imputer(x, {.imputed_value_floats = {1, 2, 3}, .replaced_value_float = -99});
  const value scaled = scaler(filled_in, {.scale = {1, 0.5f, 2}, .offset = {0, 1, -1}});
  const value normed = normalizer(scaled, {.norm = "L2"});
  const auto lines = linear_classifier(normed, {.classlabels_ints = {3, 8},
                                                .coefficients = std::vector<float>{1, 0, -1, 0, 1, 0.5f},
                                                .intercepts = {0.1f, -0.1f}});
  const auto tree = tree_ensemble_regressor(scaled, {.n_targets = 1,
                                                     .nodes_falsenodeids = {2, 0, 0},
                                                     .nodes_featureids = {1, 0, 0},
                                                     .nodes_modes = {"BRANCH_LEQ", "LEAF", "LEAF"},
                                                     .nodes_nodeids = {0, 1, 2},
                                                     .nodes_treeids = {0, 0, 0},
                                                     .nodes_truenodeids = {1, 0, 0},
                                                     .nodes_values = {0.0f, 0, 0},
                                                     .target_ids = {0, 0},
                                                     .target_nodeids = {1, 2},
                                                     .target_treeids = {0, 0},
                                                     .target_weights = {-1.5f, 2.5f}});
  const value machine = svm_regressor(scaled, {.coefficients = {0.5f, -1},
                                               .kernel_params = {0.3f, 0, 3},
                                               .kernel_type = "RBF",
                                               .n_supports = 2,
                                               .rho = {0.25f},
                                               .support_vectors = {1, 0, 0, 0, 1, 1}});
  output(lines.y, "label");
  output(lines.z, "scores");
  output(tree, "tree");
  output(machine, "machine");
  output(feature_vectorizer({binarizer(scaled), array_feature_extractor(normed, {0, 2})}, {.inputdimensions = {3, 2}}),
         "features");
  output(linear_regressor(normed, {.coefficients = {1, 2, 3}, .intercepts = {0.5f}}), "line");
  write_model(g, folder / "classical_classifiers.onnx");
}
