#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx::rewrite {

/// Thrown inside of a rule that matches and does not apply after all: the driver reports the reason as a decline.
struct declined {
  std::string_view reason;  ///< a literal
};

/// How many sources a constant may be read through, one behind the other. Reading and destroying them recurses.
inline constexpr std::size_t deepest_source = 16;

/// A constant whose bytes are computed from those of others. Throws `declined` where they would be read through too
/// many sources, or all computed constants would hold too much memory.
inline value computed_constant(graph& g, const tensor_type& type, std::shared_ptr<const byte_source> source,
                               std::string name = {}) {
  if (source->depth() > deepest_source) throw declined{"the weight would be computed in too many steps"};
  if (!g.hold(source->held_bytes())) throw declined{"computed weights hold too much memory"};
  return g.constant(type, bytes(std::move(source)), std::move(name));
}

}  // namespace jax2onnx::rewrite
