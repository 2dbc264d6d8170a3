// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>

/// The rules that compute a Scan by chunks of its steps share this: suitable sizes, conditions tested when the model
/// runs, and the Scan itself in case they fail (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite {

/// A value of one step, or of all steps (`has_steps`), broadcast to the shape of the first state in all steps.
inline value in_all_steps(const recurrence& r, const value& v, bool has_steps) {
  shape dims{r.sequence(0).extent(0)};
  dims.append(r.state(0).dims());
  return broadcast_to(with_rank(v, std::ssize(dims), has_steps ? 1 : 0), dims);
}

/// Converts between the order of the steps and the order of the sequences.
inline value in_order_of_steps(const recurrence& r, const value& v) { return r.reverse() ? reverse(v, {0}) : v; }

/// The sum of all absolute values. It is infinite or NaN if an element is infinite or NaN. For a constant, the
/// operators of the sum are ones that can be folded.
inline value sum_of_sizes(const value& v) {
  const ints axes = iota_axes(v.rank());
  return v.is_constant() || axes.empty() ? reduce("ReduceSum", abs(v), axes) : reduce("ReduceL1", v, axes);
}

/// A boolean in the model: true if the absolute values of all elements of a and b add up to less than 1e30. Then no
/// element is infinite or NaN, so that products of elements and zeros are zeros.
inline value are_ordinary(const value& a, const value& b) {
  constexpr double most = 1e30;
  return less(add(sum_of_sizes(a), sum_of_sizes(b)), most);
}

/// True if all elements of `v` are known to be `number`, with its sign.
inline bool is_filled_with(const value& v, double number) {
  std::optional<double> own = uniform_number(v);
  if (!own) own = splat_number(v);
  return own && *own == number && std::signbit(*own) == std::signbit(number);
}

/// The parts of `v` that have this extent along an axis. The extent must divide the axis evenly.
inline std::vector<value> equal_parts(const value& v, std::int64_t axis, std::int64_t extent) {
  const auto count = static_cast<std::size_t>(v.extent(axis).extent() / extent);
  if (count == 1) return {v};
  tensor_type type = v.type();
  type.dims[static_cast<std::size_t>(axis)] = extent;
  graph& g = v.owner();
  const std::vector<value> operands{v, int64s(g, ints(count, extent))};
  return g.emit_many("Split", operands, std::vector<tensor_type>(count, type), {{"axis", axis}});
}

/// The number of elements of a shape without symbols.
inline std::int64_t number_of(const shape& dims) {
  std::int64_t count = 1;
  for (const dim d : dims) count *= d.extent();
  return count;
}

/// The numbers of steps, and of elements of a state, for which chunks are faster.
struct chunk_limits {
  std::int64_t least_steps, most_steps, most_elements;
  bool integers = false;  ///< true if states may be i32 or i64
};
/// The number of elements of state `i` if the state is f32 or f64 (or i32 or i64, if `limits` admit integers), and if
/// this number and the number of steps are known and within the limits; else nullopt.
inline std::optional<std::int64_t> elements_for_chunks(const recurrence& r, std::size_t i, const chunk_limits& limits) {
  const dim steps = r.sequence(0).extent(0);
  const value state = r.state(i);
  const bool is_integer = limits.integers && (state.dtype() == dtype::i32 || state.dtype() == dtype::i64);
  if (!is_integer && (!is_floating(state.dtype()) || bits(state.dtype()) < 32)) return std::nullopt;
  if (!is_static(state.dims())) return std::nullopt;
  if (!steps.is_constant() || steps.extent() < limits.least_steps || steps.extent() > limits.most_steps)
    return std::nullopt;
  const std::int64_t elements = number_of(state.dims());
  return elements >= 1 && elements <= limits.most_elements ? std::optional(elements) : std::nullopt;
}

/// True if `v` is a MatMul of matrices of one column by matrices of one row.
inline bool is_outer_product(const value& v) {
  if (!producer(v, "MatMul")) return false;
  const value a = input_of(v, 0), b = input_of(v, 1);
  return a.rank() >= 2 && b.rank() >= 2 && a.extent(a.rank() - 1).is(1);
}

/// True if a Scan is in a branch of an If: a rule on chunks may have left it there as the alternative. Only branches
/// are blocks without inputs. Also true for a Scan that the program itself has in a branch, so that this Scan stays as
/// it is.
inline bool is_alternative(const value& scan) {
  const graph& g = scan.owner();
  const block_id home = g.at(scan.id()).home;
  return home != block_id::main && g.at(home).inputs.empty();
}

/// `v`, computed again in the current block if it is a product that is larger than its factors: the model may take the
/// other branch, which does not need it.
inline value expanded_here(const value& v) {
  if (!producer(v, "Mul") && !is_outer_product(v)) return v;
  const value a = input_of(v, 0), b = input_of(v, 1), x = expanded_here(a), y = expanded_here(b);
  const bool is_larger = v.dims() != a.dims() && v.dims() != b.dims();
  return is_larger || x.id() != a.id() || y.id() != b.id() ? with_inputs(v, {x, y}, v.type()) : v;
}

/// The types of all results of the node that makes `v`.
inline std::vector<tensor_type> result_types(const value& v) {
  std::vector<tensor_type> types;
  for (const value_id id : producer(v)->outputs) types.push_back(value(v.owner(), id).type());
  return types;
}

/// Emits the Scan again in the current block, and returns its results.
inline std::vector<value> results_of_scan(const recurrence& r) {
  whole_steps own(r);
  for (std::size_t i = 0; i < r.sequence_count(); ++i) own.give(r.element(i), expanded_here(r.sequence(i)));
  std::vector<value> collected;
  for (std::size_t i = 0; i < r.collected_count(); ++i) collected.push_back(r.collected(i));
  return all_results(scan_part(r, own, all_states(r), collected).emit(own));
}

/// Emits an If. It returns the results of `fast` if `condition` holds when the model runs, else the results of the
/// Scan.
template <class Fast>
outcome or_the_scan(const value& root, const recurrence& r, const value& condition, const Fast& fast) {
  outcome out;
  out.all = if_(
      condition, fast, [&] { return results_of_scan(r); }, result_types(root));
  return out;
}

}  // namespace jax2onnx::rewrite
