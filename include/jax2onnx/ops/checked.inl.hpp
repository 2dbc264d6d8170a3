// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <climits>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/checked.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

JAX2ONNX_INLINE void throw_misfit(std::string_view op, std::string_view problem, std::span<const value> operands,
                                  dim detail) {
  const op_record* const record = find_record("", op, INT_MAX);
  std::vector<value_id> ids;
  std::string types;
  for (const value& v : operands) {
    ids.push_back(v.id());
    types += (types.empty() ? "" : ", ") + text(v);
  }
  const graph& g = operands[0].owner();
  const std::string filled = filled_problem(g.dims(), problem, {&detail, 1});
  throw build_error(record ? message("{}: {}", call_text(g, *record, ids), filled)
                           : message("{}({}): {}", op, types, filled));
}

}  // namespace jax2onnx::detail
