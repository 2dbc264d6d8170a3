#pragma once

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/converter.hpp>

namespace jax2onnx {
namespace detail {

/// Throws unless the opset that is asked for exists and the target loads it.
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

}  // namespace detail

JAX2ONNX_INLINE conversion convert(std::string text, const std::vector<weight>& weights, const options& o) {
  return convert(std::make_shared<const std::string>(std::move(text)), weights, o);
}

JAX2ONNX_INLINE conversion convert(std::shared_ptr<const std::string> text, const std::vector<weight>& weights,
                                   const options& o) {
  detail::require_opset(o);
  try {
    const auto start = std::chrono::steady_clock::now();
    auto source = jaxpr::parse(*text, {.keep_ambiguous = true});
    const auto parsed = std::chrono::steady_clock::now();
    conversion result = detail::converter(std::move(text), std::move(source), weights, o).run();
    result.stats.parse = parsed - start;
    return result;
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
