// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/joined_source.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Convolutions of padded images, and sums of convolutions, which end residual blocks that change the number of
/// channels.
namespace jax2onnx::rewrite::detail {

/// The extents after the first two axes: the extents of the window of a weight, or of an image.
inline shape behind_channels(const value& v) { return {v.dims().begin() + 2, v.dims().end()}; }

/// Returns whether two convolutions have one group each, and read the same windows of images of the same extents.
/// Returns false if a convolution pads by auto_pad.
inline bool convolve_alike(const value& a, const value& b) {
  const auto first = window_of(a);
  if (!first || first != window_of(b) || integer_of(a, "group") != 1 || integer_of(b, "group") != 1) return false;
  const value x = input_of(a, 0), y = input_of(b, 0);
  return x.extent(0) == y.extent(0) && behind_channels(x) == behind_channels(y);
}

/// The constants w and v, joined along their second axis.
inline value joined_weights(const context& c, const value& w, const value& v) {
  shape dims = w.dims();
  dims[1] = dim(w.extent(1).extent() + v.extent(1).extent());
  const auto blocks = static_cast<std::uint64_t>(w.extent(0).extent());
  return computed_constant(c.g, {w.dtype(), std::move(dims)}, joined({w.data(), v.data()}, blocks),
                           c.g.at(w.id()).name);
}

/// The sum of the biases of two convolutions, as a list that is empty if neither has a bias. nullopt if both have a
/// bias, and a bias is not constant or a sum overflows.
inline std::optional<std::vector<value>> summed_biases(const context& c, const value& a, const value& b) {
  std::vector<value> biases;
  for (const value& v : {a, b})
    if (const value bias = input_of(v, 2)) biases.push_back(bias);
  if (biases.size() < 2) return biases;
  auto sums = numbers_of(biases[0]);
  const auto others = numbers_of(biases[1]);
  if (!sums || !others) return std::nullopt;
  for (std::size_t i = 0; i < sums->size(); ++i) {
    const double sum = (*sums)[i] + (*others)[i];
    if (overflows(a.dtype(), sum, {(*sums)[i], (*others)[i]})) return std::nullopt;
    (*sums)[i] = sum;
  }
  return std::vector{constant_of_numbers(c.g, biases[0].type(), std::move(*sums), c.g.at(biases[0].id()).name)};
}

/// Replaces the sum of two convolutions by one convolution, which writes the result once instead of three times.
/// Declines if the Concat of the operands, which is an extra copy, has more channels than the result.
inline outcome join_summed_convolutions(const context& c, const value& root) {
  const value a = input_of(root, 0), b = input_of(root, 1);
  if (!producer(a, "Conv") || !producer(b, "Conv") || !is_computed_in_double(root.dtype())) return {};
  const value w = input_of(a, 1), v = input_of(b, 1);
  if (!w.is_constant() || !v.is_constant()) return decline("a weight is not constant");
  if (!convolve_alike(a, b)) return decline("the convolutions read different windows, or have several groups");
  if (!c.single_use(a) || !c.single_use(b)) return decline("a convolution is read elsewhere too");
  if (!c.single_use(w) || !c.single_use(v)) return decline("a weight is read elsewhere too");
  if (w.extent(1).extent() + v.extent(1).extent() > w.extent(0).extent())
    return decline("the operands have more channels than the result");
  const auto bias = summed_biases(c, a, b);
  if (!bias) return decline("a bias is not constant, or the sum of the biases overflows");
  std::vector<value> inputs{concat(std::vector{input_of(a, 0), input_of(b, 0)}, 1), joined_weights(c, w, v)};
  inputs.insert(inputs.end(), bias->begin(), bias->end());
  return with_inputs(a, inputs, root.type());
}

inline outcome pad_in_convolution(const context&, const value& root) {
  ints perm = iota_axes(root.rank());
  value padded = input_of(root, 0), x;
  if (match(padded, m_transpose(perm, m_value(x)))) padded = x;
  const auto zeros = pad_of(padded);
  if (!zeros || !pads_with_zeros(*zeros)) return {};
  const auto windows = window_of(root);
  if (!windows) return decline("the convolution pads by auto_pad");
  const std::size_t rank = perm.size(), spatial = rank - 2;
  ints pads = windows->pads;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto axis = static_cast<std::size_t>(perm[i]);
    const std::int64_t in_front = zeros->front[axis], behind = zeros->behind[axis];
    if (in_front < 0 || behind < 0 || (i < 2 && in_front + behind > 0))
      return decline("the Pad crops, or pads the batch or the channels");
    if (i < 2) continue;
    pads[i - 2] += in_front;
    pads[spatial + i - 2] += behind;
  }
  std::vector<value> inputs = inputs_of(root);
  inputs[0] = transpose(input_of(padded, 0), perm);
  std::vector<attribute> attributes = producer(root)->attributes;
  std::erase_if(attributes, [](const attribute& a) { return a.name == "pads"; });
  attributes.push_back({"pads", std::move(pads)});
  return root.owner().emit("Conv", inputs, root.type(), std::move(attributes));
}

inline constexpr rule convolution_rules[] = {
    {"Conv-pads", "Conv(Pad(x, p), w, pads=q) -> Conv(x, w, pads=p + q), also with a Transpose of the Pad",
     "the Pad adds zeros, only before and after the pixels", ops<"Conv">, pad_in_convolution, stage::fuse},
    {"join-summed-convolutions",
     "Conv(x, w, a) + Conv(y, v, b) -> Conv(Concat(x, y, axis=1), Concat(w, v, axis=1), a + b)",
     "the windows are equal; one group; the weights are constant; weights and convolutions are read once; "
     "x and y together have at most as many channels as the result; float32 or float64",
     ops<"Add">, join_summed_convolutions, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
