#pragma once

#include <cstddef>

namespace jaxpr {

/// Limits that keep hostile texts from costing more than they should, exceeding one is an error `parse.limit-*`; and how
/// strict to be.
struct parse_options {
  std::size_t max_bytes = std::size_t{1} << 31;  ///< spans are 32-bit, so a larger value has no effect
  unsigned max_depth = 256;                      ///< jaxprs and brackets inside each other, references included
  std::size_t max_identifier = 4096;             ///< of names, parameter keys, primitives and types
  bool keep_ambiguous = false;  ///< an operand `_` that may be any of several results is_dropped(), no error
};

}  // namespace jaxpr
