// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/constant.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding constant_rebuildings[];
const rebuilding constant_rebuildings[] = {
    {"", "ConstantOfShape",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::constant_of_shape(n.in(0), {.value = n.get<std::optional<tensor_constant>>("value")})};
     }},
    {"", "EyeLike",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::eye_like(n.in(0), {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::undefined),
                                            .k = n.get<std::int64_t>("k", 0)})};
     }},
    {"", "Range",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::range(n.in(0), n.in(1), n.in(2),
                               {.stash_type = n.get<jax2onnx::dtype>("stash_type", jax2onnx::dtype::f32)})};
     }},
    {},
};

}  // namespace jax2onnx
