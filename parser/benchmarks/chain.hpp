// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

/// JAX's name for variable `number`: a … z, ba, bb, …
inline std::string variable(std::size_t number) {
  std::string name;
  do {
    name.insert(name.begin(), static_cast<char>('a' + number % 26));
    number /= 26;
  } while (number != 0);
  return name;
}

/// The text that JAX 0.10 prints for tanh(x @ x + 1) on 16x16 matrices, repeated to a chain of `equations` equations,
/// rounded down to a multiple of 3.
inline std::string chain_text(std::size_t equations) {
  std::string text = "{ lambda ; a:f32[16,16]. let\n";
  std::size_t next = 0;
  for (std::size_t i = 0; i + 2 < equations; i += 3, next += 3) {
    text += fmt::format(
        "    {1}:f32[16,16] = dot_general[\n"
        "      dimension_numbers=(([1], [0]), ([], []))\n"
        "      preferred_element_type=float32\n"
        "    ] {0} {0}\n"
        "    {2}:f32[16,16] = add {1} 1.0:f32[]\n"
        "    {3}:f32[16,16] = tanh {2}\n",
        variable(next), variable(next + 1), variable(next + 2), variable(next + 3));
  }
  return text + fmt::format("  in ({},) }}\n", variable(next));
}
