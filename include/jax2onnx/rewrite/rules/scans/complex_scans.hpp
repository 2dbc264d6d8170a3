// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/rewrite/rules/scans/state_spaces.hpp>

/// Scans of h = a h + x, element by element, for complex numbers. The factor a changes from step to step, as in gated
/// recurrences. First the steps of all chunks are computed at once, and then the states between the chunks
/// (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// Finds a, b, x and y of a Scan with the states re and im, whose steps compute re' = a re - b im + x and im' = b re +
/// a im + y.
class complex_steps {
 public:
  explicit complex_steps(const recurrence& r) : recurrence_(r), steps_(r) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }

  /// Finds a, b, x and y; false if the states do not have this form, or if a stacked result cannot be computed from the
  /// states after all steps.
  bool find() {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      if (!add_terms(recurrence_.next(i), false, parts_[i])) return false;
    const auto &re = parts_[0], &im = parts_[1];
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      if (!re.factors[i] || !im.factors[i]) return false;
    if (!same_value(re.factors[0], im.factors[1]) || !same_value(re.factors[1], im.factors[0])) return false;
    if (re.negative[0] || im.negative[1] || re.negative[1] == im.negative[0]) return false;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) steps_.promise(recurrence_.next(i));
    graph& g = recurrence_.owner();
    for (const node_id n : g.at(recurrence_.body()).nodes) steps_.add_node(g.at(n), g);
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (!steps_.has(recurrence_.collected(i))) return false;
    return true;
  }

  /// The factors (a, b) and the summands (x, y) as [2, steps, elements], in the order of the steps. The first axis has
  /// the real and the imaginary part.
  /// @{
  value factors() {
    const value im = in_all(parts_[1].factors[0]);
    return packed(in_all(parts_[1].factors[1]), parts_[1].negative[0] ? neg(im) : im);
  }
  value added() { return packed(sum(parts_[0].rest), sum(parts_[1].rest)); }
  /// @}
  whole_steps& steps() { return steps_; }

 private:
  struct part {
    value factors[2] = {};  ///< the factors of re and of im
    bool negative[2] = {};
    std::vector<std::pair<value, bool>> rest = {};  ///< values, and whether they are subtracted
  };

  bool is_free(const value& v) const { return steps_.has(v) || steps_.is_outer(v); }
  bool add_terms(const value& v, bool negative, part& out) const {
    if (is_free(v)) {
      out.rest.push_back({v, negative});
      return out.rest.size() <= 4;
    }
    if (v.dims() != recurrence_.state(0).dims()) return false;
    if (producer(v, "Neg")) return add_terms(input_of(v, 0), !negative, out);
    if (producer(v, "Add") || producer(v, "Sub"))
      return add_terms(input_of(v, 0), negative, out) &&
             add_terms(input_of(v, 1), negative != (producer(v, "Sub") != nullptr), out);
    if (!producer(v, "Mul")) return false;
    const std::size_t by = is_free(input_of(v, 0)) ? 0 : 1;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      if (same_value(input_of(v, 1 - by), recurrence_.state(i)) && is_free(input_of(v, by)) && !out.factors[i]) {
        out.factors[i] = input_of(v, by);
        out.negative[i] = negative;
        return true;
      }
    return false;
  }
  value in_all(const value& v) {
    const value all = in_all_steps(recurrence_, steps_.has(v) ? steps_.of(v) : v, steps_.has(v));
    return in_order_of_steps(recurrence_, all);
  }
  value sum(const std::vector<std::pair<value, bool>>& rest) {
    value all;
    for (const auto& [v, negative] : rest) {
      const value x = in_all(v);
      all = !all ? (negative ? neg(x) : x) : negative ? sub(all, x) : add(all, x);
    }
    return all;
  }
  value packed(const value& re, const value& im) const {
    const std::int64_t steps = recurrence_.sequence(0).extent(0).extent();
    const shape dims{1, steps, number_of(recurrence_.state(0).dims())};
    const auto flat = [&](const value& v) {
      return v ? reshape(v, dims) : filled(recurrence_.owner(), recurrence_.state(0).dtype(), dims, 0);
    };
    return concat({flat(re), flat(im)}, 0);
  }

  const recurrence& recurrence_;
  whole_steps steps_;
  part parts_[2];
};

/// Computes the states of a Scan that complex_steps describes, in chunks of steps.
class complex_by_chunks {
 public:
  complex_by_chunks(const recurrence& r, complex_steps& form)
      : recurrence_(r), form_(form), g_(r.owner()), factors_(form.factors()), added_(form.added()) {
    while (chunk_ * chunk_ < steps()) chunk_ *= 2;
    std::vector<value> first;
    for (std::size_t i = 0; i < 2; ++i) first.push_back(reshape(r.first(i), {1, 1, elements()}));
    first_ = concat(first, 0);
  }

  /// A condition that is true if products of factors do not overflow and, unless `assume_finite` is true, no state
  /// becomes infinite.
  value is_ordinary(bool assume_finite) const {
    constexpr double most = 1.002;
    const value squares = reduce("ReduceSumSquare", factors_, {0});
    const value fits = cast(less_equal(squares, scalar(g_, squares.dtype(), most)), dtype::i32);
    const value stable = greater(reduce("ReduceMin", fits, iota_axes(fits.rank()), false), 0);
    return assume_finite ? stable : logical_and(stable, are_ordinary(added_, first_));
  }

  std::vector<value> results() {
    const std::int64_t chunks = (steps() + chunk_ - 1) / chunk_;
    const value a = in_chunks(factors_, chunks), b = in_chunks(added_, chunks);
    const packed_factor factor({unsqueeze(a, {2}), 1});
    const auto times = [](const value& real, const value& imaginary, const value& x) {
      return add(mul(x, real), mul(gather(x, int64s(x.owner(), {1, 0}), 0), imaginary));
    };
    // The value that a step carries is [2, 2, chunks, elements]: the second axis has the states and the products of the
    // factors.
    const auto within = [&](const std::vector<value>& s, const std::vector<value>& x) {
      const value next = add(times(x[0], x[1], s[0]), x[2]);
      return loop_step{{}, {next}, {next}};
    };
    const shape part{1, 1, chunks, elements()};
    const value zero = filled(g_, a.dtype(), part, 0), one = filled(g_, a.dtype(), part, 1);
    const value begin = concat({concat({zero, one}, 1), concat({zero, zero}, 1)}, 0);
    const value nothing = filled(g_, a.dtype(), {chunk_, 2, 1, dim(chunks), dim(elements())}, 0);
    const value added = concat({unsqueeze(b, {2}), nothing}, 2);
    const loop_result own = scan(g_, {begin}, {factor.re, factor.im, added}, within, {.carried_names = {"h"}});
    const auto part_of = [](const value& v, std::int64_t axis, std::int64_t i) {
      return squeeze(slice(v, axis, i, i + 1), {axis});
    };
    // Both are [chunks, 2, elements]: the states, and the products of the factors, after the last step of each chunk.
    const value ends = transpose(part_of(own.carried[0], 1, 0), {1, 0, 2});
    const value powers = transpose(part_of(own.carried[0], 1, 1), {1, 0, 2});
    const packed_factor whole({powers, 1});
    const auto between = [&](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {add(times(x[0], x[1], s[0]), x[2])}, {s[0]}};
    };
    const value first = reshape(first_, {2, elements()});
    const value before = scan(g_, {first}, {whole.re, whole.im, ends}, between, {.carried_names = {"h"}}).collected[0];
    const packed_factor by({unsqueeze(transpose(before, {1, 0, 2}), {0}), 1});  // [1, 2, chunks, elements]
    const value later = add(part_of(own.collected[0], 2, 0), by.times({part_of(own.collected[0], 2, 1), 1}).v);
    const value flat = reshape(transpose(later, {1, 2, 0, 3}), {2, chunks * chunk_, elements()});
    std::vector<value> out;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      shape dims{steps()};
      dims.append(recurrence_.state(0).dims());
      const value states = reshape(slice(slice(flat, 0, at, at + 1), 1, 0, steps()), dims);
      out.push_back(reshape(slice(states, 0, steps() - 1, steps()), recurrence_.state(0).dims()));
      form_.steps().give(recurrence_.next(i), in_order_of_steps(recurrence_, states));
    }
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      out.push_back(unary("Identity", form_.steps().of(recurrence_.collected(i))));
    return out;
  }

 private:
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t elements() const { return number_of(recurrence_.state(0).dims()); }
  /// `v` as [steps of a chunk, 2, chunks, elements], with zeros after the last step.
  value in_chunks(const value& v, std::int64_t chunks) const {
    const std::int64_t missing = chunks * chunk_ - steps();
    const value zero = scalar(g_, v.dtype(), 0);
    const value padded = missing == 0 ? v : pad(v, shape{0, 0, 0}, shape{0, missing, 0}, zero);
    return transpose(reshape(padded, {2, chunks, chunk_, elements()}), {2, 0, 1, 3});
  }

  const recurrence& recurrence_;
  complex_steps& form_;
  graph& g_;
  value factors_, added_, first_;
  std::int64_t chunk_ = 1;
};

inline outcome divide_complex_scan(const context& c, const value& root) {
  constexpr std::int64_t most_numbers = 1 << 18;
  if (is_alternative(root)) return {};
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() != 2 || r->state(0).dims() != r->state(1).dims() ||
      r->state(0).dtype() != r->state(1).dtype())
    return {};
  const auto elements = elements_for_chunks(*r, 0, {.least_steps = 64, .most_steps = 1 << 14, .most_elements = 1024});
  if (!elements || *elements * r->sequence(0).extent(0).extent() > most_numbers) return {};
  complex_steps form(*r);
  if (!form.find()) return {};
  complex_by_chunks chunks(*r, form);
  return or_the_scan(root, *r, chunks.is_ordinary(c.assume_finite), [&] { return chunks.results(); });
}

inline constexpr rule complex_scan_rules[] = {
    {"complex-scan",
     "Scan(h = a h + x) of complex numbers -> Scan over the steps of all chunks, and Scan over the chunks",
     "element by element, of the real and imaginary parts; 64 to 16384 steps, at most 1024 numbers per step and "
     "2^18 in all; the Scan stays for factors over 1 and for operands that are not finite",
     ops<"Scan">, divide_complex_scan, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
