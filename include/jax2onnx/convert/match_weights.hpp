// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/streamed_source.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx::detail {

/// Packs elements of 4 or 2 bits, which weights files store in one byte each, in ONNX's order: lowest bits first.
class packed_bits final : public streamed_source {
 public:
  packed_bits(std::shared_ptr<const byte_source> source, int bits) : source_(std::move(source)), bits_(bits) {}
  std::uint64_t size() const override { return (source_->size() * static_cast<std::uint64_t>(bits_) + 7) / 8; }
  void stream(const sink& out) const override {
    std::vector<std::byte> buffer;
    unsigned filled = 0, current = 0;
    source_->stream([&](std::span<const std::byte> piece) {
      buffer.clear();
      for (std::byte b : piece) {
        current |= (std::to_integer<unsigned>(b) & ((1u << bits_) - 1)) << filled;
        filled += static_cast<unsigned>(bits_);
        if (filled == 8) {
          buffer.push_back(static_cast<std::byte>(current));
          filled = current = 0;
        }
      }
      out(buffer);
    });
    if (filled) {
      const std::byte last = static_cast<std::byte>(current);
      out({&last, 1});
    }
  }

 private:
  std::shared_ptr<const byte_source> source_;
  int bits_;
};

/// The types that files can name and NumPy lacks.
inline constexpr std::pair<stored_kind, dtype> named_kinds[] = {
    {stored_kind::bfloat16, dtype::bf16},
    {stored_kind::float8_e4m3fn, dtype::f8_e4m3fn},
    {stored_kind::float8_e4m3fnuz, dtype::f8_e4m3fnuz},
    {stored_kind::float8_e5m2, dtype::f8_e5m2},
    {stored_kind::float8_e5m2fnuz, dtype::f8_e5m2fnuz},
    {stored_kind::float8_e8m0fnu, dtype::f8_e8m0fnu},
};

/// Returns whether the stored elements of a weight can be interpreted as `type`. bfloat16, float8 and types of fewer
/// than 8 bits have no NumPy dtype: files may hold their bits as raw bytes or as unsigned integers. Complex numbers are
/// pairs of reals.
inline bool elements_fit(const weight& w, dtype type) {
  const auto& row = traits(type);
  const bool floating = row.cls == dtype_class::floating;
  const bool as_bits = type == dtype::bf16 || (floating && row.bits == 8) || row.bits < 8;
  const std::uint32_t stored_bits = w.kind == stored_kind::complex ? w.item_bits / 2 : w.item_bits;
  if (stored_bits != static_cast<std::uint32_t>(std::max<int>(row.bits, 8))) return false;
  for (const auto& [kind, named] : named_kinds)
    if (kind == w.kind) return type == named;
  switch (w.kind) {
    case stored_kind::boolean: return row.cls == dtype_class::boolean;
    case stored_kind::signed_integer: return row.cls == dtype_class::signed_integer;
    case stored_kind::unsigned_integer: return row.cls == dtype_class::unsigned_integer || as_bits;
    case stored_kind::floating: return floating && !as_bits;
    case stored_kind::complex: return floating;
    default: return as_bits;
  }
}

/// Returns whether a byte of a weight is an element of `type`, which is bool or has fewer than 8 bits. Signed integers
/// may be sign-extended; integers that are stored as bits may also be zero-extended, as ml_dtypes stores them.
inline bool is_element(std::byte stored, stored_kind kind, dtype type) {
  const auto b = std::to_integer<unsigned>(stored);
  if (is_boolean(type)) return b <= 1;
  const unsigned values = 1u << bits(type), positive = values / 2;
  if (!is_signed_integer(type)) return b < values;
  const bool sign_extended = b < positive || b >= 256 - positive;
  return sign_extended || (kind != stored_kind::signed_integer && b < values);
}

/// The first element of a weight that is not a value of `type`: "byte 2 at 1". Reads the weight if `type` is bool or
/// has fewer than 8 bits. Empty if all elements are valid.
inline std::string bad_element(const weight& w, dtype type) {
  std::string found;
  std::uint64_t at = 0;
  if (!w.data || (!is_boolean(type) && bits(type) >= 8)) return found;
  w.data->stream([&](std::span<const std::byte> piece) {
    for (auto b = piece.begin(); b != piece.end() && found.empty(); ++b, ++at)
      if (!is_element(*b, w.kind, type)) found = message("byte {} at {}", std::to_integer<int>(*b), at);
  });
  return found;
}

/// Returns whether `w` has the shape of `t`, which has an additional last extent of 2 if `w` is complex.
inline bool shape_fits(const weight& w, const tensor_type& t) {
  ints wanted, stored = w.shape;
  for (dim d : t.dims) wanted.push_back(d.is_constant() ? d.extent() : -1);
  if (w.kind == stored_kind::complex) stored.push_back(2);
  return stored == wanted;
}

/// Returns whether `w` has the shape of `t`, and its elements can be interpreted as the type of `t`.
inline bool fits(const weight& w, const tensor_type& t) { return shape_fits(w, t) && elements_fit(w, t.type); }

/// Type and shape as the file states them, for messages.
inline std::string type_text(const weight& w) { return message("{}[{}]", shown(w.type), joined_text(w.shape, ",")); }

/// The weight as a constant of type `t`. Requires fits(w, t).
inline value weight_constant(graph& g, const weight& w, const tensor_type& t, std::string name) {
  std::shared_ptr<const byte_source> data = w.data;
  if (data && bits(t.type) < 8) data = std::make_shared<packed_bits>(data, bits(t.type));
  return g.constant(t, bytes(std::move(data)), std::move(name));
}

}  // namespace jax2onnx::detail
