#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/infer.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// `shape`, or a build_error that names the op and its operands.
inline shape checked(std::string_view op, const infer::result& r, std::initializer_list<value> operands) {
  if (r.ok()) return r.dims;
  std::string shapes;
  for (const value& v : operands) shapes += (shapes.empty() ? "" : " and ") + text(v);
  throw build_error(detail::message("{}: {}: {}", op, r.problem, shapes));
}

/// Throws a build_error that names the op and both operands if their dtypes differ.
inline void require_same_dtype(std::string_view op, const value& a, const value& b) {
  if (a.dtype() != b.dtype())
    throw build_error(detail::message("{}: the dtypes differ: {} and {}", op, text(a), text(b)));
}

}  // namespace jax2onnx::detail
