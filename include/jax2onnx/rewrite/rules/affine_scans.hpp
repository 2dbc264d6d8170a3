#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans.hpp>

/// Scans whose states are sums of constant multiples of the states before and of inputs, as recursive filters and
/// exponential averages have them: products with matrices of powers, over chunks of steps
/// (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// A square matrix.
struct square_matrix {
  std::size_t size = 0;
  std::vector<double> numbers;

  static square_matrix identity(std::size_t size) {
    square_matrix m{size, std::vector<double>(size * size)};
    for (std::size_t i = 0; i < size; ++i) m.numbers[i * size + i] = 1;
    return m;
  }
  double at(std::size_t row, std::size_t column) const { return numbers[row * size + column]; }
};
/// A row times a matrix.
inline std::vector<double> operator*(const std::vector<double>& row, const square_matrix& m) {
  std::vector<double> out(m.size);
  for (std::size_t k = 0; k < m.size; ++k)
    for (std::size_t j = 0; j < m.size; ++j) out[j] += row[k] * m.at(k, j);
  return out;
}
inline square_matrix operator*(const square_matrix& a, const square_matrix& b) {
  square_matrix out{a.size, {}};
  for (std::size_t i = 0; i < a.size; ++i) {
    const auto first = a.numbers.begin() + static_cast<std::ptrdiff_t>(i * a.size);
    const std::vector<double> row = std::vector<double>(first, first + static_cast<std::ptrdiff_t>(a.size)) * b;
    out.numbers.insert(out.numbers.end(), row.begin(), row.end());
  }
  return out;
}

/// A value of one step, or of all steps, broadcast to the states of all steps.
inline value in_all_steps(const recurrence& r, const value& v, bool has_steps) {
  shape dims{r.sequence(0).extent(0)};
  dims.append(r.state(0).dims());
  ints axes;
  for (std::int64_t axis = has_steps ? 1 : 0; v.rank() + std::ssize(axes) < std::ssize(dims); ++axis)
    axes.push_back(axis);
  return broadcast_to(unsqueeze(v, axes), dims);
}

/// From the order of the steps to that of the sequences, and back.
inline value in_order_of_steps(const recurrence& r, const value& v) {
  if (!r.reverse()) return v;
  graph& g = r.owner();
  const std::int64_t steps = v.extent(0).extent();
  return g.emit("Slice", {v, int64s(g, {steps - 1}), int64s(g, {-steps - 1}), int64s(g, {0}), int64s(g, {-1})},
                v.type());
}

/// Whether no number of both is infinite, NaN, or close to overflow: products with zeros are zeros then.
inline value are_ordinary(const value& a, const value& b) {
  constexpr double most = 1e30;
  const auto size = [](const value& v) { return reduce("ReduceSum", abs(v), iota_axes(v.rank())); };
  return less(add(size(a), size(b)), scalar(a.owner(), a.dtype(), most));
}

/// The numbers of steps and of elements of a state for which chunks are faster.
struct chunk_limits {
  std::int64_t least_steps, most_steps, most_elements;
};
/// The elements of the first state of a Scan whose sizes are known, and within the limits.
inline std::optional<std::int64_t> elements_for_chunks(const recurrence& r, const chunk_limits& limits) {
  const dim steps = r.sequence(0).extent(0);
  const value state = r.state(0);
  if (!is_floating(state.dtype()) || bits(state.dtype()) < 32 || !is_static(state.dims())) return std::nullopt;
  if (!steps.is_constant() || steps.extent() < limits.least_steps || steps.extent() > limits.most_steps)
    return std::nullopt;
  std::int64_t elements = 1;
  for (const dim d : state.dims()) elements *= d.extent();
  return elements >= 1 && elements <= limits.most_elements ? std::optional(elements) : std::nullopt;
}

/// The values of a Scan's body as multiples of its states, plus what the sequences determine for all steps at once.
/// Values that have states in them have the shape of the states.
class affine_steps {
 public:
  explicit affine_steps(const recurrence& r) : recurrence_(r), steps_(r) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
    for (std::size_t i = 0; i < r.state_count(); ++i) {
      std::vector<double> unit(r.state_count());
      unit[i] = 1;
      factors_.emplace(r.state(i).id(), std::move(unit));
    }
  }

  /// The factor of each state in `v`; empty: they are all 0; nullopt: `v` is no such sum.
  std::optional<std::vector<double>> factors(const value& v) {
    if (const auto known = factors_.find(v.id()); known != factors_.end()) return known->second;
    auto found = is_free(v) ? std::optional(std::vector<double>()) : sum_of(v);
    factors_.emplace(v.id(), found);
    return found;
  }

  /// What is added to the states in all steps, [steps, ...]; absent: nothing. `v` has factors.
  value rest(const value& v) {
    if (steps_.has(v)) return all_steps(steps_.of(v), true);
    if (steps_.is_outer(v)) return all_steps(v, false);
    if (!producer(v)) return {};
    const value first = rest_of_term(v, 0);
    if (producer(v, "Neg")) return first ? neg(first) : value();
    if (producer(v, "Mul") || producer(v, "Div")) return scaled(v);
    const value second = rest_of_term(v, 1);
    if (!second) return first;
    if (producer(v, "Sub")) return first ? sub(first, second) : neg(second);
    return first ? add(first, second) : second;
  }

 private:
  bool is_free(const value& v) const { return steps_.has(v) || steps_.is_outer(v); }

  std::optional<std::vector<double>> sum_of(const value& v) {
    if (!producer(v) || v.dims() != recurrence_.state(0).dims()) return std::nullopt;
    if (producer(v, "Add")) return combined(v, 1, 1);
    if (producer(v, "Sub")) return combined(v, 1, -1);
    if (producer(v, "Neg")) return combined(v, -1, 0);
    const auto factor = factor_of(v);
    if (!factor) return std::nullopt;
    const auto x = factors(input_of(v, factor->second));
    return x ? std::optional(sum(*x, factor->first, {}, 0)) : std::nullopt;
  }
  std::optional<std::vector<double>> combined(const value& v, double p, double q) {
    const auto x = factors(input_of(v, 0));
    const auto y = q == 0 ? std::vector<double>() : factors(input_of(v, 1));
    return x && y ? std::optional(sum(*x, p, *y, q)) : std::nullopt;
  }
  std::vector<double> sum(const std::vector<double>& x, double p, const std::vector<double>& y, double q) const {
    std::vector<double> out(recurrence_.state_count());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (x.empty() ? 0 : p * x[i]) + (y.empty() ? 0 : q * y[i]);
    return out;
  }
  /// The constant that a Mul or Div multiplies by, and which operand it multiplies.
  std::optional<std::pair<double, std::size_t>> factor_of(const value& v) const {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
      const auto number = uniform_number(input_of(v, i));
      if (number && producer(v, "Mul")) return std::pair(*number, 1 - i);
      if (number && i == 1 && *number != 0 && producer(v, "Div")) return std::pair(1 / *number, std::size_t{0});
    }
    return std::nullopt;
  }

  value rest_of_term(const value& v, std::size_t operand) { return rest(input_of(v, operand)); }
  value scaled(const value& v) {
    const auto [factor, operand] = *factor_of(v);
    const value x = rest_of_term(v, operand);
    return x ? mul(x, factor) : value();
  }
  value all_steps(const value& v, bool has_steps) const { return in_all_steps(recurrence_, v, has_steps); }

  const recurrence& recurrence_;
  whole_steps steps_;
  std::unordered_map<value_id, std::optional<std::vector<double>>> factors_;
};

/// The states after a step: `matrix` times those before it, plus inputs.
struct affine_scan {
  square_matrix matrix;
  std::int64_t steps = 0;
  std::int64_t elements = 0;  ///< of each state
  std::int64_t chunk = 1;     ///< steps of a chunk
  std::vector<square_matrix> powers = {};

  std::int64_t chunks() const { return (steps + chunk - 1) / chunk; }
  std::int64_t states() const { return static_cast<std::int64_t>(matrix.size); }
};

/// The operands, chunk by chunk, and the products with them.
class chunked_scan {
 public:
  chunked_scan(const affine_scan& s, const recurrence& r, affine_steps& all) : scan_(s), recurrence_(r), all_(all) {
    std::vector<value> parts;
    for (std::size_t i = 0; i < r.state_count(); ++i) {
      const value rest = all.rest(r.next(i));
      const shape dims{s.steps, 1, s.elements};
      parts.push_back(rest ? reshape(rest, dims) : filled(r.owner(), type(), dims, 0));
    }
    inputs_ = in_order(concat(parts, 1));
    std::vector<value> first;
    for (std::size_t i = 0; i < r.state_count(); ++i) first.push_back(reshape(r.first(i), {1, s.elements}));
    first_ = concat(first, 0);
  }

  value is_ordinary() const { return are_ordinary(inputs_, first_); }

  /// The results of the Scan.
  std::vector<value> results() {
    combine();
    std::vector<value> out;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) out.push_back(last(i));
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i) out.push_back(stacked(recurrence_.collected(i)));
    return out;
  }

 private:
  dtype type() const { return recurrence_.state(0).dtype(); }
  value in_order(const value& v) const { return in_order_of_steps(recurrence_, v); }

  /// The product of a matrix of `rows` rows with x[..., columns, elements].
  value product(const std::vector<double>& numbers, std::int64_t rows, const value& x) const {
    const auto columns = static_cast<std::int64_t>(numbers.size()) / rows;
    return matmul(array(recurrence_.owner(), type(), {rows, columns}, numbers), x);
  }
  std::vector<double> row_of_power(std::size_t row, std::int64_t power) const {
    const square_matrix& m = scan_.powers[static_cast<std::size_t>(power)];
    const auto first = m.numbers.begin() + static_cast<std::ptrdiff_t>(row * m.size);
    return {first, first + static_cast<std::ptrdiff_t>(m.size)};
  }

  /// What the state before each chunk and the inputs of it contribute to row(p) after `given` steps, p being how many
  /// steps lie between.
  template <class Row>
  void add_row(std::vector<double>& numbers, std::int64_t given, bool with_start, const Row& row) const {
    if (with_start) append(numbers, row(given));
    for (std::int64_t s = 0; s < scan_.chunk; ++s)
      append(numbers, s < given ? row(given - 1 - s) : std::vector<double>(scan_.matrix.size));
  }
  static void append(std::vector<double>& to, const std::vector<double>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  /// The states before each chunk, and its inputs: [chunks, states + chunk states, elements].
  void combine() {
    const std::int64_t n = scan_.states(), chunks = scan_.chunks(), missing = chunks * scan_.chunk - scan_.steps;
    const value zero = scalar(recurrence_.owner(), type(), 0);
    const value padded = missing == 0 ? inputs_ : pad(inputs_, shape{0, 0, 0}, shape{missing, 0, 0}, zero);
    const value in_chunks = reshape(padded, {chunks, scan_.chunk * n, scan_.elements});
    std::vector<double> ends, starts;
    for (std::size_t i = 0; i < scan_.matrix.size; ++i)
      add_row(ends, scan_.chunk, false, [&](std::int64_t p) { return row_of_power(i, p); });
    const value later = product(ends, n, in_chunks);  // of zeros as first states
    for (std::int64_t g = 0; g < chunks; ++g)
      for (std::size_t i = 0; i < scan_.matrix.size; ++i)
        for (std::int64_t before = 0; before < chunks; ++before)
          append(starts,
                 before <= g ? row_of_power(i, (g - before) * scan_.chunk) : std::vector<double>(scan_.matrix.size));
    const value begins = concat({unsqueeze(first_, {0}), slice(later, 0, 0, chunks - 1)}, 0);
    const value all = product(starts, chunks * n, reshape(begins, {chunks * n, scan_.elements}));
    combined_ = concat({reshape(all, {chunks, n, scan_.elements}), in_chunks}, 1);
  }

  /// The last value of state i.
  value last(std::size_t i) const {
    std::vector<double> numbers;
    add_row(numbers, (scan_.steps - 1) % scan_.chunk + 1, true, [&](std::int64_t p) { return row_of_power(i, p); });
    const value of_last_chunk = slice(combined_, 0, scan_.chunks() - 1, scan_.chunks());
    return reshape(product(numbers, 1, of_last_chunk), recurrence_.state(i).dims());
  }

  /// All steps of `v`, from the states before each of them. Of a next state, its inputs are in the product, too.
  value stacked(const value& v) {
    const auto factors = *all_.factors(v);
    shape dims{scan_.steps};
    dims.append(v.dims());
    if (factors.empty()) return all_.rest(v);
    std::optional<std::size_t> state;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(recurrence_.next(i), v)) state = i;
    std::vector<double> numbers;
    for (std::int64_t t = 0; t < scan_.chunk; ++t)
      add_row(numbers, state ? t + 1 : t, true, [&](std::int64_t p) {
        return state ? row_of_power(*state, p) : factors * scan_.powers[static_cast<std::size_t>(p)];
      });
    const value chunks = product(numbers, scan_.chunk, combined_);
    const value flat = reshape(chunks, {scan_.chunks() * scan_.chunk, scan_.elements});
    const value product = reshape(in_order(slice(flat, 0, 0, scan_.steps)), dims);
    const value rest = state ? value() : all_.rest(v);
    return rest ? add(product, rest) : product;
  }

  const affine_scan& scan_;
  const recurrence& recurrence_;
  affine_steps& all_;
  value inputs_, first_, combined_;
};

/// The powers of the matrix that chunks need; false if one has large numbers, so that sums would cancel.
inline bool find_powers(affine_scan& s) {
  constexpr double most = 1e4, least = 1e-30;
  s.powers = {square_matrix::identity(s.matrix.size)};
  for (std::int64_t p = 0; p < s.steps + s.chunk; ++p) {
    square_matrix next = s.powers.back() * s.matrix;
    for (double& x : next.numbers) {
      if (!(std::abs(x) <= most)) return false;
      if (std::abs(x) < least) x = 0;  // subnormal numbers are slow
    }
    s.powers.push_back(std::move(next));
  }
  return true;
}

/// The form of a Scan, where it pays.
inline std::optional<affine_scan> affine_scan_of(const recurrence& r, affine_steps& all) {
  const auto elements = elements_for_chunks(r, {.least_steps = 32, .most_steps = 1 << 14, .most_elements = 256});
  if (!elements) return std::nullopt;
  const value state = r.state(0);
  affine_scan s{{r.state_count(), {}}, r.sequence(0).extent(0).extent(), *elements};
  for (std::size_t i = 0; i < r.result_count(); ++i) {
    const bool is_state = i < r.state_count();
    const value v = is_state ? r.next(i) : r.collected(i - r.state_count());
    if (is_state && (r.state(i).dims() != state.dims() || r.state(i).dtype() != state.dtype())) return std::nullopt;
    auto factors = all.factors(v);
    if (!factors || v.dims() != state.dims() || v.dtype() != state.dtype()) return std::nullopt;
    if (factors->empty()) factors = std::vector<double>(r.state_count());
    if (is_state) s.matrix.numbers.insert(s.matrix.numbers.end(), factors->begin(), factors->end());
  }
  while (s.chunk * s.chunk < s.steps) s.chunk *= 2;
  return s;
}

/// The results of `fast` where `condition` holds when the model runs, else those of the Scan.
template <class Fast>
outcome or_the_scan(const context& c, const value& root, const recurrence& r, const value& condition,
                    const Fast& fast) {
  std::vector<tensor_type> types;
  for (const value_id v : producer(root)->outputs) types.push_back(value(c.g, v).type());
  const auto scan_itself = [&] {
    whole_steps own(r);
    std::vector<value> collected;
    for (std::size_t i = 0; i < r.collected_count(); ++i) collected.push_back(r.collected(i));
    const loop_result same = scan_part(r, own, all_states(r), collected).emit(own);
    std::vector<value> results = same.carried;
    results.insert(results.end(), same.collected.begin(), same.collected.end());
    return results;
  };
  outcome out;
  out.all = if_(condition, fast, scan_itself, types);
  return out;
}

inline outcome fuse_affine_scan(const context& c, const value& root) {
  constexpr std::size_t most_states = 8;
  if (c.g.at(root.id()).home != block_id::main) return {};  // its own alternative, or in a loop
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0 || r->state_count() > most_states) return {};
  affine_steps all(*r);
  auto s = affine_scan_of(*r, all);
  if (!s) return {};
  if (!find_powers(*s)) return decline("states grow");
  chunked_scan chunks(*s, *r, all);
  if (!c.assume_finite) return or_the_scan(c, root, *r, chunks.is_ordinary(), [&] { return chunks.results(); });
  outcome out;
  out.all = chunks.results();
  return out;
}

inline constexpr rule affine_scan_rules[] = {
    {"affine-scan", "Scan(h = A h + x) -> MatMul(powers of A, x) over chunks of steps",
     "constant multiples of at most 8 states that do not grow; 32 to 16384 steps, 256 numbers a state; the Scan stays "
     "for operands that are not finite",
     ops<"Scan">, fuse_affine_scan, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
