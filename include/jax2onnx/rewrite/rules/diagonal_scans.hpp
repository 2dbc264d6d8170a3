#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/affine_scans.hpp>
#include <jax2onnx/rewrite/rules/scans.hpp>

/// Scans of h = a h + x, element by element, whose a changes from step to step, as gates and discounted sums have it:
/// all chunks of steps at once, then the states between chunks (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// The values of the body of a Scan with one state as a multiple of it, plus what does not depend on it.
class diagonal_steps {
 public:
  explicit diagonal_steps(const recurrence& r) : recurrence_(r), steps_(r) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }

  /// Whether `v` is such a sum, of the state's shape.
  bool is_sum(const value& v) const {
    if (is_free(v)) return true;
    const value state = recurrence_.state(0);
    if (v.dims() != state.dims() || v.dtype() != state.dtype()) return false;
    if (same_value(v, state)) return true;
    if (!producer(v)) return false;
    if (producer(v, "Neg")) return is_sum(input_of(v, 0));
    if (producer(v, "Add") || producer(v, "Sub")) return is_sum(input_of(v, 0)) && is_sum(input_of(v, 1));
    if (producer(v, "Mul")) return is_sum(input_of(v, 0)) && is_sum(input_of(v, 1)) && free_operand(v).has_value();
    return producer(v, "Div") && is_sum(input_of(v, 0)) && is_free(input_of(v, 1));
  }

  /// What multiplies the state in all steps; absent: nothing does.
  value factor(const value& v) {
    if (is_free(v)) return {};
    if (same_value(v, recurrence_.state(0))) return ones();
    if (producer(v, "Mul") || producer(v, "Div")) return scaled(v, &diagonal_steps::factor);
    return combined(v, &diagonal_steps::factor);
  }
  /// What is added in all steps; absent: nothing is.
  value rest(const value& v) {
    if (is_free(v)) return in_all_steps(recurrence_, steps_.has(v) ? steps_.of(v) : v, steps_.has(v));
    if (same_value(v, recurrence_.state(0))) return {};
    if (producer(v, "Mul") || producer(v, "Div")) return scaled(v, &diagonal_steps::rest);
    return combined(v, &diagonal_steps::rest);
  }

 private:
  using part = value (diagonal_steps::*)(const value&);

  bool is_free(const value& v) const { return steps_.has(v) || steps_.is_outer(v); }
  std::optional<std::size_t> free_operand(const value& v) const {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}})
      if (is_free(input_of(v, i))) return i;
    return std::nullopt;
  }
  value ones() const {
    shape dims{recurrence_.sequence(0).extent(0)};
    dims.append(recurrence_.state(0).dims());
    return filled(recurrence_.owner(), recurrence_.state(0).dtype(), dims, 1);
  }
  value scaled(const value& v, part of) {
    const std::size_t by = producer(v, "Div") ? 1 : *free_operand(v);
    const value x = (this->*of)(input_of(v, 1 - by));
    if (!x) return {};
    const value scale = rest(input_of(v, by));
    return producer(v, "Div") ? div(x, scale) : mul(x, scale);
  }
  value combined(const value& v, part of) {
    const value x = (this->*of)(input_of(v, 0));
    if (producer(v, "Neg")) return x ? neg(x) : value();
    const value y = (this->*of)(input_of(v, 1));
    if (!y) return x;
    if (producer(v, "Sub")) return x ? sub(x, y) : neg(y);
    return x ? add(x, y) : y;
  }

  const recurrence& recurrence_;
  whole_steps steps_;
};

/// The states of a Scan of `steps` steps, computed from all factors and what is added.
class scan_by_chunks {
 public:
  scan_by_chunks(const recurrence& r, const value& factors, const value& added) : recurrence_(r), g_(r.owner()) {
    factors_ = in_order(factors);
    added_ = in_order(added);
    while (chunk_ * chunk_ < steps()) chunk_ *= 2;
  }

  /// Whether no factor is over 1 or NaN: their products do not overflow.
  value is_stable() const {
    const value fits = cast(less_equal(abs(factors_), scalar(g_, factors_.dtype(), 1)), dtype::i32);
    return greater(reduce("ReduceMin", fits, iota_axes(fits.rank()), false), 0);
  }
  /// Whether no state becomes infinite, if the factors are stable. Products of many factors may be 0 where none of them
  /// is, which makes a NaN of an infinite state.
  value is_ordinary() const { return are_ordinary(added_, recurrence_.first(0)); }

  /// The state after each step, in the order of the steps.
  value states() const {
    const value a = in_chunks(factors_), b = in_chunks(added_);
    const shape chunks{dim(chunks_count()), dim(elements())};
    const auto within = [](const std::vector<value>& s, const std::vector<value>& x) {
      const value h = add(mul(x[0], s[0]), x[1]), p = mul(x[0], s[1]);
      return loop_step{{}, {h, p}, {h, p}};
    };
    const value zeros = filled(g_, a.dtype(), chunks, 0), ones = filled(g_, a.dtype(), chunks, 1);
    const loop_result all = scan(g_, {zeros, ones}, {a, b}, within, {.carried_names = {"h", "p"}});
    const auto between = [](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {add(mul(x[1], s[0]), x[0])}, {s[0]}};
    };
    const value first = reshape(recurrence_.first(0), {elements()});
    const value before = scan(g_, {first}, all.carried, between, {.carried_names = {"h"}}).collected[0];
    const value later = add(all.collected[0], mul(all.collected[1], before));
    const value flat = reshape(transpose(later, {1, 0, 2}), {chunks_count() * chunk_, elements()});
    return reshape(slice(flat, 0, 0, steps()), factors_.dims());
  }
  /// The state before each step.
  value states_before(const value& states) const {
    const value first = unsqueeze(recurrence_.first(0), {0});
    return concat({first, slice(states, 0, 0, steps() - 1)}, 0);
  }
  value in_order(const value& v) const { return in_order_of_steps(recurrence_, v); }
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }

 private:
  std::int64_t elements() const {
    std::int64_t count = 1;
    for (const dim d : recurrence_.state(0).dims()) count *= d.extent();
    return count;
  }
  std::int64_t chunks_count() const { return (steps() + chunk_ - 1) / chunk_; }
  /// [steps of a chunk, chunks, elements]
  value in_chunks(const value& v) const {
    const value rows = reshape(v, {steps(), elements()});
    const std::int64_t missing = chunks_count() * chunk_ - steps();
    const value zero = scalar(g_, v.dtype(), 0);
    const value padded = missing == 0 ? rows : pad(rows, shape{0, 0}, shape{missing, 0}, zero);
    return transpose(reshape(padded, {chunks_count(), chunk_, elements()}), {1, 0, 2});
  }

  const recurrence& recurrence_;
  graph& g_;
  value factors_, added_;
  std::int64_t chunk_ = 1;
};

/// Whether the steps are so many and so small that chunks are faster.
inline bool suits_chunks(const recurrence& r) {
  constexpr std::int64_t most_numbers = 1 << 18;
  const auto elements = elements_for_chunks(r, {.least_steps = 64, .most_steps = 1 << 14, .most_elements = 1024});
  return elements && *elements * r.sequence(0).extent(0).extent() <= most_numbers;
}

inline outcome divide_diagonal_scan(const context& c, const value& root) {
  if (c.g.at(root.id()).home != block_id::main) return {};  // its own alternative, or in a loop
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() != 1 || !suits_chunks(*r)) return {};
  diagonal_steps all(*r);
  for (std::size_t i = 0; i < r->result_count(); ++i) {
    const value v = i == 0 ? r->next(0) : r->collected(i - 1);
    if (v.dims() != r->state(0).dims() || v.dtype() != r->state(0).dtype() || !all.is_sum(v)) return {};
  }
  const value factor = all.factor(r->next(0)), rest = all.rest(r->next(0));
  if (!factor || !rest) return {};
  const scan_by_chunks chunks(*r, factor, rest);
  const auto results = [&] {
    const value states = chunks.states();
    std::vector<value> out{reshape(slice(states, 0, chunks.steps() - 1, chunks.steps()), r->state(0).dims())};
    for (std::size_t i = 0; i < r->collected_count(); ++i) {
      const value v = r->collected(i);
      if (same_value(v, r->next(0))) {
        out.push_back(unary("Identity", chunks.in_order(states)));
        continue;
      }
      const value scale = all.factor(v), added = all.rest(v);
      const value product = scale ? mul(scale, chunks.in_order(chunks.states_before(states))) : value();
      out.push_back(product && added ? add(product, added) : unary("Identity", product ? product : added));
    }
    return out;
  };
  const value stable = chunks.is_stable();
  return or_the_scan(c, root, *r, c.assume_finite ? stable : logical_and(stable, chunks.is_ordinary()), results);
}

inline constexpr rule diagonal_scan_rules[] = {
    {"diagonal-scan", "Scan(h = a h + x) -> Scan over the steps of all chunks, and Scan over the chunks",
     "one state, element by element; 64 to 16384 steps, 1024 numbers a step, 2^18 in all; the Scan stays for factors "
     "over 1 and for operands that are not finite",
     ops<"Scan">, divide_diagonal_scan, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
