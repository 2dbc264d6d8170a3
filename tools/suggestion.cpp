#include "suggestion.hpp"

#include <algorithm>

#include <jax2onnx/support/edit_distance.hpp>

namespace cli {

std::string closest(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty() || word.size() > 100) return {};
  const auto from_word = [&](const std::string& candidate) { return jax2onnx::detail::edit_distance(word, candidate); };
  const std::string& best = *std::ranges::min_element(candidates, {}, from_word);
  return from_word(best) <= best.size() / 3 ? best : std::string();
}

}  // namespace cli
