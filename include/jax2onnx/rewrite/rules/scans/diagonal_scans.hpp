// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>

/// Scans of h = a h + x, element by element, whose a changes from step to step, as in gates and discounted sums, and of
/// h = max(h + a, x) or h = min(h + a, x), as in stabilizers of exponents and in sums that stop at 0. First the steps
/// of all chunks are computed at once, and then the states between the chunks
/// (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// The operators that replace sums, products and quotients, and the neutral elements of sums and products.
struct semiring {
  operator_name sum, product, quotient;
  double zero, one;
};
inline constexpr semiring plus_times{"Add", "Mul", "Div", 0, 1};
inline constexpr semiring max_plus{"Max", "Add", "Sub", -std::numeric_limits<double>::infinity(), 0};
inline constexpr semiring min_plus{"Min", "Add", "Sub", std::numeric_limits<double>::infinity(), 0};

/// The values of a Scan's body that are a multiple of one state plus a term that does not depend on the state.
class diagonal_steps {
 public:
  diagonal_steps(const recurrence& r, const semiring& s) : diagonal_steps(r, s, 0, whole_steps(r)) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }
  /// The values that depend on state `i`; `steps` has the values that do not.
  diagonal_steps(const recurrence& r, const semiring& s, std::size_t i, whole_steps steps)
      : recurrence_(r), ring_(s), state_(r.state(i)), steps_(std::move(steps)) {}

  /// Returns whether `v` does not depend on the state, or has the state's shape and is a multiple of the state plus a
  /// term.
  bool is_sum(const value& v) const {
    if (is_free(v)) return true;
    if (v.dims() != state_.dims() || v.dtype() != state_.dtype()) return false;
    if (same_value(v, state_)) return true;
    if (is_negated(v) || is_clipped(v)) return is_sum(input_of(v, 0));
    if (!producer(v) || producer(v)->inputs.size() != 2 || !is_sum(input_of(v, 0))) return false;
    if (!is_floating(state_.dtype()) && !keeps_order(v)) return false;
    if (producer(v, ring_.sum) || is_difference(v)) return is_sum(input_of(v, 1));
    if (producer(v, ring_.product)) return is_sum(input_of(v, 1)) && free_operand(v).has_value();
    return producer(v, ring_.quotient) && is_free(input_of(v, 1));
  }

  /// The factor of the state in all steps; absent if `v` does not depend on the state.
  value factor(const value& v) {
    if (is_free(v)) return {};
    if (same_value(v, state_)) return ones();
    if (is_scaled(v)) return scaled(v, &diagonal_steps::factor);
    return combined(v, &diagonal_steps::factor);
  }
  /// The term that is added to the multiple in all steps; absent if nothing is added.
  value rest(const value& v) {
    if (is_free(v)) return in_all_steps(recurrence_, steps_.has(v) ? steps_.of(v) : v, steps_.has(v));
    if (same_value(v, state_)) return {};
    if (is_scaled(v)) return scaled(v, &diagonal_steps::rest);
    return combined(v, &diagonal_steps::rest);
  }

 private:
  using part = value (diagonal_steps::*)(const value&);

  bool is_free(const value& v) const { return steps_.has(v) || steps_.is_outer(v); }
  bool is_scaled(const value& v) const { return producer(v, ring_.product) || producer(v, ring_.quotient); }
  bool is_negated(const value& v) const { return has_negatives() && producer(v, "Neg"); }
  bool is_difference(const value& v) const { return has_negatives() && producer(v, "Sub"); }
  /// Returns whether `v` is the maximum of a sum and 0.
  bool is_clipped(const value& v) const { return ring_.sum == max_plus.sum && producer(v, "Relu"); }
  bool has_negatives() const { return ring_.sum == plus_times.sum; }
  std::optional<std::size_t> free_operand(const value& v) const {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}})
      if (is_free(input_of(v, i))) return i;
    return std::nullopt;
  }
  /// For integers, returns whether the steps may be regrouped at the node of `v` without a new overflow: in a maximum
  /// or minimum, the state is in one operand; in a chain of additions and subtractions, the state itself begins the
  /// chain.
  bool keeps_order(const value& v) const {
    if (producer(v, ring_.sum)) return free_operand(v).has_value();
    value x = v;
    while (producer(x, ring_.product) || producer(x, ring_.quotient)) {
      const auto by = producer(x, ring_.product) ? free_operand(x) : std::optional<std::size_t>(1);
      if (!by || is_free(input_of(x, 1 - *by))) return false;
      x = input_of(x, 1 - *by);
    }
    return same_value(x, state_);
  }
  value ones() const { return all_steps_of(ring_.one); }
  value zeros() const { return all_steps_of(0); }
  value all_steps_of(double number) const {
    shape dims{recurrence_.sequence(0).extent(0)};
    dims.append(state_.dims());
    return filled(recurrence_.owner(), state_.dtype(), dims, number);
  }
  value scaled(const value& v, part of) {
    const bool divides = producer(v, ring_.quotient) != nullptr;
    const std::size_t by = divides ? 1 : *free_operand(v);
    const value x = (this->*of)(input_of(v, 1 - by));
    if (!x) return {};
    const value scale = rest(input_of(v, by));
    return binary(divides ? ring_.quotient : ring_.product, x, scale);
  }
  value combined(const value& v, part of) {
    const value x = (this->*of)(input_of(v, 0));
    if (is_negated(v)) return x ? neg(x) : value();
    if (is_clipped(v) && of == &diagonal_steps::factor) return x;
    if (is_clipped(v)) return x ? unary("Relu", x) : zeros();
    const value y = (this->*of)(input_of(v, 1));
    if (!y) return x;
    if (is_difference(v)) return x ? sub(x, y) : neg(y);
    return x ? binary(ring_.sum, x, y) : y;
  }

  const recurrence& recurrence_;
  const semiring& ring_;
  value state_;
  whole_steps steps_;
};

/// Computes the states of a Scan from the factors and the summands of all steps, both in the order of the sequences.
class scan_by_chunks {
 public:
  /// If `pads` is true, a Pad with negative amounts may remove elements.
  scan_by_chunks(const recurrence& r, const semiring& s, const value& factors, const value& added, bool pads)
      : recurrence_(r), ring_(s), g_(r.owner()), factors_(factors), added_(added), pads_(pads) {}

  /// A condition that is true if products of factors do not overflow. The magnitude of a factor may exceed 1 only by a
  /// rounding error. If factors are added, no factor may be close to infinity. For integers, no sum may overflow, with
  /// chunks or without. Absent if the magnitudes of the factors are known to be at most 1. A factor may still be NaN,
  /// but its NaN only reaches later states.
  value is_stable() const {
    constexpr double most = 1.001, most_summand = 1e30;
    if (!is_floating(factors_.dtype()))
      return logical_and(logical_and(are_within(factors_, most_integer / steps()), are_within(added_, most_integer)),
                         are_within(recurrence_.first(0), most_integer));
    if (ring_.sum == max_plus.sum) return less(extreme("ReduceMax"), most_summand);
    if (ring_.sum == min_plus.sum) return greater(extreme("ReduceMin"), -most_summand);
    if (facts::magnitude_of(factors_) <= most) return {};
    const value fits = cast(less_equal(abs(factors_), scalar(g_, factors_.dtype(), most)), dtype::i32);
    return greater(reduce("ReduceMin", fits, iota_axes(fits.rank()), false), 0);
  }
  /// A condition that is true if no state becomes infinite while the factors are stable. A product of many factors may
  /// be 0 although no factor is 0, and 0 times an infinite state is NaN. A sum of many summands may be infinite
  /// although no summand is infinite, and its sum with a state of the opposite infinity is NaN.
  value is_ordinary() const {
    const value first = recurrence_.first(0);
    if (ring_.sum == plus_times.sum) return are_ordinary(added_, first);
    const bool is_max = ring_.sum == max_plus.sum;
    const operator_name op = is_max ? operator_name("ReduceMax") : operator_name("ReduceMin");
    const auto is_within = [&](const value& x) {
      const value most = x.rank() == 0 ? x : reduce(op, x, iota_axes(x.rank()), false);
      return is_max ? less(most, -ring_.zero) : greater(most, -ring_.zero);
    };
    return logical_and(is_within(added_), is_within(first));
  }

  /// The state after each step.
  value states() const {
    constexpr std::int64_t few = 4096;  // a copy of so few numbers takes no longer than the launch of a kernel
    if (steps() * elements() <= few) return states_by_doubling();
    const auto in_rows = [this](const value& v, std::int64_t count) { return reshape(v, {count, elements()}); };
    const value a = in_rows(factors_, steps()), b = in_rows(added_, steps()), first = in_rows(recurrence_.first(0), 1);
    return reshape(states_by_chunks(a, b, first), factors_.dims());
  }
  /// The state before each step, from the states after each step.
  value states_before(const value& states) const { return delayed(states, 1, unsqueeze(recurrence_.first(0), {0})); }
  value last(const value& states) const {
    const std::int64_t step = recurrence_.reverse() ? 0 : steps() - 1;
    return reshape(slice(states, 0, step, step + 1), recurrence_.state(0).dims());
  }
  value sum(const value& a, const value& b) const { return binary(ring_.sum, a, b); }
  value product(const value& a, const value& b) const { return binary(ring_.product, a, b); }

 private:
  using rows = std::vector<value>;
  static constexpr std::int64_t most_integer = 1 << 28;

  /// `x` delayed by `by` steps; the first steps get `front`.
  value delayed(const value& x, std::int64_t by, const value& front) const {
    const std::int64_t count = x.extent(0).extent();
    if (recurrence_.reverse()) return concat({slice(x, 0, by, count), front}, 0);
    return concat({front, slice(x, 0, 0, count - by)}, 0);
  }
  /// `x` delayed by `by` steps; the elements of the first steps become `number`. A Pad takes half the time of Slice and
  /// Concat.
  value delayed(const value& x, std::int64_t by, double number) const {
    const std::int64_t count = by * elements();
    if (!pads_) return delayed(x, count, filled(g_, x.dtype(), {count}, number));
    const value pads = int64s(g_, recurrence_.reverse() ? ints{-count, count} : ints{count, -count});
    return g_.emit("Pad", {x, pads, scalar(g_, x.dtype(), number)}, x.type(), {{"mode", std::string("constant")}});
  }
  /// Computes the states by joining step t with step t - 1, then both with steps t - 2 and t - 3, and so on.
  value states_by_doubling() const {
    const shape flat{steps() * elements()};
    const value first = recurrence_.first(0);
    const bool begins_at_zero = is_filled_with(first, zero());
    value a = reshape(factors_, flat), b = reshape(added_, flat);
    for (std::int64_t by = 1; by < steps(); by *= 2) {
      b = sum(product(a, delayed(b, by, zero())), b);
      if (2 * by < steps() || !begins_at_zero) a = product(a, delayed(a, by, ring_.one));
    }
    const value states = reshape(b, factors_.dims());
    return begins_at_zero ? states : sum(product(reshape(a, factors_.dims()), first), states);
  }
  /// The neutral element of sums; for integers, a number beyond all sums that is_stable() allows.
  double zero() const {
    return is_floating(factors_.dtype()) ? ring_.zero : std::copysign(4.0 * most_integer, ring_.zero);
  }

  /// The states [steps, elements] for factors and summands of that shape. All chunks advance step by step together.
  /// First they compute the product of each chunk's factors, and the state after each chunk if the state before it were
  /// the neutral element of sums. The states before the chunks follow from these, and then all states.
  value states_by_chunks(const value& factors, const value& added, const value& first) const {
    constexpr std::int64_t chunk = 8;
    const std::int64_t count = factors.extent(0).extent(), chunks = (count + chunk - 1) / chunk;
    const std::int64_t axis = chunks == 1 ? 0 : 1;
    const rows a = divided(chunks == 1 ? factors : in_chunks(factors, chunks, chunk), axis),
               b = divided(chunks == 1 ? added : in_chunks(added, chunks, chunk), axis);
    if (chunks == 1) return joined(states_after(a, b, first), axis);
    value end = b[0], whole = a[0];
    for (std::size_t i = 1; i < a.size(); ++i) {
      end = sum(product(a[i], end), b[i]);
      whole = product(a[i], whole);
    }
    const shape dims{chunks, elements()};
    const value factor = reshape(whole, dims), added_by_chunk = reshape(end, dims);
    const value after = states_by_chunks(factor, added_by_chunk, first);
    const value before = reshape(delayed(after, 1, first), {chunks, 1, elements()});
    const value all = reshape(joined(states_after(a, b, before), axis), {chunks * chunk, elements()});
    return recurrence_.reverse() ? slice(all, 0, chunks * chunk - count, chunks * chunk) : slice(all, 0, 0, count);
  }
  rows states_after(const rows& a, const rows& b, const value& first) const {
    rows all;
    for (std::size_t i = 0; i < a.size(); ++i) all.push_back(sum(product(a[i], i == 0 ? first : all.back()), b[i]));
    return all;
  }
  /// `v` as [chunks, steps of a chunk, elements]; missing steps of the last chunk are 0.
  value in_chunks(const value& v, std::int64_t chunks, std::int64_t chunk) const {
    const std::int64_t missing = chunks * chunk - v.extent(0).extent();
    const shape none{0, 0}, some{missing, 0};
    const bool reverse = recurrence_.reverse();
    const value padded =
        missing == 0 ? v : pad(v, reverse ? some : none, reverse ? none : some, scalar(g_, v.dtype(), 0));
    return reshape(padded, {chunks, chunk, elements()});
  }
  /// The slices of extent 1 along an axis, in the order of the steps.
  rows divided(const value& v, std::int64_t axis) const {
    rows all = equal_parts(v, axis, 1);
    if (recurrence_.reverse()) std::ranges::reverse(all);
    return all;
  }
  value joined(rows all, std::int64_t axis) const {
    if (recurrence_.reverse()) std::ranges::reverse(all);
    return concat(all, axis);
  }

  /// A condition that is true if all elements of x are from -most to most.
  static value are_within(const value& x, std::int64_t most) {
    const auto all = [&](operator_name op) { return x.rank() == 0 ? x : reduce(op, x, iota_axes(x.rank()), false); };
    return logical_and(less_equal(all("ReduceMax"), scalar(x.owner(), x.dtype(), most)),
                       greater_equal(all("ReduceMin"), scalar(x.owner(), x.dtype(), -most)));
  }
  value extreme(operator_name op) const { return reduce(op, factors_, iota_axes(factors_.rank()), false); }
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t elements() const { return number_of(recurrence_.state(0).dims()); }

  const recurrence& recurrence_;
  const semiring& ring_;
  graph& g_;
  value factors_, added_;
  bool pads_;
};

/// Limits within which chunks are faster than the Scan: for the number of steps, the elements of a step, and the
/// elements of all steps.
inline constexpr chunk_limits diagonal_limits{.least_steps = 64, .most_steps = 1 << 14, .most_elements = 1024};
inline constexpr std::int64_t most_diagonal_numbers = 1 << 18;

/// Returns whether the steps are so many and so small that chunks are faster than the Scan. Integers are allowed if
/// factors are added, since sums keep the order of integers; products of integers would overflow.
inline bool suits_chunks(const recurrence& r, std::size_t i, const semiring& ring) {
  chunk_limits limits = diagonal_limits;
  limits.integers = ring.sum != plus_times.sum;
  const auto elements = elements_for_chunks(r, i, limits);
  return elements && *elements * r.sequence(0).extent(0).extent() <= most_diagonal_numbers;
}

/// Returns whether is_sum() holds for all results of a step, and the results have the shape and type of the only state.
/// A result of integers must be the next state.
inline bool has_diagonal_results(const recurrence& r, const diagonal_steps& all) {
  for (std::size_t i = 0; i < r.result_count(); ++i) {
    const value v = i == 0 ? r.next(0) : r.collected(i - 1);
    if (!is_floating(v.dtype()) && !same_value(v, r.next(0))) return false;
    if (v.dims() != r.state(0).dims() || v.dtype() != r.state(0).dtype() || !all.is_sum(v)) return false;
  }
  return true;
}

inline outcome divide_diagonal_scan(const context& c, const value& root, const recurrence& r, const semiring& ring) {
  diagonal_steps all(r, ring);
  if (!has_diagonal_results(r, all)) return {};
  const value factor = all.factor(r.next(0)), rest = all.rest(r.next(0));
  if (!factor || !rest) return {};
  const scan_by_chunks chunks(r, ring, factor, rest, !is_portable(c.runtime));
  const auto results = [&] {
    const value states = chunks.states();
    std::vector<value> out{chunks.last(states)};
    for (std::size_t i = 0; i < r.collected_count(); ++i) {
      const value v = r.collected(i);
      if (same_value(v, r.next(0))) {
        out.push_back(unary("Identity", states));
        continue;
      }
      const value scale = all.factor(v), added = all.rest(v);
      const value product = scale ? chunks.product(scale, chunks.states_before(states)) : value();
      out.push_back(product && added ? chunks.sum(product, added) : unary("Identity", product ? product : added));
    }
    return out;
  };
  value holds = chunks.is_stable();
  if (is_floating(factor.dtype()) && !c.assume_finite) {
    const value ordinary = chunks.is_ordinary();
    holds = holds ? logical_and(holds, ordinary) : ordinary;
  }
  if (holds) return or_the_scan(root, r, holds, results);
  outcome out;
  out.all = results();
  return out;
}

inline outcome divide_diagonal_scans(const context& c, const value& root) {
  if (is_alternative(root)) return {};
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0) return {};
  for (const semiring* ring : {&plus_times, &max_plus, &min_plus}) {
    outcome out;
    if (r->state_count() > 1)
      out = split_last_state(c, *r, [&](std::size_t i, whole_steps steps) {
        return suits_chunks(*r, i, *ring) && diagonal_steps(*r, *ring, i, std::move(steps)).is_sum(r->next(i));
      });
    else if (suits_chunks(*r, 0, *ring)) out = divide_diagonal_scan(c, root, *r, *ring);
    if (!out.all.empty()) return out;
  }
  return {};
}

inline constexpr rule diagonal_scan_rules[] = {
    {"diagonal-scan",
     "Scan(h = a h + x), Scan(h = Max(h + a, x)), Scan(h = Min(h + a, x)) -> the steps of all chunks at once, and the "
     "same for the chunks",
     "one state, updated elementwise; 64 to 16384 steps; at most 1024 elements per step, and 2^18 in all; "
     "when the model runs, it uses the Scan for factors over 1, large integers and operands that are not finite",
     ops<"Scan">, divide_diagonal_scans, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
