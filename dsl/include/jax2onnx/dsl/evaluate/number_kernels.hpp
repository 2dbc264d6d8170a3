// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/evaluate/element_functions.hpp>
#include <jax2onnx/dsl/evaluate/shape_kernels.hpp>

/// Operators that combine several elements. Sums, products and functions are computed in double or in 64-bit integers,
/// and the results are converted to the element type. LayerNormalization and RMSNormalization also round to this type
/// before they scale.
namespace jax2onnx::evaluation {

/// A sum of products or of numbers.
struct accumulator {
  dtype type;
  double real = 0;
  std::int64_t integer = 0;
  void add(const single_element& x) {
    if (is_floating(type)) real += x.number();
    else
      integer =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(integer) + static_cast<std::uint64_t>(x.integer()));
  }
  void add_product(const single_element& a, const single_element& b) {
    if (is_floating(type)) real += a.number() * b.number();
    else
      integer =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(integer) +
                                    static_cast<std::uint64_t>(a.integer()) * static_cast<std::uint64_t>(b.integer()));
  }
  std::uint64_t pattern() const {
    return is_floating(type) ? encode_float(type, real) : facts::of_elements::encode(type, integer);
  }
};

inline arrays matmul(const call& c) {
  const auto matrix = [](const ndarray& x, bool row) {
    ints e = x.extents();
    if (x.rank() == 1) e.insert(row ? e.begin() : e.end(), 1);
    return reshaped(x, e);
  };
  const ndarray a = matrix(c.operand(0), true), b = matrix(c.operand(1), false);
  const auto inner = static_cast<std::size_t>(a.extents()[a.extents().size() - 1]);
  const auto columns = static_cast<std::size_t>(b.extents()[b.extents().size() - 1]);
  const auto rows = static_cast<std::size_t>(a.extents()[a.extents().size() - 2]);
  if (b.extents()[b.extents().size() - 2] != static_cast<std::int64_t>(inner)) c.fail("the inner extents differ");
  const auto batch = [](const ndarray& x) {
    const ints& e = x.extents();
    const ints outer(e.begin(), e.end() - 2);
    std::vector<std::uint64_t> first;  // index of each matrix
    for (std::size_t i = 0; i < count_of(outer); ++i) first.push_back(i);
    return ndarray(dtype::u64, outer, std::move(first));
  };
  const ndarray of_a = batch(a), of_b = batch(b);
  const ints outer = broadcast_extents({c.g, c.n, {&of_a, &of_b}});
  const ndarray matrices_a = picked(of_a, outer, [&](const ints& p) { return index_of(of_a, p); });
  const ndarray matrices_b = picked(of_b, outer, [&](const ints& p) { return index_of(of_b, p); });
  std::vector<std::uint64_t> out;
  for (std::size_t m = 0; m < matrices_a.size(); ++m)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        accumulator sum{a.type()};
        for (std::size_t k = 0; k < inner; ++k)
          sum.add_product(a[(matrices_a.patterns()[m] * rows + i) * inner + k],
                          b[(matrices_b.patterns()[m] * inner + k) * columns + j]);
        out.push_back(sum.pattern());
      }
  ints to = outer;
  if (c.operand(0).rank() > 1) to.push_back(static_cast<std::int64_t>(rows));
  if (c.operand(1).rank() > 1) to.push_back(static_cast<std::int64_t>(columns));
  return {ndarray(a.type(), to, std::move(out))};
}

inline arrays gemm(const call& c) {
  const auto at = [&](std::size_t operand, std::size_t i, std::size_t k, bool transposed) {
    const ndarray& x = c.operand(operand);
    return x[transposed ? k * static_cast<std::size_t>(x.extents()[1]) + i
                        : i * static_cast<std::size_t>(x.extents()[1]) + k]
        .number();
  };
  const bool ta = c.flag("transA"), tb = c.flag("transB");
  const ints to{c.operand(0).extents()[ta ? 1 : 0], c.operand(1).extents()[tb ? 0 : 1]};
  const auto inner = static_cast<std::size_t>(c.operand(0).extents()[ta ? 0 : 1]);
  std::vector<std::uint64_t> out;
  for (std::int64_t i = 0; i < to[0]; ++i)
    for (std::int64_t j = 0; j < to[1]; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k)
        sum += at(0, static_cast<std::size_t>(i), k, ta) * at(1, k, static_cast<std::size_t>(j), tb);
      sum *= c.real("alpha");
      if (c.has(2)) sum += c.real("beta") * c.operand(2)[index_of(c.operand(2), {i, j})].number();
      out.push_back(encoded(c.operand(0).type(), sum));
    }
  return {ndarray(c.operand(0).type(), to, std::move(out))};
}

/// The rows of an array along some axes: one row for each position along the other axes. A row is a list of the flat
/// indices of its elements.
struct rows {
  ints extents;  ///< the array's extents, with 1 at the axes along which rows run
  std::vector<std::vector<std::size_t>> indices;
};
inline rows rows_of(const ndarray& x, const std::vector<bool>& along) {
  rows out{x.extents(), {}};
  for (std::size_t i = 0; i < along.size(); ++i)
    if (along[i]) out.extents[i] = 1;
  out.indices.resize(count_of(out.extents));
  ints place(x.extents().size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::size_t row = 0;
    for (std::size_t axis = 0; axis < along.size(); ++axis)
      row =
          row * static_cast<std::size_t>(out.extents[axis]) + (along[axis] ? 0 : static_cast<std::size_t>(place[axis]));
    out.indices[row].push_back(i);
    for (std::size_t axis = place.size(); axis-- > 0 && ++place[axis] == x.extents()[axis];) place[axis] = 0;
  }
  return out;
}
inline ints without(const ints& extents, const std::vector<bool>& along) {
  ints out;
  for (std::size_t i = 0; i < along.size(); ++i)
    if (!along[i]) out.push_back(extents[i]);
  return out;
}

/// Reduces each row to one element. Returns the operand unchanged if there are no axes and `noop_with_empty_axes` is
/// set.
template <class Reduce>
arrays reduced(const call& c, const Reduce& reduce) {
  const ndarray& x = c.operand(0);
  const ints axes = c.integers_or(1, "axes");
  if (axes.empty() && c.flag("noop_with_empty_axes")) return {x};
  std::vector<bool> along(x.extents().size(), axes.empty());
  for (const std::int64_t axis : axes) along[c.from_front(axis, x.rank())] = true;
  const rows all = rows_of(x, along);
  std::vector<std::uint64_t> out;
  for (const auto& row : all.indices) out.push_back(reduce(x, row));
  return {ndarray(x.type(), c.flag("keepdims") ? all.extents : without(all.extents, along), std::move(out))};
}
/// Reduces each row to g(sum of f(element), number of elements).
template <class F, class G>
arrays summed(const call& c, const F& f, const G& g) {
  return reduced(c, [&](const ndarray& x, const std::vector<std::size_t>& row) {
    double sum = 0;
    for (const std::size_t i : row) sum += f(x[i].number());
    return encoded(x.type(), g(sum, static_cast<double>(row.size())));
  });
}
inline double square(double x) { return x * x; }
inline double same(double x) { return x; }
inline double first(double x, double) { return x; }

inline arrays reduce_sum(const call& c) {
  return reduced(c, [](const ndarray& x, const std::vector<std::size_t>& row) {
    accumulator sum{x.type()};
    for (const std::size_t i : row) sum.add(x[i]);
    return sum.pattern();
  });
}
inline arrays reduce_prod(const call& c) {
  return reduced(c, [](const ndarray& x, const std::vector<std::size_t>& row) {
    double product = 1;
    for (const std::size_t i : row) product *= x[i].number();
    return encoded(x.type(), product);
  });
}
template <bool Largest>
arrays reduce_extreme(const call& c) {
  return reduced(c, [&](const ndarray& x, const std::vector<std::size_t>& row) {
    std::vector<single_element> all;
    for (const std::size_t i : row) all.push_back(x[i]);
    if (all.empty()) c.fail("there are no elements to reduce");
    return *extreme<Largest>(c, all, x.type());
  });
}
inline arrays reduce_log_sum_exp(const call& c) {
  return reduced(c, [](const ndarray& x, const std::vector<std::size_t>& row) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const std::size_t i : row) most = std::max(most, x[i].number());
    for (const std::size_t i : row) sum += std::exp(x[i].number() - most);
    return encoded(x.type(), most + std::log(sum));
  });
}

/// The index of the largest or smallest element of each row: the first such index, or the last one if
/// `select_last_index` is set. The index is 0 if the row begins with NaN; any other NaN is ignored.
template <bool Largest>
arrays arg_extreme(const call& c) {
  const ndarray& x = c.operand(0);
  std::vector<bool> along(x.extents().size());
  along[c.axis()] = true;
  const rows all = rows_of(x, along);
  std::vector<std::uint64_t> out;
  for (const auto& row : all.indices) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < row.size(); ++i) {
      const double a = x[row[i]].number(), b = x[row[best]].number();
      if ((Largest ? a > b : a < b) || (a == b && c.flag("select_last_index"))) best = i;
    }
    out.push_back(best);
  }
  return {ndarray(dtype::i64, c.flag("keepdims") ? all.extents : without(all.extents, along), std::move(out))};
}

/// Returns x with other numbers: `f` gets the numbers of each row and replaces them in place.
template <class F>
ndarray mapped_rows(const ndarray& x, const std::vector<bool>& along, const F& f) {
  std::vector<std::uint64_t> out(x.size());
  for (const auto& row : rows_of(x, along).indices) {
    std::vector<double> numbers;
    for (const std::size_t i : row) numbers.push_back(x[i].number());
    f(numbers);
    for (std::size_t i = 0; i < row.size(); ++i) out[row[i]] = encoded(x.type(), numbers[i]);
  }
  return {x.type(), x.extents(), std::move(out)};
}
template <bool Log>
arrays softmax(const call& c) {
  std::vector<bool> along(c.operand(0).extents().size());
  along[c.axis()] = true;
  return {mapped_rows(c.operand(0), along, [](std::vector<double>& row) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const double x : row) most = std::max(most, x);
    for (const double x : row) sum += std::exp(x - most);
    for (double& x : row) x = Log ? x - most - std::log(sum) : std::exp(x - most) / sum;
  })};
}
/// Layer normalization if `Centered`, otherwise RMS normalization, which subtracts no mean. Only the first result is
/// evaluated.
template <bool Centered>
arrays normalized(const call& c) {
  const ndarray& x = c.operand(0);
  std::vector<bool> along(x.extents().size());
  for (std::size_t i = c.axis(); i < along.size(); ++i) along[i] = true;
  const double epsilon = c.real("epsilon");
  const ndarray y = mapped_rows(x, along, [&](std::vector<double>& row) {
    double mean = 0, variance = 0;
    for (const double n : row) mean += Centered ? n / static_cast<double>(row.size()) : 0;
    for (const double n : row) variance += square(n - mean) / static_cast<double>(row.size());
    for (double& n : row) n = (n - mean) / std::sqrt(variance + epsilon);
  });
  std::vector<std::uint64_t> out(y.size());
  ints place(x.extents().size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double scale = c.operand(1)[index_of(c.operand(1), place)].number();
    const double bias = c.has(2) ? c.operand(2)[index_of(c.operand(2), place)].number() : 0;
    out[i] = encoded(x.type(), y[i].number() * scale + bias);
    for (std::size_t axis = place.size(); axis-- > 0 && ++place[axis] == x.extents()[axis];) place[axis] = 0;
  }
  return {ndarray(x.type(), x.extents(), std::move(out))};
}
inline arrays cumsum(const call& c) {
  const ndarray& x = c.operand(0);
  std::vector<bool> along(x.extents().size());
  along[c.from_front(c.integers(1)[0], x.rank())] = true;
  return {mapped_rows(x, along, [&](std::vector<double>& row) {
    if (c.flag("reverse")) std::ranges::reverse(row);
    double sum = 0;
    for (double& n : row) {
      const double before = std::exchange(sum, sum + n);
      n = c.flag("exclusive") ? before : sum;
    }
    if (c.flag("reverse")) std::ranges::reverse(row);
  })};
}
inline arrays range(const call& c) {
  const dtype t = c.operand(0).type();
  const double start = c.operand(0)[0].number(), limit = c.operand(1)[0].number(), step = c.operand(2)[0].number();
  std::vector<std::uint64_t> out;
  const double count = std::max(0.0, std::ceil((limit - start) / step));
  if (!(count <= static_cast<double>(most_elements))) c.fail("the result has over 2^26 elements");
  for (double i = 0; i < count; ++i) out.push_back(encoded(t, start + i * step));
  ints extents{std::ssize(out)};
  return {ndarray(t, std::move(extents), std::move(out))};
}

}  // namespace jax2onnx::evaluation
