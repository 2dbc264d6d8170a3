#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/build/graph.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// Packs elements that a file keeps in a byte each (4- and 2-bit integers) as ONNX wants them, lowest bits first.
class packed_bits final : public byte_source {
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

/// Why `w` cannot hold values of type `t`; empty when it can. bfloat16, float8 and 4-bit types have no numpy dtype:
/// they come as raw bytes or as unsigned integers of their width.
inline std::string misfit(const weight& w, const tensor_type& t) {
  ints extents;
  for (dim d : t.dims) extents.push_back(d.is_constant() ? d.extent() : -1);
  const auto& row = traits(t.type);
  const bool exotic = t.type == dtype::bf16 || row.bits < 16;
  bool kind = false;
  switch (w.kind) {
    case stored_kind::boolean: kind = row.cls == dtype_class::boolean; break;
    case stored_kind::signed_integer: kind = row.cls == dtype_class::signed_integer; break;
    case stored_kind::unsigned_integer:
      kind = row.cls == dtype_class::unsigned_integer || (exotic && row.cls != dtype_class::boolean);
      break;
    case stored_kind::floating:
      kind = row.cls == dtype_class::floating && t.type != dtype::bf16 && row.bits >= 16;
      break;
    case stored_kind::bfloat16: kind = t.type == dtype::bf16; break;
    case stored_kind::float8: kind = row.cls == dtype_class::floating && row.bits == 8; break;
    case stored_kind::complex: kind = row.cls == dtype_class::floating; break;
    case stored_kind::raw: kind = exotic; break;
  }
  const std::uint32_t stored_bits = w.kind == stored_kind::complex ? w.item_bits / 2 : w.item_bits;
  const bool width = stored_bits == static_cast<std::uint32_t>(row.bits < 8 ? 8 : row.bits);
  ints stored = w.shape;
  if (w.kind == stored_kind::complex) stored.push_back(2);
  if (kind && width && stored == extents) return {};
  return fmt::format("is {}[{}]", w.type, fmt::join(w.shape, ","));
}

/// The weight as a constant of type `t`, which it fits.
inline value weight_constant(graph& g, const weight& w, const tensor_type& t, std::string name) {
  std::shared_ptr<const byte_source> data = w.data;
  if (bits(t.type) < 8) data = std::make_shared<packed_bits>(data, bits(t.type));
  return g.constant(t, bytes(std::move(data)), std::move(name));
}

}  // namespace jax2onnx
