// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <jaxpr/detail/arena.hpp>
#include <jaxpr/reader/names.hpp>
#include <jaxpr/reader/state.hpp>

/// A state at the start of `text`, inside an empty body, for tests of one production.
struct reading {
  explicit reading(std::string_view input, const jaxpr::parse_options& o = {})
      : text(input), options(o), s(text, options, nodes) {
    s.names = &names;
    s.variables.enter();
  }

  std::string_view rest() const { return s.in.rest(); }

  std::string text;
  jaxpr::parse_options options;
  jaxpr::detail::arena nodes;
  jaxpr::reader::shared_names names;
  jaxpr::reader::state s;
};

/// The code of the error that the call throws; empty if it throws none.
template <class Call>
std::string code_of(Call&& call) {
  try {
    call();
    return {};
  } catch (const jaxpr::error& e) {
    return e.details().code;
  }
}
