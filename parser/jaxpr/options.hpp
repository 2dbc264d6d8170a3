// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace jaxpr {

/// Options of `parse`. The limits bound the cost of hostile texts. A text that exceeds a limit is refused with an error
/// `parse.limit-*`.
struct parse_options {
  /// The largest size of a text in bytes. Spans are 32-bit, so a value above the default has no effect.
  std::size_t max_bytes = std::size_t{1} << 31;
  unsigned max_depth = 256;           ///< the largest depth of nested jaxprs and brackets, references followed
  std::size_t max_identifier = 4096;  ///< the largest size in bytes of a name, parameter key, primitive or type
  bool keep_ambiguous = false;        ///< accept an ambiguous operand `_`, for which atom::is_dropped() is true
};

}  // namespace jaxpr
