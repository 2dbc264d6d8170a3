// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/written_refs.hpp>
#include <jax2onnx/lower/pallas/first_access.hpp>
#include <jax2onnx/lower/pallas/grid_mapping.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Determines which axes of a grid are parallel: programs that differ along these axes write to different blocks, and
/// no program sees what a program at another position along these axes has left in scratch. The programs along parallel
/// axes can be computed at once.
namespace jax2onnx::lower::pallas {

/// The blocks of an array along one of its axes.
struct axis_blocks {
  std::optional<std::size_t> along;  ///< the parallel axis of the grid along which the blocks differ
  ints starts;                       ///< the starts of the blocks, by the position along that axis
};
/// The blocks of an array, axis by axis.
using array_blocks = std::vector<axis_blocks>;

struct parallel_plan {
  std::vector<bool> parallel;        ///< for each axis of the grid, true if its programs run at once
  std::vector<array_blocks> blocks;  ///< the blocks of each block mapping
};

/// Finds the parallel axes of a kernel.
class parallel_planner {
 public:
  /// `padded` are the extents of the arrays; the last `outputs` of them are outputs.
  parallel_planner(const grid_mapping& m, std::vector<shape> padded, const jaxpr::body& kernel, std::size_t outputs)
      : m_(m), padded_(std::move(padded)), kernel_(kernel), outputs_(outputs) {}

  std::optional<parallel_plan> plan() {
    if (!read_grid() || !read_tables()) return std::nullopt;
    for (std::size_t i = 0; i < m_.inputs; ++i)
      if (may_write(kernel_, kernel_.invars[m_.scalars + i].slot)) return std::nullopt;
    parallel_.assign(sizes_.size(), false);
    for (std::size_t k = 0; k < sizes_.size(); ++k) parallel_[k] = sizes_[k] > 1 && writes_apart(k);
    separate_axes();
    keep_scratch_apart();
    if (!item_loops::contains(parallel_, true)) return std::nullopt;
    parallel_plan out{parallel_, {}};
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) out.blocks.push_back(blocks_of(i));
    for (std::size_t i = first_output(); i < m_.blocks.size(); ++i)
      if (!is_all_of_array(i, out.blocks[i])) return std::nullopt;
    return out;
  }

 private:
  static constexpr std::int64_t most_steps = 1 << 14;
  static constexpr std::size_t most_axes = 16;

  std::size_t first_output() const { return m_.blocks.size() - outputs_; }
  bool read_grid() {
    const std::optional<std::int64_t> steps = m_.steps();
    if (!steps || *steps < 2 || *steps > most_steps || m_.grid.size() > most_axes) return false;
    steps_ = *steps;
    for (const std::optional<dim>& d : m_.grid) sizes_.push_back(d->extent());
    for (const shape& dims : padded_)
      if (!item_loops::all_of(dims, [](dim d) { return d.is_constant(); })) return false;
    return true;
  }
  std::vector<known_number> position(std::int64_t n) const {
    std::vector<known_number> at(sizes_.size());
    for (std::size_t k = at.size(); k-- > 0; n /= sizes_[k]) at[k] = n % sizes_[k];
    return at;
  }
  /// The position of program n along axis k, and the program at position 0 along k that has the same position along all
  /// other axes.
  /// @{
  std::int64_t coordinate(std::int64_t n, std::size_t k) const { return n / stride(k) % sizes_[k]; }
  std::int64_t first_along(std::int64_t n, std::size_t k) const { return n - coordinate(n, k) * stride(k); }
  std::int64_t stride(std::size_t k) const {
    std::int64_t n = 1;
    for (std::size_t i = k + 1; i < sizes_.size(); ++i) n *= sizes_[i];
    return n;
  }
  /// @}

  /// Reads the position of each program's blocks; returns false if a position is not known before the model runs.
  bool read_tables() {
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
      const block_mapping& b = m_.blocks[i];
      std::vector<ints>& table = starts_.emplace_back(b.axes.size(), ints(static_cast<std::size_t>(steps_), 0));
      if (!b.index_map) continue;
      for (std::int64_t n = 0; n < steps_; ++n) {
        const auto found = integer_evaluation::results(*b.index_map, position(n), {});
        if (found.size() != b.axes.size()) return false;
        for (std::size_t d = 0; d < b.axes.size(); ++d) {
          if (!found[d]) return false;
          const std::int64_t size = b.axes[d].size.extent(), whole = padded_[i][d].extent();
          std::int64_t start = b.axes[d].kind == block_kind::blocked ? *found[d] * size : *found[d];
          if (start < 0) start += whole;  // a negative start counts from the end
          table[d][static_cast<std::size_t>(n)] = std::clamp<std::int64_t>(start, 0, whole - size);
        }
      }
    }
    return true;
  }
  std::int64_t start(std::size_t i, std::size_t d, std::int64_t n) const {
    return starts_[i][d][static_cast<std::size_t>(n)];
  }
  bool depends(std::size_t i, std::size_t d, std::size_t k) const {
    for (std::int64_t n = 0; n < steps_; ++n)
      if (start(i, d, n) != start(i, d, first_along(n, k))) return true;
    return false;
  }

  /// Returns whether programs at different positions along axis k write to blocks that do not overlap; false if a start
  /// is not a multiple of the extent of its block.
  bool writes_apart(std::size_t k) const {
    for (std::size_t i = first_output(); i < m_.blocks.size(); ++i) {
      // The position along axis k of the program that writes a block, by the block's starts.
      std::map<ints, std::int64_t> owner;
      for (std::int64_t n = 0; n < steps_; ++n) {
        ints block;
        for (std::size_t d = 0; d < m_.blocks[i].axes.size(); ++d) {
          if (start(i, d, n) % m_.blocks[i].axes[d].size.extent() != 0) return false;
          block.push_back(start(i, d, n));
        }
        const std::int64_t at = coordinate(n, k);
        if (owner.try_emplace(std::move(block), at).first->second != at) return false;
      }
    }
    return true;
  }

  /// An axis of the grid stays parallel only if in each array, the blocks along at most one axis of the array depend on
  /// it. The blocks along this axis must not depend on any other axis of the grid.
  void separate_axes() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
        std::vector<int> uses(sizes_.size(), 0);
        for (std::size_t d = 0; d < m_.blocks[i].axes.size(); ++d) {
          std::vector<std::size_t> along;
          for (std::size_t k = 0; k < sizes_.size(); ++k)
            if (sizes_[k] > 1 && depends(i, d, k)) along.push_back(k);
          for (std::size_t k : along) {
            ++uses[k];
            if (!parallel_[k] || (along.size() == 1 && uses[k] == 1)) continue;
            parallel_[k] = false;
            changed = true;
          }
        }
      }
    }
  }

  /// Scratch keeps the values of the previous program, so axes are parallel only if programs write scratch before they
  /// read it. If only programs with index 0 along all sequential axes write scratch first, axes after a sequential axis
  /// are not parallel: the previous program has another index along these axes.
  void keep_scratch_apart() {
    if (scratch_is_written_first(false)) return;
    bool behind = false;
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      behind = behind || (sizes_[k] > 1 && !parallel_[k]);
      if (behind) parallel_[k] = false;
    }
    if (!scratch_is_written_first(true)) parallel_.assign(parallel_.size(), false);
  }
  /// Returns whether each program writes all scratch before reading it. If `only_first` is set, only the programs with
  /// index 0 along all sequential axes count.
  bool scratch_is_written_first(bool only_first) const {
    std::vector<known_number> programs;
    for (std::size_t k = 0; k < sizes_.size(); ++k)
      if (!m_.hidden[k])
        programs.push_back(sizes_[k] == 1 || (only_first && !parallel_[k]) ? known_number(0) : std::nullopt);
    const std::vector<known_number> arguments(kernel_.invars.size());
    for (std::size_t i = m_.scalars + m_.blocks.size(); i < kernel_.invars.size(); ++i)
      if (first_access(kernel_, kernel_.invars[i].slot, arguments, programs) == ref_use::read) return false;
    return true;
  }

  array_blocks blocks_of(std::size_t i) const {
    array_blocks out;
    for (std::size_t d = 0; d < m_.blocks[i].axes.size(); ++d) {
      axis_blocks& b = out.emplace_back();
      for (std::size_t k = 0; k < sizes_.size(); ++k)
        if (parallel_[k] && depends(i, d, k)) b.along = k;
      if (!b.along) continue;
      for (std::int64_t at = 0; at < sizes_[*b.along]; ++at) b.starts.push_back(start(i, d, at * stride(*b.along)));
    }
    return out;
  }
  /// Returns whether the parallel programs' blocks cover the array and do not differ along other axes of the grid.
  bool is_all_of_array(std::size_t i, const array_blocks& blocks) const {
    for (std::size_t d = 0; d < blocks.size(); ++d) {
      const std::int64_t size = m_.blocks[i].axes[d].size.extent(), whole = padded_[i][d].extent();
      for (std::size_t k = 0; k < sizes_.size(); ++k)
        if (!parallel_[k] && depends(i, d, k)) return false;
      const std::int64_t count = blocks[d].along ? std::ssize(blocks[d].starts) : 1;
      if (count * size != whole) return false;
    }
    return true;
  }

  const grid_mapping& m_;
  std::vector<shape> padded_;
  const jaxpr::body& kernel_;
  std::size_t outputs_;
  std::int64_t steps_ = 0;
  ints sizes_;                             // the extents of the grid
  std::vector<std::vector<ints>> starts_;  // the starts of blocks, by mapping, by axis, by program
  std::vector<bool> parallel_;
};

}  // namespace jax2onnx::lower::pallas
