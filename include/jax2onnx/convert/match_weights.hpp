#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/streamed_source.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx::detail {

/// Packs 4- and 2-bit integers, which weights files store in a byte each, in ONNX's order: lowest bits first.
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

/// Whether the stored elements of a weight can be interpreted as `type`. bfloat16, float8 and 4-bit types have no NumPy
/// dtype: files store them as raw bytes or as unsigned integers of the same width. Complex numbers are pairs of reals.
inline bool elements_fit(const weight& w, dtype type) {
  const auto& row = traits(type);
  const bool floating = row.cls == dtype_class::floating;
  const bool exotic = type == dtype::bf16 || row.bits < 16;
  const std::uint32_t stored_bits = w.kind == stored_kind::complex ? w.item_bits / 2 : w.item_bits;
  if (stored_bits != static_cast<std::uint32_t>(std::max<int>(row.bits, 8))) return false;
  switch (w.kind) {
    case stored_kind::boolean: return row.cls == dtype_class::boolean;
    case stored_kind::signed_integer: return row.cls == dtype_class::signed_integer;
    case stored_kind::unsigned_integer:
      return row.cls == dtype_class::unsigned_integer || (exotic && row.cls != dtype_class::boolean);
    case stored_kind::floating: return floating && !exotic;
    case stored_kind::bfloat16: return type == dtype::bf16;
    case stored_kind::float8: return floating && row.bits == 8;
    case stored_kind::complex: return floating;
    case stored_kind::raw: return exotic;
  }
  return false;
}

/// Whether `w` has the element type and shape of `t`.
inline bool fits(const weight& w, const tensor_type& t) {
  ints wanted, stored = w.shape;
  for (dim d : t.dims) wanted.push_back(d.is_constant() ? d.extent() : -1);
  if (w.kind == stored_kind::complex) stored.push_back(2);
  return stored == wanted && elements_fit(w, t.type);
}

/// Type and shape as the file states them, for messages.
inline std::string type_text(const weight& w) { return message("{}[{}]", shown(w.type), joined_text(w.shape, ",")); }

/// The weight as a constant of type `t`. Requires fits(w, t).
inline value weight_constant(graph& g, const weight& w, const tensor_type& t, std::string name) {
  std::shared_ptr<const byte_source> data = w.data;
  if (data && bits(t.type) < 8) data = std::make_shared<packed_bits>(data, bits(t.type));
  return g.constant(t, bytes(std::move(data)), std::move(name));
}

}  // namespace jax2onnx::detail
