// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/memory_form.hpp>

/// Computes the reads of a memory by products over chunks of steps.
namespace jax2onnx::rewrite::detail {

/// The inverse of I - v, for matrices v[..., n, n] that are 0 on and above the diagonal; n is a power of 2, but not 1.
/// The inverses of two neighbouring blocks yield the inverse of both together, so that no power of v is needed.
inline value inverse_of_one_minus(const value& v) {
  const std::int64_t n = v.extent(v.rank() - 1).extent();
  const auto square = [&](const auto& is_one) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < n; ++k) numbers.push_back(is_one(i, k) ? 1 : 0);
    return array(v.owner(), v.dtype(), {n, n}, numbers);
  };
  const value one = square([](std::int64_t i, std::int64_t k) { return i == k; });
  value all;
  for (std::int64_t size = 1; size < n; size *= 2) {
    const auto is_below = [size](std::int64_t i, std::int64_t k) {
      return i / size == k / size + 1 && k / size % 2 == 0;
    };
    const value below = mul(v, square(is_below));
    all = all ? add(all, matmul(matmul(all, below), all)) : add(below, one);
  }
  return all;
}

/// Computes all reads of a memory by products of each chunk of steps with itself, and with the memory before the chunk.
/// The product that a step adds decays from the next step on. Decays over several steps are exponentials of sums of
/// logarithms. If steps add their reads, x = c (z S) + f, then X = T (F + C Z S) in a chunk. T is the inverse of I - L,
/// where L is the part of C Z K' below the diagonal. S is the memory before the chunk.
class memory_by_chunks {
 public:
  memory_by_chunks(const recurrence& r, memory_form& form, std::int64_t chunk)
      : recurrence_(r), form_(form), g_(r.owner()), decays_(form.decay_kind()), chunk_(chunk) {
    for (const memory_product& p : form.products()) {
      added_.push_back({in_chunks(keys_of(p))});
      added_.back().values = in_chunks(values_of(p.factors));
    }
    for (const memory_read& read : form.reads()) queries_.push_back(in_chunks(query_of(read)));
    const auto [rows, columns] = matrix_extents(form.memory());
    const value first = reshape(r.first(0), {batch_count(), rows, columns});
    first_ = form.by_rows() ? first : transpose(first, {0, 2, 1});
    find_decays();
    if (form.fed_product()) find_feedback(*form.fed_product());
  }

  /// The condition under which the products may replace the Scan; absent if it always holds. Unless `assume_finite` is
  /// true, the condition requires that no number is infinite or NaN, or could become so. The condition requires that no
  /// decay is below 0, and that no product of decays over a chunk overflows, since the product may be multiplied by 0.
  /// With feedback, the condition requires that the numbers of the inverses are small.
  value is_ordinary(bool assume_finite) const {
    constexpr double most = 1e12, most_decay = 60, most_growth = 2, most_feedback = 64;
    value holds;
    const auto require = [&](const value& v) { holds = holds ? logical_and(holds, v) : v; };
    if (!assume_finite) {
      value sizes = sum_of_sizes(first_);
      for (const product& p : added_)
        for (const value& v : {p.keys, p.values}) sizes = add(sizes, sum_of_sizes(v));
      for (const value& v : queries_) sizes = add(sizes, sum_of_sizes(v));
      for (const value& v : {fed_.keys, fed_.values, fed_query_})
        if (v) sizes = add(sizes, sum_of_sizes(v));
      require(less(sizes, most));
    }
    if (inverse_) {  // the sum finds NaN, which ReduceMax loses
      const value feedback = reduce("ReduceSumSquare", inverse_, {2, 3});
      require(less(reduce("ReduceMax", feedback, {0, 1}), most_feedback));
      require(less(reduce("ReduceSum", feedback, {0, 1}), most));
    }
    if (decays_ != memory_decay::none)
      require(less_equal(reduce("ReduceMax", factors_, iota_axes(3)), scalar(g_, type(), most_growth)));
    if (decays_ == memory_decay::numbers) require(greater_equal(reduce("ReduceMin", factors_, iota_axes(3)), 0));
    if (decays_ != memory_decay::vectors) return holds;
    require(less(sum_of_sizes(exponents_), most));  // NaN, which a decay below 0 gives, fails this test
    require(less(reduce("ReduceMax", abs(exponents_), iota_axes(4)), most_decay));
    return holds;
  }

  /// The memory after the last step, and all reads.
  std::pair<value, std::vector<value>> results() const {
    std::vector<product> all = added_;
    value added;
    for (const product& p : all) {
      const value own = matmul(transpose(until_end(p.keys), {0, 1, 3, 2}), p.values);
      added = added ? add(added, own) : own;
    }
    const memories found = fed_.keys ? memories_with_feedback(added) : memories_after(added);
    if (fed_.keys) all.push_back({fed_.keys, found.fed});
    std::vector<value> reads;
    for (std::size_t i = 0; i < queries_.size(); ++i) reads.push_back(read(i, all, found.before));
    const value last = form_.by_rows() ? found.last : transpose(found.last, {0, 2, 1});
    return {reshape(last, form_.memory().dims()), reads};
  }

 private:
  /// Vectors of all steps whose outer products are added to the memory, as [chunks, batch, steps of a chunk, vector].
  struct product {
    value keys, values = {};
  };
  /// The memory after the last chunk, the memories before all chunks, and the values that are fed back.
  struct memories {
    value last, before, fed = {};
  };

  /// The logarithm of 0: sums of it are finite, and exp of it is 0.
  static constexpr double least_log = -1e30;

  dtype type() const { return form_.memory().dtype(); }
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t chunks() const { return (steps() + chunk_ - 1) / chunk_; }
  shape batch() const { return {form_.memory().dims().begin(), form_.memory().dims().end() - 2}; }
  std::int64_t batch_count() const { return number_of(batch()); }

  /// A factor as [steps or 1, ...], with as many axes as the memories of all steps.
  value in_steps(const step_factor& f) const {
    const bool has_steps = !f.whole && form_.steps().has(f.v);
    const value v = has_steps ? form_.steps().of(f.v) : f.v;
    return with_rank(v, form_.memory().rank() + 1, has_steps ? 1 : 0);
  }
  /// The product [steps, batch, extent] of factors that are vectors along one axis of the matrices, or numbers.
  value vectors(const std::vector<step_factor>& factors, const std::vector<step_factor>& numbers, dim extent) const {
    value all;
    for (const std::vector<step_factor>* list : {&factors, &numbers})
      for (const step_factor& f : *list) all = all ? mul(all, in_steps(f)) : in_steps(f);
    if (!all) all = filled(g_, type(), shape(static_cast<std::size_t>(form_.memory().rank() + 1), dim(1)), 1);
    return by_batch(all, extent);
  }
  value by_batch(const value& v, dim extent) const {
    const auto [rows, columns] = matrix_extents(v);
    shape own(v.dims().begin(), v.dims().end() - 2), all{steps()};
    own.push_back(rows.is(1) ? columns : rows);
    all.append(batch());
    all.push_back(extent);
    return reshape(broadcast_to(reshape(v, own), all), {steps(), batch_count(), extent});
  }
  value keys_of(const memory_product& p) const {
    const value keys = keys_of(p.factors);
    return p.negative ? neg(keys) : keys;
  }
  value keys_of(const outer_factors& f) const {
    return vectors(form_.by_rows() ? f.columns : f.rows, f.numbers, form_.key_extent());
  }
  value values_of(const outer_factors& f) const {
    return vectors(form_.by_rows() ? f.rows : f.columns, {}, form_.value_extent());
  }
  value all_decays() const {
    const outer_factors& f = form_.decays();
    return vectors(form_.by_rows() ? f.columns : f.rows, f.numbers,
                   decays_ == memory_decay::vectors ? form_.key_extent() : dim(1));
  }
  value query_of(const memory_read& r) const { return by_batch(in_steps({r.query}), form_.key_extent()); }

  /// Converts [steps, batch, vector] to [chunks, batch, steps of a chunk, vector]; missing steps of the last chunk are
  /// 0.
  value in_chunks(const value& v) const {
    const value ordered = in_order_of_steps(recurrence_, v);
    const std::int64_t missing = chunks() * chunk_ - steps();
    const value padded =
        missing == 0 ? ordered : pad(ordered, shape{0, 0, 0}, shape{missing, 0, 0}, scalar(g_, type(), 0));
    return transpose(reshape(padded, {chunks(), chunk_, batch_count(), v.extent(2)}), {0, 2, 1, 3});
  }
  /// For each step, the sum over the earlier steps of its chunk, or over the later ones if `reverse`. If `inclusive`,
  /// the sum includes the step itself.
  value running_sum(const value& v, bool inclusive, bool reverse = false) const {
    return g_.emit("CumSum", {v, scalar(g_, dtype::i64, 2)}, v.type(),
                   {{"exclusive", std::int64_t{!inclusive}}, {"reverse", std::int64_t{reverse}}});
  }
  void find_decays() {
    if (decays_ == memory_decay::none) return;
    factors_ = all_decays();
    logs_ = in_chunks(maximum(log(factors_), least_log));
    if (decays_ == memory_decay::numbers) total_ = exp(reduce("ReduceSum", logs_, {2}, true));
    if (decays_ == memory_decay::vectors) find_scales();
  }
  /// Finds the scale of each step, which is the product of the chunk's decays up to the step. Its logarithm is counted
  /// from half of the sum of the chunk's logarithms, which halves the largest exponent. Logarithms are summed as
  /// multiples of 2^-10, which is exact; their remainders are summed separately.
  void find_scales() {
    constexpr double grid = 1024;
    const value coarse = unary("Round", mul(logs_, grid)), fine = sub(logs_, mul(coarse, 1 / grid));
    const value sums = running_sum(coarse, true), middle = floor(mul(slice(sums, 2, chunk_ - 1, chunk_), 0.5));
    exponents_ = mul(sub(sums, middle), 1 / grid);
    scales_ = mul(exp(exponents_), exp(running_sum(fine, true)));
    middle_ = exp(mul(middle, 1 / grid));
    total_ = mul(middle_, last_scale());
  }
  value last_scale() const { return slice(scales_, 2, chunk_ - 1, chunk_); }
  value scales_before() const { return concat({reciprocal(middle_), slice(scales_, 2, 0, chunk_ - 1)}, 2); }
  /// Finds the parts of X = T (F + C Z S): T, F, and C Z as queries.
  void find_feedback(const memory_product& p) {
    const memory_feedback& f = form_.feedback();
    fed_.keys = in_chunks(keys_of(p));
    if (f.has_rest) fed_.values = in_chunks(rest_of(p.fed, form_.reads()[f.read].result));
    value factor;
    for (const memory_feedback::number& n : f.numbers) {
      const value x = number_in_steps(n);
      if (producer(n.at, "Div")) factor = factor ? div(factor, x) : reciprocal(x);
      else factor = factor ? mul(factor, x) : x;
    }
    fed_query_ = queries_[f.read];
    if (factor) fed_query_ = mul(fed_query_, in_chunks(factor));
    if (f.negative) fed_query_ = neg(fed_query_);
    inverse_ = inverse_of_one_minus(weights(fed_query_, fed_moment(), fed_.keys));
  }
  memory_moment fed_moment() const { return form_.reads()[form_.feedback().read].moment; }
  /// The value that `fed` has if the read is 0, as [steps, batch, vector].
  value rest_of(const value& fed, const value& read) const {
    whole_steps without = form_.steps();
    shape dims{steps()};
    dims.append(read.dims());
    without.give(read, filled(g_, type(), dims, 0));
    return by_batch(with_rank(without.of(fed), form_.memory().rank() + 1, 1), form_.value_extent());
  }
  /// A number of each step as [steps, batch, 1].
  value number_in_steps(const memory_feedback::number& n) const {
    const value v = input_of(n.at, n.operand);
    const bool has_steps = form_.steps().has(v);
    shape dims{steps()};
    dims.append(n.at.dims());
    dims[static_cast<std::size_t>(1 + last_wide_axis(n.at))] = 1;
    const value all = with_rank(has_steps ? form_.steps().of(v) : v, std::ssize(dims), has_steps ? 1 : 0);
    return reshape(broadcast_to(all, dims), {steps(), batch_count(), 1});
  }

  /// Converts [chunks, batch, 1, vector] to [chunks, batch, vector, 1].
  static value turned(const value& v) { return reshape(v, {v.extent(0), v.extent(1), v.extent(3), v.extent(2)}); }

  /// The memories before and after all chunks, from the values that each chunk adds.
  memories memories_after(const value& added) const {
    if (decays_ == memory_decay::none) {
      const value all = cumsum(concat({unsqueeze(first_, {0}), added}, 0), 0);
      const value last = pick(all, chunks(), 0);
      return {last, slice(all, 0, 0, chunks())};
    }
    return by_steps_of({turned(total_), added}, [](const value& memory, const std::vector<value>& x) {
      return std::pair(add(mul(x[0], memory), x[1]), value());
    });
  }
  /// The memories if each chunk also adds values that it reads from the memory before it. `added` may be absent.
  memories memories_with_feedback(const value& added) const {
    const value query = matmul(inverse_, of_memory(fed_query_, fed_moment()));
    value rest = fed_.values;
    for (const product& p : added_) {
      const value own = matmul(weights(fed_query_, fed_moment(), p.keys), p.values);
      rest = rest ? add(rest, own) : own;
    }
    std::vector<value> sequences{query, transpose(until_end(fed_.keys), {0, 1, 3, 2})};
    for (const value& v :
         {decays_ == memory_decay::none ? value() : turned(total_), added, rest ? matmul(inverse_, rest) : value()})
      if (v) sequences.push_back(v);
    const bool decays = decays_ != memory_decay::none, adds = static_cast<bool>(added);
    return by_steps_of(sequences, [=](const value& memory, const std::vector<value>& x) {
      std::size_t at = 2;
      value fed = matmul(x[0], memory), next = decays ? mul(x[at++], memory) : memory;
      if (adds) next = add(next, x[at++]);
      if (rest) fed = add(fed, x[at]);
      return std::pair(add(next, matmul(x[1], fed)), fed);
    });
  }
  /// The memories of all chunks. `step` computes the memory after a chunk and the values that are fed back, from the
  /// memory before the chunk and the chunk's parts of the sequences.
  template <class Step>
  memories by_steps_of(const std::vector<value>& sequences, const Step& step) const {
    constexpr std::int64_t most_unrolled = 16;
    if (chunks() > most_unrolled) return by_scan(sequences, step);
    std::vector<value> all{unsqueeze(first_, {0})}, fed;
    for (std::int64_t i = 0; i < chunks(); ++i) {
      std::vector<value> x;
      for (const value& v : sequences) x.push_back(slice(v, 0, i, i + 1));
      const auto [next, own] = step(all.back(), x);
      all.push_back(next);
      if (own) fed.push_back(own);
    }
    const value last = squeeze(all.back(), {0});
    all.pop_back();
    const value before = concat(all, 0);
    return {last, before, fed.empty() ? value() : concat(fed, 0)};
  }
  template <class Step>
  memories by_scan(const std::vector<value>& sequences, const Step& step) const {
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      const auto [next, own] = step(s[0], x);
      loop_step out{{}, {next}, {s[0]}};
      if (own) out.collected.push_back(own);
      return out;
    };
    const loop_result all = scan(g_, {first_}, sequences, body, {.carried_names = {"memory"}});
    return {all.carried[0], all.collected[0], all.collected.size() > 1 ? all.collected[1] : value()};
  }

  /// Keys, scaled by the decays from their steps to the end of the chunk.
  value until_end(const value& keys) const {
    if (decays_ == memory_decay::none) return keys;
    if (decays_ == memory_decay::numbers) return mul(keys, exp(running_sum(logs_, false, true)));
    return mul(div(keys, scales_), last_scale());
  }
  /// Queries, scaled by the decays from the beginning of the chunk.
  value of_memory(const value& query, memory_moment moment) const {
    if (decays_ == memory_decay::none) return query;
    if (decays_ == memory_decay::numbers) return mul(query, exp(running_sum(logs_, includes_decay(moment))));
    return mul(mul(query, scales_at(moment)), middle_);
  }
  /// The matrices [chunks, batch, steps, steps] of decayed products of the queries in rows and the keys of earlier
  /// steps in columns. If the memory is read after the step, the keys of the same step are included.
  value weights(const value& query, memory_moment moment, const value& keys) const {
    const bool by_vectors = decays_ == memory_decay::vectors;
    const value left = by_vectors ? mul(query, scales_at(moment)) : query,
                right = by_vectors ? div(keys, scales_) : keys;
    value products = matmul(left, transpose(right, {0, 1, 3, 2}));
    if (decays_ == memory_decay::numbers)
      products = mul(products, exp(running_sum(logs_after_each_step(), includes_decay(moment))));
    return g_.emit("Trilu", {products, scalar(g_, dtype::i64, moment == memory_moment::after ? 0 : -1)},
                   products.type(), {{"upper", std::int64_t{0}}});
  }
  static bool includes_decay(memory_moment moment) { return moment != memory_moment::before; }
  value scales_at(memory_moment moment) const { return includes_decay(moment) ? scales_ : scales_before(); }

  value read(std::size_t i, const std::vector<product>& all, const value& before) const {
    const memory_read& r = form_.reads()[i];
    value sum;
    for (const product& p : all) {
      const value own = matmul(weights(queries_[i], r.moment, p.keys), p.values);
      sum = sum ? add(sum, own) : own;
    }
    const value of_before = matmul(of_memory(queries_[i], r.moment), before);
    const value y = transpose(add(sum, of_before), {0, 2, 1, 3});
    const value flat = reshape(y, {chunks() * chunk_, batch_count(), form_.value_extent()});
    const value in_order = in_order_of_steps(recurrence_, slice(flat, 0, 0, steps()));
    shape dims{steps()};
    dims.append(r.result.dims());
    return reshape(is_empty(r.added) ? in_order : add(in_order, read_of_added(r)), dims);
  }
  /// The matrices [chunks, batch, steps, steps] with the logarithms in the rows after the step of the column, and 0 in
  /// the other rows.
  value logs_after_each_step() const {
    std::vector<double> later;
    for (std::int64_t t = 0; t < chunk_; ++t)
      for (std::int64_t s = 0; s < chunk_; ++s) later.push_back(t > s);
    return mul(logs_, array(g_, type(), {chunk_, chunk_}, later));
  }
  /// The part of a read that comes from the outer product that is added to the memory for this read.
  value read_of_added(const memory_read& r) const {
    return mul(reduce("ReduceSum", mul(query_of(r), keys_of(r.added)), {2}, true), values_of(r.added));
  }

  const recurrence& recurrence_;
  memory_form& form_;
  graph& g_;
  memory_decay decays_;
  std::int64_t chunk_;
  std::vector<product> added_;
  value first_, factors_, logs_, total_, exponents_, scales_, middle_;
  std::vector<value> queries_;
  product fed_ = {};  ///< the product that a read determines; its values are for a read of 0, and absent if 0
  value fed_query_, inverse_;
};

}  // namespace jax2onnx::rewrite::detail
