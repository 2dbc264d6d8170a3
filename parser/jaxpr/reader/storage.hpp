#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/reader/arena.hpp>
#include <jaxpr/reader/pages.hpp>

namespace jaxpr::reader {

/// The equations of a body while it is read; most of the bytes of a long text are equations.
using equation_stack = std::vector<equation, page_allocator<equation>>;

/// What a program owns.
struct storage {
  explicit storage(std::size_t text_bytes) : nodes(std::min(text_bytes * 2, std::size_t{4} << 20)) {}
  arena nodes;
  std::vector<equation_stack> equations;  ///< of large bodies
  std::string source;                     ///< the caller's text, if it was moved in
  std::string plain;                      ///< the text without colours, if it had any
};

}  // namespace jaxpr::reader
