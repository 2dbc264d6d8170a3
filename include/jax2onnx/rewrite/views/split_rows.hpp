// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/views/fuse.hpp>
#include <jax2onnx/rewrite/views/move.hpp>

/// Products of rows that views have split into blocks, for devices or kernels.
namespace jax2onnx::rewrite::detail {

/// Axes of the left operand of a MatMul that are blocks of its rows, each multiplied with the same right operand.
class blocks_of_rows {
 public:
  explicit blocks_of_rows(const value& root)
      : root_(root), w_(input_of(root, 1)), x_(input_of(root, 0)), dims_(x_.dims()) {
    for (; is_view(x_); x_ = input_of(x_, 0)) views_.push_back(x_);
    const std::optional<axis_layout> layout = layout_through(views_, x_);
    if (layout && std::ssize(dims_) == root.rank()) join(*layout);
  }

  /// True if the left operand needs fewer views than now once its blocks are joined.
  bool pays() const { return order_ && std::ssize(views_) > int{moves()} + int{reshapes()}; }
  bool are_read_once(const context& c) const {
    for (const value& v : views_)
      if (!c.single_use(v)) return false;
    return true;
  }
  /// The product of all rows, split into blocks again.
  value product() const {
    shape of_w = w_.dims();
    for (const std::int64_t axis : axes_)
      if (axis >= missing()) of_w.erase(of_w.begin() + axis - missing());
    const value y = matmul(reshape(transpose(x_, *order_), dims_), reshape(w_, of_w));
    shape split(y.dims().begin(), y.dims().end() - 2);
    ints perm(root_.dims().size());
    std::int64_t from = std::ssize(split);
    for (std::size_t i = axes_.size(); i > 0; --i) {
      split.push_back(root_.extent(axes_[i - 1]));
      perm[static_cast<std::size_t>(axes_[i - 1])] = from++;
    }
    for (std::int64_t axis = 0, kept = 0; axis < root_.rank(); ++axis) {
      if (has_axis(axes_, axis)) continue;
      perm[static_cast<std::size_t>(axis)] = axis < rows() ? kept++ : from++;
      if (axis >= rows()) split.push_back(root_.extent(axis));
    }
    return transpose(reshape(y, split), perm);
  }

 private:
  std::int64_t rows() const { return root_.rank() - 2; }
  std::int64_t missing() const { return root_.rank() - w_.rank(); }
  bool moves() const { return !std::is_sorted(order_->begin(), order_->end()); }
  bool reshapes() const { return dims_ != infer::transpose(x_.dims(), *order_).dims; }

  void join(axis_layout layout) {
    dim_table& dims = x_.owner().dims();
    for (std::int64_t axis = rows() - 1; axis >= 0; --axis) {
      if (axis >= missing() && !w_.extent(axis - missing()).is(1)) continue;
      axis_parts blocks = layout[static_cast<std::size_t>(axis)];
      append(blocks, layout[layout.size() - 2]);
      blocks = joined(dims, blocks);
      if (blocks.size() > 1) continue;
      layout[layout.size() - 2] = std::move(blocks);
      layout.erase(layout.begin() + axis);
      dims_[dims_.size() - 2] = dims.mul(dims_[static_cast<std::size_t>(axis)], dims_[dims_.size() - 2]);
      dims_.erase(dims_.begin() + axis);
      axes_.push_back(axis);
    }
    if (!axes_.empty()) order_ = order_of_axes(x_, all_parts(layout));
  }

  const value root_, w_;
  value x_;                      ///< the left operand without views
  std::vector<value> views_{};   ///< the views of x_, the outermost first
  shape dims_;                   ///< the extents of the left operand with its blocks joined
  ints axes_{};                  ///< the axes that are blocks, the last first
  std::optional<ints> order_{};  ///< the order of the axes of x_
};

/// Multiplies all rows at once if views have split the rows into blocks, for devices or kernels.
inline outcome matmul_of_split(const context& c, const value& root) {
  if (root.rank() < 3 || !is_view(input_of(root, 0))) return {};
  const blocks_of_rows blocks(root);
  if (!blocks.pays()) return {};
  if (!blocks.are_read_once(c)) return decline(reshape_view.stays);
  if (!is_static(root.dims()) || !is_static(input_of(root, 1).dims())) return decline(computed_shape);
  return blocks.product();
}

}  // namespace jax2onnx::rewrite::detail
