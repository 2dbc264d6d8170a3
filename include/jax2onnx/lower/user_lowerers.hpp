#pragma once

#include <functional>
#include <map>
#include <string>

#include <jax2onnx/lower/aval.hpp>

namespace jax2onnx {

class site;

using lower_fn = jax_values (*)(const site&);

/// Lowerers of the caller: they win over the built-in ones, and may call them through lower_builtin.
using user_lowerers = std::map<std::string, std::function<jax_values(const site&)>, std::less<>>;

}  // namespace jax2onnx
