// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/converter.hpp>
#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx {
namespace detail {

/// Throws conversion_error unless the requested opset exists and the target loads it.
inline void require_opset(const options& o) {
  const int opset = o.opset.value_or(lowest_opset), most = highest_opset_of(o.rewrites.target, highest_opset);
  if (opset < lowest_opset || opset > highest_opset)
    throw_problem(failure::malformed, "convert.opset",
                  message("opset {} is not between {} and {}", opset, lowest_opset, highest_opset));
  if (opset > most)
    throw_problem(failure::malformed, "convert.opset",
                  message("ONNX Runtime 1.{} loads opsets up to {}, not {}", o.rewrites.target.release, most, opset),
                  {}, "ask for an older opset, or for another target");
}

/// Parses `text` and converts it to the opset of the options, or to the default opset.
JAX2ONNX_INLINE conversion convert_once(std::shared_ptr<const std::string> text, const std::vector<weight>& weights,
                                        const options& o) {
  const auto start = std::chrono::steady_clock::now();
  auto source = jaxpr::parse(*text, {.keep_ambiguous = true});
  const auto parsed = std::chrono::steady_clock::now();
  conversion result = converter(std::move(text), std::move(source), weights, o).run();
  result.stats.parse = parsed - start;
  return result;
}

/// Returns the first opset that has all element types if `refusal` says that the default opset lacks a type. nullopt
/// for any other refusal, if the user chose an opset, or if the target does not load that opset.
inline std::optional<int> opset_for_types(const conversion_error& refusal, const options& o) {
  const auto is_of_opset = [](const diagnostic& d) { return d.code == "lower.opset"; };
  const bool needs_newer = item_loops::any_of(refusal.diagnostics(), is_of_opset);
  if (o.opset || !needs_newer || highest_opset_of(o.rewrites.target, highest_opset) < opset_of_all_types)
    return std::nullopt;
  return opset_of_all_types;
}

}  // namespace detail

JAX2ONNX_INLINE conversion convert(std::string text, const std::vector<weight>& weights, const options& o) {
  return convert(std::make_shared<const std::string>(std::move(text)), weights, o);
}

JAX2ONNX_INLINE conversion convert(std::shared_ptr<const std::string> text, const std::vector<weight>& weights,
                                   const options& o) {
  detail::require_opset(o);
  rewrite::detail::require_compute_target(o.rewrites.compute, o.rewrites.target);
  try {
    try {
      return detail::convert_once(text, weights, o);
    } catch (const conversion_error& e) {
      options newer = o;
      newer.opset = detail::opset_for_types(e, o);
      if (!newer.opset) throw;
      return detail::convert_once(std::move(text), weights, newer);
    }
  } catch (const detail::sink_exception& e) {
    std::rethrow_exception(e.thrown);
  } catch (const jaxpr::error& e) {
    throw conversion_error(failure::malformed, {e.details()});
  } catch (const std::logic_error& e) {
    throw conversion_error(failure::internal, "internal", e.what(),
                           "this is a defect of jax2onnx: please report it with the text");
  }
}

}  // namespace jax2onnx
