// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <jaxpr/print.hpp>
#include <jaxpr/writer/printer.hpp>

namespace jaxpr {

JAX2ONNX_INLINE std::string print(const program& p) { return p.main ? writer::printer(p).run(*p.main) : std::string{}; }

}  // namespace jaxpr
