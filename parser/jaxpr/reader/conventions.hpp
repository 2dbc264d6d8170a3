// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jaxpr::reader {

/// The source of the dtype of a literal operand that is not passed to an inner body. If the literal cannot have this
/// dtype, the literal gets the dtype of its Python type.
enum class operand_rule : unsigned char {
  result,   ///< the result at the same index, modulo the count of results; if its dtype does not fit, another operand
  operand,  ///< another operand, never the result, as in comparisons
  index,    ///< i32
  bits,     ///< u32
  boolean,  ///< bool for a boolean literal, otherwise i32
  python,   ///< the literal's Python type: bool, i32, f32 or c64; i64, f64 or c128 with jax_enable_x64
};

/// The rule of the first `leading` operands is `head`. The rule of the other operands is `tail`.
struct operand_convention {
  std::string_view primitive;
  unsigned char leading = 0;
  operand_rule head = operand_rule::result;
  operand_rule tail = operand_rule::result;
};

/// Primitives whose operands may differ in dtype from the result. Texts of JAX up to 0.5 need this table, since they
/// print literals without a type. The parser knows the dtypes of primitives only from this table, `rule_of` and
/// `dtype_keepers`.
inline constexpr operand_convention conventions[] = {
    operand_convention{"convert_element_type", 0, operand_rule::python, operand_rule::python},
    operand_convention{"bitcast_convert_type", 0, operand_rule::python, operand_rule::python},
    operand_convention{"eq", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"ne", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"lt", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"le", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"gt", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"ge", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"eq_to", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"lt_to", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"le_to", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"is_finite", 0, operand_rule::operand, operand_rule::operand},
    operand_convention{"select_n", 1, operand_rule::boolean, operand_rule::result},
    operand_convention{"cond", 1, operand_rule::boolean, operand_rule::result},
    operand_convention{"dynamic_slice", 1, operand_rule::result, operand_rule::index},
    operand_convention{"dynamic_update_slice", 2, operand_rule::result, operand_rule::index},
    operand_convention{"gather", 1, operand_rule::result, operand_rule::index},
    operand_convention{"get", 1, operand_rule::result, operand_rule::index},
    operand_convention{"swap", 2, operand_rule::result, operand_rule::index},
    operand_convention{"addupdate", 2, operand_rule::operand, operand_rule::index},
    operand_convention{"random_seed", 0, operand_rule::python, operand_rule::python},
    operand_convention{"random_fold_in", 1, operand_rule::result, operand_rule::bits},
    operand_convention{"threefry2x32", 0, operand_rule::bits, operand_rule::bits},
};

constexpr operand_rule rule_of(std::string_view primitive, std::size_t operand) {
  for (const operand_convention& c : conventions)
    if (c.primitive == primitive) return operand < c.leading ? c.head : c.tail;
  if (primitive.starts_with("scatter") && operand == 1) return operand_rule::index;
  return operand_rule::result;
}

/// Primitives whose operands all have the dtype of the result.
inline constexpr std::string_view dtype_keepers[] = {
    "add",           "add_any",    "broadcast_in_dim",
    "concatenate",   "copy",       "cos",
    "cumsum",        "div",        "exp",
    "expand_dims",   "log",        "max",
    "min",           "mul",        "neg",
    "pad",           "reduce_max", "reduce_min",
    "reduce_sum",    "rem",        "reshape",
    "rev",           "sign",       "sin",
    "slice",         "sqrt",       "squeeze",
    "stop_gradient", "sub",        "tanh",
    "transpose",
};

constexpr bool keeps_dtype(std::string_view primitive) {
  for (const std::string_view p : dtype_keepers)
    if (p == primitive) return true;
  return false;
}

}  // namespace jaxpr::reader
