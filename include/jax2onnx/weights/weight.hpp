#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx {

/// How a file says that a weight's elements are encoded, before the constvar's printed type decides what they are.
enum class stored_kind : std::uint8_t {
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  bfloat16,
  float8,
  complex,
  raw
};

/// One array of a weights file: a view, no bytes are read until the model is written.
struct weight {
  std::string name;                         ///< the member's key
  bool named = false;                       ///< false for numpy's own arr_0, arr_1, …
  std::string type;                         ///< the type as the file spells it, for messages: `<f4`, `|V2`, `BF16`
  stored_kind kind = stored_kind::raw;      ///< how the elements are encoded
  std::uint32_t item_bits = 0;              ///< the width of an element
  std::vector<std::int64_t> shape;          ///< outermost first
  std::shared_ptr<const byte_source> data;  ///< little endian, row major
};

}  // namespace jax2onnx
