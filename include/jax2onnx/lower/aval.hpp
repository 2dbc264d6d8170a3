// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// The kinds of element types of a jaxpr.
enum class element_class : std::uint8_t {
  plain,        ///< one tensor of an ONNX dtype
  complex,      ///< two real tensors, re and im
  key,          ///< the words of a PRNG key, one uint32 tensor each
  float0,       ///< the type of arrays without values; a bool tensor represents it
  unsupported,  ///< ONNX has no such type
};

/// An element type of JAX: `parts` tensors of dtype `part` represent an array.
struct element {
  std::string_view name;  ///< JAX's short name; if the type is unknown, a view of the printed name
  dtype part = dtype::undefined;
  std::uint8_t parts = 1;
  element_class cls = element_class::plain;
  friend constexpr bool operator==(const element& a, const element& b) { return a.name == b.name; }
};

namespace detail {

/// The element types whose names are not names of ONNX dtypes.
inline constexpr element composite_elements[] = {
    {"c64", dtype::f32, 2, element_class::complex},       {"c128", dtype::f64, 2, element_class::complex},
    {"key<fry>", dtype::u32, 2, element_class::key},      {"key<rbg>", dtype::u32, 4, element_class::key},
    {"key<urbg>", dtype::u32, 4, element_class::key},     {"key<fry4>", dtype::u32, 4, element_class::key},
    {"key<phx2>", dtype::u32, 1, element_class::key},     {"key<phx4>", dtype::u32, 2, element_class::key},
    {"float0", dtype::boolean, 1, element_class::float0}, {"void", dtype::boolean, 1, element_class::float0},
    {"semaphore", dtype::i32, 1, element_class::plain},   {"barrier_semaphore", dtype::i32, 1, element_class::plain},
    {"dma_sem", dtype::i32, 1, element_class::plain},     {"barrier", dtype::i32, 1, element_class::plain},
};

/// A long name of numpy, as parameters such as `new_dtype=float32` print it, and JAX's short name.
struct long_name {
  std::string_view numpy, jax;
};
inline constexpr long_name long_names[] = {
    {"float32", "f32"},
    {"float64", "f64"},
    {"float16", "f16"},
    {"bfloat16", "bf16"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"int4", "i4"},
    {"uint4", "u4"},
    {"int2", "i2"},
    {"uint2", "u2"},
    {"complex64", "c64"},
    {"bool_", "bool"},
    {"bool", "bool"},
    {"complex128", "c128"},
    {"float8_e4m3fn", "f8_e4m3fn"},
    {"float8_e4m3fnuz", "f8_e4m3fnuz"},
    {"float8_e5m2", "f8_e5m2"},
    {"float8_e5m2fnuz", "f8_e5m2fnuz"},
    {"float4_e2m1fn", "f4_e2m1fn"},
    {"float8_e8m0fnu", "f8_e8m0fnu"},
};

}  // namespace detail

/// The name in a Python class such as <class 'jax.numpy.float32'>; any other text is returned as it is.
constexpr std::string_view class_name(std::string_view text) {
  constexpr std::string_view prefix = "<class '", suffix = "'>";
  if (!text.starts_with(prefix) || !text.ends_with(suffix)) return text;
  text = text.substr(0, text.size() - suffix.size());
  return text.substr(std::max(text.rfind('.') + 1, prefix.size()));
}

/// The element type that JAX prints as `name`: a short or long name, or a class of jax.numpy or numpy. An unknown name
/// gives an unsupported type.
constexpr element element_named(std::string_view name) {
  name = class_name(name);
  for (const detail::long_name& row : detail::long_names)
    if (row.numpy == name) name = row.jax;
  for (const element& e : detail::composite_elements)
    if (e.name == name) return e;
  const dtype t = dtype_named(name);
  if (t == dtype::undefined) return {name, t, 1, element_class::unsupported};
  return {traits(t).name, t, 1, element_class::plain};
}

/// The type of a JAX value: element type and shape. At the model's interface a composite value has one more axis, for
/// its parts; `dims` does not include it.
struct aval {
  element elem;      ///< the element type
  shape dims;        ///< the shape
  bool ref = false;  ///< a mutable reference to a value of this type
  std::int64_t rank() const { return static_cast<std::int64_t>(dims.size()); }
  bool is_complex() const { return elem.cls == element_class::complex; }
  bool is_key() const { return elem.cls == element_class::key; }
  dtype type() const { return elem.part; }
  /// The type of one part.
  tensor_type part() const { return {elem.part, dims}; }
};

/// Returns whether JAX considers two extents different. JAX normalizes extents, so different polynomials of symbols are
/// different extents. Extents with floordiv, mod, max or min only count as different if they are known to differ for
/// all values of the symbols. An extent that is only known at run time may be equal to any extent.
inline bool provably_differ(dim_table& dims, dim a, dim b) {
  if (a == b || a.is_dyn() || b.is_dyn()) return false;
  if (a.is_constant() && b.is_constant()) return true;
  const dim difference = dims.sub(a, b);
  if (difference.is_constant()) return !difference.is(0);
  for (const dim_table::term& t : dims.terms(difference))
    for (const dim_table::power& p : t.key)
      if (dims.atom_at(p.atom).kind != dim_table::atom_kind::symbol)
        return dims.known_nonnegative(dims.sub(difference, 1)) ||
               dims.known_nonnegative(dims.sub(dims.sub(0, difference), 1));
  return true;
}

/// Returns whether JAX considers two shapes different: their ranks or the extents of an axis are different.
inline bool provably_differ(dim_table& dims, const shape& a, const shape& b) {
  if (a.size() != b.size()) return true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (provably_differ(dims, a[i], b[i])) return true;
  return false;
}

/// Returns whether a < b is known for all values of the symbols.
inline bool provably_less(dim_table& dims, dim a, dim b) {
  if (a.is_dyn() || b.is_dyn()) return false;
  if (a.is_constant() && b.is_constant()) return a.extent() < b.extent();
  return dims.known_nonnegative(dims.sub(dims.sub(b, a), 1));
}

}  // namespace jax2onnx
