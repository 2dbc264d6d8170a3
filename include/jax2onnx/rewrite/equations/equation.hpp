// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/operators/records/record.hpp>

/// Equations as data: `Max(x, 0) -> Relu(x) if floating(x)`. parse.hpp parses their text, match.hpp interprets the left
/// sides, build.hpp the right sides.
namespace jax2onnx::rewrite::equations {

/// The kinds of terms of an equation; on the left, what they match.
enum class term_kind : std::uint8_t {
  any,       ///< `_`: any value
  variable,  ///< the value that is bound to the variable; if none is bound, any value, which is then bound
  define,    ///< a name of `where`: its operand's pattern, whose value is bound to a variable
  number,    ///< a constant filled with that number, as rounded to its dtype
  filled,    ///< `filled(n)`: the number n, or n broadcast when the model runs
  apply,     ///< a node of an operator
  product,   ///< a product of three factors, bracketed in any way
  choice,    ///< `p | q`: one of its operands; they are tried in order until all terms match
  ones,      ///< `ones?(p)`: p, or p with extents of 1 inserted or removed
  casts,  ///< `cast?(p)`: p, or p cast between floating-point types of at least 16 bits, none narrower than the root's
  reshaped,  ///< `reshaped(p)`: a node that only changes the shape of p
  function,  ///< on the right: the value of a function of functions.hpp
};

/// A term, followed by the terms of its operands; `next` is the index after all of these.
struct term {
  term_kind kind = term_kind::any;
  std::uint8_t operands = 0;         ///< the number of operands
  std::uint8_t next = 0;             ///< the index after this term and its operands
  std::uint8_t attributes = 0;       ///< the index of its first attribute
  std::uint8_t attribute_count = 0;  ///< the number of attributes
  /// For a number, true if the sign of a zero counts. For an operator, true if `*` stands for all of its attributes.
  bool flag = false;
  bool mirrors = false;  ///< true for a comparison that is written as a sign: Greater(y, x) matches x < y
  std::int16_t id = -1;  ///< the number of the operator, variable, number or function
};

/// An attribute of an operator, or the axes of a reduction.
struct attribute_term {
  enum class content : std::uint8_t { number, text, variable };
  const formal_attribute* formal = nullptr;  ///< the attribute; null for the axes of a reduction
  content kind = content::number;
  std::int16_t id = -1;        ///< the index of the number or the variable
  std::string_view text = {};  ///< the text of a string attribute
};

/// The kinds of things that variables are bound to.
enum class variable_kind : std::uint8_t {
  tensor,     ///< any value
  constant,   ///< any constant
  scalar,     ///< a constant of one element: a number
  axes,       ///< constant axes of a reduction, and whether the reduction keeps these axes
  attribute,  ///< the content of an attribute
};
struct variable {
  std::string_view name;
  variable_kind kind = variable_kind::tensor;
};

/// A number in a condition.
struct quantity {
  enum class kind : std::uint8_t { none, literal, variable, rank, size, filled, opset };
  kind what = kind::none;
  std::int8_t a = -1, b = -1;  ///< the indices of its variables
  double number = 0;
};

/// A condition: a predicate of up to three variables or numbers, or a comparison of two numbers.
struct condition {
  enum class relation : std::uint8_t { none, equal, different, less, at_most };
  std::int8_t predicate = -1;  ///< the index of the predicate in conditions.hpp; -1 for a comparison
  relation compared = relation::none;
  /// True after `for`: a failing condition gives no reason, since the equation is only about values that meet it.
  bool silent = false;
  quantity operands[3] = {};
  std::string_view reason = {};  ///< why the rule declines if the condition does not hold
};

/// left -> right
struct form {
  std::uint8_t left = 0, right = 0;  ///< the indices of the outermost terms
};

/// The kinds of values that an operand of a left side can be. They rule out most nodes without a match.
struct operand_hint {
  bool anything = true;
  bool constants = false;  ///< a constant
  bool views = false;      ///< a node of an operator that changes nothing but the shape
  bool truths = false;     ///< any truth value
  std::uint8_t count = 0;
  std::array<std::int16_t, 4> makers = {};  ///< the operators that may make the operand; the first `count` are set
};
inline constexpr std::size_t opening_operands = 3;

/// An operator that can be the outermost one of a form's left side, and its first operands.
struct opening {
  std::uint8_t form = 0;  ///< the index of the form
  int op = -1;
  bool straight = true;  ///< true if the operands may be in this order
  bool crossed = false;  ///< true if the first two operands may be exchanged
  std::array<operand_hint, opening_operands> operands = {};
};

/// The tolerated difference between the results of both sides.
struct tolerance {
  /// The largest difference, in units in the last place of the result, or of 1 if the result is less than 1. If `ulps`
  /// is 0, only signs of zeros may differ; if `ulps` is -1, only the bits of NaN may differ.
  double ulps = -1;
  bool ordinary = false;         ///< results of NaN, infinities, and extreme numbers are not compared
  std::string_view reason = {};  ///< why the results differ
};

/// A parsed equation. The views refer to static data, or to a `parsed_equation`.
struct equation {
  std::string_view text;
  std::span<const term> terms;
  std::span<const double> numbers;
  std::span<const attribute_term> attributes;
  std::span<const variable> variables;  ///< the variables; the first one is `root`, the node's result
  std::span<const condition> conditions;
  std::span<const form> forms;
  std::span<const operator_name> roots;  ///< the outermost operators of left sides
  std::span<const opening> openings;     ///< the openings, in the order of the forms
  tolerance apart;
};

/// The number of variables that an equation may have.
inline constexpr int most_variables = 24;

}  // namespace jax2onnx::rewrite::equations
