#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>

/// The numbers of values that a model computes from constants alone, where they are too many to be folded.
namespace jax2onnx::rewrite::detail {

/// Computes, in double, values that depend on scalars and constants without names only, so on no weights. A value that
/// several others read is computed once.
class constant_evaluator {
 public:
  /// Whether `v` depends on such constants only, by at most `most_nodes` nodes of operators that are known here.
  static bool is_computable(const value& v) {
    std::unordered_set<value_id> seen;
    return is_computable(v, seen);
  }

  /// The numbers of `v`, truth values as 0 and 1; null where they are more than `most_elements`, or not known. The
  /// pointer is valid as long as the evaluator.
  const std::vector<double>* numbers(const value& v) {
    const auto known = known_.find(v.id());
    if (known != known_.end()) return known->second ? &*known->second : nullptr;
    std::optional<std::vector<double>> computed = compute_numbers(v);
    const auto& kept = known_[v.id()] = std::move(computed);
    return kept ? &*kept : nullptr;
  }

 private:
  static constexpr std::size_t most_nodes = 64;
  static constexpr std::uint64_t most_elements = std::uint64_t{1} << 17;

  struct comparison {
    std::string_view op;
    bool (*holds)(double, double);
  };
  static constexpr comparison comparisons[] = {
      {"And", [](double x, double y) { return x != 0 && y != 0; }},
      {"Equal", [](double x, double y) { return x == y; }},
      {"Greater", [](double x, double y) { return x > y; }},
      {"GreaterOrEqual", [](double x, double y) { return x >= y; }},
      {"Less", [](double x, double y) { return x < y; }},
      {"LessOrEqual", [](double x, double y) { return x <= y; }},
      {"Or", [](double x, double y) { return x != 0 || y != 0; }},
  };
  static constexpr std::string_view other_ops[] = {"Abs",       "Add", "Cast", "Div",       "Expand",
                                                   "Max",       "Min", "Mul",  "Neg",       "Relu",
                                                   "ReduceSum", "Sub", "Not",  "Transpose", "Where"};

  static const comparison* find_comparison(std::string_view op) {
    const auto found = std::ranges::find(comparisons, op, &comparison::op);
    return found == std::end(comparisons) ? nullptr : &*found;
  }
  static bool is_known_op(const value& v) {
    const node* n = producer(v);
    if (!n || !has_only(v.owner(), *n, is_known)) return false;
    return find_comparison(n->op) || contains(other_ops, n->op) || is_reshape(v);
  }
  static bool is_computable(const value& v, std::unordered_set<value_id>& seen) {
    if (!v) return false;
    if (v.is_constant()) return v.rank() == 0 || v.owner().at(v.id()).name.empty();
    if (!seen.insert(v.id()).second) return true;
    if (seen.size() > most_nodes || !is_known_op(v)) return false;
    const std::size_t operands = is_reshape(v) || producer(v)->op == "Expand" ? 1 : producer(v)->inputs.size();
    for (std::size_t i = 0; i < operands; ++i)
      if (!is_computable(input_of(v, i), seen)) return false;
    return true;
  }

  static std::optional<std::size_t> count(const shape& dims) {
    std::uint64_t n = 1;
    for (const dim d : dims) {
      if (!d.is_constant() || d.extent() < 0 || d.extent() > static_cast<std::int64_t>(most_elements)) return {};
      n *= static_cast<std::uint64_t>(d.extent());
      if (n > most_elements) return {};
    }
    return static_cast<std::size_t>(n);
  }

  static std::optional<std::vector<double>> constant_numbers(const value& v) {
    const auto elements = read_elements(v);
    if (!elements) return numbers_of(v);
    std::vector<double> numbers(elements->bits.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = elements->number(i);
    return numbers;
  }

  std::optional<std::vector<double>> compute_numbers(const value& v) {
    const std::optional<std::size_t> n = count(v.dims());
    if (!n) return {};
    if (v.is_constant()) return constant_numbers(v);
    if (!is_known_op(v)) return {};
    const std::string_view op = producer(v)->op;
    const std::vector<double>* x = numbers(input_of(v, 0));
    if (!x) return {};
    if (is_reshape(v)) return *x;
    if (op == "ReduceSum") return sums(v, *x, *n);
    if (op == "Transpose") return transposed(v, *x);
    return mapped(v, op, *n);
  }

  static std::optional<std::vector<double>> sums(const value& v, const std::vector<double>& x, std::size_t n) {
    const std::optional<reduction> r = reduction_of(v);
    if (!r) return {};
    std::vector<double> sums(n);
    for (std::size_t i = 0; i < x.size(); ++i) sums[reduced_index(i, input_of(v, 0).dims(), r->axes)] += x[i];
    return sums;
  }

  static std::optional<std::vector<double>> transposed(const value& v, const std::vector<double>& x) {
    if (transpose_of(v) != ints{1, 0}) return {};
    const auto rows = static_cast<std::size_t>(v.extent(0).extent()),
               columns = x.size() / std::max(rows, std::size_t{1});
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) y[i * columns + j] = x[j * rows + i];
    return y;
  }

  /// An operator of elements.
  std::optional<std::vector<double>> mapped(const value& v, std::string_view op, std::size_t n) {
    const std::vector<value> operands = inputs_of(v);
    std::vector<const std::vector<double>*> in;
    for (const value& operand : operands) {
      in.push_back(op == "Expand" && !in.empty() ? in[0] : numbers(operand));
      if (!in.back()) return {};
    }
    const comparison* compared = find_comparison(op);
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = [&](std::size_t k) { return (*in[k])[broadcast_index(i, v.dims(), operands[k].dims())]; };
      std::optional<double> element;
      if (compared) element = compared->holds(at(0), at(1));
      else if (op == "Where") element = at(0) != 0 ? at(1) : at(2);
      else if (op == "Expand") element = at(0);
      else if (operands.size() == 1) element = mapped_number(v, op, at(0));
      else if (operands.size() == 2) element = compute(op, at(0), at(1));
      if (!element) return {};
      y[i] = *element;
    }
    return y;
  }

  static std::optional<double> mapped_number(const value& v, std::string_view op, double x) {
    if (op == "Relu") return std::max(x, 0.0);
    if (op == "Not") return x == 0;
    if (op != "Cast") return fold_unary(op, dtype::f64, x);
    return is_floating(v.dtype()) ? std::optional(x) : std::nullopt;
  }

  std::unordered_map<value_id, std::optional<std::vector<double>>> known_;
};

}  // namespace jax2onnx::rewrite::detail
