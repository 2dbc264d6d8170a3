// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include <jax2onnx/lower/jax_value.hpp>

namespace jax2onnx {

class site;

/// Lowers a primitive: adds nodes to the site's graph and returns a value of the printed type for each result.
using lower_fn = jax_values (*)(const site&);

/// A lowerer that a program supplies. The lowerer may refuse with site::unsupported or site::malformed. Errors of the
/// opset, of a symbol without value and of a limit are treated as for built-in lowerers, and std::bad_alloc is
/// rethrown. Any other std::exception, and results that do not fit the text, become a problem with the code
/// `lower.user-lowerer`. Each parameter must be read or passed to site::ignore, unless the parameter is None, False, ()
/// or UnspecifiedValue.
using user_lowerer = std::function<jax_values(const site&)>;

/// Lowerers of the converting program, by the newest name of the primitive. A lowerer replaces the built-in lowering
/// and may call it through lower_builtin. One conversion calls the lowerers from one thread; concurrent conversions
/// share the lowerers.
using user_lowerers = std::map<std::string, user_lowerer, std::less<>>;

}  // namespace jax2onnx
