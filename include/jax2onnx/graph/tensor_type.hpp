// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/support/bytes.hpp>

/// The types of values.
namespace jax2onnx {

/// The kind of a value. The dtype and shape in the value's type describe the tensors that the value contains.
enum class value_kind : std::uint8_t {
  tensor,
  sequence,           ///< a list of tensors
  optional,           ///< a tensor or nothing
  optional_sequence,  ///< a sequence or nothing
};

/// dtype and shape of a value, which is a tensor unless `kind` says otherwise.
struct tensor_type {
  dtype type = dtype::undefined;         ///< the type of the elements
  shape dims;                            ///< the extents, outermost first; empty if not ranked
  bool ranked = true;                    ///< true if the number of dimensions is known
  value_kind kind = value_kind::tensor;  ///< the container of the tensors

  /// True if a value of the type is a tensor of known rank.
  constexpr bool is_plain() const { return ranked && kind == value_kind::tensor; }
  friend constexpr bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// The type of a value if only its element type is known.
constexpr tensor_type unranked(dtype t, value_kind kind = value_kind::tensor) { return {t, {}, false, kind}; }

/// True if a value is a tensor of known rank whose elements are real numbers or truth values.
constexpr bool is_numeric(const tensor_type& t) {
  return t.is_plain() && t.type != dtype::undefined && t.type != dtype::string && !is_complex(t.type);
}
/// True if the type is numeric and its extents are constants or symbols. Two unknown extents may differ, so they do not
/// count as known.
constexpr bool is_known(const tensor_type& t) {
  for (dim d : t.dims)
    if (d.is_dyn()) return false;
  return is_numeric(t);
}

/// A tensor as an attribute: its type, and its bytes as graph::constant() takes them. Copies share the bytes.
class tensor_constant {
 public:
  /// A tensor of a constant shape; `data` has exactly the bytes that the shape needs.
  tensor_constant(tensor_type type, bytes data)
      : tensor_(std::make_shared<const std::pair<tensor_type, bytes>>(std::move(type), std::move(data))) {}
  /// dtype and shape.
  const tensor_type& type() const { return tensor_->first; }
  /// The elements.
  const bytes& data() const { return tensor_->second; }
  /// True if the tensors are copies of one tensor, or have the same type and the same bytes in memory. False for other
  /// tensors whose bytes have to be streamed.
  friend bool operator==(const tensor_constant& a, const tensor_constant& b) {
    if (a.tensor_ == b.tensor_) return true;
    const auto x = a.data().view(), y = b.data().view();
    return a.type() == b.type() && x.size() == a.data().size() && std::equal(x.begin(), x.end(), y.begin(), y.end());
  }

 private:
  std::shared_ptr<const std::pair<tensor_type, bytes>> tensor_;
};

}  // namespace jax2onnx
