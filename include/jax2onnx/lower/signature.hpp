// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/config.hpp>

/// The form that equations of a primitive must have: the checks that JAX itself makes when it traces. The driver checks
/// the form before the lowering runs, so that a lowering can rely on it.
namespace jax2onnx {

/// A range of the number of operands or results.
struct counts {
  static constexpr std::uint16_t unlimited = 0xffff;
  std::uint16_t least = 0, most = unlimited;

  /// Any number.
  constexpr counts() = default;
  /// The count is exactly n.
  constexpr counts(int n) : least(static_cast<std::uint16_t>(n)), most(least) {}
  /// The count is `at_least` or more, up to `at_most`.
  constexpr counts(int at_least, int at_most)
      : least(static_cast<std::uint16_t>(at_least)), most(static_cast<std::uint16_t>(at_most)) {}

  constexpr bool admits(std::size_t n) const { return n >= least && (most == unlimited || n <= most); }
};
/// The count is n or more.
constexpr counts or_more(int n) { return {n, counts::unlimited}; }

/// The required form of a parameter.
enum class param_form : std::uint8_t {
  number,       ///< an integer
  numbers,      ///< a list of integers
  extent,       ///< an extent, which may be symbolic
  dims,         ///< a list of extents
  axis,         ///< an axis of operand 0
  axes,         ///< distinct axes of operand 0
  permutation,  ///< each axis of operand 0 once
  per_axis,     ///< an integer or extent for each axis of operand 0
  body,         ///< a jaxpr
  bodies,       ///< a list of jaxprs
  flag,         ///< True or False, or an integer, which is true unless it is 0
  real,         ///< a floating-point number or an integer
  // The lowering checks the values of the forms below.
  element,    ///< an element type
  name,       ///< an enumerator or a string
  list,       ///< a list, which may be nested
  structure,  ///< a structure of named members
  other,      ///< whatever JAX prints
};

/// A parameter that the lowering or the type rule reads, with its form and the least and greatest integer in it. A
/// missing parameter, or None, passes: the lowering decides if it may be missing.
struct param_rule {
  std::string_view key;  ///< the newest name of the parameter; empty if the entry is not used
  param_form form = param_form::number;
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::string_view entries = {};  ///< the entries of a list or structure, for documentation

  constexpr param_rule() = default;
  constexpr param_rule(std::string_view name, param_form what) : key(name), form(what) {}
  constexpr param_rule(std::string_view name, param_form what, std::int64_t smallest) : param_rule(name, what) {
    least = smallest;
  }
  constexpr param_rule(std::string_view name, param_form what, std::int64_t smallest, std::int64_t largest)
      : param_rule(name, what, smallest) {
    most = largest;
  }
  /// A list or structure with these entries.
  constexpr param_rule(std::string_view name, param_form what, std::string_view parts) : param_rule(name, what) {
    entries = parts;
  }
};

/// The types that JAX gives the results of an equation. Calls site::malformed for operands that JAX refuses. Results
/// that are missing from the list are not checked.
using type_rule = std::vector<aval> (*)(const site&);

/// The signature of a primitive.
struct signature {
  counts operands = {};           ///< the number of operands
  counts results = {};            ///< the number of results
  type_rule types = nullptr;      ///< infers the result types; null if the lowering checks them
  param_rule parameters[8] = {};  ///< all parameters that the lowering or the rule reads
};

/// Throws malformed_error if the equation does not match the signature, or its results do not have the types of the
/// rule. Throws unsupported_error for a parameter that is neither listed nor `ignored`, unless the parameter is None.
void check_signature(const site& s, const signature& expected, const ignores& ignored);

/// The result types of an equation that does not state them. Throws malformed_error if operands and parameters do not
/// determine the types; otherwise throws as check_signature() does.
std::vector<aval> derived_types(const site& s, const signature& expected, const ignores& ignored);

/// The signature as documentation, such as "2 → 1; `axes`: axes".
std::string text(const signature& s);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/signature.inl.hpp>
#endif
