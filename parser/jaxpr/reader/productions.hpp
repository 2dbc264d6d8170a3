// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jaxpr/reader/state.hpp>

/// Productions that call each other in a circle: a value may be a body, whose equations have parameters, which are
/// values. These productions are declared here and defined in the header named beside each; `text.hpp` includes all
/// definitions.
namespace jaxpr::reader {

bool parse_plain(state& s, value& v);  // value.hpp
body* parse_body(state& s);            // body.hpp
body* parse_program(state& s);         // program.hpp

}  // namespace jaxpr::reader
