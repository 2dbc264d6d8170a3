// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jaxpr/jaxpr.hpp>

/// Calls a function for the jaxprs of the recorded cases, by family and name. A file holds those of a family, each
/// after a line `=== NAME` (tests/numeric/recorded.py).
inline void for_each_recorded_text(const std::function<void(const std::string&, const jaxpr::program&)>& use) {
  const std::string header = "=== ";
  for (const auto& entry : std::filesystem::directory_iterator(JAX2ONNX_SOURCE_DIR "/tests/numeric/data")) {
    if (entry.path().extension() != ".jaxprs") continue;
    std::ifstream file(entry.path());
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      end = std::min(all.find("\n" + header, begin), all.size() - 1) + 1;
      const std::size_t name = begin + header.size(), text = all.find('\n', name) + 1;
      use(entry.path().stem().string() + '/' + all.substr(name, text - 1 - name),
          jaxpr::parse(std::string_view(all).substr(text, end - text), {.keep_ambiguous = true}));
    }
  }
}

/// Adds an input to the graph for each variable.
inline jax2onnx::jax_values inputs_for(jax2onnx::graph& g, jax2onnx::lower::lowerer& driver,
                                       jaxpr::list<jaxpr::binder> variables) {
  jax2onnx::jax_values out;
  for (const jaxpr::binder& b : variables) {
    const jax2onnx::aval t = driver.type_of(b.annotation);
    out.push_back(jax2onnx::lower::unpack(g.input(jax2onnx::lower::packed_type(t), ""), t));
  }
  return out;
}

/// The results of the main jaxpr. Its constvars become inputs.
inline jax2onnx::jax_values lowered_results(jax2onnx::graph& g, jax2onnx::lower::lowerer& driver,
                                            const jaxpr::body& main) {
  driver.set_inner_constants(&main, inputs_for(g, driver, main.constvars));
  return driver.inline_body(main, inputs_for(g, driver, main.invars));
}
