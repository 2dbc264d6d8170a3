#pragma once

#include <string>
#include <string_view>

#include <jaxpr/ast.hpp>

namespace cli {

/// Whether a built-in lowering exists, whatever JAX's version calls the primitive.
bool has_lowering(std::string_view primitive);

/// For --list-primitives: `text`, or `markdown` for docs/primitives.md.
std::string list_primitives(std::string_view format);

/// For --list-rewrites: `text`, or `markdown` for docs/rewrites.md. Defined where the conversion is, as `primitives`.
std::string list_rewrites(std::string_view format);

/// For --inspect: what a text contains.
std::string inspection(const jaxpr::program& module, const std::string& name);

}  // namespace cli
