#pragma once

#include <memory>
#include <vector>

#include <jax2onnx/lower/site.hpp>

namespace jax2onnx::lower::pallas {

/// A jaxpr that closes over the operands of its equation, with these as its first parameters.
inline const jaxpr::body& opened(const site& s, const jaxpr::body& body) {
  struct made_body {
    std::vector<jaxpr::binder> parameters;
    jaxpr::body body;
  };
  const auto made = std::make_shared<made_body>();
  made->parameters.assign(body.constvars.begin(), body.constvars.end());
  made->parameters.insert(made->parameters.end(), body.invars.begin(), body.invars.end());
  made->body = body;
  made->body.constvars = {};
  made->body.invars = made->parameters;
  s.driver().keep(made);
  return made->body;
}

}  // namespace jax2onnx::lower::pallas
