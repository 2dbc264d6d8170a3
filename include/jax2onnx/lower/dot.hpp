#pragma once

#include <array>
#include <vector>

#include <jax2onnx/lower/table.hpp>

/// dot_general in every form, as one MatMul. Source: jax.lax.dot_general.
namespace jax2onnx::lower {

/// dimension_numbers=((lhs_contract, rhs_contract), (lhs_batch, rhs_batch))
struct dot_axes {
  ints lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  explicit dot_axes(const std::vector<std::vector<ints>>& d)
      : lhs_contract(d.at(0).at(0)), rhs_contract(d.at(0).at(1)), lhs_batch(d.at(1).at(0)), rhs_batch(d.at(1).at(1)) {}
};

/// Merges dimensions [first, first + count) into one; none become an extent of 1.
inline value fold(const value& x, std::size_t first, std::size_t count) {
  if (count == 1) return x;
  shape folded(x.dims().begin(), x.dims().begin() + static_cast<std::ptrdiff_t>(first));
  const auto begin = x.dims().begin() + static_cast<std::ptrdiff_t>(first), end = begin + static_cast<std::ptrdiff_t>(count);
  folded.push_back(x.owner().dims().product(shape(begin, end)));
  folded.insert(folded.end(), end, x.dims().end());
  return jax2onnx::reshape(x, folded);
}

/// batch + lhs free + rhs free; the operands have one dtype, which is the result's.
inline value dot(const value& lhs, const value& rhs, const dot_axes& d) {
  const ints lhs_free = complement(lhs.rank(), d.lhs_batch, d.lhs_contract);
  const ints rhs_free = complement(rhs.rank(), d.rhs_batch, d.rhs_contract);
  const std::size_t batch = d.lhs_batch.size(), contract = d.lhs_contract.size();
  value a = jax2onnx::transpose(lhs, joined(d.lhs_batch, lhs_free, d.lhs_contract));
  value b = jax2onnx::transpose(rhs, joined(d.rhs_batch, d.rhs_contract, rhs_free));
  const shape result = [&] {
    shape s = extents_at(lhs.dims(), joined(d.lhs_batch, lhs_free));
    for (dim e : extents_at(rhs.dims(), rhs_free)) s.push_back(e);
    return s;
  }();
  a = fold(a, batch + lhs_free.size(), contract);
  b = fold(fold(b, batch + contract, rhs_free.size()), batch, contract);
  // Without batch dimensions MatMul takes any number of leading ones on the left.
  if (batch > 0 || lhs_free.empty()) a = fold(a, batch, lhs_free.size());
  return jax2onnx::reshape(matmul(a, b), result);
}

inline results dot_general(const site& s) {
  const dot_axes d(s.param<std::vector<std::vector<ints>>>("dimension_numbers"));
  s.find("preferred_element_type");  // the printed result type says it
  const dtype t = s.out_dtype();
  const auto product = [&](const value& a, const value& b) { return dot(cast(a, t), cast(b, t), d); };
  if (!s.is_complex()) return {product(s.in(0), s.in(1))};
  const operand &a = s.in_parts(0), &b = s.in_parts(1);
  return {{sub(product(a.re(), b.re()), product(a.im(), b.im())), add(product(a.re(), b.im()), product(a.im(), b.re()))}};
}

inline constexpr lowering dot_rows[] = {
    {"dot_general", dot_general, "Transpose, Reshape, MatMul", parts_rule::own},
};

}  // namespace jax2onnx::lower
