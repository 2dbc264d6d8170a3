// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <jax2onnx/lower/liveness.hpp>

/// Determines which loop-carried values of scan and while have to be computed.
namespace jax2onnx::lower {

/// Returns whether the body returns parameter `input` unchanged as result `result`, so that the value is
/// loop-invariant.
inline bool passes_through(const jaxpr::body& body, std::size_t input, std::size_t result) {
  return body.results[result].slot == body.invars[input].slot;
}

/// The results of a loop's body that are needed: the wanted results, and the carried values that the body reads for
/// needed results or for effects. The carried values are the first `count` results; among the parameters, they follow
/// `consts` constants.
inline selection needed_carry(const jaxpr::body& body, std::size_t consts, std::size_t count, selection wanted) {
  // After this many rounds, all values are kept: a long chain of dependencies would take quadratic time.
  constexpr int most_rounds = 8;
  if (wanted.empty()) wanted.assign(body.results.size(), true);
  for (int round = 0; round < most_rounds; ++round) {
    const liveness live(body, wanted);
    bool grown = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i] || !live.variable(body.invars[consts + i].slot)) continue;
      wanted[i] = grown = true;
    }
    if (!grown) return wanted;
  }
  std::fill_n(wanted.begin(), count, true);
  return wanted;
}

}  // namespace jax2onnx::lower
