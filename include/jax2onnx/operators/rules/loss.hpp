// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of losses and of the steps of optimizers.
namespace jax2onnx::rules {

/// Fails unless the operands are [batch, classes, ...], [batch, …] and, if given, weights [classes].
constexpr bool expect_classes(inference& c) {
  const shape &scores = c.dims(0), &labels = c.dims(1);
  if (!c.expect(scores.size() >= 2, "the scores have {} dimension{|s}; they must be [batch, classes, ...]", c.rank(0)))
    return false;
  if (!c.expect(labels.size() + 1 == scores.size(),
                "the labels have {} dimension{|s}; they need one fewer than the scores, which have {}", c.rank(1),
                c.rank(0)))
    return false;
  for (std::size_t i = 0; i < labels.size(); ++i)
    c.expect_equal(labels[i], scores[i == 0 ? 0 : i + 1], "the labels have an extent of {} where the scores have {}");
  if (!c.expect_rank(2, 1, "the weights of classes have {} dimension{|s}; they must be a vector")) return false;
  if (c.has(2)) c.expect_equal(c.dims(2)[0], scores[1], "the number of weights is {} for {} class{|es}");
  if (!c.given("ignore_index"))
    c.expect_elements(1, 0, c.sub(scores[1], 1), "there is no class {}; the last one is {}");
  return c.expect_choice("reduction", {"none", "sum", "mean"}, "reduction must be none, sum or mean");
}

/// The first result of a loss: a number for each label, or one number if `reduction` is not none.
constexpr void reduced_loss(inference& c) {
  if (!c.known("reduction")) c.unranked_result(0);
  else if (c.text("reduction") == "none") c.result(0, c.dims(1));
  else c.result(0, shape{});
}

/// NegativeLogLikelihoodLoss: log probabilities, labels, weights.
constexpr void negative_log_likelihood_loss(inference& c) {
  if (expect_classes(c)) reduced_loss(c);
}

/// SoftmaxCrossEntropyLoss: scores, labels, weights; the second result has the log probabilities.
constexpr void softmax_cross_entropy_loss(inference& c) {
  if (!expect_classes(c)) return;
  reduced_loss(c);
  if (c.result_count() > 1) c.result(1, c.dims(0));
}

/// Adagrad, Adam, Momentum: learning rate, step, the tensors, their gradients, and one or two groups of statistics.
/// The results are the tensors and their statistics.
constexpr void training(inference& c) {
  for (std::size_t i = 0; i < 2; ++i)
    c.expect(c.rank(i) == 0 || (c.rank(i) == 1 && !c.differ(c.dims(i)[0], 1)),
             "learning rate or step have {} dimension{|s}; they must be scalars", c.rank(i));
  const std::size_t groups = c.op() == "Adam" ? 4 : 3, tensors = c.arity() - 2, n = tensors / groups;
  if (!c.expect(tensors % groups == 0,
                "it has {} operand{|s} after R and T; each tensor needs {}: itself, its gradient and its statistics",
                static_cast<std::int64_t>(tensors), static_cast<std::int64_t>(groups)))
    return;
  c.expect_choice("mode", {"standard", "nesterov"}, "mode must be standard or nesterov");
  for (std::size_t i = 0; i < tensors && !c.failed(); ++i) {
    const shape &tensor = c.dims(2 + i % n), &other = c.dims(2 + i);
    const bool same = c.in(2 + i).type == c.in(2 + i % n).type && tensor.size() == other.size();
    c.expect(same, "a gradient or statistic has a different dtype or rank than its tensor");
    for (std::size_t j = 0; same && j < tensor.size(); ++j)
      c.expect_equal(other[j], tensor[j], "a gradient or statistic has an extent of {}, its tensor of {}");
  }
  const std::size_t results = tensors - n;
  c.expect(c.result_count() <= results, "{} result{ is|s are} requested; it has {}",
           static_cast<std::int64_t>(c.result_count()), static_cast<std::int64_t>(results));
  for (std::size_t i = 0; i < c.result_count() && !c.failed(); ++i) c.set(i, c.in(2 + i % n));
}

}  // namespace jax2onnx::rules
