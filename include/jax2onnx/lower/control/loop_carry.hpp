#pragma once

#include <algorithm>

#include <jax2onnx/lower/site.hpp>

/// The loop-carried values of scan and while: how many there are, and which of them have to be computed.
namespace jax2onnx::lower {

/// Parameter `key`, which says how many of the operands are of a kind.
inline std::size_t operand_count(const site& s, std::string_view key) {
  const auto n = s.param<std::int64_t>(key);
  if (n < 0 || n > std::ssize(s.ins())) s.unsupported(fmt::format("its parameter {} does not fit its operands", key));
  return static_cast<std::size_t>(n);
}

/// Whether a loop's body returns parameter `input` unchanged as result `result`: then it is no state of the loop.
inline bool passes_through(const jaxpr::body& body, std::size_t input, std::size_t result) {
  return body.results[result].slot == body.invars[input].slot;
}

/// Which carried values of a loop matter: the wanted ones, and those that the body needs for the ones that matter.
inline selection needed_carry(const jaxpr::body& body, std::size_t consts, std::size_t count, selection wanted) {
  constexpr int patience = 8;  // then all are kept, so that a chain of dependencies costs no quadratic time
  if (wanted.empty()) wanted.assign(body.results.size(), true);
  for (int round = 0; round < patience; ++round) {
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
