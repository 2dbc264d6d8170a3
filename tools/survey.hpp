#pragma once

#include <span>
#include <string>
#include <string_view>

#include <jax2onnx/lower/table.hpp>
#include <jaxpr/ast.hpp>

namespace cli {

/// The built-in lowerings, sorted by name. Defined where the conversion is, the only unit that pays for them.
std::span<const jax2onnx::lowering> primitives();

/// Whether a built-in lowering exists, whatever JAX's version calls the primitive.
bool has_lowering(std::string_view primitive);

/// For --list-primitives: `text`, or `markdown` for docs/primitives.md.
std::string list_primitives(std::string_view format);

/// For --inspect: what a text contains.
std::string inspection(const jaxpr::program& module, const std::string& name);

}  // namespace cli
