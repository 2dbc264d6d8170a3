// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <jax2onnx/lower/lowerer.hpp>

namespace jax2onnx::lower::pallas {

/// Sets the grid that a kernel sees while this object lives.
class grid_scope {
 public:
  grid_scope(lowerer& driver, std::vector<grid_axis> grid) : driver_(driver), outer_(std::move(driver.grid)) {
    driver.grid = std::move(grid);
  }
  grid_scope(const grid_scope&) = delete;
  grid_scope& operator=(const grid_scope&) = delete;
  ~grid_scope() { driver_.grid = std::move(outer_); }

 private:
  lowerer& driver_;
  std::vector<grid_axis> outer_;
};

}  // namespace jax2onnx::lower::pallas
