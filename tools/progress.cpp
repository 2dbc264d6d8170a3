// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include "description.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

namespace cli {
namespace {

using jax2onnx::detail::readable_size;

std::string amount(std::string_view phase, std::uint64_t done, std::uint64_t total) {
  if (phase == "lowering") return " " + counted(done, "equation");
  if (total == 0) return {};
  return fmt::format(" {} of {} ({} %)", readable_size(done), readable_size(total), done * 100 / total);
}

}  // namespace

progress_line::progress_line(const arguments& args) : enabled_(args.verbosity > 0 && can_redraw()) {}

progress_line::~progress_line() {
  if (drawn_) say("\r\033[K");
}

jax2onnx::progress_sink progress_line::sink() {
  if (!enabled_) return {};
  return [this](std::string_view phase, std::uint64_t done, std::uint64_t total) { show(phase, done, total); };
}

void progress_line::show(std::string_view phase, std::uint64_t done, std::uint64_t total) {
  if (!enabled_) return;
  const clock::time_point now = clock::now();
  if (now < next_) return;
  next_ = now + interval;
  drawn_ = true;
  // The line is cut to the width of the terminal, because \r does not return to the start of a wrapped line.
  const std::string line = fmt::format("{}{} ...", phase, amount(phase, done, total));
  say(fmt::format("\r{}\033[K", line.substr(0, terminal_width() - 1)));
}

}  // namespace cli
