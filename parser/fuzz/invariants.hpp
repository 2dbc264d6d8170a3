// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <jaxpr/jaxpr.hpp>

/// Checks that `text` is refused with a diagnostic whose span is inside the text, or that printing and parsing an
/// accepted text again changes nothing. Returns whether the text was accepted; throws std::logic_error if an invariant
/// is broken.
inline bool check_invariants(std::string_view text) {
  std::string printed;
  try {
    const jaxpr::program parsed = jaxpr::parse(text);
    printed = jaxpr::print(parsed);
    jaxpr::for_each_equation(parsed, [](const jaxpr::equation& e, const jaxpr::body&) {
      for (const jaxpr::atom& a : e.ins)
        if (a.is_literal() && !a.annotation) throw std::logic_error("a literal has no type");
    });
  } catch (const jaxpr::error& e) {
    const jaxpr::diagnostic& d = e.details();
    if (d.where.begin > d.where.end || d.where.end > text.size())
      throw std::logic_error("the diagnostic's span is outside");
    if (d.code.empty() || d.message.empty()) throw std::logic_error("the diagnostic says nothing");
    if (jaxpr::render(d, text, "input").find('^') == std::string::npos && !text.empty())
      throw std::logic_error("the diagnostic points at nothing");
    return false;
  }
  try {
    const std::string again = jaxpr::print(jaxpr::parse(printed));
    if (again != printed)
      throw std::logic_error("printing what was printed gives another text:\n" + printed + "\n--- then\n" + again);
  } catch (const jaxpr::error& e) {
    throw std::logic_error("what was printed is refused:\n" + jaxpr::render(e.details(), printed, "printed"));
  }
  return true;
}
