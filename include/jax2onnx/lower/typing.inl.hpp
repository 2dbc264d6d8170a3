// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/typing.hpp>

namespace jax2onnx {
namespace detail {

inline std::string text(kinds set) {
  struct named {
    kinds kind;
    std::string_view name;
  };
  constexpr named names[] = {{kinds::boolean, "bool"},
                             {kinds::signed_integer, "signed integer"},
                             {kinds::unsigned_integer, "unsigned integer"},
                             {kinds::floating, "floating-point"},
                             {kinds::complex, "complex"},
                             {kinds::key, "key"},
                             {kinds::float0, "float0"}};
  std::string out;
  std::string_view last;
  for (const named& n : names)
    if (contains(set, n.kind)) {
      if (!last.empty()) out.append(out.empty() ? "" : ", ").append(last);
      last = n.name;
    }
  return out.append(out.empty() ? "" : " or ").append(last);
}

}  // namespace detail

JAX2ONNX_INLINE void require_kind(const site& s, std::size_t i, kinds allowed) {
  const aval& t = s.in_type(i);
  if (!contains(allowed, kind_of(t.elem)))
    s.malformed(detail::message("operand {} is {}; it must be {}", i, text(s.g.dims(), t), detail::text(allowed)));
}

JAX2ONNX_INLINE void require_same_element(const site& s, std::size_t i, std::size_t j) {
  const aval &a = s.in_type(i), &b = s.in_type(j);
  if (a.elem != b.elem || a.ref != b.ref)
    s.malformed(detail::message("operand {} is {}, but operand {} is {}: their element types must be equal", i,
                                text(s.g.dims(), a), j, text(s.g.dims(), b)));
}

JAX2ONNX_INLINE void require_shape(const site& s, std::size_t i, const shape& dims, std::string_view what) {
  const aval& t = s.in_type(i);
  if (provably_differ(s.g.dims(), t.dims, dims))
    s.malformed(detail::message("operand {} is {}, but the shape of {} is {}", i, text(s.g.dims(), t), what,
                                s.g.dims().text(dims)));
}

JAX2ONNX_INLINE void require_rank(const site& s, std::size_t i, std::int64_t rank) {
  if (s.in_type(i).rank() != rank)
    s.malformed(
        detail::message("operand {} is {}; it must have {} dimension{|s}", i, text(s.g.dims(), s.in_type(i)), rank));
}

JAX2ONNX_INLINE void require_scalar_or_shape(const site& s, std::size_t i, const shape& dims, std::string_view what) {
  if (s.in_type(i).rank() != 0) require_shape(s, i, dims, what);
}

JAX2ONNX_INLINE std::vector<aval> for_all_results(const site& s, std::vector<aval> types) {
  if (!s.has_results(types.size()))
    s.malformed(detail::message("it has {} result{|s} instead of {}", s.out_count(), types.size()));
  return types;
}

JAX2ONNX_INLINE void require_axes(const site& s, std::string_view what, const ints& axes, std::int64_t rank) {
  std::vector<bool> seen(static_cast<std::size_t>(rank));
  for (std::int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      s.malformed(detail::message("its {} names axis {}, but the array has {} dimension{|s}", what, axis, rank));
    if (seen[static_cast<std::size_t>(axis)]) s.malformed(detail::message("its {} names axis {} twice", what, axis));
    seen[static_cast<std::size_t>(axis)] = true;
  }
}

JAX2ONNX_INLINE void require_equal_extents(const site& s, std::size_t i, const ints& axes, std::size_t j,
                                           const ints& others) {
  const shape a = extents_at(s.in_type(i).dims, axes), b = extents_at(s.in_type(j).dims, others);
  if (provably_differ(s.g.dims(), a, b))
    s.malformed(detail::message("the axes that it pairs in operands {} and {} have the extents {} and {}", i, j,
                                s.g.dims().text(a), s.g.dims().text(b)));
}

namespace detail {

JAX2ONNX_INLINE void require_types(const site& s, std::string_view what, std::span<const aval> found,
                                   std::span<const aval> wanted) {
  bool fits = found.size() == wanted.size();
  for (std::size_t i = 0; fits && i < found.size(); ++i)  // the text may leave out the type of a literal
    fits = found[i].elem.name.empty() || agree(s.g.dims(), found[i], wanted[i]);
  const auto list = [&](std::span<const aval> types) {
    std::string out;
    for (const aval& t : types) out.append(out.empty() ? "" : " ").append(text(s.g.dims(), t));
    return out;
  };
  if (!fits) s.malformed(message("its jaxpr {} ({}) instead of ({})", what, list(found), list(wanted)));
}

}  // namespace detail

JAX2ONNX_INLINE void require_body(const site& s, const jaxpr::body& body, std::span<const aval> inputs,
                                  std::span<const aval> results) {
  detail::require_types(s, "takes", s.input_types(body), inputs);
  detail::require_types(s, "returns", s.result_types(body), results);
}

JAX2ONNX_INLINE shape common_shape(const site& s) {
  shape common;
  for (std::size_t i = 0; i < s.arity(); ++i) {
    const shape& dims = s.in_type(i).dims;
    if (dims.empty()) continue;
    if (common.empty()) common = dims;
    bool fits = dims.size() == common.size();
    for (std::size_t d = 0; fits && d < dims.size(); ++d) {
      fits = dims[d].is(1) || common[d].is(1) || !provably_differ(s.g.dims(), dims[d], common[d]);
      if (common[d].is(1)) common[d] = dims[d];
    }
    if (!fits)
      s.malformed(detail::message("operand {} is {}, but the operands before it have the shape {}", i,
                                  text(s.g.dims(), s.in_type(i)), s.g.dims().text(common)));
  }
  return common;
}

}  // namespace jax2onnx
