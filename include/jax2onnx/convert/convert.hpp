// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/convert/options.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// Converts a printed jaxpr, and the arrays that it closes over, to an ONNX graph, which write_model() writes to a
/// file.
///
/// `text` is the result of str(jax.make_jaxpr(f)(...)) in Python, with any JAX from 0.4.13 on. `weights` are the arrays
/// of the text's constvars in order, or in the order of `o.weights_map`; without weights the constvars become inputs of
/// the model. The result owns the text and views the files of the weights.
///
/// Throws conversion_error with every problem that was found: the text is malformed, a primitive has no lowering, the
/// weights do not fit, a limit was exceeded. Exceptions that a progress sink throws pass through. Safe to call from
/// several threads at once, if the lowerers and the progress sink in the options are.
conversion convert(std::string text, const std::vector<weight>& weights = {}, const options& o = {});

/// Converts a text that the caller shares. `text` is not null.
conversion convert(std::shared_ptr<const std::string> text, const std::vector<weight>& weights = {},
                   const options& o = {});

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/convert/convert.inl.hpp>
#endif
