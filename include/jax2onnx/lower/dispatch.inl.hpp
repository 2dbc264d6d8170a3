// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <jax2onnx/lower/builtin.inl.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/lower/refused.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {
namespace detail {

/// Calls the lowering of a row as the row's parts_rule requires: once, or once for each part. Refuses operands and
/// results that the rule does not allow.
JAX2ONNX_INLINE jax_values call_row(const site& s, const lowering& row) {
  std::size_t parts = 1;
  for (const jax_value& o : s.ins()) parts = std::max<std::size_t>(parts, o.count);
  for (const aval& t : s.out_types()) parts = std::max<std::size_t>(parts, t.elem.parts);
  const bool own = row.parts == parts_rule::own || row.parts == parts_rule::lazy;
  if (!own && !s.refs().empty()) s.unsupported("mutable references are not supported as operands");
  if (parts == 1 || own) return row.fn(s);
  if (row.parts == parts_rule::plain) {
    const bool key = item_loops::any_of(s.in_types(), [](const aval& t) { return t.is_key(); });
    s.unsupported(key ? "PRNG keys are not supported as operands" : "complex numbers are not supported");
  }
  jax_values out(s.out_count());
  for (std::size_t part = 0; part < parts; ++part) {
    const site shown = s.showing(part);
    const jax_values one = row.fn(shown);
    s.merge_reads(shown);
    for (std::size_t i = 0; i < one.size() && i < out.size(); ++i)
      if (part < s.out_type(i).elem.parts) out[i].parts[out[i].count++] = one[i].parts[0];
  }
  return out;
}

}  // namespace detail

JAX2ONNX_INLINE jax_values lower_builtin(const site& s) {
  const lowering* const row = find_row(detail::builtin_table, s.primitive());
  if (!row || row->parts != parts_rule::lazy) s.require_operands();
  if (row) {
    check_signature(s, row->expected, row->ignored);
    const lowering* const twin = s.is_complex() ? find_row(detail::complex_table, s.primitive()) : nullptr;
    jax_values out = detail::call_row(s, twin ? *twin : *row);
    s.require_read(row->ignored);
    return out;
  }
  const lower::refusal* const why = lower::find_refusal(s.primitive());
  if (why && why->has_effect && s.out_count() == 0) {
    s.warn("lower.dropped", detail::message("'{}' is dropped: an ONNX model only computes values", s.primitive()));
    s.ignore_all("nothing is computed");
    return {};
  }
  if (why) s.unsupported(std::string(why->reason), std::string(why->help));
  const std::string near = detail::closest_primitive(s.primitive());
  throw unsupported_error(
      detail::message("no lowering for primitive '{}'{}", s.equation().primitive,
                      near.empty() ? near : detail::message(", did you mean '{}'?", near)),
      s.where(),
      detail::message(
          "jax2onnx knows JAX up to {}. Rewrite the function without the primitive; a program that uses the library "
          "can add a lowering (options::lowerers)",
          compat::newest));
}

}  // namespace jax2onnx
