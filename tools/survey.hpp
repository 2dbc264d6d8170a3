// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <jaxpr/ast.hpp>

namespace cli {

/// True if a built-in lowering exists for the primitive, under any of the names that JAX's versions gave it.
bool has_lowering(std::string_view primitive);

/// The output of --list-primitives: `text`, `json`, or `markdown` for docs/primitives.md.
std::string list_primitives(std::string_view format);

/// The output of --list-rewrites: `text`, `json`, or `markdown` for docs/rewrites.md. convert.cpp defines it.
std::string list_rewrites(std::string_view format);

/// The output of --inspect, which describes what a text contains.
std::string inspection(const jaxpr::program& module, const std::string& name);
std::string inspection_json(const jaxpr::program& module, const std::string& name);

}  // namespace cli
