// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <jax2onnx/lower/literal.hpp>

/// Parses the index of a mutable reference as JAX prints it: `[0,:]`, `[1:3]`, `[i]`, `[i:i+2,0]`.
namespace jax2onnx::lower {

/// The index of one axis: a slice, or a single index, which removes the axis.
struct printed_axis {
  static constexpr std::int64_t to_end = -1;

  std::optional<std::int64_t> first;  ///< the start; nullopt if a variable holds the start
  std::optional<std::int64_t> size;   ///< the size of the slice, or to_end; nullopt for a single index
};

/// Parses the index of one axis: `0`, `i`, `:`, `1:3` or `i:i+2`. Returns nullopt for other forms.
inline std::optional<printed_axis> printed_axis_of(std::string_view t) {
  while (t.starts_with(' ')) t.remove_prefix(1);
  while (t.ends_with(' ')) t.remove_suffix(1);
  const auto number = [](std::string_view text) { return parse_integer(text, dtype::i64); };
  const std::size_t colon = t.find(':');
  if (colon == t.npos) return printed_axis{number(t), {}};
  const std::string_view low = t.substr(0, colon), high = t.substr(colon + 1);
  const auto first = low.empty() ? std::optional<std::int64_t>(0) : number(low);
  if (first && high.empty()) return printed_axis{first, printed_axis::to_end};
  if (const auto last = number(high); first && last) return printed_axis{first, *last - *first};
  const std::size_t plus = high.find('+');
  const auto size = plus == high.npos ? std::nullopt : number(high.substr(plus + 1));
  return first || !size ? std::nullopt : std::optional(printed_axis{{}, size});
}

}  // namespace jax2onnx::lower
