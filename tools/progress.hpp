// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

#include <jax2onnx/support/progress.hpp>

namespace cli {

/// One line on a terminal that says how far long work has come. Nothing for short work, for -q, or where standard error
/// is no terminal; it is gone when the work is.
class progress_line {
 public:
  explicit progress_line(const arguments& args);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Cheap where nothing is to be drawn yet.
  void show(std::string_view phase, std::uint64_t done, std::uint64_t total);
  /// show() for the library; none where nothing will ever be drawn. Not to outlive this.
  jax2onnx::progress_sink sink();

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds first{500}, interval{100};

  bool enabled_;
  bool drawn_ = false;
  clock::time_point next_ = clock::now() + first;
};

}  // namespace cli
