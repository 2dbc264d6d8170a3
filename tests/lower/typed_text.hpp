// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowered_text.hpp"

#include <string>
#include <string_view>

#include <jax2onnx/lower/dispatch.hpp>

/// The result of the built-in lowerings for one equation: "(none)", or the first problem. `inputs` and `results` are
/// binders such as `a:f32[2] b:i32[]`.
inline std::string problem_of(std::string_view inputs, std::string_view results, std::string_view equation) {
  std::string names;
  for (std::size_t at = 0; at < results.size(); at = results.find(' ', at) + 1) {
    names.append(results.substr(at, results.find(':', at) - at)).append(",");
    if (results.find(' ', at) == results.npos) break;
  }
  std::string text("{ lambda ; ");
  text.append(inputs).append(". let ").append(results).append(" = ").append(equation);
  text.append(" in (").append(names).append(") }");
  return lowered_text(text, jax2onnx::lower_builtin).problem();
}

/// Returns whether the equation is malformed, that is, JAX never prints it.
inline bool is_malformed(std::string_view inputs, std::string_view results, std::string_view equation) {
  return problem_of(inputs, results, equation).starts_with("lower.malformed: ");
}

/// problem_of() without the position and the name of the primitive.
inline std::string reason_of(std::string_view inputs, std::string_view results, std::string_view equation) {
  const std::string problem = problem_of(inputs, results, equation);
  const std::size_t end = problem.find("': ");
  return end == problem.npos ? problem : problem.substr(end + 3);
}
