// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/parts.hpp>

/// Values that are computed block by block, as in Pallas kernels, are computed at once.
namespace jax2onnx::rewrite::detail {

inline outcome join_parts(const context& c, const value& root) {
  const std::vector<value> parts = inputs_of(root);
  const node *first = producer(parts[0]), *last = producer(parts.back());
  if (!first || !last || first->op != last->op) return {};
  joined_parts whole(c);
  return whole.fit(parts, axis_of(root)) ? outcome(whole.join(parts, axis_of(root))) : outcome();
}

/// A product, and the value that is added to it. An added 0 is left out: it changes only elements of the product that
/// are -0. A kernel that adds all terms to +0 yields -0 only by underflow.
struct product_and_sum {
  value a, b;
  value added = {};  ///< the value that is added; absent for 0
};
/// The ways to read `v` as a MatMul, as the sum of a MatMul and a value, or as a Gemm a b + c. There are two ways for a
/// sum of two MatMuls, and none for any other value. The operands of the product have at least two axes. The product,
/// and an added value that is not 0, have the shape of `v`.
inline std::vector<product_and_sum> products_in(const value& v) {
  std::vector<product_and_sum> all;
  const auto add = [&](const value& a, const value& b, const value& added) {
    if (a.rank() < 2 || b.rank() < 2) return;
    const bool is_zero = added && (added.is_constant() || producer(added, "Expand")) && splat_number(added) == 0;
    if (!added || is_zero) all.push_back({a, b});
    else if (added.dims() == v.dims()) all.push_back({a, b, added});
  };
  if (producer(v, "MatMul")) add(input_of(v, 0), input_of(v, 1), {});
  if (const auto g = gemm_of(v); g && g->is_plain_sum()) add(g->a, g->b, g->c);
  if (!producer(v, "Add")) return all;
  for (const std::size_t i : {std::size_t{1}, std::size_t{0}})
    if (const value p = input_of(v, i); producer(p, "MatMul") && p.dims() == v.dims())
      add(input_of(p, 0), input_of(p, 1), input_of(v, 1 - i));
  return all;
}

/// Returns whether nothing but the sum `v` reads the products that it adds; true if `v` is not a sum.
inline bool reads_products_once(const context& c, const value& v) {
  const auto is_free = [&](const value& w) { return !producer(w, "MatMul") || c.single_use(w); };
  return !producer(v, "Add") || (is_free(input_of(v, 0)) && is_free(input_of(v, 1)));
}

inline outcome join_summed_products(const context& c, const value& root) {
  for (const product_and_sum& q : products_in(root)) {
    if (!q.added) continue;
    for (const product_and_sum& p : products_in(q.added)) {
      if (p.added) continue;
      const std::vector<value> a{p.a, q.a}, b{p.b, q.b};
      const std::int64_t terms_of_a = p.a.rank() - 1, terms_of_b = p.b.rank() - 2;
      joined_parts whole(c);
      if (p.a.rank() != q.a.rank() || p.b.rank() != q.b.rank() || !whole.fit(a, terms_of_a) ||
          !whole.fit(b, terms_of_b))
        continue;
      if (!reads_products_once(c, root) || !c.single_use(q.added) || !reads_products_once(c, q.added))
        return decline("the products are read elsewhere too");
      return matmul(whole.join(a, terms_of_a), whole.join(b, terms_of_b));
    }
  }
  return {};
}

/// A reduction and the operator that combines reductions of parts.
struct combined_reduction {
  operator_name combines, reduces;
};
inline constexpr combined_reduction combined_reductions[] = {
    {"Add", "ReduceSum"}, {"Max", "ReduceMax"}, {"Min", "ReduceMin"}, {"Mul", "ReduceProd"}};

/// A reduction that may be combined with a constant `start`.
struct begun_reduction {
  value start, reduced;  ///< `start` is absent if no constant is combined
};
inline begun_reduction begun_reduction_of(const value& v, const combined_reduction& op) {
  if (!producer(v, op.combines) || producer(v)->inputs.size() != 2) return {{}, v};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
    if (input_of(v, i).is_constant() && input_of(v, 1 - i).dims() == v.dims())
      return {input_of(v, i), input_of(v, 1 - i)};
  return {{}, v};
}

inline outcome join_reduced_parts(const context& c, const value& root) {
  const value q = input_of(root, 1);
  if (!producer(q) || !has_trait(q, trait::reduction) || producer(root)->inputs.size() != 2) return {};
  for (const combined_reduction& op : combined_reductions) {
    if (!producer(root, op.combines) || !producer(q, op.reduces)) continue;
    if (is_integer(root.dtype()) && op.reduces == "ReduceProd") return decline("products of integers wrap");
    const auto [start, p] = begun_reduction_of(input_of(root, 0), op);
    const auto r = producer(p, op.reduces) ? reduction_of(p) : std::nullopt;
    if (!r || r != reduction_of(q) || p.dims() != q.dims()) return {};
    const std::vector<value> parts{input_of(p, 0), input_of(q, 0)};
    joined_parts whole(c);
    const auto fits = [&](std::int64_t axis) { return whole.fit(parts, axis); };
    const auto axis = std::ranges::find_if(r->axes, fits);
    if (axis == r->axes.end()) return {};
    if (!c.single_use(input_of(root, 0)) || !c.single_use(p) || !c.single_use(q))
      return decline("the reductions are read elsewhere too");
    if (op.combines == "Add" && is_integer(p.dtype())) {
      const auto count = [&](const value& part) { return c.g.dims().product(extents_at(part.dims(), r->axes)); };
      const int bits_of_each = std::max(significant_bits(parts[0]), significant_bits(parts[1]));
      if (!is_exact_sum(p.dtype(), bits_of_each, c.g.dims().add(count(parts[0]), count(parts[1]))))
        return decline("the sum of all parts would not be exact");
    }
    const value joined = reduce(op.reduces, whole.join(parts, *axis), r->axes, r->keep);
    return start ? binary(op.combines, start, joined) : joined;
  }
  return {};
}

inline constexpr rule joined_part_rules[] = {
    {"joined-parts", "Concat(x[:i], x[i:j], ..., axis) -> x[:j], Concat(f(x[:i]), f(x[i:j]), ..., axis) -> f(x[:j])",
     "the parts are Slices, results of a Split, or Gathers of one element, along the axis; "
     "f is elementwise, a product, or does not change the axis; "
     "each operand of f is such a part, a constant, or the same for all parts; results of f are read once",
     ops<"Concat">, join_parts},
    {"summed-products", "MatMul(x[:, :k], y[:k]) + MatMul(x[:, k:], y[k:]) -> MatMul(x, y)",
     "the operands are joined as by joined-parts; each product is read once; 0 may be added to one of the products",
     ops<"Add", "Gemm">, join_summed_products},
    {"reduced-parts",
     "ReduceSum(x[:k]) + ReduceSum(x[k:]) -> ReduceSum(x), "
     "Max(ReduceMax(x[:k]), ReduceMax(x[k:])) -> ReduceMax(x), also for ReduceMin and ReduceProd",
     "the operands are joined as by joined-parts; each reduction is read once; ReduceProd only of floating-point "
     "numbers; sums of integers stay exact",
     ops<"Add", "Max", "Min", "Mul">, join_reduced_parts},
};

}  // namespace jax2onnx::rewrite::detail
