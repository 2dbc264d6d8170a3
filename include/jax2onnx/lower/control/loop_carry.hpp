#pragma once

#include <algorithm>

#include <jax2onnx/lower/liveness.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/message.hpp>

/// The loop-carried values of scan and while: how many there are, and which of them have to be computed.
namespace jax2onnx::lower {

/// Parameter `key`, a number of operands.
inline std::size_t operand_count(const site& s, std::string_view key) {
  const auto n = s.param<std::int64_t>(key);
  if (n < 0 || n > std::ssize(s.ins()))
    s.unsupported(detail::message("its parameter {} does not fit its operands", key));
  return static_cast<std::size_t>(n);
}

/// The body returns parameter `input` unchanged as result `result`: the value is invariant, not loop-carried.
inline bool passes_through(const jaxpr::body& body, std::size_t input, std::size_t result) {
  return body.results[result].slot == body.invars[input].slot;
}

/// The results of a loop's body that are needed: the wanted ones, and the carried values (the first `count` results,
/// after `consts` constants among the parameters) that the body reads for those.
inline selection needed_carry(const jaxpr::body& body, std::size_t consts, std::size_t count, selection wanted) {
  constexpr int most_rounds = 8;  // then all are kept: a long chain of dependencies would take quadratic time
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
