// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/graph/tensor_type.hpp>
#include <jax2onnx/read/tensor_reader.hpp>
#include <jax2onnx/read/wire_reader.hpp>

namespace jax2onnx::detail {

/// The type of a value of which nothing is known.
inline tensor_type unknown_type() { return unranked(dtype::undefined); }
inline bool is_unknown(const tensor_type& t) { return t == unknown_type(); }

/// Reads types of values.
class type_reader {
 public:
  type_reader(wire_source& from, dim_table& dims) : from_(from), dims_(dims) {}

  /// Reads a TypeProto. Returns unknown_type() for an empty TypeProto, and nullopt for types that graphs do not
  /// support: maps, sparse tensors, sequences of sequences.
  std::optional<tensor_type> read(wire_range message);

 private:
  std::optional<tensor_type> read_tensor_type(wire_range message);
  std::optional<tensor_type> read_holder(wire_range message, std::uint32_t kind);
  shape read_shape(wire_range message);
  dim read_extent(wire_range message);
  dim named(const std::string& name);

  wire_source& from_;
  dim_table& dims_;
};

inline std::optional<tensor_type> type_reader::read(wire_range message) {
  using namespace onnx_fields;
  std::optional<jax2onnx::tensor_type> out = unknown_type();
  wire_reader reader(from_, message);
  constexpr std::uint32_t denotation = 6;
  for (wire_field f; reader.next(f);) {
    if (f.number == type_tensor) out = read_tensor_type(reader.only_message(f));
    else if (f.number == type_sequence || f.number == type_optional)
      out = read_holder(reader.only_message(f), f.number);
    else if (f.number != denotation) out = std::nullopt;
  }
  return out;
}

/// Reads the type of a sequence or of an optional.
inline std::optional<tensor_type> type_reader::read_holder(wire_range message, std::uint32_t kind) {
  std::optional<wire_range> element;
  wire_reader outer(from_, message);
  for (wire_field f; outer.next(f);)
    if (f.number == onnx_fields::element_type) element = outer.only_message(f);
  if (!element) return std::nullopt;
  const bool optional = kind == onnx_fields::type_optional;
  std::optional<tensor_type> out;
  wire_reader inner(from_, *element);
  for (wire_field f; inner.next(f);) {
    if (f.number == onnx_fields::type_tensor) {
      out = read_tensor_type(inner.only_message(f));
      if (out) out->kind = optional ? value_kind::optional : value_kind::sequence;
    } else if (f.number == onnx_fields::type_sequence && optional) {
      out = read_holder(inner.only_message(f), onnx_fields::type_sequence);
      if (out) out->kind = value_kind::optional_sequence;
    }
  }
  return out;
}

inline std::optional<tensor_type> type_reader::read_tensor_type(wire_range message) {
  tensor_type out = unknown_type();
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::tensor_type_elem) out.type = read_dtype(from_.site(), reader.integer(f));
    if (f.number == onnx_fields::tensor_type_shape) {
      out.dims = read_shape(reader.only_message(f));
      out.ranked = true;
    }
  }
  return out;
}

inline shape type_reader::read_shape(wire_range message) {
  shape out;
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) {
    if (f.number != onnx_fields::shape_dim) continue;
    if (out.size() == most_dimensions) throw limit_error("a value has over 256 dimensions");
    out.push_back(read_extent(reader.message(f)));
  }
  return out;
}

/// Negative extents, which some exporters write, count as unknown.
inline dim type_reader::read_extent(wire_range message) {
  dim out = dim::dyn();
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::dim_value) {
      const std::int64_t n = reader.integer(f);
      out = n < 0 ? dim::dyn() : dim(n);
    }
    if (f.number == onnx_fields::dim_param) out = named(reader.text(f));
  }
  return out;
}

/// The extent of a dimension with this name: an expression in jax2onnx's syntax, otherwise a symbol of another
/// exporter. Empty names, texts of constants, and names with control or invisible characters are unknown extents.
inline dim type_reader::named(const std::string& name) {
  if (name.empty()) return dim::dyn();
  try {
    const dim d = dims_.parse(name);
    return d.is_symbolic() ? d : dim::dyn();
  } catch (const error&) {}
  try {
    return dims_.foreign_symbol(name);
  } catch (const build_error&) {
    return dim::dyn();
  }
}

}  // namespace jax2onnx::detail
