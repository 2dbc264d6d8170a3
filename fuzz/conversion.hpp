// SPDX-License-Identifier: Apache-2.0
#pragma once

// The invariant of conversion: any text becomes a model or is refused with a reason other than an internal error.

#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>

namespace fuzz {

/// A text of n bytes is converted to opset 17 + n % 10, so that all opsets are covered.
inline int opset_of(std::string_view text) {
  constexpr std::size_t opsets = jax2onnx::highest_opset - jax2onnx::lowest_opset + 1;
  return jax2onnx::lowest_opset + static_cast<int>(text.size() % opsets);
}

/// A text of n bytes is converted for a target that depends on n / 16, so that targets with all rules and targets that
/// need other forms are covered as well.
inline jax2onnx::target target_of(std::string_view text) {
  using jax2onnx::target;
  constexpr target targets[] = {target::portable, target::ort, target::mnn, target::tract, target::openvino};
  return targets[text.size() / 16 % std::size(targets)];
}

/// Returns whether the text was accepted. Throws std::logic_error if it is refused with an internal error; exceptions
/// from outside the library pass through.
inline bool convert_text(std::string_view text) {
  try {
    jax2onnx::options options;
    options.opset = opset_of(text);
    options.rewrites.target = target_of(text);
    const jax2onnx::conversion done = jax2onnx::convert(std::string(text), {}, options);
    std::ostringstream out;
    jax2onnx::write_model(done.model, {}, out);
    return true;
  } catch (const jaxpr::error&) {
  } catch (const jax2onnx::error& e) {
    if (e.kind() != jax2onnx::failure::internal && !e.diagnostics().empty()) return false;
    throw std::logic_error(std::string("refused as a defect: ") + e.what());
  }
  return false;
}

}  // namespace fuzz
