// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <jax2onnx/lower/lowering_options.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace jax2onnx {

/// The opset that conversions use unless another one is requested or the target loads only older ones.
inline constexpr int default_opset = 23;
/// The opset that the model states instead of default_opset if none of its operators is newer. All supported releases
/// of ONNX Runtime load it.
inline constexpr int portable_opset = ort_releases[0].highest_opset;

/// An operator of another domain, for example of a runtime's extension.
struct domain_operator {
  std::string domain;  ///< "com.example"
  std::string name;    ///< the name of the operator
};
/// Parses "pure_callback=com.example:Lookup" into the primitive and the operator; nullopt for any other form.
inline std::optional<std::pair<std::string, domain_operator>> parse_custom_operator(std::string_view text) {
  const std::size_t equals = text.find('='), colon = text.rfind(':');
  if (equals == 0 || equals == text.npos || colon == text.npos || colon <= equals + 1 || colon + 1 == text.size())
    return std::nullopt;
  const std::string_view domain = text.substr(equals + 1, colon - equals - 1), name = text.substr(colon + 1);
  return std::pair(std::string(text.substr(0, equals)), domain_operator{std::string(domain), std::string(name)});
}

/// One device out of several.
struct shard_choice {
  std::int64_t index = 0;  ///< the index of the device, from 0
  std::int64_t count = 1;  ///< the number of devices
};
/// Parses a choice such as "1/4"; nullopt for any other form, and for an index that is not below the count.
inline std::optional<shard_choice> parse_shard(std::string_view text) {
  shard_choice out;
  const char *const end = text.data() + text.size(), *const slash = std::find(text.data(), end, '/');
  const auto reads = [](const char* from, const char* to, std::int64_t& n) {
    const auto [stop, fault] = std::from_chars(from, to, n);
    return fault == std::errc() && stop == to;
  };
  const bool is_read = slash != end && reads(text.data(), slash, out.index) && reads(slash + 1, end, out.count);
  return is_read && out.index >= 0 && out.index < out.count ? std::optional(out) : std::nullopt;
}

/// Options of a conversion.
struct options {
  /// The opset, from lowest_opset to highest_opset. nullopt selects portable_opset if it has all operators of the
  /// model, otherwise the newest opset up to default_opset that the target loads. A program with an element type that
  /// default_opset lacks gets opset 25 if the target loads that opset.
  std::optional<int> opset;
  std::vector<std::string> input_names;  ///< names of the first inputs, in order; a further input I is input_I
  /// Names of the first outputs, in order; a further output I is output_I.
  std::vector<std::string> output_names;
  std::vector<std::string> inputs_as_nchw;   ///< names or indices of NHWC inputs that are NCHW in the model
  std::vector<std::string> outputs_as_nchw;  ///< names or indices of NHWC outputs that are NCHW in the model
  std::map<std::string, std::int64_t> dims;  ///< symbolic dimensions that get a fixed size
  /// Keys of the weights, in the order of the constvars. If empty, the weights themselves are in that order.
  std::vector<std::string> weights_map;
  user_lowerers lowerers;  ///< lowerers that replace the built-in ones
  /// Primitives, by their newest names, that become one node of an operator, for example a callback that an extension
  /// of the runtime computes. The node has the printed types, and the parameters as attributes; the domain has version
  /// 1.
  std::map<std::string, domain_operator> custom_operators;
  /// Functions under jax.jit, jax.custom_jvp or jax.custom_vjp, by the names that JAX prints. Their calls become calls
  /// of functions of the model, in the domain `jax.functions`. A function gets all arrays as operands, weights
  /// included; only scalars that the program writes are in its body.
  std::vector<std::string> functions;
  /// Primitives without a lowering become nodes of the domain `jax`, which no runtime implements by itself.
  bool keep_unsupported = false;
  /// Converts a program with shard_map or pmap to the model of one device, instead of a model that does the work of all
  /// devices. Inputs and outputs are the device's parts of arrays; values are exchanged by operators of the domain
  /// `jax.collectives`.
  std::optional<shard_choice> shard;
  /// Nodes state how the program divides tensors among devices: the shardings of constraints, reshards and jit become
  /// ONNX's ShardingSpecs (IR version 11). Products and sums are not fused across such a sharding.
  bool sharding_info = false;
  lowering_options lowering;                    ///< limits, and settings of JAX that the text does not state
  rewrite_options rewrites = {.as_jax = true};  ///< the rules that run, and the runtime for which they run
  /// The user states that no input, weight or intermediate value is NaN or infinite, except constants that the program
  /// writes, such as -inf in a mask. Lowerings and rewrites rely on that: if it is untrue, results are undefined.
  bool assume_finite = false;
};

}  // namespace jax2onnx
