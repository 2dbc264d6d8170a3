#pragma once

#include <functional>
#include <map>
#include <string>

#include <jax2onnx/lower/aval.hpp>

namespace jax2onnx {

class site;

using lower_fn = results (*)(const site&);

/// Lowerers of the caller: they win over the built-in ones, and may call them through lower_builtin.
using user_lowerers = std::map<std::string, std::function<results(const site&)>, std::less<>>;

}  // namespace jax2onnx
