// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/support/config.hpp>

/// The records of all operators.
namespace jax2onnx {

/// The version of a domain that graphs import with this opset of ai.onnx: the opset itself for ai.onnx, and the newest
/// known version for other domains; 0 for a domain that ONNX does not have.
int domain_version(std::string_view domain, int opset);

/// All versions of an operator, oldest first; empty for an operator that ONNX does not have. `domain` may be "ai.onnx".
std::span<const op_record* const> records_of(std::string_view domain, std::string_view op);

/// The form that an operator has in a version of its domain; null if it has none.
const op_record* find_record(std::string_view domain, std::string_view op, int in_version);

/// The form of an operator of ai.onnx, found without comparing names; null if it has none.
const op_record* find_record(operator_name op, int opset);

/// All records, by domain, name and version.
std::span<const op_record* const> all_records();

/// The operator whose name is most like this one, for messages; empty if no name is like it.
std::string_view similar_operator(std::string_view op);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/operators/records/find.inl.hpp>
#endif
