// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx {

/// The element encoding that a file states. The type printed for the constvar decides how elements are interpreted.
enum class stored_kind : std::uint8_t {
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  bfloat16,
  float8_e4m3fn,
  float8_e4m3fnuz,
  float8_e5m2,
  float8_e5m2fnuz,
  float8_e8m0fnu,
  complex,
  raw,  ///< bits of a type that the file does not state
};

/// One array of a weights file. A view: its bytes are read when the model is written.
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
