#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/producer.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/small_constants.hpp>

/// Sums of products that a body computes: x W + h R + b, where W, R and b come from outside of it.
namespace jax2onnx::rewrite {

/// The columns [first, first + count) of a matrix or bias.
struct columns {
  std::int64_t first = 0, count = 0;
};

/// A summand of an affine form: rows and columns of `matrix` times `source`, or the columns of a bias.
struct affine_term {
  value source = {};                          ///< in the body; absent: `matrix` is a bias
  value matrix = {};                          ///< from outside of the body
  bool transposed = false;                    ///< whether the matrix has outputs as rows
  std::int64_t first_row = 0, row_count = 0;  ///< the rows that `source` is multiplied by
  columns taken = {};                         ///< of a bias with one column, that column stands for all
};

/// Takes a value of a body apart into a sum of products by matrices, of biases, and of a rest, along its last axis.
class affine_form {
 public:
  explicit affine_form(block_id body) : body_(body) {}

  /// Adds the terms of `v`. False where it is no such sum.
  bool add(const value& v) { return add(v, {0, last_extent(v)}); }
  const std::vector<affine_term>& terms() const { return terms_; }
  /// The summands that are no products by matrices.
  const std::vector<value>& rest() const { return rest_; }

 private:
  bool is_outer(const value& v) const { return v.owner().at(v.id()).home != body_; }
  /// The last extent; 0 where there is none that is constant.
  static std::int64_t last_extent(const value& v) {
    if (v.rank() == 0) return 1;
    const dim d = v.extent(v.rank() - 1);
    return d.is_constant() ? d.extent() : 0;
  }

  bool add(const value& v, columns taken) {
    if (!v || last_extent(v) == 0) return false;
    if (is_outer(v)) return add_bias(v, taken);
    const std::size_t terms = terms_.size(), rest = rest_.size();
    if (add_terms(v, taken)) return true;
    terms_.resize(terms);
    rest_.resize(rest);
    if (taken.first == 0 && taken.count == last_extent(v)) rest_.push_back(v);
    return taken.first == 0 && taken.count == last_extent(v);
  }
  bool add_terms(const value& v, columns taken) {
    const node* n = producer(v);
    if (!n || !has_only(v.owner(), *n, is_known)) return false;
    if (n->op == "Add") return add_operand(v, 0, taken) && add_operand(v, 1, taken);
    if (n->op == "MatMul") return add_product(input_of(v, 0), input_of(v, 1), false, taken);
    if (n->op == "Gemm") return add_gemm(v, taken);
    if (n->op == "Split") return add_part(v, *n, taken);
    if (n->op == "Slice") return add_slice(v, taken);
    if (is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims()) &&
        last_extent(input_of(v, 0)) == last_extent(v))
      return add(input_of(v, 0), taken);
    return false;
  }
  /// An operand of a sum, which may broadcast along the last axis.
  bool add_operand(const value& sum, std::size_t i, columns taken) {
    const value v = input_of(sum, i);
    return last_extent(v) == last_extent(sum) ? add(v, taken) : is_outer(v) && add_bias(v, taken);
  }
  bool add_bias(const value& v, columns taken) {
    for (std::int64_t axis = 0; axis + 1 < v.rank(); ++axis)
      if (!v.extent(axis).is(1)) return false;
    terms_.push_back({.matrix = v, .taken = taken});
    return true;
  }
  bool add_product(const value& a, const value& b, bool transposed, columns taken) {
    if (is_outer(b) && b.rank() == 2 && !is_outer(a)) return add_sources(a, b, transposed, taken);
    if (is_outer(a) && a.rank() == 2 && !is_outer(b) && b.rank() == 1) return add_sources(b, a, true, taken);
    return false;
  }
  /// `x` may be several sources side by side.
  bool add_sources(const value& x, const value& matrix, bool transposed, columns taken) {
    const node* n = producer(x, "Concat");
    const std::size_t count = n && attribute_of<std::int64_t>(x, "axis") == x.rank() - 1 ? n->inputs.size() : 0;
    std::vector<value> sources{x};
    if (count > 0) sources = inputs_of(x);
    for (const value& source : sources)
      if (is_outer(source) || last_extent(source) == 0) return false;
    std::int64_t row = 0;
    for (const value& source : sources) {
      terms_.push_back({source, matrix, transposed, row, last_extent(source), taken});
      row += last_extent(source);
    }
    return true;
  }
  bool add_gemm(const value& v, columns taken) {
    const auto is_one = [&](const char* name) { return attribute_of<float>(v, name).value_or(1) == 1; };
    const bool transposed = attribute_of<std::int64_t>(v, "transB").value_or(0) != 0;
    if (!is_one("alpha") || !is_one("beta") || attribute_of<std::int64_t>(v, "transA").value_or(0) != 0) return false;
    if (!add_product(input_of(v, 0), input_of(v, 1), transposed, taken)) return false;
    return !input_of(v, 2) || add_operand(v, 2, taken);
  }
  bool add_part(const value& v, const node& n, columns taken) {
    const std::int64_t axis = attribute_of<std::int64_t>(v, "axis").value_or(0);
    if (axis != v.rank() - 1 && axis != -1) return false;
    for (const value_id part : n.outputs) {
      if (part == v.id()) return add(input_of(v, 0), taken);
      if (part == value_id::none) return false;
      taken.first += last_extent({v.owner(), part});
    }
    return false;
  }
  bool add_slice(const value& v, columns taken) {
    const value steps = input_of(v, 4);
    if (!input_of(v, 3) || (steps && splat_number(steps) != 1.0)) return false;
    const auto starts = constant_integers(input_of(v, 1)), axes = constant_integers(input_of(v, 3));
    if (!starts || !axes || *axes != ints{v.rank() - 1}) return false;
    const std::int64_t start = (*starts)[0];
    return add(input_of(v, 0), {taken.first + (start < 0 ? start + last_extent(input_of(v, 0)) : start), taken.count});
  }

  block_id body_;
  std::vector<affine_term> terms_;
  std::vector<value> rest_;
};

}  // namespace jax2onnx::rewrite
