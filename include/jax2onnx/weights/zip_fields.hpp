// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include <jax2onnx/support/file_site.hpp>

namespace jax2onnx::detail {

/// Reads little-endian integers from a string, in order. Throws file_error if the string ends too early.
class zip_fields {
 public:
  zip_fields(std::string_view s, const file_site& site) : rest_(s), site_(site) {}
  template <typename T>
  T next() {
    T value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take(std::size_t n) {
    if (n > rest_.size()) site_.malformed("a zip header is cut short");
    const std::string_view s = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return s;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const file_site& site_;
};

}  // namespace jax2onnx::detail
