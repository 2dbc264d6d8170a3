// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jaxpr/jaxpr.hpp>

/// A jaxpr that a lowerer has lowered, with the given function as the built-in lowerings.
struct lowered_text {
  lowered_text(std::string printed, jax2onnx::lower_fn builtin, jax2onnx::user_lowerers own = {},
               jax2onnx::lowering_options o = {})
      : text(std::move(printed)),
        source(jaxpr::parse(text)),
        user(std::move(own)),
        options(std::move(o)),
        machine(g, source, user, builtin, options) {
    jax2onnx::jax_values inputs;
    for (const jax2onnx::aval& t : machine.input_types(*source.main))
      inputs.push_back(jax2onnx::lower::unpack(g.input(jax2onnx::lower::packed_type(t), ""), t));
    results = machine.inline_body(*source.main, inputs);
  }

  /// The code and the message of problem i; "(none)" if there is none.
  std::string problem(std::size_t i = 0) const {
    if (i >= machine.problems.size()) return "(none)";
    return machine.problems[i].code + ": " + machine.problems[i].message;
  }
  /// The part of the text to which problem i refers.
  std::string_view place(std::size_t i = 0) const {
    const jaxpr::span where = machine.problems.at(i).where;
    return std::string_view(text).substr(where.begin, where.end - where.begin);
  }

  std::string text;
  jaxpr::program source;
  jax2onnx::user_lowerers user;
  jax2onnx::lowering_options options;
  jax2onnx::graph g;
  jax2onnx::lower::lowerer machine;
  jax2onnx::jax_values results;
};
