// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/record.hpp>

/// The checks of one application of an operator against its record.
namespace jax2onnx {

/// Selects whether constants, such as indices, have to be in range. An existing node may have indices out of range,
/// since it may be in a branch that is never taken.
enum class elements_of_constants : std::uint8_t { ignored, compared };

/// The types of the results that an operator gives for these operands and attributes, as its shape rule infers them; a
/// dtype that nothing determines is `undefined`. `dims` is the table of the graph's extents or a copy of it. Throws a
/// build_error that names the operator, its operands and what is wrong: too many or too few operands or results, types
/// outside of the constraints, attributes that are unknown, missing or of another kind, operands that do not fit.
std::vector<tensor_type> infer_types(const graph& g, dim_table& dims, const op_record& record,
                                     std::span<const value_id> inputs, std::span<const attribute> attributes,
                                     std::size_t results,
                                     elements_of_constants compared = elements_of_constants::ignored);

/// `Conv(X: f32[N,3,8,8] 'image', W: f32[8,4,3,3])`, for messages.
std::string call_text(const graph& g, const op_record& record, std::span<const value_id> inputs);

/// `problem` with every {} replaced by the text of the next detail. `{one|other}` becomes `one` if the detail before it
/// is 1, else `other`.
std::string filled_problem(const dim_table& dims, std::string_view problem, std::span<const dim> details);

/// Throws an opset_error if ONNX has the operator only in opsets after `opset`; otherwise throws a build_error.
[[noreturn]] void throw_no_operator(std::string_view domain, std::string_view op, int opset);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/apply.inl.hpp>
#endif
