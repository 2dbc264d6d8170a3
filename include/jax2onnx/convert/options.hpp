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

/// The opset of a model unless another one is asked for.
inline constexpr int default_opset = 23;
/// The opset that it states instead if it has no operator that is newer. All supported releases of ONNX Runtime load
/// it.
inline constexpr int portable_opset = ort_releases[0].highest_opset;

/// An operator of another domain, such as those of a runtime's extension.
struct domain_operator {
  std::string domain;  ///< "com.example"
  std::string name;    ///< of the operator
};
/// The primitive and the operator in "pure_callback=com.example:Lookup"; nullopt for anything else.
inline std::optional<std::pair<std::string, domain_operator>> parse_custom_operator(std::string_view text) {
  const std::size_t equals = text.find('='), colon = text.rfind(':');
  if (equals == 0 || equals == text.npos || colon == text.npos || colon <= equals + 1 || colon + 1 == text.size())
    return std::nullopt;
  const std::string_view domain = text.substr(equals + 1, colon - equals - 1), name = text.substr(colon + 1);
  return std::pair(std::string(text.substr(0, equals)), domain_operator{std::string(domain), std::string(name)});
}

/// One device out of several.
struct shard_choice {
  std::int64_t index = 0;  ///< its number, from 0
  std::int64_t count = 1;  ///< how many there are
};
/// The choice in "1/4"; nullopt for anything else, and for a device that there is not.
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

/// How a text is converted.
struct options {
  /// From lowest_opset to highest_opset. Absent: default_opset, or portable_opset if it has all operators of the model
  /// or the named release of the target loads no newer one; 25 for a program with an element type that default_opset
  /// lacks.
  std::optional<int> opset;
  std::vector<std::string> input_names;      ///< of the first inputs, in order; the others are input_0, input_1, …
  std::vector<std::string> output_names;     ///< likewise
  std::vector<std::string> inputs_as_nchw;   ///< names or numbers of NHWC inputs that the model takes as NCHW
  std::vector<std::string> outputs_as_nchw;  ///< likewise for outputs
  std::map<std::string, std::int64_t> dims;  ///< symbolic dimensions that get a fixed size
  std::vector<std::string> weights_map;      ///< keys of the weights in constvar order; empty: the order of the weights
  user_lowerers lowerers;                    ///< win over the built-in ones
  /// Primitives, by their newest names, that become one node of an operator: a callback that an extension of the
  /// runtime computes. It has the printed types, and the parameters as attributes; the domain has version 1.
  std::map<std::string, domain_operator> custom_operators;
  /// Whether primitives without a lowering become nodes of the domain `jax`, which no runtime has by itself.
  bool keep_unsupported = false;
  /// Makes the model of one of the devices of a program with shard_map or pmap, instead of one that computes what all
  /// of them do: it takes and gives its parts of arrays, and exchanges values by operators of the domain
  /// `jax.collectives`.
  std::optional<shard_choice> shard;
  /// Whether nodes state how tensors are divided among devices, where the program does: shardings of constraints,
  /// reshards and jit become ONNX's ShardingSpecs (IR version 11). Products and sums are not fused across them.
  bool sharding_info = false;
  lowering_options lowering;                    ///< limits, and settings of JAX that the text does not state
  rewrite_options rewrites = {.as_jax = true};  ///< which rules run, and for which runtime
  /// The user states that no input, weight or intermediate value is NaN or infinite, except constants that the program
  /// writes, as -inf in a mask. Results of other values are undefined. Lowerings and rewrites make use of it.
  bool assume_finite = false;
};

}  // namespace jax2onnx
