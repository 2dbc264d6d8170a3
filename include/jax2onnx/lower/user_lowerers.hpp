#pragma once

#include <functional>
#include <map>
#include <string>

#include <jax2onnx/lower/jax_value.hpp>

namespace jax2onnx {

class site;

/// How a primitive becomes ONNX: adds nodes to the site's graph and returns a value of the printed type for each
/// result.
using lower_fn = jax_values (*)(const site&);

/// The same as a program gives it. It may refuse with site::unsupported. Any other std::exception except
/// std::bad_alloc, and results that do not fit the text, become a problem with the code `lower.user-lowerer`. Each
/// parameter must be read or passed to site::ignore, except those that say None, False or ().
using user_lowerer = std::function<jax_values(const site&)>;

/// Lowerers of the program that converts, by primitive (its newest name). They win over the built-in ones, and may call
/// those through lower_builtin. One conversion calls them from one thread; two that run at the same time share them.
using user_lowerers = std::map<std::string, user_lowerer, std::less<>>;

}  // namespace jax2onnx
