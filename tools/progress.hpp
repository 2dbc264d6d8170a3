// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

#include <jax2onnx/support/progress.hpp>

namespace cli {

/// One line on a terminal that shows the progress of long work. The line is not shown for short work, with -q, or if
/// standard error is not a terminal that can redraw a line. The line is erased when the work is done.
class progress_line {
 public:
  explicit progress_line(const arguments& args);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Draws the line. The call is cheap if it is too early to draw.
  void show(std::string_view phase, std::uint64_t done, std::uint64_t total);
  /// A function for the library that calls show(); empty if nothing will ever be drawn. The function must not outlive
  /// this object.
  jax2onnx::progress_sink sink();

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds first{500}, interval{100};

  bool enabled_;
  bool drawn_ = false;
  clock::time_point next_ = clock::now() + first;
};

}  // namespace cli
