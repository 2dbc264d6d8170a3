// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <jax2onnx/lower/lowerer.hpp>

namespace jax2onnx::lower {

/// A copy of a jaxpr. The variables that the jaxpr closes over are the first parameters of the copy.
inline const jaxpr::body& opened(lowerer& driver, const jaxpr::body& body) {
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
  driver.keep(made);
  return made->body;
}

}  // namespace jax2onnx::lower
