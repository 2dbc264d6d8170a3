// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>

/// Evaluates values that a model computes from constants alone but that are too large to be folded.
namespace jax2onnx::rewrite::detail {

/// Computes values that depend only on constants that are scalars or have no name, and therefore not on weights.
/// Floating-point values are computed in double, and values with several readers once.
class constant_evaluator {
 public:
  /// Returns whether `v` depends only on constants that are scalars or have no name, through at most `most_nodes` nodes
  /// whose operators this class can compute.
  static bool is_computable(const value& v) {
    std::unordered_set<value_id> seen;
    return is_computable(v, seen);
  }

  /// The elements of `v`, floating-point ones as f64; null if there are more than `most_elements`, or if this class
  /// cannot compute them. The pointer is valid while the evaluator exists.
  const elements* numbers(const value& v) {
    const auto known = known_.find(v.id());
    if (known != known_.end()) return known->second ? &*known->second : nullptr;
    std::optional<elements> computed = compute_numbers(v);
    const auto& kept = known_[v.id()] = std::move(computed);
    return kept ? &*kept : nullptr;
  }

 private:
  static constexpr std::size_t most_nodes = 64;
  static constexpr std::uint64_t most_elements = std::uint64_t{1} << 17;

  static bool is_known_op(const value& v) {
    const node* n = producer(v);
    if (!n || !has_only(v.owner(), *n, is_known)) return false;
    return element_row_of(*n) || is_reshape(v) || producer(v, "ReduceSum") || producer(v, "Transpose");
  }
  /// The number of leading operands whose elements the operator of `v` reads. The operands after these are shapes or
  /// axes.
  static std::size_t operand_count(const value& v) {
    const element_row* row = element_row_of(*producer(v));
    return row ? row->operands : 1;
  }
  static bool is_computable(const value& v, std::unordered_set<value_id>& seen) {
    if (!v) return false;
    if (v.is_constant()) return v.rank() == 0 || v.owner().at(v.id()).name.empty();
    if (!seen.insert(v.id()).second) return true;
    if (seen.size() > most_nodes || !is_known_op(v)) return false;
    for (std::size_t i = 0; i < operand_count(v); ++i)
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

  static dtype wide_type_of(const value& v) { return is_floating(v.dtype()) ? dtype::f64 : v.dtype(); }
  static std::optional<elements> constant_elements(const value& v) {
    std::optional<elements> all = read_elements(v);
    if (!all) return wide_elements_of(v);
    if (is_floating(all->type))
      for (std::uint64_t& bits : all->bits)
        bits = std::bit_cast<std::uint64_t>(single_element{all->type, bits}.number());
    all->type = wide_type_of(v);
    return all;
  }

  std::optional<elements> compute_numbers(const value& v) {
    const std::optional<std::size_t> n = count(v.dims());
    if (!n) return {};
    if (v.is_constant()) return constant_elements(v);
    if (!is_known_op(v)) return {};
    std::vector<elements> in;
    for (std::size_t i = 0; i < operand_count(v); ++i) {
      const elements* x = numbers(input_of(v, i));
      if (!x) return {};
      in.push_back(*x);
    }
    if (is_reshape(v)) return std::move(in[0]);
    if (producer(v, "ReduceSum")) return sums(v, in[0], *n);
    if (producer(v, "Transpose")) return transposed(v, in[0]);
    return mapped_elements(v, *element_row_of(*producer(v)), in, wide_type_of(v), *n);
  }
  static std::optional<elements> sums(const value& v, const elements& x, std::size_t n) {
    const std::optional<reduction> r = reduction_of(v);
    if (!r || !is_floating(v.dtype())) return {};
    std::vector<double> sums(n);
    for (std::size_t i = 0; i < x.bits.size(); ++i)
      sums[reduced_index(i, input_of(v, 0).dims(), r->axes)] += x[i].number();
    elements out{dtype::f64, {}};
    for (const double sum : sums) out.bits.push_back(std::bit_cast<std::uint64_t>(sum));
    return out;
  }
  static std::optional<elements> transposed(const value& v, const elements& x) {
    if (transpose_of(v) != ints{1, 0}) return {};
    const auto rows = static_cast<std::size_t>(v.extent(0).extent()),
               columns = x.bits.size() / std::max(rows, std::size_t{1});
    elements y = x;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) y.bits[i * columns + j] = x.bits[j * rows + i];
    return y;
  }

  std::unordered_map<value_id, std::optional<elements>> known_;
};

}  // namespace jax2onnx::rewrite::detail
