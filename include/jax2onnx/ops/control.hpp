// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/function_ref.hpp>

/// Verbs of ONNX's control flow: If, Loop and Scan. Bodies are lambdas that build a block and may use values of the
/// enclosing blocks directly. Every verb throws a build_error if operands or bodies do not fit. After a verb, even if
/// it throws, the graph has the same current block as before.
namespace jax2onnx::ops {

/// The values that one iteration of a loop yields.
struct loop_step {
  /// A bool scalar that is true if another iteration follows; if absent, the operands of `loop` decide.
  value keep_going;
  std::vector<value> carried;         ///< the loop-carried values of the next iteration
  std::vector<value> collected = {};  ///< values that are stacked along a new axis
};

/// The results of a loop or scan, in the order in which the body yields them.
struct loop_result {
  std::vector<value> carried;    ///< the last loop-carried values
  std::vector<value> collected;  ///< the stacked values
};

/// Names and types for the body of a loop. The last name of a list is also used for all further values.
struct loop_options {
  std::vector<std::string_view> carried_names = {"carried"};  ///< names of the loop-carried values in the body
  /// Types of the loop-carried values; if empty, the types of the first values.
  std::vector<tensor_type> carried_types = {};
  /// Types of the stacked results; if empty, the types of the values that the body yields, with the new axis.
  std::vector<tensor_type> collected_types = {};
};

/// Names and types for the body of a scan, and the scan's direction. The last name of a list is also used for all
/// further values.
struct scan_options {
  std::vector<std::string_view> carried_names = {"carried"};  ///< names of the loop-carried values in the body
  std::vector<std::string_view> element_names = {"element"};  ///< names of the elements in the body
  /// Types of the loop-carried values; if empty, the types of the first values.
  std::vector<tensor_type> carried_types = {};
  /// Types of the stacked results; if empty, the types of the values that the body yields, with the new axis.
  std::vector<tensor_type> collected_types = {};
  std::int64_t axis = 0;                            ///< the scanned axis of the sequences; the new axis of results
  std::optional<std::int64_t> collected_axis = {};  ///< the new axis of results, if it differs from `axis`
  bool reverse = false;  ///< scan from the last element to the first; collected values keep the order of the sequences
};

/// The trip count of a Loop that only its condition ends. ONNX allows Loops without a trip count, but some runtimes do
/// not.
inline constexpr std::int64_t most_trips = std::numeric_limits<std::int64_t>::max();

/// The callbacks that build a block: a branch, one iteration of a loop, one iteration of a scan.
/// @{
using branch_body = function_ref<std::vector<value>()>;
using loop_body = function_ref<loop_step(const value& iteration, const std::vector<value>& carried)>;
using scan_body = function_ref<loop_step(const std::vector<value>& carried, const std::vector<value>& elements)>;
/// @}

/// If (ONNX 1): the results of `then` if the bool scalar `condition` holds, else the results of `otherwise`. Both
/// branches return the same number of values of the same dtypes and ranks; extents that differ are unknown in the
/// result, unless `types` states the results' types. If branches have no results, no node is added.
std::vector<value> if_(const value& condition, branch_body then, branch_body otherwise,
                       const std::vector<tensor_type>& types = {});

/// Loop (ONNX 1): at most `trips` iterations (an int64 scalar), or any number if `trips` is absent. No iteration runs
/// if the bool scalar `condition` is given and false. The loop ends after a step whose keep_going is false.
/// `body(iteration, carried)` gets the iteration's index, an int64 scalar that counts from 0, and the loop-carried
/// values, which keep their types. Collected values are stacked along a new leading axis, whose extent is unknown
/// unless `trips` is a constant, `condition` is absent or constantly true, and keep_going is absent.
loop_result loop(graph& g, const value& trips, const value& condition, const std::vector<value>& carried,
                 loop_body body, const loop_options& options = {});

/// Scan (ONNX 9): one iteration for every element of the `sequences` along options.axis, which has the same extent in
/// all of them. `body(carried, elements)` gets the loop-carried values and an element of each sequence, which lacks the
/// axis; it leaves keep_going absent. Collected values are stacked along options.collected_axis, by default
/// options.axis.
loop_result scan(graph& g, const std::vector<value>& carried, const std::vector<value>& sequences, scan_body body,
                 const scan_options& options = {});

}  // namespace jax2onnx::ops

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/ops/control.inl.hpp>
#endif
