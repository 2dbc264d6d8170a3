// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx::lower {

/// Elements of a reference that integer arrays index, as in NumPy. In the result, the dimensions of these arrays
/// replace the indexed axes if the axes are adjacent; otherwise the dimensions come first. Source:
/// jax/_src/state/indexing.py.
struct ref_points {
  ints axes;                 ///< the indexed axes, in order
  std::vector<value> index;  ///< an array for each indexed axis; the arrays broadcast to `batch`
  shape batch;

  /// The position of the arrays' dimensions in the result.
  std::int64_t place() const {
    const bool adjacent = axes.back() - axes.front() + 1 == std::ssize(axes);
    return adjacent ? axes.front() : 0;
  }

  /// Reads the elements. A negative index counts from the end. Indices beyond the ends read the first or last element.
  value read(const value& x) const {
    const value at = flat_index(x.dims(), {});
    return transpose(gather(rows(x), at, 0), from_front(x.rank() - std::ssize(axes)));
  }
  /// x with `update` written. If `reduction` is "add", `update` is added instead, and an element that is indexed
  /// several times gets all of its updates. Indices beyond the ends write nothing.
  value write(const value& x, const value& update, const std::string& reduction = "none") const {
    graph& g = x.owner();
    const std::int64_t rest = x.rank() - std::ssize(axes);
    const value flat = rows(x);
    shape low(flat.dims().size(), dim(0)), high = low;
    high[0] = 1;
    const value roomy = pad(flat, low, high, scalar(g, x.dtype(), 0));
    const value at = unsqueeze(flat_index(x.dims(), flat.extent(0)), {std::ssize(batch)});
    const value written = scatter_nd(roomy, at, transpose(update, inverse(from_front(rest))), reduction);
    shape dims;
    for (std::int64_t axis : front()) dims.push_back(x.extent(axis));
    for (std::int64_t axis : behind(x.rank())) dims.push_back(x.extent(axis));
    const value kept = reshape(slice(written, 0, 0, flat.extent(0)), dims);
    return transpose(kept, inverse(order(x.rank())));
  }

 private:
  static ints inverse(const ints& permutation) {
    ints out(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
      out[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return out;
  }
  const ints& front() const { return axes; }
  ints behind(std::int64_t rank) const {
    ints out;
    for (std::int64_t d = 0; d < rank; ++d)
      if (!item_loops::contains(axes, d)) out.push_back(d);
    return out;
  }
  /// The indexed axes, then all other axes.
  ints order(std::int64_t rank) const {
    ints out = axes;
    for (std::int64_t d : behind(rank)) out.push_back(d);
    return out;
  }
  /// The permutation from [batch..., rest...] to the order of the result.
  ints from_front(std::int64_t rest) const {
    const std::int64_t b = std::ssize(batch), at = place();
    ints out;
    for (std::int64_t d = 0; d < at; ++d) out.push_back(b + d);
    for (std::int64_t d = 0; d < b; ++d) out.push_back(d);
    for (std::int64_t d = at; d < rest; ++d) out.push_back(b + d);
    return out;
  }
  /// x with the indexed axes merged into one first axis.
  value rows(const value& x) const {
    shape dims{1};
    for (std::int64_t axis : axes) dims[0] = x.owner().dims().mul(dims[0], x.extent(axis));
    for (std::int64_t axis : behind(x.rank())) dims.push_back(x.extent(axis));
    return reshape(transpose(x, order(x.rank())), dims);
  }
  /// The row of each element: [batch...]. A row beyond the ends becomes `outside`, or the nearest row if `outside` is
  /// nullopt.
  value flat_index(const shape& dims, std::optional<dim> outside) const {
    graph& g = index[0].owner();
    value flat, inside;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const dim extent = dims[static_cast<std::size_t>(axes[i])], last = g.dims().sub(extent, 1);
      const value given = cast(index[i], dtype::i64), whole = dim_scalar(g, extent, dtype::i64);
      const open_ends ends = open_ends_of(g, range_of(given), last);
      const value at = ends.low ? where(less(given, 0), add(given, whole), given) : given;
      const value bounded = ends.low || ends.high ? clamp_indices(at, {last}, ends) : at;
      if (outside && (ends.low || ends.high)) {
        const value same = equal(at, bounded);
        inside = inside ? logical_and(inside, same) : same;
      }
      flat = flat ? add(mul(flat, whole), bounded) : bounded;
    }
    if (inside) flat = where(inside, flat, dim_scalar(g, *outside, dtype::i64));
    return broadcast_to(flat, batch);
  }
};

}  // namespace jax2onnx::lower
