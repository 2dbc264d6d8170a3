// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The few algorithms that the library needs. <algorithm> would cost as much to compile as half of the parser.
namespace jaxpr::detail {

template <class T>
constexpr T least(T a, T b) {
  return b < a ? b : a;
}

template <class T>
constexpr T greatest(T a, T b) {
  return a < b ? b : a;
}

}  // namespace jaxpr::detail
