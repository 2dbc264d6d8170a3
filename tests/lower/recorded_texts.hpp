#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jaxpr/jaxpr.hpp>

/// The texts of the recorded cases (tests/numeric/data), by family and name.
inline void for_each_recorded_text(const std::function<void(const std::string&, const jaxpr::program&)>& use) {
  namespace files = std::filesystem;
  for (const auto& entry : files::recursive_directory_iterator(JAX2ONNX_SOURCE_DIR "/tests/numeric/data")) {
    if (entry.path().extension() != ".jaxpr") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    use((entry.path().parent_path().filename() / entry.path().stem()).string(),
        jaxpr::parse(text, {.keep_ambiguous = true}));
  }
}

/// An input of the model for each variable.
inline jax2onnx::jax_values inputs_for(jax2onnx::graph& g, jax2onnx::lower::lowerer& driver,
                                       jaxpr::list<jaxpr::binder> variables) {
  jax2onnx::jax_values out;
  for (const jaxpr::binder& b : variables) {
    const jax2onnx::aval t = driver.type_of(b.annotation);
    out.push_back(jax2onnx::lower::unpack(g.input(jax2onnx::lower::packed_type(t), "x"), t));
  }
  return out;
}

/// The results of a text's main jaxpr. All that it closes over are inputs.
inline jax2onnx::jax_values lowered_results(jax2onnx::graph& g, jax2onnx::lower::lowerer& driver,
                                            const jaxpr::body& main) {
  driver.set_inner_constants(&main, inputs_for(g, driver, main.constvars));
  return driver.inline_body(main, inputs_for(g, driver, main.invars));
}
