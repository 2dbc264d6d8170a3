// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/writer/output.hpp>

using jaxpr::writer::known_layout;

namespace {

/// `first` and `second` in brackets, on one line or broken.
std::string grouped(known_layout layout, std::string_view first, std::string_view second) {
  jaxpr::writer::output out;
  out.group(layout, [&](bool flat) {
    out.put("[");
    out.put(first);
    if (flat) out.put(" ");
    else out.newline(2);
    out.put(second);
    out.put("]");
  });
  return out.finish();
}

}  // namespace

TEST_CASE("output: a group that fits into 80 columns stays on one line") {
  const std::string half(38, 'x'), more(41, 'y');
  CHECK(grouped(known_layout::unknown, half, half) == "[" + half + " " + half + "]");
  CHECK(grouped(known_layout::unknown, half, more) == "[" + half + "\n  " + more + "]");
}

TEST_CASE("output: a known layout wins") {
  const std::string long_text(100, 'x');
  CHECK(grouped(known_layout::broken, "a", "b") == "[a\n  b]");
  CHECK(grouped(known_layout::one_line, long_text, "b") == "[" + long_text + " b]");
}

TEST_CASE("output: comments wait for the end of the line") {
  jaxpr::writer::output out;
  out.put("a");
  out.comment("first");
  out.comment("second");
  out.put(" b");
  out.newline(2);
  out.put("c");
  CHECK(out.finish() == "a b # first\n     # second\n  c");
}

TEST_CASE("output: operands wrap at 80 columns unless the layout is known") {
  const auto separated = [](known_layout layout, std::size_t before) {
    jaxpr::writer::output out;
    out.put(std::string(before, 'x'));
    out.separate(layout, 10, 0);
    return out.finish().substr(before);
  };
  CHECK(separated(known_layout::unknown, 60) == " ");
  CHECK(separated(known_layout::unknown, 75) == "\n  ");
  CHECK(separated(known_layout::one_line, 75) == " ");
  CHECK(separated(known_layout::broken, 5) == "\n  ");
}
